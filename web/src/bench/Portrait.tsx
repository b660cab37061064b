/** The phase portrait: rate over lean, inside and outside the separatrix of each side. */

import { Canvas } from "../parts/Canvas";
import { colour } from "../settings";
import { t } from "../texts";
import type { BodyAbout, Run, Side } from "../types";
import { LEAST_LEAN } from "./Histories";
import { sharp } from "./drawing";
import { COLOURS, answer, at, column, time } from "./state";

export function Portrait() {
  return <Canvas class="portrait" label={t.bench.plots.portrait} paint={show} />;
}

function show(canvas: HTMLCanvasElement): void {
  const found = answer.value;
  if (found?.body.side) paint(canvas, found.runs, found.body, found.body.side, time.value);
}

interface Frame {
  x: (lean: number) => number;
  y: (rate: number) => number;
}

// Paths of thousands of points are drawn once per answer, not once per frame.
const paths = new WeakMap<Run, { key: string; path: Path2D }>();

function paint(canvas: HTMLCanvasElement, all: Run[], body: BodyAbout, side: Side, now: number): void {
  const runs = all.filter((run) => run.rocks && column(run, "omega"));
  const [ctx, w, h] = sharp(canvas);
  const rigid = Math.min(side.p[0] * side.limits[0], side.p[1] * side.limits[1]);
  const unit = body.stem ? body.p! * body.alpha! : rigid;
  const reach = Math.max(...runs.map((run) => Math.min(run.peak, 1.5)), LEAST_LEAN) * 1.12;
  const tall = Math.max(1.15 * reach, 0.3);
  const [left, bottom] = [44, 34];
  const frame: Frame = {
    x: (lean) => left + ((lean + reach) / (2 * reach)) * (w - left - 8),
    y: (rate) => (h - bottom) * (0.5 - rate / (2 * tall)) + 4,
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, 4, w - left - 8, h - bottom);
  ctx.clip();
  if (!body.stem) paintSeparatrix(ctx, side, unit, reach, frame); // where u matters, too, there is none
  for (const [k, run] of runs.entries()) {
    ctx.strokeStyle = colour(COLOURS[k % COLOURS.length]!);
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.8;
    ctx.stroke(path(run, unit, frame, `${w} ${h} ${reach}`));
    ctx.globalAlpha = 1;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.beginPath();
    const omega = at(column(run, "omega")!, run.dt, now) / unit;
    ctx.arc(frame.x(at(run.relative, run.dt, now)), frame.y(omega), 5, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
  paintAxes(ctx, w, h, left, bottom, reach, tall, frame);
}

function path(run: Run, unit: number, frame: Frame, key: string): Path2D {
  const kept = paths.get(run);
  if (kept?.key === key) return kept.path;
  const omega = column(run, "omega")!;
  const made = new Path2D();
  run.relative.forEach((lean, i) => made.lineTo(frame.x(lean), frame.y(omega[i]! / unit)));
  paths.set(run, { key, path: made });
  return made;
}

function paintSeparatrix(ctx: CanvasRenderingContext2D, side: Side, unit: number, reach: number, frame: Frame): void {
  ctx.strokeStyle = colour("soft");
  ctx.fillStyle = colour("wash");
  ctx.lineWidth = 1;
  for (const [k, sign] of [1, -1].entries()) {
    const [alpha, p] = [side.limits[k]!, side.p[k]!];
    const far = Math.max(reach, 1);
    const edge = (y: number) => (2 * p * Math.sin((alpha * (1 - y)) / 2)) / unit;
    ctx.beginPath();
    ctx.moveTo(frame.x(0), frame.y(edge(0)));
    for (let i = 0; i <= 60; i++) ctx.lineTo(frame.x((sign * i) / 60), frame.y(edge(i / 60)));
    for (let i = 60; i >= 0; i--) ctx.lineTo(frame.x((sign * i) / 60), frame.y(-edge(i / 60)));
    ctx.fill();
    ctx.setLineDash([5, 4]);
    for (const half of [1, -1]) {
      ctx.beginPath();
      for (let i = 0; i <= 60; i++) {
        const y = (far * i) / 60;
        ctx.lineTo(frame.x(sign * y), frame.y(half * edge(y)));
      }
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }
}

function paintAxes(
  ctx: CanvasRenderingContext2D,
  w: number,
  h: number,
  left: number,
  bottom: number,
  reach: number,
  tall: number,
  frame: Frame,
): void {
  ctx.strokeStyle = colour("line");
  ctx.strokeRect(left, 4, w - left - 8, h - bottom);
  ctx.fillStyle = colour("soft");
  ctx.font = "12px system-ui";
  ctx.textAlign = "center";
  for (const x of ticks(reach)) ctx.fillText(String(x), frame.x(x), h - bottom + 18);
  ctx.fillText(answer.peek()?.runs[0]?.coordinate.ratio ?? "", (left + w) / 2, h - 2);
  ctx.textAlign = "right";
  for (const y of ticks(tall)) ctx.fillText(String(y), left - 4, frame.y(y) + 4);
  ctx.save();
  ctx.translate(12, (h - bottom) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textAlign = "center";
  ctx.fillText(t.bench.plots.rate, 0, 0);
  ctx.restore();
}

/** Round numbers between -reach and reach, four to eight of them and zero. */
function ticks(reach: number): number[] {
  const rough = reach / 2;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([5, 2, 1].find((n) => n * ten <= rough) ?? 1);
  const count = Math.floor(reach / step);
  return Array.from({ length: 2 * count + 1 }, (_, k) => Number(((k - count) * step).toPrecision(3)));
}
