/** The ground's acceleration and the displacement of the stone that moves farthest, over time. */

import { computed } from "@preact/signals";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { thinned } from "../parts/thinned";
import { t } from "../texts";
import { seek, time } from "./player";
import { run } from "./state";

const words = t.blocks;
const G = 9.80665;

const drawn = computed(() => {
  const found = run.value;
  if (!found) return null;
  const over = (values: number[], factor: number) =>
    thinned(Float64Array.from(values, (_, i) => i * found.dt), Float64Array.from(values), factor);
  const [displacement, turn] = [found.columns["displacement [m]"], found.columns["turn [rad]"]];
  const metres = found.peak >= 1;
  return {
    ground: found.motion ? over(found.ground, 1 / G) : null,
    displacement: over(displacement, metres ? 1 : 1e3),
    unit: metres ? "m" : "mm",
    turn: over(turn, 180 / Math.PI),
  };
});

export function Histories() {
  const found = drawn.value;
  if (!found) return null;
  const one = (label: string, unit: string, colour: string, [x, values]: [number[], number[]]) => (
    <div>
      <h3 class="small">{label}</h3>
      <Plot label={`${label} [${unit}]`} x={x} lines={[{ label, colour, values, width: 1.2 }]} yLabel={unit} height={128} cursor={time} onCursor={seek} />
    </div>
  );
  return (
    <Panel title={words.histories} sentence={words.historiesSentence}>
      {found.ground && one(words.ground, "g", "soft", found.ground)}
      {one(words.displacement, found.unit, "fourth", found.displacement)}
      {one(words.turn, "°", "accent", found.turn)}
    </Panel>
  );
}
