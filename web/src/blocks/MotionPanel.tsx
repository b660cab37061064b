/** How the ground shakes under the stones. */

import { signal } from "@preact/signals";
import { LIBRARY } from "../bench/library";
import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { PulseEditor } from "../parts/Pulse";
import { Record } from "../parts/Record";
import { Slider } from "../parts/Slider";
import { t } from "../texts";
import type { MotionSpec } from "../types";
import { RIGID, asked, change, run, sampled } from "./state";

const words = t.bench.motion;
const own = t.blocks.motion;
const SOURCES = ["pulse", "stochastic", "upload", "none"] as const;
type Source = (typeof SOURCES)[number];

const wanted = signal<Source | null>(null); // chosen, but still without a file

export function MotionPanel() {
  const { motion, theory, rubble } = asked.value;
  const source: Source = !motion ? "none" : "pulse" in motion ? "pulse" : "stochastic" in motion ? "stochastic" : "upload";
  const shown = wanted.value ?? source;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.source}
        hidden
        options={SOURCES.map((value) => ({ value, label: value === "none" ? own.none : words.sources[value] }))}
        value={shown}
        onChange={choose}
      />
      {shown === "upload" && (
        <Record motion={motion ?? undefined} pending={wanted.value === "upload"} onUse={use}>
          <Strength />
        </Record>
      )}
      {shown === "pulse" && <PulseEditor motion={motion!} sampled={sampled} onChange={use} />}
      {shown === "stochastic" && <Generated />}
      {shown === "none" && <p class="quiet small">{own.noneWords}</p>}
      {theory === RIGID && (
        <label class="check">
          <input type="checkbox" checked={rubble} onChange={(e) => change({ rubble: e.currentTarget.checked })} />
          {own.rubble}
        </label>
      )}
    </Panel>
  );
}

function use(motion: MotionSpec): void {
  wanted.value = null;
  change({ motion });
}

function choose(source: Source): void {
  wanted.value = null;
  if (source === "pulse") change({ motion: { pulse: `sine,a=0.45g,T=1${sampled(1)}` } });
  if (source === "stochastic") change({ motion: LIBRARY[0]!.motion });
  if (source === "upload") wanted.value = "upload";
  if (source === "none") change({ motion: null });
}

function Generated() {
  const motion = asked.value.motion!;
  const made = motion.stochastic as { seed?: number } & MotionSpec;
  const plain = (one: MotionSpec) => JSON.stringify({ ...(one.stochastic as object), seed: 0 });
  const kind = LIBRARY.findIndex((one) => plain(one.motion) === plain(motion));
  return (
    <>
      <label class="field">
        <span>{words.library}</span>
        <select value={String(kind)} onChange={(e) => use(LIBRARY[Number(e.currentTarget.value)]!.motion)}>
          {kind < 0 && <option value="-1">{words.own}</option>}
          {LIBRARY.map((one, k) => (
            <option key={one.name} value={String(k)}>
              {words.kinds[one.name]}
            </option>
          ))}
        </select>
      </label>
      <Slider
        label={words.seed}
        whole
        least={0}
        min={1}
        max={200}
        step={1}
        value={made.seed ?? 1}
        onChange={(seed) => use({ ...motion, stochastic: { ...made, seed } })}
      />
      <Strength />
    </>
  );
}

function Strength() {
  const motion = asked.value.motion!;
  const pga = (motion.pga as number | undefined) ?? run.value?.motion?.pga ?? 0.3;
  const { scale: _, ...rest } = motion;
  return <Slider label={words.pga} unit="g" min={0.02} max={2} log value={pga} onChange={(value) => use({ ...rest, pga: value })} />;
}
