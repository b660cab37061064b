/** The buildings that are watched, as the server tells of them. */

import { computed, effect, signal } from "@preact/signals";
import { door, linked } from "../address";
import { fields, number, text } from "../shape";
import { ApiError, get, post, remove } from "../api";
import { percent } from "../building/Gauge";
import type { BuildingAbout } from "../building/state";

export interface Alarm {
  quantity: string;
  unit: string;
  threshold: number;
  raised: boolean;
  time: number | null;
  value: number | null;
}

export interface Card {
  name: string;
  demonstration: boolean;
  problem: string;
  urgency?: number;
  nearest?: number;
  label?: string;
  status?: string;
  words?: string;
  over?: boolean;
  samples?: number;
  time?: number;
  dt?: number;
  certain?: boolean;
  values?: Record<string, number | null>;
  units?: Record<string, string>;
  coordinate?: { name: string; unit: string };
  peak?: number;
  pga?: number;
  frequency?: { unworn: number | null; ratio: number | null; measured: number | null };
  alarms?: Alarm[];
  doubts?: { reason: string; words: string; count: number; seconds: number }[];
  clock?: string[];
  damaged?: string[];
  followed?: "live" | "silent" | "stopped" | "unheard" | "broken" | "ended";
  written?: number;
}

export interface Board {
  watching: boolean;
  folder: string;
  missing: boolean;
  reading: boolean;
  left_out: number;
  demonstration: {
    buildings: number;
    speed: number;
    time: number;
    duration: number;
    ended: boolean;
    problem: string;
  } | null;
  buildings: Card[];
}

/** Time [s], coordinate, ground acceleration, and the watched quantities in the card's order. */
export type Point = (number | null)[];

export interface State {
  /** The building that is open; "" for all of them. */
  name: string;
  /** Seconds that the traces show. */
  window: number;
  speed: number;
}

export const shown = linked<State>(
  "monitor",
  { name: "", window: 30, speed: 4 },
  fields({ name: text, window: number, speed: number }),
);

export function change(part: Partial<State>): void {
  shown.value = { ...shown.peek(), ...part };
}

export const board = signal<Board | null>(null);
export const card = signal<Card | null>(null);
export const days = signal<Point[]>([]);
export const lines = signal<{ at: string; kind: string; why: string }[]>([]);
/** The history of the open building: changed in place, `count` tells that it has. */
export let points: Point[] = [];
export const count = signal(0);
export const connected = signal(true);
export const problem = signal("");
export const limits = signal<number[]>([0.01, 0.05, 0.2, 0.5]);

const MOST_POINTS = 6000;

let stop = () => {};
const open = computed(() => (door.value === "monitor" ? shown.value.name : null));
effect(() => {
  const name = open.value;
  stop();
  stop = name === null ? () => {} : listen(name);
});

function listen(name: string): () => void {
  forget();
  const source = new EventSource(`/api/monitor/events?${new URLSearchParams({ name })}`);
  const hear = <T>(kind: string, act: (data: T) => void) =>
    source.addEventListener(kind, (event) => act(JSON.parse(event.data as string) as T));
  source.onopen = () => (connected.value = true);
  source.onerror = () => (connected.value = false); // the browser tries again by itself
  hear<Board>("board", (found) => (board.value = found));
  hear("begin", forget);
  hear<{ card: Card; days: Point[]; lines: typeof lines.value }>("building", (found) => {
    card.value = found.card;
    if (found.days.length !== days.peek().length) days.value = found.days;
    if (found.lines.length || lines.peek().length) lines.value = found.lines;
  });
  hear<Point[]>("points", (found) => {
    points.push(...found);
    if (points.length > MOST_POINTS) points = points.slice(-MOST_POINTS / 2);
    count.value = count.peek() + 1;
  });
  return () => source.close();
}

function forget(): void {
  card.value = null;
  days.value = [];
  lines.value = [];
  points = [];
  count.value = count.peek() + 1;
}

/** Where the states of damage begin: asked once, when the door is first opened. */
void get<BuildingAbout>("building").then((found) => (limits.value = found.damage.wear));

// -- the demonstration ------------------------------------------------------------------------

export async function demonstrate(buildings: number): Promise<void> {
  problem.value = "";
  try {
    const { speed } = shown.peek();
    board.value = await post<Board>("monitor/demonstration", { buildings, speed });
    const first = board.value.buildings.find((one) => one.demonstration);
    change({ name: buildings === 1 && first ? first.name : "" });
  } catch (error) {
    problem.value = error instanceof ApiError ? error.message : String(error);
  }
}

export async function endDemonstration(): Promise<void> {
  await remove("monitor/demonstration");
  change({ name: "" });
}

// -- numbers in words -------------------------------------------------------------------------

/** A time of the sensor's clock: a date where it counts from 1970. */
export function clock(seconds: number): string {
  if (seconds > 1e8) return new Date(1000 * seconds).toISOString().replace("T", " ").slice(0, 19);
  return `${seconds.toFixed(1)} s`;
}

/** A value of a watched quantity, in a unit in which it is read easily. */
export function written(value: number | null, unit: string): string {
  if (value === null) return "–";
  if (unit === "m") return `${(1e3 * value).toPrecision(3)} mm`;
  if (unit === "") return percent(value);
  return `${value.toPrecision(3)} ${unit}`;
}
