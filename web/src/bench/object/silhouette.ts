/** The outline of any body from the side, from the middle of its base [m]. */

import type { BodyAbout } from "../../types";
import { box, type Point } from "../drawing";

export function silhouette(body: BodyAbout): Point[] {
  if (!body.side) return [];
  if (body.side.outline) return body.side.outline;
  return shadow(body) ?? box(body.side);
}

/** A body in space, seen along the floor at right angles to its weakest direction. */
function shadow(body: BodyAbout): Point[] | null {
  const { space, side } = body;
  if (!space?.vertices || !side) return null;
  const angle = ((body.weakest ?? 0) * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const middle = space.centre[0] * c + space.centre[1] * s - side.centre[0];
  return hull(space.vertices.map(([x, y, z]): Point => [x * c + y * s - middle, z]));
}

/** Convex hull, counter-clockwise (Andrew's monotone chain). */
function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const chain = (along: Point[]) => {
    const kept: Point[] = [];
    for (const p of along) {
      while (kept.length > 1 && turn(kept[kept.length - 2]!, kept[kept.length - 1]!, p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
