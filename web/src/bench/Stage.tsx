/** The object on its floor, as it moves: drawn to scale, the theories over each other. */

import { Canvas } from "../parts/Canvas";
import type { Contact } from "../parts/Contacts";
import { colour } from "../settings";
import { t } from "../texts";
import type { BodyAbout, Run, Side } from "../types";
import { box, paintCentre, placed, sharp, trace, type Point, type View } from "./drawing";
import { parts } from "./object/silhouette";
import { COLOURS, asked, at, body, column, shown, time } from "./state";

const GRAVITY = 9.80665; // m/s² in a g

export function Stage() {
  const told = shown.value?.runs[0]?.sentence ?? body.value?.label ?? "";
  return <Canvas class="stage" label={`${t.bench.stage}: ${told}`} paint={show} />;
}

function show(canvas: HTMLCanvasElement): void {
  const { side } = body.value ?? {};
  if (side) paint(canvas, shown.value?.runs ?? [], { ...body.value!, side }, shown.value ? time.value : 0);
}

type Seen = BodyAbout & { side: Side };

/** What is drawn of a run: its parts bent by u [m]; a rigid body as a box beside the first theory's. */
function shape(body: Seen, u: number, first: boolean): Point[][] {
  if (body.stem) return parts(body, u);
  return [first ? (body.side.outline ?? box(body.side)) : box(body.side)];
}

function paint(canvas: HTMLCanvasElement, all: Run[], body: Seen, now: number): void {
  const [ctx, w, h] = sharp(canvas);
  const { side } = body;
  const standing = parts(body);
  const tall = Math.max(...standing.flat().map(([, z]) => z));
  const reach = Math.hypot(tall, side.width);
  const floor = h - 46;
  const scale = Math.min((floor - 18) / reach, (w - 40) / (2 * reach + side.width));
  const view: View = { scale, x: w / 2, y: floor };
  paintFloor(ctx, w, floor);
  paintContacts(ctx, side, view);
  const runs = all.filter((run) => run.rocks);
  if (!runs.length) paintStanding(ctx, side, standing, view);
  for (const [k, run] of [...runs.entries()].reverse()) paintRun(ctx, run, body, view, now, k);
  if (runs[0]) paintPush(ctx, runs[0], side, w, h, now);
}

function paintFloor(ctx: CanvasRenderingContext2D, w: number, y: number): void {
  ctx.strokeStyle = colour("soil");
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = -10; x < w; x += 14) {
    ctx.moveTo(x, y + 12);
    ctx.lineTo(x + 12, y);
  }
  ctx.stroke();
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(0, y);
  ctx.lineTo(w, y);
  ctx.stroke();
}

/** Walls beside it and pads under it, of theories that have them. */
function paintContacts(ctx: CanvasRenderingContext2D, side: Side, view: View): void {
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 3;
  for (const contact of (asked.value.theories ?? []).flatMap((one) => (one.interfaces ?? []) as Contact[])) {
    const of = (name: string, usual: number) => (typeof contact[name] === "number" ? contact[name] : usual);
    const [gap, y] = [of("gap", 0), of("y", 0)];
    const x = (contact.side === "right" ? 1 : -1) * (side.width / 2 + gap);
    const ends: [Point, Point] | null =
      contact.kind === "wall" ? [[x, of("bottom", 0)], [x, of("top", side.height)]]
      : contact.kind === "pad" ? [[of("left", 0), y - gap], [of("right", 0), y - gap]]
      : null; // its base stands on the floor
    if (!ends) continue;
    trace(ctx, ends, view);
    ctx.stroke();
  }
}

/** As it stands, while its run is awaited. */
function paintStanding(ctx: CanvasRenderingContext2D, side: Side, shape: Point[][], view: View): void {
  ctx.fillStyle = colour("stone");
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 1.6;
  for (const part of shape) {
    trace(ctx, part, view);
    ctx.fill();
    ctx.stroke();
  }
  paintCentre(ctx, side.centre, view);
}

