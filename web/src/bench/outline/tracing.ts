/** What is traced: corners over a picture, with undo, and what the server says of them. */

import { computed, effect, signal } from "@preact/signals";
import { ApiError, post } from "../../api";
import { t } from "../../texts";
import type { BodySpec, OutlineAnswer } from "../../types";
import type { Point } from "../drawing";

export interface Picture {
  /** An address inside this browser; empty where only the outline is left. */
  url: string;
  width: number;
  height: number;
}

interface Traced {
  corners: Point[];
  /** The two ends of a known length. */
  marks: Point[];
}

export type Section = "flat" | "round" | "square";
export type Setting = "height" | "length";

const NOTHING: Traced = { corners: [], marks: [] };
/** Pixels of the picture, y downwards. */
export const traced = signal<Traced>(NOTHING);
export const picture = signal<Picture | null>(null);
export const setting = signal<Setting>("height");
export const height = signal(1.8);
export const length = signal(1);
export const section = signal<Section>("flat");
export const thickness = signal(0.5);
export const density = signal(2600);
/** The number of the corner that was touched last; −1: none. */
export const chosen = signal(-1);

// -- steps back and forth -----------------------------------------------------------------------

const past = signal<Traced[]>([]);
const future = signal<Traced[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** Remember how it is now, before a change. */
export function remember(): void {
  past.value = [...past.peek().slice(-200), traced.peek()];
  future.value = [];
}

export function undo(): void {
  const last = past.peek().at(-1);
  if (!last) return;
  future.value = [...future.peek(), traced.peek()];
  past.value = past.peek().slice(0, -1);
  traced.value = last;
  chosen.value = -1;
}

export function redo(): void {
  const next = future.peek().at(-1);
  if (!next) return;
  past.value = [...past.peek(), traced.peek()];
  future.value = future.peek().slice(0, -1);
  traced.value = next;
  chosen.value = -1;
}

// -- corners ------------------------------------------------------------------------------------

/** Set a corner at the end, or in a side that is nearer than `near`; returns its number. */
export function addCorner(at: Point, near: number): number {
  remember();
  const corners = traced.peek().corners;
  // the side drawn last does not count: the next corner may lie close to it
  const side = corners.findIndex((a, i) => i < corners.length - 2 && distance(at, a, corners[i + 1]!) < near);
  const place = side >= 0 ? side + 1 : corners.length;
  traced.value = { ...traced.peek(), corners: [...corners.slice(0, place), at, ...corners.slice(place)] };
  chosen.value = place;
  return place;
}

export function addMark(at: Point): number {
  remember();
  const marks = traced.peek().marks.length < 2 ? [...traced.peek().marks, at] : [at];
  traced.value = { ...traced.peek(), marks };
  return marks.length - 1;
}

export type Which = "corners" | "marks";
export function move(which: Which, i: number, to: Point): void {
  traced.value = { ...traced.peek(), [which]: traced.peek()[which].map((one, k) => (k === i ? inside(to) : one)) };
}

export function removeCorner(i: number): void {
  if (i < 0 || i >= traced.peek().corners.length) return;
  remember();
  traced.value = { ...traced.peek(), corners: traced.peek().corners.filter((_, k) => k !== i) };
  chosen.value = -1;
}

export function clear(): void {
  remember();
  traced.value = NOTHING;
  chosen.value = -1;
}

export function inside([x, y]: Point): Point {
  const { width, height } = picture.peek() ?? { width: Infinity, height: Infinity };
  return [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
}

function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const long = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = long ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long, 0), 1) : 0;
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

// -- a picture, or an outline of before ---------------------------------------------------------

export const problem = signal("");

export async function load(file: File): Promise<void> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    problem.value = t.bench.outline.notPicture;
    return;
  }
  if (picture.peek()?.url) URL.revokeObjectURL(picture.peek()!.url);
  problem.value = "";
  traced.value = NOTHING;
  past.value = future.value = [];
  picture.value = { url, width: image.naturalWidth, height: image.naturalHeight };
}

const BLANK = 1000;

/** Begin with the outline of a body, where its picture is no longer there. */
export function resume(body: BodySpec): void {
  const outline = body.outline as Point[] | undefined;
  if (!Array.isArray(outline) || traced.peek().corners.length) return;
  const [xs, ys] = [outline.map((p) => p[0]), outline.map((p) => p[1])];
  const [left, low] = [Math.min(...xs), Math.min(...ys)];
  const [wide, tall] = [Math.max(...xs) - left, Math.max(...ys) - low];
  const scale = (0.9 * BLANK) / Math.max(wide, tall);
  const aside = (BLANK - scale * wide) / 2;
  picture.value = { url: "", width: BLANK, height: BLANK };
  traced.value = {
    corners: outline.map(([x, y]): Point => [aside + scale * (x - left), 0.95 * BLANK - scale * (y - low)]),
    marks: [],
  };
  setting.value = "height";
  height.value = Number(body.height ?? tall);
  section.value = (body.section as Section | undefined) ?? "flat";
  thickness.value = Number(body.thickness ?? 1);
  density.value = Number(body.density ?? 2600);
}

// -- the server's numbers: the last ones stay until the next are there --------------------------

export const found = signal<OutlineAnswer | null>(null);

const asked = computed(() => {
  const { corners, marks } = traced.value;
  const tall = picture.value?.height ?? 0;
  if (corners.length < 3) return null;
  const points = corners.map(([x, y]) => [x, tall - y]);
  const [a, b] = marks;
  if (setting.value === "length" && !(a && b)) return null;
  const size =
    setting.value === "height"
      ? { height: height.value }
      : { scale: length.value / Math.hypot(a![0] - b![0], a![1] - b![1]) };
  return { points, ...size, section: section.value, thickness: thickness.value, density: density.value };
});

let running = false;
let latest: object | null = null;

async function ask(): Promise<void> {
  if (running) return;
  running = true;
  while (latest !== null) {
    const now: object = latest;
    latest = null;
    try {
      const answer = await post<OutlineAnswer>("outline", now);
      if (asked.peek() !== now) continue;
      found.value = answer.area === null ? null : answer;
      problem.value = answer.problem ?? "";
    } catch (error) {
      if (asked.peek() !== now) continue;
      found.value = null;
      problem.value = error instanceof ApiError ? error.message : String(error);
    }
  }
  running = false;
}

effect(() => {
  latest = asked.value;
  if (latest) void ask();
  else found.value = null;
});

/** The body with this outline, as descriptions hold it. */
export function outlined(): BodySpec | null {
  const side = found.peek()?.body?.side;
  if (!side?.outline) return null;
  const short = (value: number) => Number(value.toPrecision(5));
  const own: BodySpec = {
    kind: "Block",
    outline: side.outline.map(([x, y]) => [short(x), short(y)]),
    height: short(side.height),
    section: section.peek(),
    density: density.peek(),
  };
  return section.peek() === "flat" ? { ...own, thickness: thickness.peek() } : own;
}
