/** Put another object on the workbench. */

import type { BodySpec } from "../../types";
import { about, bench } from "../state";

/** Theories that cannot move it are taken off; if none is left, the first that can. */
export function put(body: BodySpec, preset = ""): void {
  const now = bench.peek();
  const able = (about.peek()?.theories ?? []).filter((theory) => theory.bodies.includes(body.kind));
  const kept = (now.case.theories ?? []).filter((one) => able.some((t) => t.name === one.name));
  const theories = kept.length || !able[0] ? kept : [{ name: able[0].name }];
  bench.value = { ...now, preset, case: { ...now.case, body, theories } };
}

/** Change some of its sizes; undefined takes one away. */
export function resize(sizes: Record<string, unknown>): void {
  const now = bench.peek();
  const body: Record<string, unknown> = { ...now.case.body, ...sizes };
  for (const name of Object.keys(sizes)) if (sizes[name] === undefined) delete body[name];
  bench.value = { ...now, case: { ...now.case, body: body as BodySpec } };
}

/** A size scaled with another one, if it was given. */
export function scaledWith(name: string, ratio: number): Record<string, number> {
  const own = bench.peek().case.body[name];
  return typeof own === "number" ? { [name]: Number((own * ratio).toPrecision(6)) } : {};
}
