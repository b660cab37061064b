/** What was asked and what the server has found so far. */

import { computed, effect, signal } from "@preact/signals";
import { linked } from "../address";
import { ApiError, follow, get, post } from "../api";
import { either, fields, flag, listOf, number, oneOf, optional, text } from "../shape";
import { t } from "../texts";
import type { About, CaseSpec, Job, JobState, Preset } from "../types";

/** How strongly the ground shakes: one of the three. */
export interface Place {
  strength?: string;
  pga?: number;
  levels?: number[];
  rates?: number[];
}

export const FIXINGS = ["free", "fixed", "wax"] as const;
export type Fixing = (typeof FIXINGS)[number];

/** As `AskRequest` of the server has it. */
export interface Question {
  what: string;
  /** Of a vase on a plinth; "wax" cannot be asked yet. */
  fixing?: Fixing;
  height: number;
  width: number;
  com_height?: number;
  mass?: number;
  material?: string;
  storey: number;
  storeys: number;
  period?: number;
  place: Place;
  years: number;
  name: string;
  site: string;
  author: string;
}

interface State {
  question: Question;
  /** Whether the answer is shown, or the questions. */
  asked: boolean;
}

export interface Share {
  pga: number;
  count: number;
  of: number;
  share: number;
  low: number;
  high: number;
  level: number;
  sentence: string;
  /** What every answer about such an object takes for granted; "" where there is nothing. */
  assumed: string;
  /** How many lift off; null where the theory has no such threshold. */
  rocked: number | null;
  failed: number;
  lean: number;
  numbers: Record<string, number> & { theory: string; floor: string | null };
  examples: Record<"falls" | "stands", { number: number; case: CaseSpec } | null>;
}

export interface Card {
  key: "plinth" | "width" | "centre" | "anchor" | "fixed";
  count: number;
  of: number;
  now: number;
  first: number;
  last: number;
  best: number | null;
  value: number | null;
  left: number;
  share: number;
  plinth_height: number;
  ballast: number;
  pull: number;
  holds_to: number;
  amplification: number;
  mass: number;
  com_height: number;
  b: number;
  width: number;
}

export interface Result {
  answer: string;
  beside: string[];
  limits: string[];
  warnings: string[];
  files: string[];
}

const FIRST: Question = {
  what: "statue",
  height: 1.8,
  width: 0.5,
  storey: 0,
  storeys: 3,
  place: { strength: "strong" },
  years: 50,
  name: "",
  site: "",
  author: "",
};

export const state = linked<State>(
  "ask",
  { question: FIRST, asked: false },
  fields({
    asked: flag,
    question: fields({
      what: text,
      fixing: optional(oneOf(...FIXINGS)),
      height: number,
      width: number,
      storey: number,
      storeys: number,
      years: number,
      com_height: optional(number),
      mass: optional(number),
      period: optional(number),
      material: optional(text),
      ...Object.fromEntries(["name", "site", "author"].map((name) => [name, text])),
      place: either(
        fields({ strength: text }),
        fields({ pga: number }),
        fields({ levels: listOf(number), rates: listOf(number) }),
      ),
    }),
  }),
);

export function set(part: Partial<Question>): void {
  const next: Record<string, unknown> = { ...state.peek().question, ...part };
  for (const name of Object.keys(next)) if (next[name] === undefined) delete next[name];
  problem.value = "";
  state.value = { question: next as unknown as Question, asked: false };
}

/** Two objects of which one stands on the other. */
export const PAIR = "vase_on_plinth";

export const presetName = (what: string) => (what === PAIR ? "vase_fixed_on_plinth" : what);

/** The preset whose sizes and outline a kind begins with. */
export function presetOf(what: string): Preset | undefined {
  return about.value?.presets[presetName(what)];
}

/** Whether it is one body: its centre of mass can be asked for and shown. */
export const single = computed(() => {
  const { what, fixing } = state.value.question;
  return what !== PAIR || fixing === "fixed";
});

/** What has to be answered before it can be asked; "" if nothing has. */
export const unanswered = computed(() => {
  const { what, fixing } = state.value.question;
  if (what !== PAIR || fixing === "free" || fixing === "fixed") return "";
  return fixing ? t.ask.fixing.words[fixing]! : t.ask.fixing.first;
});

export const about = signal<About | null>(null);
void get<About>("about").then((found) => (about.value = found));

// -- the job ----------------------------------------------------------------------------------

export const job = signal<JobState | null>(null);
export const share = signal<Share | null>(null);
export const cards = signal<Card[] | null>(null);
export const result = signal<Result | null>(null);
export const problem = signal("");
/** Whether nothing more will come: cancelled, failed or refused. */
export const stopped = computed(() => Boolean(problem.value) || job.value?.state === "failed" || job.value?.state === "cancelled");
/** What in the hazard table cannot be read: until it can, nothing is asked. */
export const unread = signal("");

let running = ""; // the question that is being followed
let stop = () => {};

/** The request: a building of some storeys matters only on its upper floors. */
function request(question: Question): Record<string, unknown> {
  const { storeys, period, ...rest } = question;
  return { kind: "ask", ...rest, ...(question.storey ? { storeys, period } : {}) };
}

/** Ask, or find the answer again: the same question is the same job. */
export async function ask(): Promise<void> {
  const asked = JSON.stringify(request(state.peek().question));
  if (running === asked) return;
  running = asked;
  stop();
  job.value = share.value = cards.value = result.value = null;
  problem.value = "";
  try {
    const { id } = await post<{ id: string }>("jobs", JSON.parse(asked));
    if (running !== asked) return;
    stop = follow(id, {
      partial: (found) => {
        if (found.part === "share") share.value = found as unknown as Share;
        if (found.part === "helps") cards.value = found.cards as Card[];
      },
      state: (now) => {
        job.value = now;
        if (now.state === "done") void finish(id, asked);
        if (now.state === "failed" || now.state === "cancelled") running = "";
      },
    });
  } catch (error) {
    running = "";
    problem.value = error instanceof ApiError ? error.message : String(error);
  }
}

async function finish(id: string, asked: string): Promise<void> {
  const found = await get<Job<Result>>(`jobs/${id}`);
  if (running === asked) result.value = found.result;
}

effect(() => {
  if (state.value.asked && !unanswered.value) void ask();
});
