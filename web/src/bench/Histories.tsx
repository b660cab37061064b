/** Ground motion, lean and energy over time, with one time line through all of them. */

import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { Panel } from "../parts/Panel";
import { Plot, type Line } from "../parts/Plot";
import { colour } from "../settings";
import { t } from "../texts";
import type { CaseAnswer, Run } from "../types";
import { COLOURS, answer, column, end, seek, time } from "./state";

export function Histories() {
  const found = answer.value;
  const shown = useMemo(() => (found ? together(found) : null), [found]);
  if (!found || !shown) return null;
  const words = t.bench.plots;
  const unit = found.runs[0]!.coordinate;
  const bound = Math.max(...found.runs.map((run) => Math.min(run.peak, 1.6)), LEAST_LEAN);
  const xRange: [number, number] = [0, end.value];
  const axes = { x: shown.x, xRange, cursor: time, onCursor: seek, xLabel: words.time };
  return (
    <>
      {shown.ground.length > 0 && (
        <Panel title={words.ground} sentence={words.groundSentence}>
          <Plot {...axes} label={words.ground} lines={shown.ground} yLabel="m/s²" height={150} />
        </Panel>
      )}
      <Panel title={`${words.lean} ${unit.ratio}`} sentence={unit.over ? words.leanSentence : ""}>
        <Plot
          {...axes}
          label={`${words.lean}: ${found.runs[0]!.sentence}`}
          lines={shown.lean}
          yLabel={unit.ratio}
          legend={found.runs.length > 1}
          height={190}
          {...(unit.over ? { range: [-1.1 * bound, 1.1 * bound] as [number, number] } : {})}
          draw={shown.marks}
        />
      </Panel>
      {shown.bend.length > 0 && (
        <Panel title={words.bend} sentence={words.bendSentence}>
          <Plot {...axes} label={words.bend} lines={shown.bend} yLabel="m" legend={found.runs.length > 1} height={150} />
        </Panel>
      )}
      <Panel title={words.energy} sentence={words.energySentence}>
        <Plot {...axes} label={words.energy} lines={shown.energy} yLabel="J" height={150} />
      </Panel>
    </>
  );
}

/** Lean θ/α that a diagram reaches at least: what is much less is not seen as rocking. */
export const LEAST_LEAN = 0.05;

/** All runs over the times of the one with the shortest step. */
function together(found: CaseAnswer) {
  const finest = found.runs.reduce((a, b) => (b.dt < a.dt ? b : a));
  const longest = Math.max(...found.runs.map((run) => run.dt * (run.relative.length - 1)));
  const count = Math.round(longest / finest.dt) + 1;
  const x = Float64Array.from({ length: count }, (_, i) => i * finest.dt);
  const over = (run: Run, values: ArrayLike<number>): ArrayLike<number | null> =>
    run.dt === finest.dt && values.length === count ? values : resampled(run, values, x);
  const line = (run: Run, k: number, values: ArrayLike<number>): Line => ({
    label: run.title,
    colour: COLOURS[k % COLOURS.length]!,
    values: over(run, values),
  });
  const first = found.runs[0]!;
  const ground = Object.entries(first.ground).map(([name, values], k) => ({
    ...line(first, k, values),
    label: name,
  }));
  const energy = found.runs.map((run, k) => line(run, k, run.energy));
  const { barrier } = found.body;
  if (barrier !== undefined)
    energy.push({
      label: t.bench.plots.barrier,
      colour: "soft",
      values: new Float64Array(count).fill(barrier),
      dash: [5, 4],
    });
  return {
    x,
    ground,
    energy,
    lean: found.runs.map((run, k) => line(run, k, run.relative)),
    bend: found.body.stem ? found.runs.map((run, k) => line(run, k, column(run, "u") ?? [])) : [],
    marks: (plot: uPlot) => paintMarks(plot, found.runs),
  };
}

function resampled(run: Run, values: ArrayLike<number>, x: Float64Array): (number | null)[] {
  return Array.from(x, (when) => {
    const at = when / run.dt;
    const i = Math.floor(at + 1e-9);
    if (i > values.length - 1) return null;
    const low = values[i]!;
    return low + (at - i) * ((values[i + 1] ?? low) - low);
  });
}

/** The balance angle as lines, and the impacts as ticks at the bottom. */
function paintMarks(plot: uPlot, runs: Run[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  if (runs[0]!.coordinate.over) {
    ctx.strokeStyle = colour("fall");
    ctx.setLineDash([6, 5]);
    for (const limit of [1, -1]) {
      const y = plot.valToPos(limit, "y", true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }
  runs.forEach((run, k) => {
    ctx.strokeStyle = colour(COLOURS[k % COLOURS.length]!);
    ctx.beginPath();
    for (const hit of run.impacts.time) {
      const x = plot.valToPos(hit, "x", true);
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x, bbox.top + bbox.height - 7 * devicePixelRatio);
    }
    ctx.stroke();
  });
  ctx.restore();
}
