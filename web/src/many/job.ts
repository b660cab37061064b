/** The job that is shown: asked for, followed, and opened again by its number in the address. */

import { computed, effect, signal } from "@preact/signals";
import { door } from "../address";
import { ApiError, follow, get, post } from "../api";
import { t } from "../texts";
import type { BodyAbout, Job, JobState } from "../types";
import { QUESTIONS, change, many, size, type Many } from "./state";
import { fromRequest, request } from "./request";

/** The job with its request, its result when there is one, and the names of its files. */
export const job = signal<Job | null>(null);
/** What it has found so far, in the order in which it found it. */
export const found = signal<readonly Record<string, unknown>[]>([]);
export const problem = signal("");

/** A job in the list; `made` are seconds since 1970. */
export type Made = JobState & { made: number };
export const earlier = signal<readonly Made[]>([]);

let shown = "";
let calls = 0;
let stop = () => {};

/** Show another job: what it has found already, and then what it finds. */
async function show(id: string): Promise<void> {
  stop();
  shown = id;
  const call = ++calls;
  const late = () => call !== calls; // another job has been opened meanwhile
  problem.value = "";
  found.value = [];
  try {
    const opened = await get<Job>(`jobs/${id}`);
    if (late()) return;
    job.value = opened;
    if (many.peek().question !== opened.kind) change(fromRequest(opened));
  } catch (error) {
    if (late()) return;
    job.value = null;
    problem.value = error instanceof ApiError && error.status === 404 ? t.many.elsewhere : said(error);
    return;
  }
  const seen = new Set<unknown>(); // after a lost connection they may come again
  let heap: Record<string, unknown>[] = []; // hundreds may come at once: they are drawn together
  const draw = () => {
    if (!late()) found.value = [...found.peek(), ...heap];
    heap = [];
  };
  stop = follow(id, {
    partial: (part) => {
      if (late() || seen.has(part.n)) return;
      seen.add(part.n);
      if (heap.push(part) === 1) setTimeout(draw, 40);
    },
    state: (state) => {
      if (!late()) void heard(id, state, late);
    },
  });
}

async function heard(id: string, state: JobState, late: () => boolean): Promise<void> {
  job.value = { ...job.peek()!, ...state };
  if (state.state === "queued" || state.state === "running") return;
  void list();
  if (state.state !== "done") return;
  const finished = await get<Job>(`jobs/${id}`);
  if (!late()) job.value = finished;
}

/** Whether the settings are no longer those of the job that is shown. */
export const changed = computed(() => {
  const now = job.value;
  if (!now || now.kind !== many.value.question) return false;
  const alpha = size.value?.alpha;
  if (now.request.alpha && alpha) {
    const own = request(many.value, alpha).alpha;
    if (JSON.stringify(own) !== JSON.stringify(now.request.alpha)) return true;
  }
  const asked = (state: Many) => JSON.stringify(request(state, 1));
  return asked(many.value) !== asked({ ...many.value, ...fromRequest(now) });
});

/** Ask what the settings say. */
export async function run(): Promise<void> {
  problem.value = "";
  try {
    const state = many.peek();
    const about = state.question === "spectrum" ? await post<BodyAbout>("body", state.body) : null;
    const { id } = await post<{ id: string }>("jobs", request(state, about?.alpha ?? 0));
    const again = shown === id; // it was cancelled, and goes on
    change({ job: id, point: null });
    if (again) await show(id);
    void list();
  } catch (error) {
    problem.value = said(error);
  }
}

/** Open an earlier job with the settings that it had. */
export async function reopen(id: string): Promise<void> {
  try {
    change({ ...fromRequest(await get<Job>(`jobs/${id}`)), job: id, point: null });
  } catch (error) {
    problem.value = said(error);
  }
}

export async function list(): Promise<void> {
  const jobs = await get<Made[]>("jobs");
  earlier.value = jobs.filter((one) => (QUESTIONS as readonly string[]).includes(one.kind));
}

function said(error: unknown): string {
  return error instanceof ApiError ? error.message : String(error);
}

// What was refused is no longer what is asked.
let settings = "";
effect(() => {
  const { job: _, point: __, ...rest } = many.value;
  const text = JSON.stringify(rest);
  if (text === settings) return;
  settings = text;
  problem.value = "";
});

effect(() => {
  const id = many.value.job;
  if (door.value !== "many") return;
  if (id === null) {
    stop();
    calls++;
    shown = "";
    job.value = null;
    found.value = [];
  } else if (id !== shown) void show(id);
});
