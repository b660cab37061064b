/** Theories beside each other: distributions of the largest lean, and how often each lets it fall. */

import { useCallback } from "preact/hooks";
import type uPlot from "uplot";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { t } from "../texts";
import { found, job } from "./job";
import { Key, look } from "./Key";
import { band } from "./marks";
import { Numbers } from "./Numbers";
import { Said } from "./Said";

const words = t.many.theories;

interface Theory {
  name: string;
  at: number[];
  F?: number[];
  low?: number[];
  high?: number[];
  median?: number;
  median_fell?: boolean;
  fell: { count: number; of: number; low: number; high: number };
}

interface Compared {
  formulation: string;
  rejected: boolean;
  sentences: string[];
}

interface Result {
  theories: Theory[];
  compared: Compared[];
}

export function TheoriesView() {
  const result = job.value!.result as unknown as Result | null;
  const theories = result?.theories ?? (found.value as unknown as Theory[]);
  if (theories.length === 0) return null;
  const names = theories.map(({ name }) => name);
  return (
    <>
      {result && <Verdict compared={result.compared} />}
      <Panel title={words.lean} sentence={words.leanSentence}>
        <Key names={names} />
        <Distributions theories={theories} />
      </Panel>
      <Panel title={words.falls} sentence={words.fallsSentence}>
        <Falls theories={theories} />
        <Numbers
          caption={words.falls}
          head={[words.theory, words.fell, words.of, words.low, words.high, words.median]}
          rows={() =>
            theories.map(({ name, fell, median, median_fell }) => [
              name,
              fell.count,
              fell.of,
              fell.low,
              fell.high,
              median_fell ? words.overturned : (median ?? null),
            ])
          }
        />
      </Panel>
    </>
  );
}

function Verdict({ compared }: { compared: Compared[] }) {
  return (
    <Panel title={words.verdict} sentence={words.verdictSentence}>
      {compared.map(({ formulation, sentences }) => (
        <Said key={formulation} sentences={sentences} />
      ))}
    </Panel>
  );
}

function Distributions({ theories }: { theories: readonly Theory[] }) {
  const draw = useCallback(
    (plot: uPlot) =>
      theories.forEach((one, k) => {
        if (one.low && one.high) band(plot, one.at, one.low, one.high, look(k).colour);
      }),
    [theories],
  );
  const lines = theories.map((one, k) => ({
    label: one.name,
    values: one.F ?? one.at.map(() => null),
    width: 2,
    ...look(k),
  }));
  return (
    <Plot
      label={words.described(theories)}
      x={theories[0]!.at}
      lines={lines}
      xLabel={words.axis}
      yLabel={words.share}
      xRange={[0, 1]}
      range={[-0.02, 1.02]}
      height={340}
      draw={draw}
    />
  );
}

/** A bar for each theory, with the interval of its share. */
function Falls({ theories }: { theories: readonly Theory[] }) {
  return (
    <ul class="many-bars">
      {theories.map(({ name, fell }, k) => {
        const percent = (share: number) => `${100 * share}%`;
        const share = fell.of ? fell.count / fell.of : 0;
        return (
          <li key={name}>
            <span>{name}</span>
            <span class="many-bar" aria-hidden="true">
              <span class={`many-fill-${look(k).colour}`} style={{ width: percent(share) }} />
              <span
                class="many-interval"
                style={{ left: percent(fell.low), width: percent(fell.high - fell.low) }}
              />
            </span>
            <span class="number">{words.often(fell.count, fell.of, fell.low, fell.high)}</span>
          </li>
        );
      })}
    </ul>
  );
}
