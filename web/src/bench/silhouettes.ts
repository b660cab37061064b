/** Pictures of the presets: outlines in shares of half the width and of the height. */

import type { Side } from "../types";
import { box, type Point } from "./drawing";

const HALVES: Record<string, Point[]> = {
  statue: [[1, 0], [1, 0.1], [0.86, 0.1], [0.86, 0.14], [0.55, 0.16], [0.5, 0.35], [0.62, 0.5], [0.56, 0.62], [0.7, 0.72], [0.62, 0.82], [0.24, 0.85], [0.2, 0.88], [0.3, 0.92], [0.27, 0.97], [0.12, 1]],
  column: [[1, 0], [1, 0.04], [0.88, 0.07], [0.76, 0.09], [0.66, 0.9], [0.78, 0.93], [1, 0.95], [1, 1]],
  obelisk: [[1, 0], [1, 0.07], [0.8, 0.07], [0.5, 0.9], [0, 1]],
  vase: [[1, 0], [1, 0.5], [0.55, 0.5], [0.5, 0.54], [0.85, 0.72], [0.8, 0.82], [0.4, 0.92], [0.5, 1]],
};

/** The outline [m] of what is drawn: traced, of a preset, or the plain box. */
export function silhouette(preset: string, outline: Point[] | undefined, side: Side): Point[] {
  if (outline) return outline;
  const half = HALVES[preset];
  if (!half) return box(side);
  const scaled: Point[] = half.map(([x, z]) => [(x * side.width) / 2, z * side.height]);
  return [...scaled, ...scaled.toReversed().map(([x, z]): Point => [-x, z])];
}
