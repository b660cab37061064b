/** Put another object on the workbench. */

import type { BodySpec, CaseSpec, TheorySpec } from "../../types";
import { about, bench } from "../state";

/** Theories that cannot move it are taken off; if none is left, the first that can. `others` are the
 * parts of the case that come with it. */
export function put(body: BodySpec, preset = "", others: Partial<CaseSpec> = {}): void {
  const now = bench.peek();
  const able = (about.peek()?.theories ?? []).filter((theory) => theory.bodies.includes(body.kind));
  const kept = (now.case.theories ?? []).filter((one) => able.some((t) => t.name === one.name));
  const fitting = kept.length || !able[0] ? kept : [{ name: able[0].name }];
  const theories = body.kind === now.case.body.kind ? fitting : fitting.map(alike);
  bench.value = { ...now, preset, case: { ...now.case, body, theories, ...others } };
}

/** The theory with one number where each edge had its own: another body may not take two. */
function alike(theory: TheorySpec): TheorySpec {
  const one = (value: unknown) => (Array.isArray(value) ? (value as unknown[])[0] : value);
  return Object.fromEntries(Object.entries(theory).map(([name, value]) => [name, one(value)])) as TheorySpec;
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
