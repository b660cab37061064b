/** The outline of any body from the side, from the middle of its base [m]. */

import type { BodyAbout, Stem } from "../../types";
import { box, type Point } from "../drawing";

/** Its parts: one, or base, column and mass, where that is `u` [m] beside the axis. */
export function parts(body: BodyAbout, u = 0): Point[][] {
  return body.stem ? bent(body.stem, u) : [silhouette(body)];
}

const POINTS = 24;

/** As `Stem.bent` of the server: the column bends as ψ(ζ) = (3ζ² − ζ³)/2. */
function bent({ height, width, plate, thickness, mass }: Stem, u: number): Point[][] {
  const b = width / 2;
  const axis = Array.from({ length: POINTS + 1 }, (_, k): Point => {
    const z = plate + ((height - plate) * k) / POINTS;
    return [(u * (3 - z / height) * (z / height) ** 2) / 2, z];
  });
  const beside = (by: number) => axis.map(([x, z]): Point => [x + by, z]);
  const slope = Math.atan2(1.5 * u, height);
  const [along, across] = [(mass / 2) * Math.cos(slope), (mass / 2) * Math.sin(slope)];
  const corner = (i: number, j: number): Point => [u + i * along + j * across, height - i * across + j * along];
  return [
    [[-b, 0], [b, 0], [b, plate], [-b, plate]],
    [...beside(thickness / 2), ...beside(-thickness / 2).reverse()],
    [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
  ];
}

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
