/** Play, pause, speed, and the time line. */

import type { Signal } from "@preact/signals";
import { t } from "../texts";
import { Choice } from "./Choice";

export interface Clock {
  time: Signal<number>;
  playing: Signal<boolean>;
  speed: Signal<number>;
  play: () => void;
  seek: (to: number) => void;
}

interface Props {
  clock: Clock;
  end: number;
  /** The time in words. */
  told: string;
  /** How far an arrow key goes [s]. */
  step: number;
  speeds: readonly string[];
  /** Whether there is nothing to play yet. */
  disabled?: boolean;
}

export function TimeBar({ clock: { time, playing, speed, play, seek }, end, told, step, speeds, disabled = false }: Props) {
  return (
    <div class="timebar">
      <button type="button" class="main" disabled={disabled} onClick={() => (playing.value ? (playing.value = false) : play())}>
        {playing.value && !disabled ? t.bench.pause : t.bench.play}
      </button>
      <input
        type="range"
        disabled={disabled}
        min={0}
        max={end}
        step="any"
        value={time.value}
        aria-label={t.bench.time}
        aria-valuetext={told}
        onInput={(e) => seek(e.currentTarget.valueAsNumber)}
        onKeyDown={(e) => {
          const way = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
          if (way === undefined) return;
          e.preventDefault();
          seek(time.value + way * step);
        }}
      />
      <output class="number">{told}</output>
      {speeds.length > 0 && (
        <Choice
          label={t.bench.speed}
          hidden
          options={speeds.map((value) => ({ value, label: `${value} ×` }))}
          value={String(speed.value)}
          onChange={(value) => (speed.value = Number(value))}
        />
      )}
    </div>
  );
}
