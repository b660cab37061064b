/** The earthquakes that shake the building, in their order. */

import { signal } from "@preact/signals";
import { ApiError, upload } from "../api";
import { LIBRARY } from "../bench/library";
import { Drop } from "../parts/Drop";
import { Panel } from "../parts/Panel";
import { NumberField, Slider } from "../parts/Slider";
import { t } from "../texts";
import type { MotionSpec } from "../types";
import { MOST_QUAKES, asked, change, generated } from "./state";

const words = t.building.quakes;
const PULSE = "pulse";

export function Earthquakes() {
  const { quakes, gap, settle } = asked.value;
  const full = quakes.length >= MOST_QUAKES;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <ol class="quakes">
        {quakes.map((quake, k) => (
          <Quake key={k} quake={quake} k={k} alone={quakes.length === 1} />
        ))}
      </ol>
      <button
        type="button"
        disabled={full}
        onClick={() => change({ quakes: [...quakes, generated(quakes.length + 1, 0.15)] })}
      >
        {words.add}
      </button>
      {!full && <Own />}
      <Slider label={words.gap} names={["gap"]} least={0} most={120} unit="s" min={0} max={30} step={1} value={gap} onChange={(value) => change({ gap: value })} />
      <label class="check">
        <input type="checkbox" checked={settle} onChange={(e) => change({ settle: e.currentTarget.checked })} />
        {words.settle}
      </label>
    </Panel>
  );
}

function Quake({ quake, k, alone }: { quake: MotionSpec; k: number; alone: boolean }) {
  const set = (next: MotionSpec) =>
    change({ quakes: asked.peek().quakes.map((one, i) => (i === k ? next : one)) });
  const name = `${words.one} ${k + 1}`;
  return (
    <li>
      <div class="row spread">
        <strong>{name}</strong>
        {!alone && (
          <button
            type="button"
            class="plain"
            aria-label={`${words.remove} ${k + 1}`}
            onClick={() => change({ quakes: asked.peek().quakes.filter((_, i) => i !== k) })}
          >
            ×
          </button>
        )}
      </div>
      <Kind quake={quake} name={name} set={set} />
      {typeof quake.pulse === "string" ? <Pulse text={quake.pulse} set={set} /> : <Scaled quake={quake} set={set} />}
    </li>
  );
}

function Kind({ quake, name, set }: { quake: MotionSpec; name: string; set: (next: MotionSpec) => void }) {
  const file = (quake.file ?? quake.record) as string | undefined;
  if (file) return <p class="quiet">{file.split("/").at(-1)}</p>;
  const made = (quake.stochastic ?? {}) as { seed?: number };
  const plain = (motion: MotionSpec) => JSON.stringify({ ...(motion.stochastic as object), seed: 0, dt: 0 });
  const kind = quake.pulse ? PULSE : (LIBRARY.find((one) => plain(one.motion) === plain(quake))?.name ?? "any");
  const choose = (chosen: string) => {
    if (chosen === PULSE) return set({ pulse: written(0.2, 0.3) });
    const entry = LIBRARY.find((one) => one.name === chosen)!;
    set(generated(made.seed ?? 1, (quake.pga as number | undefined) ?? 0.15, entry.motion));
  };
  return (
    <div class="row">
      <select aria-label={`${name}: ${words.kind}`} value={kind} onChange={(e) => choose(e.currentTarget.value)}>
        {LIBRARY.map((one) => (
          <option key={one.name} value={one.name}>
            {words.kinds[one.name]}
          </option>
        ))}
        <option value={PULSE}>{words.pulse}</option>
      </select>
      {kind !== PULSE && (
        <NumberField
          label={words.seed}
          whole
          value={made.seed ?? 1}
          min={0}
          max={100000}
          step={1}
          onChange={(seed) => set({ ...quake, stochastic: { ...made, seed } })}
        />
      )}
    </div>
  );
}

function Scaled({ quake, set }: { quake: MotionSpec; set: (next: MotionSpec) => void }) {
  const pga = quake.pga as number | undefined;
  if (pga === undefined)
    return (
      <button type="button" onClick={() => set({ ...quake, pga: 0.15 })}>
        {words.scale}
      </button>
    );
  return <Slider label={words.pga} unit="g" min={0.02} max={1} log value={pga} onChange={(value) => set({ ...quake, pga: value })} />;
}

const written = (a: number, period: number) => `sine,a=${a}g,T=${period}`;

function Pulse({ text, set }: { text: string; set: (next: MotionSpec) => void }) {
  const a = Number(/a=([\d.e-]+)g/.exec(text)?.[1] ?? 0.2);
  const period = Number(/T=([\d.e-]+)/.exec(text)?.[1] ?? 0.3);
  return (
    <>
      <Slider label={words.pga} unit="g" min={0.02} max={1} log value={a} onChange={(value) => set({ pulse: written(value, period) })} />
      <Slider label={words.period} unit="s" min={0.05} max={2} log value={period} onChange={(value) => set({ pulse: written(a, value) })} />
    </>
  );
}

const failed = signal("");

function Own() {
  const take = async (files: File[]) => {
    failed.value = "";
    for (const file of files) {
      try {
        const { motion } = await upload<{ motion?: MotionSpec }>(file);
        if (!motion) throw new ApiError(422, `${file.name}: ${words.notARecord}`);
        const before = asked.peek().quakes;
        if (before.length < MOST_QUAKES) change({ quakes: [...before, motion] });
      } catch (error) {
        failed.value = error instanceof Error ? error.message : String(error);
      }
    }
  };
  return (
    <>
      <Drop words={words.drop} multiple onFiles={(files) => void take(files)} />
      {failed.value && (
        <p class="problem" role="alert">
          {failed.value}
        </p>
      )}
    </>
  );
}
