/** Stones as they are painted: to scale, in calm colours, on hatched ground. */

import { colour } from "../settings";
import type { Point, Pose, Shape, Stone } from "./answers";

const TINTS = 6;
const GOLDEN = 0.6180339887498949; // neighbours in the list get tints far apart
const SCATTER = 1; // of the larger side: a stone that flies farther leaves the picture
const STRIP = 26; // px below the ground for scale and arrow
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // m: lengths of a scale

/** The part of the plane that is seen [m]. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export interface View {
  /** Pixels in a metre, and where the point (0, 0) is. */
  scale: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The poses of all stones as they stand. */
export function standing(shape: Shape): Pose[] {
  return shape.stones.map(({ centre: [x, y] }) => [x, y, 0]);
}

/** A point that belongs to a stone, with the stone in another pose. */
export function carried([x, y]: Point, { centre }: Stone, [px, py, turn]: Pose): Point {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [x - centre[0], y - centre[1]];
  return [px + c * dx - s * dy, py + s * dx + c * dy];
}

/** What holds the stones that move, as they stand and in other poses. */
export function boxOf(shape: Shape, others: Pose[][] = []): Box {
  const moving = shape.stones.flatMap((stone, i) => (stone.fixed ? [] : [i]));
  const start = grown(shape, moving, standing(shape), nothing());
  const size = Math.max(start.right - start.left, start.top - start.bottom);
  const far = SCATTER * size;
  const seen = others.reduce((box, poses) => grown(shape, moving, poses, box), start);
  return {
    left: Math.max(seen.left, start.left - far),
    right: Math.min(seen.right, start.right + far),
    bottom: Math.max(seen.bottom, start.bottom - far),
    top: Math.min(seen.top, start.top + far),
  };
}

const nothing = (): Box => ({ left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity });

function grown(shape: Shape, which: number[], poses: Pose[], box: Box): Box {
  const next = { ...box };
  for (const i of which) {
    const stone = shape.stones[i]!;
    for (const part of stone.parts)
      for (const corner of part) {
        const [x, y] = carried(corner, stone, poses[i]!);
        next.left = Math.min(next.left, x);
        next.right = Math.max(next.right, x);
        next.bottom = Math.min(next.bottom, y);
        next.top = Math.max(next.top, y);
      }
  }
  return next;
}

/** A view of a box with room around it, and more of it below: the ground shows. */
export function viewOf(box: Box, width: number, height: number): View {
  const [side, above, below] = [18, 16, STRIP + 22];
  const scale = Math.min((width - 2 * side) / (box.right - box.left), (height - above - below) / (box.top - box.bottom));
  return {
    scale,
    x: width / 2 - (scale * (box.left + box.right)) / 2,
    y: height - below + scale * box.bottom,
    width,
    height,
  };
}

function traced(ctx: CanvasRenderingContext2D, part: Point[], stone: Stone, pose: Pose, view: View): void {
  part.forEach((corner, i) => {
    const [x, y] = carried(corner, stone, pose);
    const [px, py] = [view.x + view.scale * x, view.y - view.scale * y];
    if (i) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
  });
  ctx.closePath();
}

/** All stones in their poses. */
export function paintStones(ctx: CanvasRenderingContext2D, shape: Shape, poses: Pose[], view: View): void {
  const edge = colour("stone-edge");
  const tints = Array.from({ length: TINTS }, (_, i) => colour(`stone-${i + 1}`));
  shape.stones.forEach((stone, i) => {
    if (stone.fixed) paintFixed(ctx, stone, poses[i]!, view);
  });
  shape.stones.forEach((stone, i) => {
    if (stone.fixed) return;
    ctx.beginPath();
    for (const part of stone.parts) traced(ctx, part, stone, poses[i]!, view);
    // The edge first: parts of one stone then cover the lines between them.
    ctx.strokeStyle = edge;
    ctx.lineWidth = 1.6;
    ctx.lineJoin = "round";
    ctx.stroke();
    ctx.fillStyle = tints[Math.floor(TINTS * ((GOLDEN * i) % 1))]!;
    ctx.fill("nonzero");
  });
}

/** A stone that moves with the ground: hatched. */
function paintFixed(ctx: CanvasRenderingContext2D, stone: Stone, pose: Pose, view: View): void {
  ctx.save();
  ctx.beginPath();
  for (const part of stone.parts) traced(ctx, part, stone, pose, view);
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 1.4;
  ctx.stroke();
  ctx.clip();
  ctx.fillStyle = colour("card");
  ctx.fill();
  ctx.strokeStyle = colour("soil");
  ctx.lineWidth = 1;
  ctx.beginPath();
  // Counted from the stone, so that the hatching moves with it.
  const from = view.x + view.scale * pose[0];
  const first = from - Math.ceil((from + view.height) / 12) * 12;
  for (let x = first; x < view.width + view.height; x += 12) {
    ctx.moveTo(x, view.height);
    ctx.lineTo(x + view.height, 0);
  }
  ctx.stroke();
  ctx.restore();
}

/** Where the stones stood: thin lines over what has moved. */
export function paintOutline(ctx: CanvasRenderingContext2D, shape: Shape, view: View): void {
  const start = standing(shape);
  ctx.strokeStyle = colour("ink");
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = 0.8;
  ctx.setLineDash([4, 3]);
  shape.stones.forEach((stone, i) => {
    if (stone.fixed) return;
    ctx.beginPath();
    for (const part of stone.parts) traced(ctx, part, stone, start[i]!, view);
    ctx.stroke();
  });
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

/** A strip below the ground, with a length to compare with. */
export function paintScale(ctx: CanvasRenderingContext2D, view: View): void {
  ctx.clearRect(0, view.height - STRIP, view.width, STRIP);
  const length = STEPS.findLast((one) => one * view.scale < 0.28 * view.width) ?? STEPS[0]!;
  const [x, y, end] = [4, view.height - 10, 4 + length * view.scale];
  ctx.strokeStyle = ctx.fillStyle = colour("ink");
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, y - 4);
  ctx.lineTo(x, y + 4);
  ctx.moveTo(end, y - 4);
  ctx.lineTo(end, y + 4);
  ctx.moveTo(x, y);
  ctx.lineTo(end, y);
  ctx.stroke();
  ctx.font = "12px system-ui";
  ctx.textAlign = "left";
  ctx.fillText(`${length} m`, end + 7, y + 4);
}
