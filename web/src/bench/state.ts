/** What stands on the workbench, and what the server says of it. */

import { computed, effect, signal } from "@preact/signals";
import { linked } from "../address";
import { ApiError, get, post } from "../api";
import { rejected } from "../parts/entry";
import { lateness } from "../parts/late";
import { aCase, fields, text } from "../shape";
import type { About, BodyAbout, BodySpec, CaseAnswer, CaseSpec } from "../types";

export { at, column } from "./columns";

export interface Bench {
  case: CaseSpec;
  /** Whose picture is drawn: one of the presets, or "" for a plain block. */
  preset: string;
  /** What a file is called, by its place on the server. */
  files?: Record<string, string>;
}

const STATUE: Bench = {
  preset: "statue",
  case: {
    body: { kind: "Block", preset: "statue", height: 1.8, width: 0.5 },
    motion: { pulse: "sine,a=0.4g,T=0.8" },
    theories: [{ name: "housner" }],
  },
};

export const bench = linked<Bench>("bench", STATUE, fields({ case: aCase, preset: text }));
export const asked = computed(() => whole(bench.value.case));

const USUAL: Record<string, string> = { Body: "spatial", FlexibleOscillator: "nonsmooth" };

/** A case in full: one from another door may leave out what is usual. */
function whole(given: CaseSpec): CaseSpec {
  const body: BodySpec = { ...given.body, kind: given.body.kind ?? "Block" };
  const usual = USUAL[body.kind] ?? "housner";
  return { ...given, body, theories: given.theories?.length ? given.theories : [{ name: usual }] };
}

/** Change a part of the case. */
export function change(part: Partial<CaseSpec>): void {
  bench.value = { ...bench.peek(), case: { ...bench.peek().case, ...part } };
}

export const about = signal<About | null>(null);
void get<About>("about").then((found) => (about.value = found));

// -- the answer: the last one stays until the next is there -----------------------------------

export const answer = signal<CaseAnswer | null>(null);
export const problem = signal("");
export const busy = signal(false);
export const compiling = signal<string[]>([]);
/** How long the present question has waited [s]. */
export const waited = signal(0);
/** The object as it stands, where its run takes a while. */
const still = signal<BodyAbout | null>(null);
/** The object that is drawn: that of the answer, or the one whose run is still awaited. */
export const body = computed(() => still.value ?? answer.value?.body ?? null);
/** The answer, unless its object is not the one that is drawn. */
export const shown = computed(() => (still.value ? null : answer.value));
export const late = lateness(busy, answer);
/** Why nothing is computed; "" if it is. */
export const refused = computed(() => rejected.value || problem.value);

let running = false;
let latest: CaseSpec | null = null;

async function ask(): Promise<void> {
  if (running) return;
  running = true;
  busy.value = true;
  let begun = Date.now();
  const waiting = setInterval(() => {
    waited.value = Math.floor((Date.now() - begun) / 1000);
    void listen();
  }, 1000);
  while (latest !== null) {
    const now: CaseSpec = latest;
    latest = null;
    begun = Date.now();
    const standing = setTimeout(() => void stand(now.body), answer.peek() ? 1000 : 0);
    try {
      answer.value = await post<CaseAnswer>("simulate", now);
      problem.value = "";
    } catch (error) {
      if (!(error instanceof ApiError)) problem.value = String(error);
      else if (latest === null) problem.value = error.message;
    }
    clearTimeout(standing);
    asking = null;
    still.value = null;
  }
  clearInterval(waiting);
  compiling.value = [];
  waited.value = 0;
  busy.value = false;
  running = false;
}

let asking: BodySpec | null = null;

/** Draw the object as it stands until its run is there. */
async function stand(spec: BodySpec): Promise<void> {
  asking = spec;
  const found = await post<BodyAbout>("body", spec).catch(() => null); // the run will say why not
  if (asking === spec) still.value = found;
}

/** What keeps us waiting: something that is compiled for the first time. */
async function listen(): Promise<void> {
  compiling.value = (await get<{ compiling: string[] }>("compiling")).compiling;
}

let before = "";
effect(() => {
  const text = JSON.stringify(asked.value);
  if (text === before) return;
  before = text;
  latest = asked.value;
  void ask();
});

// -- the clock --------------------------------------------------------------------------------

export const time = signal(0);
export const playing = signal(true);
export const speed = signal(1);
export const end = computed(() =>
  Math.max(...(answer.value?.runs ?? []).map((run) => run.dt * (run.relative.length - 1)), 0),
);

let last = 0;
let ended = false; // by itself: what is asked next is then played from the start
function tick(now: number): void {
  const step = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (playing.value && end.value > 0 && !refused.value) {
    const next = time.value + step * speed.value;
    ended = next >= end.value;
    time.value = ended ? end.value : next;
    if (ended) playing.value = false;
  }
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);

export function seek(to: number): void {
  ended = false;
  playing.value = false;
  time.value = Math.min(Math.max(to, 0), end.value);
}

export function play(): void {
  if (time.peek() >= end.peek()) time.value = 0;
  playing.value = true;
}

effect(() => {
  if (!answer.value) return;
  if (ended) {
    ended = false;
    time.value = 0;
    playing.value = true;
  } else if (time.peek() > end.value) time.value = end.value;
});

export const COLOURS = ["accent", "second", "third", "fourth", "fall", "stand"];
