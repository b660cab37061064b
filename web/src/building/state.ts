/** A masonry building, the earthquakes that shake it, and what the server says of both. */

import { computed, effect, signal } from "@preact/signals";
import { linked } from "../address";
import { ApiError, get, post } from "../api";
import { LIBRARY } from "../bench/library";
import { rejected } from "../parts/entry";
import { lateness, seconds } from "../parts/late";
import { fields, flag, listOf, motion, number, oneOf, record } from "../shape";
import type { BodySpec, MotionSpec } from "../types";

export type Way = "shake" | "push";

export interface Parameter {
  name: string;
  words: string;
  unit: string;
}

export interface BuildingAbout {
  kind: string;
  parameters: Parameter[];
  presets: { name: string; values: Record<string, number> }[];
  damage: { names: string[]; wear: number[] };
}

/** What follows from the parameters of a building, SI units. */
export interface House {
  label: string;
  frequency: number;
  elastic_force: number;
  elastic_displacement: number;
  strength: number;
}

export interface Shock {
  name: string;
  start: number;
  dt: number;
  accel: number[];
  columns: Record<"u [m]" | "force [N]" | "w [-]" | "frequency [Hz]", number[]>;
  row: Record<string, number | string | null>;
  frequency_after: number;
}

export interface Shaken {
  warnings?: string[];
  building: House;
  shocks: Shock[];
  asked: number;
  main: number;
  alone: Record<string, number | string | null>;
  wear_increase: number | null;
  collapse: number | null;
  failed: number | null;
  sentence: string;
}

export interface Pushed {
  warnings?: string[];
  building: House;
  displacement: number[];
  force: number[];
  wear: number[];
  peak_force: number;
  collapse: number | null;
  sentence: string;
}

/** What is played: histories over one time axis. */
export interface Track {
  house: House;
  time: Float64Array;
  u: Float64Array;
  force: Float64Array;
  wear: Float64Array;
  ground: Float64Array | null;
  frequency: Float64Array;
  sentence: string;
  collapse: number | null;
}

// -- what is asked ----------------------------------------------------------------------------

export interface State {
  way: Way;
  /** Mass [t] and damping as a share of the critical [-]. */
  mass: number;
  damping: number;
  /** Parameters that differ from the preset's, SI units. */
  other: Record<string, number>;
  quakes: MotionSpec[];
  /** Quiet time after each earthquake [s]. */
  gap: number;
  settle: boolean;
  /** Largest displacement of the push [mm], and cycles to either side. */
  to: number;
  cycles: number;
}

const SHORT = LIBRARY.find((one) => one.name === "short")!.motion;

export function generated(seed: number, pga: number, motion: MotionSpec = SHORT): MotionSpec {
  return { ...motion, stochastic: { ...(motion.stochastic as object), seed, dt: 0.005 }, pga };
}

const USABLE = fields({
  way: oneOf("shake", "push"),
  mass: number,
  damping: number,
  other: record(number),
  quakes: listOf(motion, 1),
  gap: number,
  settle: flag,
  to: number,
  cycles: number,
});

/** Four foreshocks and the main shock: one record, first at 0.35 of its strength. The recorded ones
 * of L'Aquila are not part of the program: No. 1 of the strong kind, at 3.5 m/s², stands in. */
function sequence(): MotionSpec[] {
  const strong = LIBRARY.find((one) => one.name === "strong")!.motion;
  return [0.125, 0.125, 0.125, 0.125, 0.357].map((pga) => generated(1, pga, strong));
}

/** What one may begin with. */
export const STARTS = {
  heavy: { mass: 40, damping: 0.03, other: {}, quakes: [generated(3, 0.16), generated(5, 0.22), generated(8, 0.2)], gap: 3, settle: false },
  paper: { mass: 23, damping: 0, other: {}, quakes: sequence(), gap: 3, settle: true },
} satisfies Record<string, Partial<State>>;
export type Start = keyof typeof STARTS;

const FIRST: State = {
  way: "shake",
  ...STARTS.heavy,
  to: 4,
  cycles: 4,
};

export const asked = linked<State>("building", FIRST, USABLE);

export function change(part: Partial<State>): void {
  asked.value = { ...asked.peek(), ...part };
}

/** Which start is as it was; null once anything of it was changed. */
export const start = computed<Start | null>(() => {
  const same = (one: Partial<State>) =>
    Object.entries(one).every(([name, value]) => JSON.stringify(asked.value[name as keyof State]) === JSON.stringify(value));
  return (Object.keys(STARTS) as Start[]).find((name) => same(STARTS[name])) ?? null;
});

export const MOST_QUAKES = 8;

