/** Where the object stands: on the ground, or on a floor of a building. */

import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { Slider } from "../parts/Slider";
import { t } from "../texts";
import type { FloorSpec } from "../types";
import { asked, bench, change } from "./state";

const words = t.bench.floor;

export function FloorPanel() {
  const { floor, motion } = asked.value;
  if (!motion) return null;
  const set = (part: FloorSpec) => change({ floor: { ...floor, ...part } });
  const storeys = floor?.storeys ?? 1;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.on}
        hidden
        options={[
          { value: "ground", label: words.ground },
          { value: "storey", label: words.storey },
        ]}
        value={floor ? "storey" : "ground"}
        onChange={(on) => {
          const { floor: _, ...rest } = bench.value.case;
          const stands = on === "ground" ? rest : { ...rest, floor: { period: 0.4, storeys: 4, level: 4 } };
          bench.value = { ...bench.value, case: stands };
        }}
      />
      {floor && (
        <>
          <Slider label={words.period} names={["floor.period"]} unit="s" min={0.05} max={4} log value={floor.period ?? 0.4} onChange={(period) => set({ period })} />
          <Slider label={words.damping} names={["damping", "floor.damping"]} unit="%" min={0.5} max={20} value={100 * (floor.damping ?? 0.05)} onChange={(value) => set({ damping: value / 100 })} />
          <Slider label={words.storeys} names={["storeys", "floor.storeys"]} whole least={1} min={1} max={20} step={1} value={storeys} onChange={(n) => set({ storeys: n, level: Math.min(floor.level ?? n, n) })} />
          <Slider label={words.level} names={["level", "floor.level"]} whole least={1} most={storeys} min={1} max={storeys} step={1} value={floor.level ?? storeys} onChange={(level) => set({ level })} />
        </>
      )}
    </Panel>
  );
}
