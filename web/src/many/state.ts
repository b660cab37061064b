/** What is asked of many runs: always in the address, and with it the job that answers it. */

import { computed, signal } from "@preact/signals";
import { left, linked } from "../address";
import { get } from "../api";
import type { About, BodySpec, CaseSpec, FloorSpec, MotionSpec, TheorySpec } from "../types";

export const QUESTIONS = ["map", "fragility", "spectrum", "theories"] as const;
export type Question = (typeof QUESTIONS)[number];
export const PULSES = ["sine", "half sine", "cosine", "rectangle", "ricker", "antisymmetric ricker", "mavroeidis"];
export const SOURCES = ["pulse", "generated", "bench"] as const;
export type Source = (typeof SOURCES)[number];

export interface Many {
  question: Question;
  body: BodySpec;
  floor: FloorSpec | null;
  /** The usual one for the body, if none is given. */
  theory: TheorySpec | null;
  /** Of a map: what shakes it. The other questions are about motions. */
  source: Source;
  pulse: string;
  /** The workbench's motion. */
  motion: MotionSpec | null;
  count: number;
  seed: number;
  /** Along either axis of a map. */
  points: number;
  /** PGA [g]: of a fragility the levels, of a spectrum or of theories the one to scale to. */
  from: number;
  to: number;
  levels: number;
  pga: number;
  theories: string[];
  /** The job that answers, and the point of its map that is shown: i, j, number of the motion. */
  job: string | null;
  point: [number, number, number] | null;
}

const STATUE: BodySpec = { kind: "Block", height: 1.8, width: 0.5, com_height: 0.936, density: 1600 };

const FIRST: Many = {
  question: "map",
  body: STATUE,
  floor: null,
  theory: null,
  source: "pulse",
  pulse: "sine",
  motion: null,
  count: 60,
  seed: 1,
  points: 121,
  from: 0.1,
  to: 1.0,
  levels: 10,
  pga: 0.4,
  theories: [],
  job: null,
  point: null,
};

/** The case on the workbench, if that door was opened. */
export function onBench(): CaseSpec | undefined {
  return (left("bench") as { case?: CaseSpec } | undefined)?.case;
}

/** What is taken over from a case. */
export function taken(from: CaseSpec): Partial<Many> {
  return { body: from.body, floor: from.floor ?? null, motion: from.motion ?? null };
}

function begun(): Many {
  const found = onBench();
  return found ? { ...FIRST, ...taken(found) } : FIRST;
}

export const many = linked<Many>("many", begun());

export function change(part: Partial<Many>): void {
  many.value = { ...many.peek(), ...part };
}

export const about = signal<About | null>(null);
void get<About>("about").then((found) => (about.value = found));

/** The theories that apply to the body. */
export const fitting = computed(() =>
  (about.value?.theories ?? []).filter((theory) => theory.bodies.includes(many.value.body.kind)),
);
