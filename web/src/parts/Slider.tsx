/** A number with a slider and a field, in one unit. */

import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";

interface Props {
  label: string;
  explain?: ComponentChildren;
  value: number;
  unit?: string;
  min: number;
  max: number;
  step?: number;
  digits?: number;
  log?: boolean;
  onChange: (value: number) => void;
}

const STEPS = 400;

export function Slider({ label, explain, value, unit = "", min, max, step, digits = 3, log = false, onChange }: Props) {
  const id = useId();
  const toTrack = (v: number) =>
    log ? (STEPS * Math.log(v / min)) / Math.log(max / min) : v;
  const fromTrack = (at: number) =>
    log ? Number((min * (max / min) ** (at / STEPS)).toPrecision(3)) : at;
  return (
    <div class="field">
      <label for={id}>
        {label} {explain}
      </label>
      <span class="value">
        <input
          type="number"
          aria-label={unit ? `${label} [${unit}]` : label}
          value={Number(value.toPrecision(digits + 3))}
          step="any"
          onChange={(e) => {
            const given = e.currentTarget.valueAsNumber;
            if (Number.isFinite(given)) onChange(given);
          }}
        />
        <span class="unit">{unit}</span>
      </span>
      <input
        id={id}
        type="range"
        min={log ? 0 : min}
        max={log ? STEPS : max}
        step={log ? 1 : (step ?? (max - min) / STEPS)}
        value={toTrack(value)}
        aria-valuetext={`${Number(value.toPrecision(digits))} ${unit}`}
        onInput={(e) => onChange(fromTrack(e.currentTarget.valueAsNumber))}
      />
    </div>
  );
}

interface NumberProps {
  label: string;
  value: number | undefined;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  required?: boolean;
  onChange: (value: number) => void;
}

export function NumberField({ label, value, unit = "", min, max, step, required = false, onChange }: NumberProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="value">
        <input
          id={id}
          type="number"
          required={required}
          value={value}
          min={min}
          max={max}
          step={step ?? "any"}
          onInput={(e) => {
            const given = e.currentTarget.valueAsNumber;
            if (Number.isFinite(given)) onChange(given);
          }}
        />
        <span class="unit">{unit}</span>
      </span>
    </div>
  );
}
