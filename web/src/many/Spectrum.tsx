/** How far blocks of one slenderness lean, over their size: the median of many motions, and a band. */

import { useCallback } from "preact/hooks";
import type uPlot from "uplot";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { angleUnit, inAngles } from "../settings";
import { t } from "../texts";
import { job } from "./job";
import { Key, look } from "./Key";
import { band, upright } from "./marks";
import { Numbers } from "./Numbers";
import { Said } from "./Said";
import { size } from "./state";

const words = t.many.spectrum;
type Row = (number | null)[];

interface Curve {
  alpha: number;
  eta: number;
  heights: number[];
  peak: Row;
  peak_low: Row;
  peak_high: Row;
  share: Row;
  low: Row;
  high: Row;
}

interface Result {
  periods: number[];
  motions: number;
  band: [number, number];
  curves: Curve[];
  sentences: string[];
}

export function SpectrumView() {
  const result = job.value!.result as unknown as Result | null;
  if (!result) return null;
  const names = result.curves.map(({ alpha }) => `α = ${inAngles(alpha).toPrecision(3)} ${angleUnit()}`);
  const heights = result.curves[0]!.heights;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <p>
        <Explain term={words.period}>{words.periodWords}</Explain>{" "}
        {words.heights(result.periods[0]!, result.periods.at(-1)!, heights[0]!, heights.at(-1)!)}
      </p>
      <Key names={names} />
      <Peaks result={result} names={names} />
      {result.motions > 1 && (
        <>
          <p class="quiet small">{words.band(result.band)}</p>
          <Falls result={result} names={names} />
        </>
      )}
      <Said sentences={result.sentences} />
      <Numbers
        caption={words.title}
        head={[words.axis, ...names.flatMap((name) => [words.height, words.peak, words.share].map((w) => `${w}, ${name}`))]}
        rows={() =>
          result.periods.map((period, k) => [
            period,
            ...result.curves.flatMap((c) => [c.heights[k]!, c.peak[k] ?? null, c.share[k] ?? null]),
          ])
        }
      />
    </Panel>
  );
}

/** The upper end of the band; where the body falls there it has none, and the band goes to the top. */
function open({ peak_low, peak_high }: Curve): Row {
  return peak_high.map((high, k) => high ?? (peak_low[k] === null ? null : BEYOND));
}
const BEYOND = 1e3;

interface Part {
  result: Result;
  names: string[];
}

function Peaks({ result, names }: Part) {
  const own = size.value;
  const draw = useCallback(
    (plot: uPlot) => {
      result.curves.forEach((c, k) => band(plot, result.periods, c.peak_low, open(c), look(k).colour));
      if (own?.p) upright(plot, (2 * Math.PI) / own.p, words.own);
    },
    [result, own],
  );
  const lines = result.curves.map((c, k) => ({ label: names[k]!, values: c.peak, width: 2, ...look(k) }));
  return (
    <Plot
      label={words.described(names)}
      x={result.periods}
      lines={lines}
      xLabel={words.axis}
      yLabel={words.peak}
      height={320}
      draw={draw}
    />
  );
}

function Falls({ result, names }: Part) {
  const draw = useCallback(
    (plot: uPlot) => result.curves.forEach((c, k) => band(plot, result.periods, c.low, c.high, look(k).colour)),
    [result],
  );
  const lines = result.curves.map((c, k) => ({ label: names[k]!, values: c.share, width: 2, ...look(k) }));
  return (
    <Plot
      label={words.describedFalls}
      x={result.periods}
      lines={lines}
      xLabel={words.axis}
      yLabel={words.share}
      range={[-0.02, 1.02]}
      height={220}
      draw={draw}
    />
  );
}
