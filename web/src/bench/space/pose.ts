/** Where a body in space is at a time, from the columns of its run.
 *
 * `ahead` and `up` are the ground's x axis and the vertical as the body sees them: two rows of the
 * matrix that turns the body's axes into the ground's; the third is up × ahead. */

import { Matrix4, Vector3 } from "three";
import type { Run } from "../../types";
import { at, column } from "../columns";

export interface Poses {
  /** The matrix that takes points of the body, in the axes of its base, to the ground. */
  matrix: (time: number) => Matrix4;
  /** Places of the centre of mass, three numbers a sample. */
  path: Float32Array;
  lean: (time: number) => number;
  dt: number;
}

export function posesOf(run: Run, centre: readonly [number, number, number]): Poses {
  const get = (name: string) => column(run, name) ?? [];
  const rows = ["up", "ahead"].map((name) => ["x", "y", "z"].map((axis) => get(`${name}_${axis}`)));
  const place = ["x", "y", "z"].map(get);
  const lean = get("lean");
  const vector = (columns: number[][], time: number) =>
    new Vector3(...(columns.map((values) => at(values, run.dt, time)) as [number, number, number]));
  const middle = new Vector3(...centre);

  function matrix(time: number): Matrix4 {
    const up = vector(rows[0]!, time).normalize();
    const ahead = vector(rows[1]!, time);
    ahead.addScaledVector(up, -ahead.dot(up)).normalize();
    const left = new Vector3().crossVectors(up, ahead);
    const where = vector(place, time);
    return new Matrix4().set(
      ahead.x, ahead.y, ahead.z, where.x - ahead.dot(middle),
      left.x, left.y, left.z, where.y - left.dot(middle),
      up.x, up.y, up.z, where.z - up.dot(middle),
      0, 0, 0, 1,
    );
  }

  const path = new Float32Array(3 * (place[0]?.length ?? 0));
  place.forEach((values, k) => values.forEach((value, i) => (path[3 * i + k] = value)));
  return { matrix, path, lean: (time) => at(lean, run.dt, time), dt: run.dt };
}
