/** How hard it can be pushed before it collapses, and how it then goes. */

import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { sharp } from "../bench/drawing";
import { Canvas } from "../parts/Canvas";
import { Choice } from "../parts/Choice";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { Warnings } from "../parts/Warnings";
import { colour } from "../settings";
import { t } from "../texts";
import type { Limit, Point, Pose } from "./answers";
import { boxOf, carried, paintOutline, paintScale, paintStones, standing, viewOf } from "./scene";
import { asked, change, compiling, limit, limitBusy, limitProblem } from "./state";

const words = t.blocks.limit;
const FAR = 0.08; // of its size: how far the corner that moves most is drawn
const TURN = 0.2; // rad: how far a stone is turned, at most

const along = signal(1); // how far the mechanism is shown

export function LimitPanel() {
  const found = limitProblem.value ? null : limit.value;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.side}
        options={[
          { value: "1", label: words.right },
          { value: "-1", label: words.left },
        ]}
        value={String(asked.value.push)}
        onChange={(value) => change({ push: value === "1" ? 1 : -1 })}
      />
      {limitProblem.value && (
        <p class="problem" role="alert">
          {limitProblem.value}
        </p>
      )}
      <div class="limit" aria-live="polite" aria-busy={limitBusy.value}>
        {!found && !limitProblem.value && <p class="quiet">{compiling.value[0] ?? t.loading}</p>}
        {found && <Found found={found} />}
        <Warnings said={found?.warnings} />
      </div>
    </Panel>
  );
}

function Found({ found }: { found: Limit }) {
  const { multiplier } = found;
  return (
    <>
      {multiplier !== null && (
        <p class="lambda limit-said">
          <Explain term="λ">{words.lambda}</Explain> ={" "}
          <data class="number" value={String(multiplier)}>
            {multiplier.toFixed(3)}
          </data>
        </p>
      )}
      <Canvas class="mechanism" label={`${words.picture}: ${found.mechanism}`} paint={show} />
      <Along />
      <p class="small limit-said">{found.words}</p>
      <Key found={found} />
    </>
  );
}

function Along() {
  const id = useId();
  return (
    <div class="row along">
      <label class="small" for={id}>
        {words.along}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.02}
        value={along.value}
        onInput={(e) => (along.value = e.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

function Key({ found: { hinges, slides } }: { found: Limit }) {
  return (
    <p class="quiet small key limit-said">
      {hinges.length > 0 && <span class="hinge">{words.hinge}</span>}
      {slides.length > 0 && <span class="slide">{words.slides}</span>}
      <span>{words.before}</span>
    </p>
  );
}

function show(canvas: HTMLCanvasElement): void {
  const found = limit.value;
  if (!found) return;
  const [ctx, w, h] = sharp(canvas);
  const poses = displaced(found, along.value);
  const view = viewOf(boxOf(found.assembly, [displaced(found, 1)]), w, h);
  paintStones(ctx, found.assembly, poses, view);
  paintOutline(ctx, found.assembly, view);
  paintScale(ctx, view);
  const at = (point: Point, [a, b]: [number, number]): Point => {
    const [one, other] = [a, b].map((i) => carried(point, found.assembly.stones[i]!, poses[i]!)) as [Point, Point];
    return [view.x + (view.scale * (one[0] + other[0])) / 2, view.y - (view.scale * (one[1] + other[1])) / 2];
  };
  ctx.strokeStyle = colour("fall");
  ctx.lineWidth = 2.4;
  for (const { stones, ends } of found.slides) {
    ctx.beginPath();
    ctx.moveTo(...at(ends[0], stones));
    ctx.lineTo(...at(ends[1], stones));
    ctx.stroke();
  }
  ctx.fillStyle = colour("ink");
  ctx.strokeStyle = colour("card");
  ctx.lineWidth = 1;
  for (const { stones, point } of found.hinges) {
    ctx.beginPath();
    ctx.arc(...at(point, stones), found.hinges.length < 40 ? 4 : 2.5, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}

/** The stones moved along the mechanism, each about its own centre of rotation: those that move as
 * one stay together. */
function displaced({ assembly, velocities }: Limit, share: number): Pose[] {
  const box = boxOf(assembly);
  const size = Math.max(box.right - box.left, box.top - box.bottom);
  const turning = Math.max(...velocities.map(([, , turn]) => Math.abs(turn)), 0);
  const fastest = Math.max(
    ...assembly.stones.map((stone, i) => {
      const [vx, vy, turn] = velocities[i]!;
      return Math.max(
        ...stone.parts.flat().map(([x, y]) => Math.hypot(vx - turn * (y - stone.centre[1]), vy + turn * (x - stone.centre[0]))),
      );
    }),
  );
  if (!fastest) return standing(assembly);
  const step = share * Math.min((FAR * size) / fastest, turning ? TURN / turning : Infinity);
  return standing(assembly).map(([x, y], i) => {
    const [vx, vy, rate] = velocities[i]!;
    const turn = step * rate;
    // sin θ / θ and (1 − cos θ) / θ
    const [forth, aside] = Math.abs(turn) < 1e-9 ? [1, 0] : [Math.sin(turn) / turn, (1 - Math.cos(turn)) / turn];
    return [x + step * (forth * vx - aside * vy), y + step * (forth * vy + aside * vx), turn];
  });
}
