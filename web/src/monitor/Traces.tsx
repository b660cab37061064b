/** What the ground and the building do, as it comes. */

import { useEffect, useRef } from "preact/hooks";
import { sharp } from "../bench/drawing";
import { colour } from "../settings";
import { t } from "../texts";
import { card, points, shown, type Point } from "./state";

const CHASE = 0.25; // s in which the picture catches up with what has come

interface Trace {
  column: number;
  label: string;
  unit: string;
  factor: number;
  colour: string;
}

export function Traces() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const now = card.value;
  useEffect(() => {
    let [until, last, request] = [0, 0, 0];
    const tick = (at: number) => {
      const step = Math.min((at - last) / 1000, 0.1);
      last = at;
      const newest = points.at(-1)?.[0] ?? 0;
      until = newest - until > 2 * shown.peek().window || newest < until ? newest : until;
      until += (newest - until) * Math.min(1, step / CHASE);
      if (canvas.current) paint(canvas.current, until);
      request = requestAnimationFrame(tick);
    };
    request = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(request);
  }, []);
  const said = now ? `${now.name}: ${now.words}` : "";
  return <canvas ref={canvas} class="traces" role="img" aria-label={`${t.monitor.traces}. ${said}`} />;
}

function traces(): Trace[] {
  const unit = card.peek()?.coordinate?.unit ?? "m";
  const metres = unit === "m";
  const found: Trace[] = [];
  if (points.some((point) => point[2] !== null))
    found.push({ column: 2, label: t.monitor.ground, unit: "m/s²", factor: 1, colour: "soft" });
  found.push({
    column: 1,
    label: metres ? t.monitor.displacement : t.monitor.rotation,
    unit: metres ? "mm" : unit,
    factor: metres ? 1e3 : 1,
    colour: "accent",
  });
  return found;
}

function paint(canvas: HTMLCanvasElement, until: number): void {
  const [ctx, w, h] = sharp(canvas);
  const { window } = shown.peek();
  const from = until - window;
  const first = Math.max(0, points.findIndex((point) => (point[0] ?? 0) >= from) - 1);
  const seen = points.slice(first).filter((point) => (point[0] ?? 0) <= until);
  const found = traces();
  const tall = (h - 24) / found.length;
  const [left, right] = [64, 10];
  const x = (time: number) => left + ((time - from) / window) * (w - left - right);
  found.forEach((trace, k) => band(ctx, trace, seen, k * tall, tall, x, left, w - right));
  axis(ctx, from, window, x, h);
}

function band(
  ctx: CanvasRenderingContext2D,
  trace: Trace,
  seen: Point[],
  top: number,
  tall: number,
  x: (time: number) => number,
  left: number,
  right: number,
): void {
  let most = 0;
  for (const point of points) most = Math.max(most, Math.abs(point[trace.column] ?? 0));
  most = trace.factor * most || 1;
  const middle = top + tall / 2 + 6;
  const y = (value: number) => middle - (value / most) * (tall / 2 - 16);
  ctx.font = "12px system-ui";
  ctx.lineWidth = 1;
  ctx.strokeStyle = colour("line");
  ctx.fillStyle = colour("soft");
  for (const value of [-most, 0, most]) {
    ctx.beginPath();
    ctx.moveTo(left, y(value));
    ctx.lineTo(right, y(value));
    ctx.stroke();
    ctx.textAlign = "right";
    ctx.fillText(Number(value.toPrecision(2)).toString().replace("-", "−"), left - 6, y(value) + 4);
  }
  ctx.textAlign = "left";
  ctx.fillText(`${trace.label} [${trace.unit}]`, left + 4, top + 12);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, tall);
  ctx.clip();
  ctx.strokeStyle = colour(trace.colour);
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  let pen = false;
  for (const point of seen) {
    const value = point[trace.column] ?? null;
    if (value === null || point[0] === null) {
      pen = false;
      continue;
    }
    const [px, py] = [x(point[0]!), y(trace.factor * value)];
    if (pen) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
    pen = true;
  }
  ctx.stroke();
  ctx.restore();
}

function axis(ctx: CanvasRenderingContext2D, from: number, window: number, x: (time: number) => number, h: number): void {
  const step = window / 6;
  ctx.fillStyle = colour("soft");
  ctx.textAlign = "center";
  const epoch = from > 1e8;
  for (let time = Math.ceil(from / step) * step; time <= from + window; time += step) {
    if (time < 0) continue;
    const told = epoch ? new Date(1000 * time).toISOString().slice(11, 19) : `${Number(time.toFixed(1))} s`;
    ctx.fillText(told, x(time), h - 6);
  }
}
