/** Settings as a request for a job, and back. */

import type { Job, MotionSpec } from "../types";
import type { Many, Question } from "./state";

function motions(state: Many): MotionSpec[] {
  if (state.source === "bench" && state.motion) return [state.motion];
  return [{ stochastic: { count: state.count, seed: state.seed } }];
}

const given = <T>(name: string, value: T | null) => (value === null ? {} : { [name]: value });

export function request(state: Many): Record<string, unknown> {
  const kind = state.question;
  const floor = given("floor", state.floor);
  const theory = given("theory", state.theory);
  const { body } = state;
  if (kind === "map") {
    const points = { points: state.points };
    if (state.source === "pulse") return { kind, body, pulse: state.pulse, ...theory, ...points };
    return { kind, body, motions: motions(state), ...floor, ...theory, ...points };
  }
  return { kind, body, motions: motions(state), ...floor, ...theory };
}

/** The settings that asked for a job. */
export function fromRequest(job: Job): Partial<Many> {
  const asked = without(job.request) as Partial<Many> & { motions?: MotionSpec[] };
  const motion = asked.motions?.[0];
  const drawn = motion?.stochastic as { count: number; seed: number } | undefined;
  return {
    question: job.kind as Question,
    ...(asked.body ? { body: asked.body } : {}),
    floor: asked.floor ?? null,
    theory: asked.theory ?? null,
    ...(asked.pulse ? { source: "pulse" as const, pulse: asked.pulse } : {}),
    ...(drawn ? { source: "generated" as const, count: drawn.count, seed: drawn.seed } : {}),
    ...(motion && !drawn ? { source: "bench" as const, motion } : {}),
    ...(asked.points ? { points: asked.points } : {}),
  };
}

/** The same without what was not given. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, without(each)]));
}
