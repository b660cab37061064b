/** A point of a map in words. */

import { t } from "../../texts";
import type { Grid } from "./grid";

const words = t.many.map;

export function number(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}

/** "Frequency of the pulse, ω/p 3.2; acceleration 4.1: falls after one impact." */
export function told(grid: Grid, i: number, j: number): string {
  const point = grid.at(i, j);
  const { x, y } = grid.frame;
  const where = [x, y].map((axis, k) => {
    const value = number(k === 0 ? point.x : point.y);
    return `${axis.words} ${value}${axis.unit ? ` ${axis.unit}` : ""}`;
  });
  const sentence = `${where.join("; ")}: ${came(grid, i, j)}.`;
  const { p, tan_alpha: lifts } = grid.frame;
  const here = p && lifts ? ` ${words.here(number((2 * Math.PI) / (point.x * p)), number(point.y * lifts))}` : "";
  return sentence.charAt(0).toUpperCase() + sentence.slice(1) + here;
}

function came(grid: Grid, i: number, j: number): string {
  const point = grid.at(i, j);
  if (!point.seen) return words.notYet;
  if (grid.shares) return words.share(point.fell, point.known);
  const way = point.way?.words ?? "";
  if (point.way?.falls || !Number.isFinite(point.peak)) return way;
  return `${way}${words.peak(number(point.peak))}`;
}
