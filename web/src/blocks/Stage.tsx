/** The stones on their ground as they move, to scale. */

import { computed } from "@preact/signals";
import { sharp } from "../bench/drawing";
import { Canvas } from "../parts/Canvas";
import { colour } from "../settings";
import { t } from "../texts";
import type { Pose, Run, Shape } from "./answers";
import { time } from "./player";
import { boxOf, paintScale, paintStones, standing, viewOf, type Box } from "./scene";
import { asked, run, shape } from "./state";

const words = t.blocks;
const SOME = 40; // poses of a run from which the picture's size is found
const WIDE = 1.4; // width over height: such a picture needs less height
const WANDERS = 2; // times its own size: a ground that moves farther is not shown to move

/** How far the ground moves to the left and to the right [m]. */
const reach = computed<[number, number]>(() => {
  const ground = run.value?.frames.ground ?? [];
  return ground.reduce<[number, number]>(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [0, 0]);
});

/** Whether the ground goes so far that the stones would be too small to see. */
export const wanders = computed(() => {
  const [low, high] = reach.value;
  const found = run.value?.assembly;
  return found ? high - low > WANDERS * Math.max(found.length, found.height) : false;
});

const outside = computed(() => asked.value.outside && !wanders.value);

const box = computed<Box | null>(() => {
  const found = run.value;
  if (!found) return shape.value && boxOf(shape.value);
  const every = Math.max(1, Math.ceil(found.frames.poses.length / SOME));
  const poses = found.frames.poses.filter((_, i) => i % every === 0).map((one) => whole(found.assembly, one));
  const seen = boxOf(found.assembly, [...poses, whole(found.assembly, found.frames.poses.at(-1)!)]);
  if (!outside.value) return seen;
  return { ...seen, left: seen.left + reach.value[0], right: seen.right + reach.value[1] };
});

export function Stage() {
  const told = run.value?.outcome ?? shape.value?.label ?? "";
  const low = box.value !== null && box.value.right - box.value.left > WIDE * (box.value.top - box.value.bottom);
  return <Canvas class={low ? "stones low" : "stones"} label={`${words.picture}: ${told}`} paint={show} />;
}

function show(canvas: HTMLCanvasElement): void {
  const found = run.value?.assembly ?? shape.value;
  if (!found || !box.value) return;
  const [ctx, w, h] = sharp(canvas);
  const view = viewOf(box.value, w, h);
  const now = run.value ? posesAt(run.value, time.value, asked.value.magnify) : standing(found);
  const moved = run.value && outside.value ? between(run.value.frames.ground, run.value, time.value) : 0;
  paintStones(ctx, found, now, { ...view, x: view.x + view.scale * moved });
  paintScale(ctx, view);
  if (run.value) paintPush(ctx, run.value, w, h);
}

/** The poses of the stones that move, with those that do not. */
function whole(of: Shape, poses: Pose[]): Pose[] {
  let k = 0;
  return of.stones.map(({ fixed, centre: [x, y] }) => (fixed ? [x, y, 0] : poses[k++]!));
}

/** The frame before a time, and how far it is to the next. */
function frameAt({ frames }: Run, when: number): [number, number] {
  const { time: times } = frames;
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= when) low = middle;
    else high = middle - 1;
  }
  const next = times[low + 1];
  return [low, next === undefined ? 0 : (when - times[low]!) / (next - times[low]!)];
}

function between(values: number[], found: Run, when: number): number {
  const [i, share] = frameAt(found, when);
  return values[i]! + share * ((values[i + 1] ?? values[i]!) - values[i]!);
}

/** Where the stones are at a time, their displacements enlarged. */
function posesAt(found: Run, when: number, magnify: number): Pose[] {
  const [i, share] = frameAt(found, when);
  const { poses } = found.frames;
  const next = poses[i + 1] ?? poses[i]!;
  const start = standing(found.assembly).filter((_, k) => !found.assembly.stones[k]!.fixed);
  const now = poses[i]!.map((pose, k) =>
    pose.map((value, j) => {
      const exact = value + share * (next[k]![j]! - value);
      return start[k]![j]! + magnify * (exact - start[k]![j]!);
    }) as Pose,
  );
  return whole(found.assembly, now);
}

/** The ground's acceleration as an arrow, at the lower right. */
function paintPush(ctx: CanvasRenderingContext2D, found: Run, w: number, h: number): void {
  const most = found.ground.reduce((peak, a) => Math.max(peak, Math.abs(a)), 0);
  if (!most) return;
  const now = found.ground[Math.round(time.value / found.dt)] ?? 0;
  const [room, y] = [Math.min(60, w / 8), h - 10];
  const x = w - room - 8;
  const tip = x + (now / most) * room;
  ctx.font = "12px system-ui";
  ctx.textAlign = "right";
  ctx.fillStyle = colour("soft");
  ctx.fillText(w < 420 ? words.pushShort : words.push, x - room - 8, y + 4);
  ctx.strokeStyle = ctx.fillStyle = colour("accent");
  ctx.lineWidth = 4;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(tip, y);
  ctx.moveTo(x, y - 5);
  ctx.lineTo(x, y + 5);
  ctx.stroke();
  if (Math.abs(tip - x) < 8) return;
  const back = Math.sign(now) * 8;
  ctx.beginPath();
  ctx.moveTo(tip + back * 0.5, y);
  ctx.lineTo(tip - back * 0.6, y - 6);
  ctx.lineTo(tip - back * 0.6, y + 6);
  ctx.fill();
}
