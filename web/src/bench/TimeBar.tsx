/** Play, pause, speed, and the time line. */

import { t } from "../texts";
import { Choice } from "../parts/Choice";
import { end, play, playing, seek, speed, time } from "./state";

const SPEEDS = ["1", "0.5", "0.25", "0.1"] as const;

export function TimeBar() {
  return (
    <div class="timebar">
      <button type="button" class="main" onClick={() => (playing.value ? (playing.value = false) : play())}>
        {playing.value ? t.bench.pause : t.bench.play}
      </button>
      <input
        type="range"
        min={0}
        max={end.value}
        step="any"
        value={time.value}
        aria-label={t.bench.time}
        aria-valuetext={`${time.value.toFixed(2)} s`}
        onInput={(e) => seek(e.currentTarget.valueAsNumber)}
        onKeyDown={(e) => {
          const step = { ArrowLeft: -0.05, ArrowRight: 0.05 }[e.key];
          if (step === undefined) return;
          e.preventDefault();
          seek(time.value + step);
        }}
      />
      <output class="number">{time.value.toFixed(2)} s</output>
      <Choice
        label={t.bench.speed}
        hidden
        options={SPEEDS.map((value) => ({ value, label: `${value} ×` }))}
        value={String(speed.value) as (typeof SPEEDS)[number]}
        onChange={(value) => (speed.value = Number(value))}
      />
    </div>
  );
}
