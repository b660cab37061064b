/** What is asked of many runs: always in the address, and with it the job that answers it. */

import { computed, effect, signal } from "@preact/signals";
import { door, left, linked } from "../address";
import { get, post } from "../api";
import { body, fields, floor, listOf, motion, number, oneOf, orNull, text, theory } from "../shape";
import type { About, BodyAbout, BodySpec, CaseSpec, FloorSpec, MotionSpec, TheorySpec } from "../types";

export const QUESTIONS = ["map", "fragility", "spectrum", "theories"] as const;
export type Question = (typeof QUESTIONS)[number];
export const PULSES = ["sine", "half sine", "cosine", "rectangle", "ricker", "antisymmetric ricker", "mavroeidis"];
export const SOURCES = ["pulse", "generated", "bench"] as const;
/** Slimmer than the object, as it is, stouter. */
export const SLENDERNESS = [0.75, 1, 1.25];
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
  /** Of a fragility: the measure of strength, and how many strengths. */
  measure: "pga" | "pgv";
  levels: number;
  /** Of spectra and theories: the peak acceleration [g] to which earthquakes are scaled. */
  pga: number | null;
  /** Of a spectrum: slenderness angles as multiples of the object's. */
  slenderness: number[];
  /** By name; the others are compared with the first. */
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
  measure: "pga",
  levels: 20,
  pga: 0.6,
  slenderness: [1],
  theories: ["housner", "nonsmooth"],
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

export const many = linked<Many>(
  "many",
  begun(),
  fields({
    question: oneOf(...QUESTIONS),
    body,
    floor: orNull(floor),
    theory: orNull(theory),
    source: oneOf(...SOURCES),
    pulse: text,
    motion: orNull(motion),
    measure: oneOf("pga", "pgv"),
    ...Object.fromEntries(["count", "seed", "points", "levels"].map((name) => [name, number])),
    pga: orNull(number),
    slenderness: listOf(number, 1),
    theories: listOf(text),
    job: orNull(text),
    point: orNull(listOf(number, 3)),
  }),
);

export function change(part: Partial<Many>): void {
  many.value = { ...many.peek(), ...part };
}

export const about = signal<About | null>(null);
void get<About>("about").then((found) => (about.value = found));

/** The object's α and p, as the server finds them. */
export const size = signal<BodyAbout | null>(null);
const asText = computed(() => JSON.stringify(many.value.body));
effect(() => {
  const asked = asText.value;
  if (door.value !== "many") return;
  post<BodyAbout>("body", JSON.parse(asked)).then(
    (found) => asText.peek() === asked && (size.value = found),
    () => (size.value = null), // said where it is run
  );
});

/** The theories that apply to the body. */
export const fitting = computed(() =>
  (about.value?.theories ?? []).filter((theory) => theory.bodies.includes(many.value.body.kind)),
);
