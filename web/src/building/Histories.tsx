/** The histories of a sequence over time, and what is left after each earthquake. */

import { computed } from "@preact/signals";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { thinned } from "../parts/thinned";
import { t } from "../texts";
import { percent } from "./Gauge";
import { seek, time } from "./player";
import { shaken, track } from "./state";

const G = 9.80665;

const words = t.building;

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
