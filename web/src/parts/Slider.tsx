/** A number with a slider and a field, in one unit. */

import type { ComponentChildren } from "preact";
import { useEntry, type Limits } from "./entry";

interface Props extends Limits {
  label: string;
  explain?: ComponentChildren;
  value: number;
  unit?: string;
  min: number;
  max: number;
  step?: number;
  digits?: number;
  log?: boolean;
  /** What the server calls it. */
  names?: readonly string[];
  onChange: (value: number) => void;
}

const STEPS = 400;

export function Slider(props: Props) {
  const { label, explain, value, unit = "", min, max, step, digits = 3, log = false } = props;
  const { id, why, whyId, shown, hold, release, take } = useEntry(log ? { above: 0, ...props } : props);
  const toTrack = (v: number) =>
    log ? (STEPS * Math.log(Math.max(v, min) / min)) / Math.log(max / min) : v;
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
          aria-invalid={Boolean(why)}
          aria-describedby={why ? whyId : undefined}
          value={shown ?? Number(value.toPrecision(digits + 3))}
          step="any"
          onInput={(e) => hold(e.currentTarget.value)}
          onBlur={release}
          onChange={(e) => take(e.currentTarget.valueAsNumber, e.currentTarget.value)}
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
        onInput={(e) => take(fromTrack(e.currentTarget.valueAsNumber), "")}
      />
      <Why id={whyId} text={why} />
    </div>
  );
}

interface NumberProps extends Limits {
  label: string;
  value: number | undefined;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  required?: boolean;
  names?: readonly string[];
  placeholder?: string;
  onChange: (value: number) => void;
}

export function NumberField(props: NumberProps) {
  const { label, value, unit = "", min, max, step, required = false, placeholder } = props;
  const limits = { ...(min === undefined ? {} : { least: min }), ...(max === undefined ? {} : { most: max }) };
  const { id, why, whyId, shown, take } = useEntry({ ...limits, ...props });
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="value">
        <input
          id={id}
          type="number"
          required={required}
          placeholder={placeholder}
          value={shown ?? value}
          min={min}
          max={max}
          step={step ?? "any"}
          aria-invalid={Boolean(why)}
          aria-describedby={why ? whyId : undefined}
          onInput={(e) => take(e.currentTarget.valueAsNumber, e.currentTarget.value)}
        />
        <span class="unit">{unit}</span>
      </span>
      <Why id={whyId} text={why} />
    </div>
  );
}

/** Why an entry is not used, under its field. */
export function Why({ id, text }: { id: string; text: string }) {
  return text ? (
    <p id={id} class="why" role="alert">
      {text}
    </p>
  ) : null;
}
