/** How likely it is to fall, by the strength of the ground: shares with exact intervals, and the curve. */

import { useCallback, useId, useState } from "preact/hooks";
import type uPlot from "uplot";
import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { t } from "../texts";
import { found, job } from "./job";
import { band, bars, upright } from "./marks";
import { Numbers } from "./Numbers";
import { Said } from "./Said";

const words = t.many.fragility;
type Row = (number | null)[];

interface Counted {
  count: number[];
  of: number[];
  share: Row;
  low: Row;
  high: Row;
}

/** What has been counted while the job runs: of overturning. */
interface SoFar extends Counted {
  motions: number;
  of_motions: number;
  measure: string;
  unit: string;
  levels: number[];
}

interface Curve {
  probability: Row;
  low: Row;
  high: Row;
}

interface Result {
  measure: string;
  unit: string;
  main: string;
  level_of_intervals: number;
  limits: Record<string, Counted & { why_no_curve?: string }>;
  curves: { levels: number[] } & Record<string, Curve | number[]>;
  sentences: string[];
  [name: string]: unknown;
}

export function FragilityView() {
  const result = job.value!.result as unknown as Result | null;
  const sofar = found.value.at(-1) as unknown as SoFar | undefined;
  const [chosen, setChosen] = useState("");
  if (!result && !sofar) return null;
  const limit = result && chosen in result.limits ? chosen : (result?.main ?? words.overturned);
  return (
    <Panel title={words.title} sentence={words.sentence}>
      {result ? (
        <>
          <Said sentences={result.sentences} />
          <Choice
            label={words.limit}
            value={limit}
            options={Object.keys(result.limits).map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
          <Done result={result} limit={limit} />
        </>
      ) : (
        sofar && (
          <>
            <p class="quiet">{words.soFar(sofar.motions, sofar.of_motions)}</p>
            <Picture levels={sofar.levels} counted={sofar} axis={axis(sofar)} words={limit} />
          </>
        )
      )}
    </Panel>
  );
}

const axis = ({ measure, unit }: { measure: string; unit: string }) => `${measure} [${unit || "–"}]`;

function Done({ result, limit }: { result: Result; limit: string }) {
  const counted = result.limits[limit]!;
  const levels = result[`levels [${result.unit}]`] as number[];
  const gate = result[`gate [${result.unit}]`] as number | null;
  const curve = result.curves[limit] as Curve | undefined;
  const drawn = curve && { ...curve, levels: result.curves.levels };
  return (
    <>
      <Picture levels={levels} counted={counted} axis={axis(result)} words={limit} curve={drawn} gate={gate} />
      <Meaning levels={levels} counted={counted} limit={limit} measure={result.measure} unit={result.unit} />
      <p class="quiet small">
        {words.intervals(result.level_of_intervals)} {counted.why_no_curve ?? (curve ? words.curve : "")}
      </p>
      <Numbers
        caption={limit}
        head={[axis(result), words.count, words.of, words.share, words.low, words.high]}
        rows={() =>
          levels.map((level, k) => [
            level,
            counted.count[k]!,
            counted.of[k]!,
            counted.share[k] ?? null,
            counted.low[k] ?? null,
            counted.high[k] ?? null,
          ])
        }
      />
    </>
  );
}

interface MeaningProps {
  levels: number[];
  counted: Counted;
  limit: string;
  measure: string;
  unit: string;
}

/** What the share at one strength means, in words. */
function Meaning({ levels, counted, limit, measure, unit }: MeaningProps) {
  const id = useId();
  const half = counted.share.findIndex((share) => (share ?? 0) >= 0.5);
  const [chosen, setChosen] = useState(half < 0 ? levels.length - 1 : half);
  const k = Math.min(chosen, levels.length - 1);
  const strength = `${measure} ${Number(levels[k]!.toPrecision(3))} ${unit}`;
  return (
    <div class="many-meaning">
      <label for={id}>{words.at}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={levels.length - 1}
        step={1}
        value={k}
        aria-valuetext={strength}
        onInput={(e) => setChosen(e.currentTarget.valueAsNumber)}
      />
      <p role="status">
        {words.meaning(strength, limit, counted.count[k]!, counted.of[k]!, counted.low[k] ?? 0, counted.high[k] ?? 1)}
      </p>
    </div>
  );
}

interface PictureProps {
  levels: number[];
  counted: Counted;
  axis: string;
  words: string;
  curve?: Curve & { levels: number[] };
  gate?: number | null;
}

function Picture({ levels, counted, axis: label, words: limit, curve, gate }: PictureProps) {
  const draw = useCallback(
    (plot: uPlot) => {
      if (curve) band(plot, curve.levels, curve.low, curve.high, "accent");
      if (gate) upright(plot, gate, words.gate);
      bars(plot, levels, counted.share, counted.low, counted.high, "ink");
    },
    [levels, counted, curve, gate],
  );
  return (
    <Plot
      label={words.described(limit, levels, counted.share)}
      x={curve?.levels ?? levels}
      lines={curve ? [{ label: words.fitted, colour: "accent", values: curve.probability, width: 2.2 }] : []}
      xLabel={label}
      yLabel={words.axis(limit)}
      xRange={[0, levels.at(-1)! * 1.03]}
      range={[-0.02, 1.02]}
      height={360}
      draw={draw}
    />
  );
}
