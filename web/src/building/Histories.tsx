/** The histories of a sequence over time, and what is left after each earthquake. */

import { computed } from "@preact/signals";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { t } from "../texts";
import { percent } from "./Gauge";
import { seek, time } from "./player";
import { shaken, track } from "./state";

const G = 9.80665;
const MOST = 1500; // pairs of points that are drawn

const words = t.building;

/** The lowest and the highest value in each of many equal pieces: no peak is lost. */
export function thinned(time: Float64Array, values: Float64Array, factor: number): [number[], number[]] {
  const per = Math.max(1, Math.ceil(time.length / MOST));
  const x: number[] = [];
  const y: number[] = [];
  for (let from = 0; from < time.length; from += per) {
    let [low, high] = [from, from];
    for (let i = from; i < Math.min(from + per, time.length); i++) {
      if (values[i]! < values[low]!) low = i;
      if (values[i]! > values[high]!) high = i;
    }
    for (const i of low < high ? [low, high] : low === high ? [low] : [high, low]) {
      x.push(time[i]!);
      y.push(factor * values[i]!);
    }
  }
  return [x, y];
}

const drawn = computed(() => {
  const found = track.value;
  if (!found?.ground) return null;
  return {
    ground: thinned(found.time, found.ground, 1 / G),
    u: thinned(found.time, found.u, 1e3),
    wear: thinned(found.time, found.wear, 100),
    frequency: thinned(found.time, found.frequency, 1),
  };
});

export function Histories() {
  const found = drawn.value;
  if (!found) return null;
  const one = (label: string, unit: string, colour: string, [x, values]: [number[], number[]]) => (
    <div>
      <h3 class="small">{label}</h3>
      <Plot
        label={`${label} [${unit}]`}
        x={x}
        lines={[{ label, colour, values, width: 1.2 }]}
        yLabel={unit}
        height={128}
        cursor={time}
        onCursor={seek}
      />
    </div>
  );
  return (
    <Panel title={words.histories} sentence={words.historiesSentence}>
      {one(words.ground, "g", "soft", found.ground)}
      {one(words.displacement, "mm", "fourth", found.u)}
      {one(words.wear, "%", "fall", found.wear)}
      {one(words.frequency, "Hz", "accent", found.frequency)}
    </Panel>
  );
}

export function Shocks() {
  const found = shaken.value;
  if (!found) return null;
  const { alone, wear_increase: more, shocks } = found;
  return (
    <Panel title={words.after} sentence={words.afterSentence}>
      <div class="scrolled" role="group" tabIndex={0} aria-label={words.after}>
        <table class="number">
          <thead>
            <tr>
              <th scope="col">{words.quakes.one}</th>
              <th scope="col">{words.columns.pga}</th>
              <th scope="col">{words.columns.peak}</th>
              <th scope="col">{words.columns.wear}</th>
              <th scope="col">{words.columns.frequency}</th>
            </tr>
          </thead>
          <tbody>
            {shocks.map((shock, k) => (
              <tr key={k}>
                <th scope="row">{k + 1}</th>
                <td>{(Number(shock.row["pga [m/s²]"]) / G).toFixed(2)} g</td>
                <td>{(1e3 * Number(shock.row["peak |u| [m]"])).toFixed(2)} mm</td>
                <td>
                  <data value={String(shock.row["wear [-]"])}>{percent(Number(shock.row["wear [-]"]))}</data>
                </td>
                <td>{shock.frequency_after.toFixed(2)} Hz</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.asked > 1 && found.failed === null && (
        <p class="small">
          {words.alone(found.main + 1, percent(Number(alone["wear [-]"])))}{" "}
          {more !== null && more > 0.005 && Number(alone["wear [-]"]) >= 0.001 && words.increase(100 * more)}
        </p>
      )}
    </Panel>
  );
}
