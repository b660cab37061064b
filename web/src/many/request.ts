/** Settings as a request for a job, and back. */

import type { Job, MotionSpec, TheorySpec } from "../types";
import { SLENDERNESS, type Many, type Question } from "./state";

function motions(state: Many, pga: number | null = null): MotionSpec[] {
  if (state.source === "bench" && state.motion) return [state.motion];
  const stochastic = { count: state.count, seed: state.seed };
  return [pga === null ? { stochastic } : { stochastic, pga }];
}

const given = <T>(name: string, value: T | null) => (value === null ? {} : { [name]: value });

/** What is sent; of a spectrum with the slenderness angle α [rad] of the object. */
export function request(state: Many, alpha: number): Record<string, unknown> {
  const kind = state.question;
  const where = given("floor", state.floor);
  const theory = given("theory", state.theory);
  const { body } = state;
  switch (kind) {
    case "map": {
      const points = { points: state.points };
      if (state.source === "pulse") return { kind, body, pulse: state.pulse, ...theory, ...points };
      return { kind, body, motions: motions(state), ...where, ...theory, ...points };
    }
    case "fragility": {
      const { measure, levels } = state;
      return { kind, body, motions: motions(state), measure, levels, ...where, ...theory };
    }
    case "spectrum": {
      const angles = state.slenderness.map((factor) => factor * alpha);
      return { kind, motions: motions(state, state.pga), alpha: angles, ...where, ...theory };
    }
    case "theories": {
      const theories = state.theories.map((name) => ({ name }));
      return { kind, body, motions: motions(state, state.pga), theories, ...where };
    }
  }
}

/** Questions about motions of one strength. */
const SCALED = new Set(["spectrum", "theories"]);

type Asked = Partial<Omit<Many, "theories">> & {
  motions?: MotionSpec[];
  theories?: TheorySpec[];
  alpha?: number[];
};

/** The settings that asked for a job. */
export function fromRequest(job: Job): Partial<Many> {
  const asked = without(job.request) as Asked;
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
    ...(asked.measure ? { measure: asked.measure } : {}),
    ...(typeof asked.levels === "number" ? { levels: asked.levels } : {}),
    ...(asked.theories ? { theories: asked.theories.map(({ name }) => name) } : {}),
    ...(asked.alpha ? { slenderness: asked.alpha.length > 1 ? SLENDERNESS : [1] } : {}),
    ...(drawn && SCALED.has(job.kind) ? { pga: (motion?.pga as number | undefined) ?? null } : {}),
  };
}

/** The same without what was not given. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, without(each)]));
}
