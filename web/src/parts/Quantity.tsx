/** A quantity of a theory in a field. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";
import type { Parameter } from "../types";
import { Why } from "./Slider";
import { useEntry } from "./entry";

interface Props {
  name: string;
  /** Of which edge it is, if they have their own. */
  edge?: string;
  label: ComponentChildren;
  about: Parameter;
  value: unknown;
  set: (value: unknown) => void;
}

/** A number that may be left out: then the theory has its own. */
export function Quantity({ name, edge, label, about, value, set }: Props) {
  const now = typeof value === "number" ? value : undefined;
  const called = edge ? `${name}, ${edge}` : name;
  const names = edge ? [] : [name]; // else both edges would show what is wrong with one
  const { why, whyId, shown, hold, release, take, leave } = useEntry({ label: called, value: now, names, onChange: set });
  return (
    <div class="field">
      <span>{label}</span>
      <span class="value">
        <input
          type="number"
          aria-invalid={Boolean(why)}
          aria-describedby={why ? whyId : undefined}
          step="any"
          aria-label={called}
          placeholder={about.default === undefined ? t.parts.theory.own : short(about.default)}
          value={shown ?? now ?? ""}
          onInput={(e) => hold(e.currentTarget.value)}
          onBlur={release}
          onChange={(e) => {
            const { value: written, valueAsNumber: given, validity } = e.currentTarget;
            if (written || validity.badInput) return take(given, written);
            leave();
            set(undefined);
          }}
        />
        <span class="unit">{about.unit === "1" ? "" : about.unit}</span>
      </span>
      <Why id={whyId} text={why} />
    </div>
  );
}

/** A default that fits into its field: 5e8, not 500000000. */
function short(value: unknown): string {
  if (typeof value !== "number" || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6) || value === 0) return String(value);
  return value.toExponential().replace("+", "");
}
