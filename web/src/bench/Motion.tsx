/** How the ground shakes: a pulse, a generated earthquake, a record, or not at all. */

import { signal } from "@preact/signals";
import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { FIRST_PULSE, PulseEditor } from "../parts/Pulse";
import { Record } from "../parts/Record";
import { Slider } from "../parts/Slider";
import { angleUnit, angles, inAngles } from "../settings";
import { t } from "../texts";
import type { MotionSpec } from "../types";
import { LIBRARY } from "./library";
import { answer, asked, bench, change } from "./state";

const words = t.bench.motion;
type Source = keyof typeof words.sources;

export function MotionPanel() {
  const { motion } = asked.value;
  const source: Source = !motion ? "none" : "pulse" in motion ? "pulse" : "stochastic" in motion ? "stochastic" : "upload";
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.source}
        hidden
        options={(Object.keys(words.sources) as Source[]).map((value) => ({ value, label: words.sources[value] }))}
        value={wanted.value ?? source}
        onChange={choose}
      />
      {(wanted.value ?? source) === "upload" && (
        <Record motion={motion} pending={wanted.value === "upload"} onUse={use}>
          <Strength />
        </Record>
      )}
      {!wanted.value && source === "pulse" && <PulseEditor motion={motion!} onChange={(next) => change({ motion: next })} />}
      {!wanted.value && source === "stochastic" && <Generated />}
      {!wanted.value && source === "none" && <Lean />}
      {motion && <Told />}
    </Panel>
  );
}

const wanted = signal<Source | null>(null); // chosen, but still without a file

function choose(source: Source): void {
  wanted.value = null;
  const next = { theta0: 0, omega0: 0 };
  if (source === "pulse") change({ ...next, motion: FIRST_PULSE });
  if (source === "stochastic") change({ ...next, motion: LIBRARY[0]!.motion });
  if (source === "upload") wanted.value = "upload";
  if (source === "none") {
    const { motion: _, floor: __, ...rest } = bench.value.case;
    const alpha = answer.value?.body.alpha ?? 0.2;
    bench.value = { ...bench.value, case: { ...rest, theta0: Number((0.5 * alpha).toPrecision(3)) } };
  }
}

/** Three decimals, or two digits of a weak motion. */
function peak(value: number): string {
  return value < 0.01 ? value.toPrecision(2) : value.toFixed(3);
}

function Told() {
  const found = answer.value?.motion;
  if (!found) return null;
  const several = found.components.length > 1 ? `, ${found.components.length} ${words.componentsOf}` : "";
  return (
    <p class="quiet small number told">
      {found.name}: {found.duration.toFixed(1)} s, {peak(found.pga)} g, {peak(found.pgv)} m/s{several}
    </p>
  );
}

// -- a generated earthquake --------------------------------------------------------------------

function Generated() {
  const motion = asked.value.motion!;
  const made = motion.stochastic as { seed?: number; components?: number } & MotionSpec;
  const space = answer.value?.body.spatial ?? false;
  const set = (part: MotionSpec) => change({ motion: { ...motion, ...part } });
  const own = JSON.stringify({ ...made, seed: 0, components: 1 });
  const kind = LIBRARY.findIndex((one) => JSON.stringify({ ...(one.motion.stochastic as object), seed: 0, components: 1 }) === own);
  return (
    <>
      <label class="field">
        <span>{words.library}</span>
        <select
          value={String(kind)}
          onChange={(e) => {
            const chosen = LIBRARY[Number(e.currentTarget.value)]!.motion;
            const stochastic = { ...(chosen.stochastic as object), components: made.components ?? 1 };
            change({ motion: { ...chosen, stochastic } });
          }}
        >
          {kind < 0 && <option value="-1">{words.own}</option>}
          {LIBRARY.map((one, k) => (
            <option key={one.name} value={String(k)}>
              {words.kinds[one.name]}
            </option>
          ))}
        </select>
      </label>
      <Slider label={words.seed} names={["seed", "motion.stochastic.seed"]} whole least={0} min={1} max={200} step={1} value={made.seed ?? 0} onChange={(seed) => set({ stochastic: { ...made, seed } })} />
      <Strength />
      {space && (
        <Choice
          label={words.components}
          options={["1", "2", "3"].map((value) => ({ value, label: value }))}
          value={String(made.components ?? 1)}
          onChange={(value) => set({ stochastic: { ...made, components: Number(value) } })}
        />
      )}
    </>
  );
}

function Strength() {
  const motion = asked.value.motion!;
  const pga = (motion.pga as number | undefined) ?? answer.value?.motion?.pga ?? 0.3;
  const { scale: _, ...rest } = motion;
  return <Slider label={words.pga} names={["pga", "motion.pga"]} unit="g" min={0.02} max={2} log value={pga} onChange={(value) => change({ motion: { ...rest, pga: value } })} />;
}

function use(motion: MotionSpec): void {
  wanted.value = null;
  change({ motion, theta0: 0, omega0: 0 });
}

// -- let go ------------------------------------------------------------------------------------

function Lean() {
  const alpha = answer.value?.body.alpha ?? 0.2;
  const back = angles.value === "degrees" ? Math.PI / 180 : 1;
  return (
    <Slider
      label={words.lean}
      names={["theta0"]}
      unit={angleUnit()}
      min={inAngles(0)}
      max={inAngles(1.05 * alpha)}
      value={inAngles(asked.value.theta0 ?? 0)}
      onChange={(value) => change({ theta0: value * back })}
    />
  );
}