function paintRun(
  ctx: CanvasRenderingContext2D,
  run: Run,
  body: Seen,
  view: View,
  now: number,
  k: number,
): void {
  const { side, stem } = body;
  const theta = at(column(run, "theta") ?? [0], run.dt, now);
  const slid = run.slid ? at(run.slid, run.dt, now) : 0;
  const lift = at(column(run, "lift") ?? [0], run.dt, now);
  const u = at(column(run, "u") ?? [0], run.dt, now);
  const first = k === 0;
  ctx.fillStyle = colour("stone");
  ctx.strokeStyle = first ? colour("stone-edge") : colour(COLOURS[k % COLOURS.length]!);
  ctx.lineWidth = first ? 1.6 : 1.4;
  ctx.setLineDash(first ? [] : [5, 4]);
  for (const part of shape(body, u, first)) {
    trace(ctx, placed(part, side, theta, slid, lift), view);
    if (first) ctx.fill();
    ctx.stroke();
  }
  ctx.setLineDash([]);
  if (!first) return;
  if (stem) paintAxis(ctx, placed([[0, 0], [0, stem.height]], side, theta, slid, lift), view);
  const [x, z] = side.centre;
  paintCentre(ctx, placed([[x + (stem?.share ?? 0) * u, z]], side, theta, slid, lift)[0]!, view);
  paintSpark(ctx, run, side, slid, view, now);
}

/** Where the column would be if it did not bend. */
function paintAxis(ctx: CanvasRenderingContext2D, line: Point[], view: View): void {
  ctx.strokeStyle = colour("soft");
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 4]);
  trace(ctx, line, view);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A rate over p α: that of a hit after a lean θ/α of 0.005. Softer hits are hardly seen. */
const SOFT = 0.1;

/** A corner that has just hit the floor, the longer the harder it hit. */
function paintSpark(ctx: CanvasRenderingContext2D, run: Run, side: Side, slid: number, view: View, now: number): void {
  const last = run.impacts.time.findLastIndex((hit) => hit <= now);
  const age = last < 0 ? 1 : (now - run.impacts.time[last]!) / 0.18;
  if (age >= 1) return;
  const rate = run.impacts.rate_before[last]!;
  const out = Math.sign(rate);
  const far = Math.min(1, Math.abs(rate) / (SOFT * Math.min(side.p[0] * side.limits[0], side.p[1] * side.limits[1])));
  const [x, y] = [view.x + ((out * side.width) / 2 + slid) * view.scale, view.y];
  ctx.strokeStyle = colour("second");
  ctx.globalAlpha = 1 - age;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const angle of [0.25, 0.7, 1.2]) {
    const [dx, dy] = [out * Math.cos(angle), -Math.sin(angle)];
    ctx.moveTo(x + far * dx * (5 + 8 * age), y + far * dy * (5 + 8 * age));
    ctx.lineTo(x + far * dx * (12 + 12 * age), y + far * dy * (12 + 12 * age));
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** The acceleration of the ground as an arrow under the floor: as long as can be at its peak, or at
 * the acceleration that lifts the object off if it never gets so strong. */
function paintPush(ctx: CanvasRenderingContext2D, run: Run, side: Side, w: number, h: number, now: number): void {
  const accel = run.ground.accel;
  if (!accel) return;
  let most = GRAVITY * Math.min(...side.lifts_at);
  for (const a of accel) most = Math.max(most, Math.abs(a));
  const push = now <= run.dt * accel.length ? at(accel, run.dt, now) / (most || 1) : 0;
  const [x, y] = [w / 2, h - 16];
  const tip = x + (push * w) / 4;
  ctx.fillStyle = colour("soft");
  ctx.font = "12px system-ui";
  ctx.textAlign = "left";
  ctx.fillText(t.bench.plots.ground, 10, h - 12);
  ctx.strokeStyle = ctx.fillStyle = colour("accent");
  ctx.lineWidth = 4;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(tip, y);
  ctx.stroke();
  if (Math.abs(tip - x) < 6) return;
  const back = Math.sign(push) * 9;
  ctx.beginPath();
  ctx.moveTo(tip + back * 0.6, y);
  ctx.lineTo(tip - back * 0.5, y - 6);
  ctx.lineTo(tip - back * 0.5, y + 6);
  ctx.fill();
}
