/** What is built, how the ground moves, and what the server says of both. */

import { computed, effect, signal } from "@preact/signals";
import { door, linked } from "../address";
import { ApiError, follow, get, post } from "../api";
import type { About, BodySpec, CaseSpec, Job, JobState, MotionSpec } from "../types";
import type { Limit, Run, Shape, StepError } from "./answers";
import { asker } from "./asking";
import { rejected } from "../parts/entry";
import { lateness, seconds } from "../parts/late";
import { body as shapeOfBody, either, fields, flag, motion, number, oneOf, orNull, record, text } from "../shape";
import { BONDS, OPENINGS, STRUCTURES, described, sizesOf, type Kind, type Masonry, type Sizes, type Structure } from "./structures";

export interface State extends Masonry {
  kind: Kind;
  /** Sizes of each structure that differ from the first ones. */
  sizes: Partial<Record<Structure, Sizes>>;
  /** The drawing that was dropped last. */
  file: BodySpec | null;
  friction: number;
  motion: MotionSpec | null;
  /** The theory by which the stones move, and the options of each that were given. */
  theory: string;
  options: Record<string, Record<string, unknown>>;
  /** Whether a collapse of rigid stones is followed until the rubble rests. */
  rubble: boolean;
  /** How many times displacements are enlarged. */
  magnify: number;
  /** Whether one stands outside and sees the ground move. */
  outside: boolean;
  /** To which side the limit load pushes. */
  push: 1 | -1;
  /** The job that shook it, of a wall. */
  job: string | null;
}

/** Fine enough for the steps of the method, and not finer: walls take their time. */
export const sampled = (period: number) => `,dt=${period >= 0.5 ? 0.005 : Number((period / 100).toPrecision(2))}`;

const USABLE = fields({
  kind: oneOf(...STRUCTURES, "file"),
  sizes: record(record(number)),
  bond: oneOf(...BONDS),
  opening: oneOf(...OPENINGS),
  file: orNull(shapeOfBody),
  friction: number,
  motion: orNull(motion),
  theory: text,
  options: record(record(either(number, flag))),
  rubble: flag,
  magnify: number,
  outside: flag,
  push: oneOf(1, -1),
  job: orNull(text),
});

/** The theory of rigid stones. */
export const RIGID = "blocks";

const FIRST: State = {
  kind: "drums",
  sizes: {},
  bond: "running",
  opening: "none",
  file: null,
  friction: 0.7,
  motion: { pulse: "sine,a=0.45g,T=1,dt=0.005" },
  theory: RIGID,
  options: {},
  rubble: true,
  magnify: 1,
  outside: true,
  push: 1,
  job: null,
};

/** What the server offers: the theories, with their options. */
export const about = signal<About | null>(null);
void get<About>("about").then((found) => (about.value = found));

export const asked = linked<State>("blocks", FIRST, USABLE);

export function change(part: Partial<State>): void {
  asked.value = { ...asked.peek(), ...part };
}

export const sizes = computed<Sizes>(() => {
  const { kind, sizes: given } = asked.value;
  return kind === "file" ? {} : sizesOf(kind, given[kind]);
});

export function resize(part: Sizes): void {
  const { kind, sizes: given } = asked.peek();
  if (kind !== "file") change({ sizes: { ...given, [kind]: { ...given[kind], ...part } } });
}

const body = computed<BodySpec | null>(() => {
  const { kind, file, friction } = asked.value;
  if (kind !== "file") return described(kind, sizes.value, asked.value, friction);
  return file && { ...file, friction };
});

export const asCase = computed<CaseSpec | null>(() => {
  const { motion, theory, options, rubble } = asked.value;
  if (!body.value) return null;
  const given = { ...options[theory], ...(rubble && theory === RIGID ? { rubble } : {}) };
  const usual = theory === RIGID && !Object.keys(given).length;
  return {
    body: body.value,
    ...(motion ? { motion } : {}),
    ...(usual ? {} : { theories: [{ name: theory, ...given }] }),
  };
});

// -- what is answered -----------------------------------------------------------------------------

const shapes = asker((spec: BodySpec) => post<Shape>("assembly", spec));
const quick = asker((one: CaseSpec) => post<Run>("assembly/simulate", one));
const steps = asker((one: CaseSpec) => post<StepError>("assembly/step", one));
const limits = asker((one: { body: BodySpec; direction: [number, number] }) => post<Limit>("assembly/limit", one));

