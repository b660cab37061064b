/** Base shear over displacement, drawn as time runs. */

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sharp } from "../bench/drawing";
import { colour, dark } from "../settings";
import { t } from "../texts";
import { now } from "./player";
import { track, type Track } from "./state";

const TRAIL = 1.2; // s that are drawn strongly

interface Frame {
  track: Track;
  x: (u: number) => number;
  y: (force: number) => number;
  /** What has been drawn so far, up to a sample, on a canvas of its own. */
  past: HTMLCanvasElement;
  drawn: number;
  key: string;
}

export function Loop() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let frame: Frame | null = null;
    const draw = () => {
      const [found, i, isDark] = [track.value, now.value, dark.value];
      if (canvas.current && found) frame = paint(canvas.current, found, i, frame, isDark);
    };
    const stop = effect(draw);
    const fit = new ResizeObserver(draw);
    fit.observe(canvas.current!);
    return () => {
      stop();
      fit.disconnect();
    };
  }, []);
  const said = track.value?.sentence ?? "";
  return <canvas ref={canvas} class="loop" role="img" aria-label={`${t.building.loop}. ${said}`} />;
}

function paint(canvas: HTMLCanvasElement, found: Track, i: number, before: Frame | null, isDark: boolean): Frame {
  const [ctx, w, h] = sharp(canvas);
  const key = `${w} ${h} ${isDark}`;
  const same = before && before.track === found && before.key === key && before.drawn <= i;
  const frame = same ? before : begun(found, canvas, w, h, key);
  axes(ctx, frame, w, h);
  extend(frame, i);
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.drawImage(frame.past, 0, 0);
  ctx.restore();
  trail(ctx, frame, i);
  return frame;
}

/** Scales that hold the whole history, and an empty past. */
function begun(found: Track, canvas: HTMLCanvasElement, w: number, h: number, key: string): Frame {
  let far = found.house.elastic_displacement;
  for (const u of found.u) far = Math.max(far, Math.abs(u));
  const strong = 1.12 * found.house.strength;
  const past = document.createElement("canvas");
  [past.width, past.height] = [canvas.width, canvas.height];
  const ctx = past.getContext("2d")!;
  ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  const [left, right, top, bottom] = [58, 14, 12, 40];
  const [midX, midY] = [(left + w - right) / 2, (top + h - bottom) / 2];
  const perU = (w - right - left) / 2 / (1.06 * far);
  const perF = (h - bottom - top) / 2 / strong;
  return {
    track: found,
    x: (u) => midX + u * perU,
    y: (force) => midY - force * perF,
    past,
    drawn: 0,
    key,
  };
}

function axes(ctx: CanvasRenderingContext2D, { track: found, x, y }: Frame, w: number, h: number): void {
  const { strength, elastic_displacement } = found.house;
  let far = elastic_displacement;
  for (const u of found.u) far = Math.max(far, Math.abs(u));
  ctx.font = "12px system-ui";
  ctx.lineWidth = 1;
  ctx.strokeStyle = colour("line");
  ctx.fillStyle = colour("soft");
  ctx.textAlign = "center";
  const [bottom, left] = [h - 40, 58];
  for (const u of ticks(far)) {
    line(ctx, x(u), 12, x(u), bottom);
    ctx.fillText(short(1e3 * u), x(u), bottom + 16);
  }
  ctx.textAlign = "right";
  for (const force of ticks(strength)) {
    line(ctx, left, y(force), w - 14, y(force));
    ctx.fillText(short(force / 1e3), left - 6, y(force) + 4);
  }
  ctx.textAlign = "center";
  ctx.fillText(`${t.building.displacement} [mm]`, (left + w - 14) / 2, h - 6);
  ctx.save();
  ctx.translate(13, (12 + bottom) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.fillText(`${t.building.force} [kN]`, 0, 0);
  ctx.restore();
  ctx.strokeStyle = colour("soft");
  ctx.setLineDash([5, 5]);
  for (const side of [1, -1]) line(ctx, left, y(side * strength), w - 14, y(side * strength));
  ctx.setLineDash([]);
  ctx.textAlign = "left";
  ctx.fillText(t.building.strengthLine, left + 8, y(strength) - 5);
}

/** Draw what has happened since the last frame on the canvas of the past. */
function extend(frame: Frame, i: number): void {
  if (i <= frame.drawn) return;
  const ctx = frame.past.getContext("2d")!;
  ctx.strokeStyle = colour("fourth");
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = 1.1;
  ctx.lineJoin = "round";
  path(ctx, frame, frame.drawn, i);
  frame.drawn = i;
}

function trail(ctx: CanvasRenderingContext2D, frame: Frame, i: number): void {
  const { u, force, time } = frame.track;
  let from = i;
  while (from > 0 && time[i]! - time[from]! < TRAIL) from--;
  ctx.strokeStyle = ctx.fillStyle = colour("accent");
  ctx.lineWidth = 2.4;
  ctx.lineJoin = "round";
  path(ctx, frame, from, i);
  ctx.beginPath();
  ctx.arc(frame.x(u[i]!), frame.y(force[i]!), 5, 0, 2 * Math.PI);
  ctx.fill();
}

function path(ctx: CanvasRenderingContext2D, { track: { u, force }, x, y }: Frame, from: number, to: number): void {
  ctx.beginPath();
  ctx.moveTo(x(u[from]!), y(force[from]!));
  for (let i = from + 1; i <= to; i++) ctx.lineTo(x(u[i]!), y(force[i]!));
  ctx.stroke();
}

function line(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}

/** Round values from −most to most. */
function ticks(most: number): number[] {
  const rough = most / 2.5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  const count = Math.floor(most / step);
  return Array.from({ length: 2 * count + 1 }, (_, k) => (k - count) * step);
}

function short(value: number): string {
  return String(Number(value.toPrecision(4))).replace("-", "−");
}
