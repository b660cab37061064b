/** The building as it moves on its worn interface: displacements enlarged, cracks by its wear. */

import { sharp } from "../bench/drawing";
import { Canvas } from "../parts/Canvas";
import { colour } from "../settings";
import { t } from "../texts";
import { now } from "./player";
import { track, type Track } from "./state";

export function House() {
  return <Canvas class="house" label={t.building.picture} paint={show} />;
}

function show(canvas: HTMLCanvasElement): void {
  if (track.value) paint(canvas, track.value, now.value);
}

function paint(canvas: HTMLCanvasElement, found: Track, i: number): void {
  const [ctx, w, h] = sharp(canvas);
  const far = found.u.reduce((most, u) => Math.max(most, Math.abs(u)), found.house.elastic_displacement);
  const [wear, moved] = [found.wear[i]!, (found.u[i]! / far) * 0.1 * w];
  const floor = h - 26;
  const [wide, tall] = [Math.min(0.44 * w, 150), Math.min(0.46 * h, 90)];
  const fallen = wear > 0.99;
  paintGround(ctx, w, floor);
  ctx.save();
  ctx.translate(w / 2 + moved, floor);
  ctx.transform(1, 0, -moved / (2.2 * tall), fallen ? 0.55 : 1, 0, 0);
  walls(ctx, wide, tall);
  cracks(ctx, wide, tall, wear);
  ctx.restore();
  ctx.fillStyle = colour("soft");
  ctx.font = "12px system-ui";
  ctx.textAlign = "left";
  ctx.fillText(t.building.notToScale, 8, h - 6);
  ctx.textAlign = "right";
  ctx.fillText(`${(1e3 * found.u[i]!).toFixed(2).replace("-", "−")} mm`, w - 8, h - 6);
}

function paintGround(ctx: CanvasRenderingContext2D, w: number, y: number): void {
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(0, y);
  ctx.lineTo(w, y);
  ctx.stroke();
}

function walls(ctx: CanvasRenderingContext2D, wide: number, tall: number): void {
  const b = wide / 2;
  ctx.fillStyle = colour("stone");
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 1.5;
  ctx.fillRect(-b, -tall, wide, tall);
  ctx.strokeRect(-b, -tall, wide, tall);
  ctx.beginPath();
  ctx.moveTo(-b - 7, -tall);
  ctx.lineTo(0, -tall - 0.34 * wide);
  ctx.lineTo(b + 7, -tall);
  ctx.closePath();
  ctx.fillStyle = colour("soil");
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = colour("card");
  const [side, top] = [wide / 7, -0.75 * tall];
  for (const x of [-0.3 * wide, 0.3 * wide - side]) ctx.fillRect(x, top, side, 1.3 * side);
  ctx.fillRect(-side / 2, -0.48 * tall, side, 0.48 * tall);
}

/** Diagonal cracks from the corners of the windows: more of them, and wider, the more it is worn. */
function cracks(ctx: CanvasRenderingContext2D, wide: number, tall: number, wear: number): void {
  const grown = Math.sqrt(wear);
  ctx.strokeStyle = colour("fall");
  ctx.lineWidth = 0.8 + 1.6 * grown;
  const [left, right] = [-0.3 * wide, 0.3 * wide];
  const from: [number, number, number, number][] = [
    [left + 0.14 * wide, -0.52 * tall, 0.3, 1],
    [right - 0.14 * wide, -0.52 * tall, -0.3, 1],
    [left, -0.75 * tall, -0.5, -0.7],
    [right, -0.75 * tall, 0.5, -0.7],
    [left, -0.5 * tall, -0.5, 0.9],
    [right, -0.5 * tall, 0.5, 0.9],
  ];
  from.forEach(([x, y, dx, dy], k) => {
    const long = Math.min(1, Math.max(0, 1.5 * grown - 0.12 * k)) * 0.34 * tall;
    if (long <= 0) return;
    ctx.beginPath();
    ctx.moveTo(x, y);
    for (let s = 1; s <= 5; s++) ctx.lineTo(x + (dx * long * s) / 5 + (s % 2 ? 2.5 : -1), y + (dy * long * s) / 5);
    ctx.stroke();
  });
}