export const about = signal<BuildingAbout | null>(null);
void get<BuildingAbout>("building").then((found) => (about.value = found));

/** The parameters of the building, those of the preset where no others were given. */
export const values = computed<Record<string, number>>(() => ({
  ...about.value?.presets[0]?.values,
  ...asked.value.other,
  mass: 1000 * asked.value.mass,
}));

const spec = computed<BodySpec | null>(() => {
  const known = about.value;
  const preset = known?.presets[0];
  if (!known || !preset) return null;
  const { mass, stiffness, contact_area: area } = values.value as Record<string, number>;
  const critical = 2 * Math.sqrt(stiffness! * area! * mass!);
  const damping = Number((asked.value.damping * critical).toPrecision(6));
  return { kind: known.kind, preset: preset.name, mass: mass!, damping, ...asked.value.other };
});

const question = computed<{ way: Way; body: unknown } | null>(() => {
  const building = spec.value;
  const { way, quakes, gap, settle, to, cycles } = asked.value;
  if (!building) return null;
  if (way === "push") return { way, body: { building, to: to / 1000, cycles } };
  const columns = ["u [m]", "force [N]", "w [-]", "frequency [Hz]"];
  return { way, body: { building, motions: quakes, gap, settle, columns } };
});

// -- what is answered: the last one stays until the next is there -------------------------------

export const shaken = signal<Shaken | null>(null);
export const pushed = signal<Pushed | null>(null);
export const problem = signal("");
export const busy = signal(false);
/** What keeps us waiting: something that is compiled for the first time. */
export const compiling = signal<string[]>([]);

let running = false;
let latest: typeof question.value = null;

async function ask(): Promise<void> {
  if (running) return;
  running = true;
  busy.value = true;
  const waiting = setInterval(
    () => void get<{ compiling: string[] }>("compiling").then((found) => (compiling.value = found.compiling)),
    1500,
  );
  while (latest !== null) {
    const now: NonNullable<typeof latest> = latest;
    latest = null;
    try {
      if (now.way === "push") pushed.value = await post<Pushed>("pushover", now.body);
      else shaken.value = await post<Shaken>("sequence", now.body);
      problem.value = "";
    } catch (error) {
      if (latest === null) problem.value = error instanceof ApiError ? error.message : String(error);
    }
  }
  clearInterval(waiting);
  compiling.value = [];
  busy.value = false;
  running = false;
}

let before = "";
effect(() => {
  const text = JSON.stringify(question.value);
  if (text === before || question.value === null) return;
  before = text;
  latest = question.value;
  void ask();
});

// -- one time axis ------------------------------------------------------------------------------

export const track = computed<Track | null>(() => {
  if (asked.value.way === "push") return pushed.value && ofPush(pushed.value);
  return shaken.value && ofShocks(shaken.value);
});

/** Why nothing is computed; "" if it is. */
export const refused = computed(() => rejected.value || problem.value);
export const late = lateness(busy, track);
export const waited = seconds(busy);

function ofShocks(found: Shaken): Track {
  const count = found.shocks.reduce((sum, shock) => sum + shock.columns["u [m]"].length, 0);
  const all = () => new Float64Array(count);
  const [time, u, force, wear, ground, frequency] = [all(), all(), all(), all(), all(), all()];
  let at = 0;
  for (const shock of found.shocks) {
    const { "u [m]": moved, "force [N]": pull, "w [-]": worn, "frequency [Hz]": rate } = shock.columns;
    for (let i = 0; i < moved.length; i++) time[at + i] = shock.start + i * shock.dt;
    u.set(moved, at);
    force.set(pull, at);
    wear.set(worn, at);
    ground.set(shock.accel, at);
    frequency.set(rate, at);
    at += moved.length;
  }
  return { house: found.building, time, u, force, wear, ground, frequency, sentence: found.sentence, collapse: found.collapse };
}

const PUSH_LASTS = 8; // s on the screen: a push has no time of its own

function ofPush(found: Pushed): Track {
  const wear = Float64Array.from(found.wear);
  const n = wear.length;
  return {
    house: found.building,
    time: Float64Array.from(found.wear, (_, i) => (PUSH_LASTS * i) / (n - 1)),
    u: Float64Array.from(found.displacement),
    force: Float64Array.from(found.force),
    wear,
    ground: null,
    frequency: wear.map((w) => found.building.frequency * Math.sqrt(1 - w)),
    sentence: found.sentence,
    collapse: found.collapse,
  };
}

/** The sample at or before a time. */
export function indexAt(time: Float64Array, when: number): number {
  let [low, high] = [0, time.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle]! <= when) low = middle;
    else high = middle - 1;
  }
  return low;
}