export const limit = limits.answer;
export const limitProblem = limits.problem;
export const limitBusy = limits.busy;

/** The job that shakes a wall. */
export const job = signal<JobState | null>(null);
const fromJob = signal<Run | null>(null);
const notStarted = signal("");

export const shape = shapes.answer;
/** Whether a run has to be asked for: it takes seconds. */
export const slow = computed(() => shape.value !== null && !shape.value.quick);
export const run = computed<Run | null>(() => (slow.value ? fromJob.value : quick.answer.value));
export const busy = computed(() => shapes.busy.value || quick.busy.value);
export const problem = computed(
  () => shapes.problem.value || (slow.value ? notStarted.value : quick.problem.value),
);
/** Why nothing is computed; "" if it is. */
export const refused = computed(() => rejected.value || problem.value);
export const late = lateness(busy, run);
export const waited = seconds(busy);
/** What keeps us waiting: something that is compiled for the first time. */
export const compiling = signal<string[]>([]);

let bodyBefore = "";
effect(() => {
  const text = JSON.stringify(body.value);
  if (text === bodyBefore || !body.value) return;
  bodyBefore = text;
  shapes.ask(body.value);
});

let runBefore = "";
effect(() => {
  const [found, one] = [shape.value, asCase.value];
  const text = JSON.stringify(one);
  if (!found || !one || shapes.busy.value || shapes.problem.value || text === runBefore) return;
  runBefore = text;
  if (found.quick) quick.ask(one);
  else quick.forget(); // what is still on its way belongs to the stones before
});

/** What the time step may have done to the run that is shown; null until that is known, and of walls. */
export const stepError = computed(() => (slow.value || quick.busy.value ? null : steps.answer.value));

// Asked for once the run is there, which it would only delay.
effect(() => {
  const done = !quick.busy.value && !quick.problem.value && quick.answer.value;
  if (quick.busy.value) steps.forget();
  const one = asCase.peek();
  if (done && !done.not_halved && one && JSON.stringify(one) === runBefore) steps.ask(one);
});

let limitBefore = "";
effect(() => {
  const question = body.value && { body: body.value, direction: [asked.value.push, 0] as [number, number] };
  const text = JSON.stringify(question);
  if (!question || !shape.value || shapes.busy.value || shapes.problem.value || text === limitBefore) return;
  limitBefore = text;
  limits.ask(question);
});

let waiting = 0;
effect(() => {
  clearInterval(waiting);
  if (busy.value || limitBusy.value) waiting = window.setInterval(() => void listen(), 1500);
  else compiling.value = [];
});
async function listen(): Promise<void> {
  compiling.value = (await get<{ compiling: string[] }>("compiling")).compiling;
}

// -- walls: in the background ---------------------------------------------------------------------

let followed = ""; // the job that is shown
let ofCase = ""; // what it was asked
let stop = () => {};

export async function shake(): Promise<void> {
  notStarted.value = "";
  try {
    const begun = await post<JobState>("jobs", { kind: "assembly", case: asCase.peek() });
    followed = "";
    change({ job: begun.id });
  } catch (error) {
    notStarted.value = error instanceof ApiError ? error.message : String(error);
  }
}

/** Hear of a job until it has ended, then fetch what it found. */
function hear(id: string): void {
  const gone = () => followed !== id;
  stop = follow(id, {
    state: (state) => {
      if (gone()) return;
      job.value = state;
      if (state.state === "done")
        void get<Job<Run>>(`jobs/${id}`).then((found) => {
          if (!gone()) fromJob.value = found.result;
        });
    },
  });
}

effect(() => {
  const { job: id } = asked.value;
  const text = JSON.stringify(asCase.value);
  if (door.value !== "blocks" || id === followed) return;
  stop();
  followed = id ?? "";
  ofCase = text;
  job.value = null;
  fromJob.value = null;
  // A link may be to a job of another studio.
  if (id) void get<Job>(`jobs/${id}`).then(() => hear(id), () => change({ job: null }));
});

// What was run is no longer what is asked: the picture shows the new stones, as they stand.
effect(() => {
  if (asked.value.job && followed === asked.value.job && JSON.stringify(asCase.value) !== ofCase) change({ job: null });
});
