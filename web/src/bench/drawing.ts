/** How an object is drawn from the side, in metres, from the middle of its base. */

import { colour } from "../settings";
import type { Side } from "../types";

export type Point = [number, number];

export interface View {
  /** Pixels in a metre, and where the middle of the base is. */
  scale: number;
  x: number;
  y: number;
}

export function box(side: Side): Point[] {
  const b = side.width / 2;
  return [
    [-b, 0],
    [b, 0],
    [b, side.height],
    [-b, side.height],
  ];
}

/** Leaned by θ [rad] about the corner it then stands on, and moved along the floor and up [m]. */
export function placed(points: Point[], side: Side, theta: number, slid = 0, lift = 0): Point[] {
  const corner = (Math.sign(theta) * side.width) / 2;
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return points.map(([x, z]) => [
    corner + (x - corner) * c + z * s + slid,
    -(x - corner) * s + z * c + lift,
  ]);
}

export function trace(ctx: CanvasRenderingContext2D, points: Point[], view: View): void {
  ctx.beginPath();
  points.forEach(([x, z], i) => {
    const px = view.x + x * view.scale;
    const py = view.y - z * view.scale;
    if (i) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
  });
  ctx.closePath();
}

/** The sign of a centre of mass. */
export function paintCentre(ctx: CanvasRenderingContext2D, [x, z]: Point, view: View, r = 8): void {
  const [px, py] = [view.x + x * view.scale, view.y - z * view.scale];
  ctx.fillStyle = colour("card");
  ctx.strokeStyle = colour("ink");
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  ctx.arc(px, py, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = colour("ink");
  for (const start of [0, Math.PI]) {
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.arc(px, py, r, start, start + Math.PI / 2);
    ctx.fill();
  }
}

/** A canvas made sharp for the screen: its context and its size in CSS pixels. */
export function sharp(canvas: HTMLCanvasElement): [CanvasRenderingContext2D, number, number] {
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const ctx = canvas.getContext("2d")!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, w, h);
  return [ctx, w, h];
}
