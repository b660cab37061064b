/** A quantity of a theory in a field. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";
import type { Parameter } from "../types";
import { Why } from "./Slider";
import { useEntry } from "./entry";

interface Props {
  name: string;
  label: ComponentChildren;
  about: Parameter;
  value: unknown;
  set: (value: unknown) => void;
}

/** A number that may be left out: then the theory has its own. */
export function Quantity({ name, label, about, value, set }: Props) {
  const now = typeof value === "number" ? value : undefined;
  const { why, whyId, shown, take, leave } = useEntry({ label: name, value: now, names: [name], onChange: set });
  return (
    <div class="field">
      <span>{label}</span>
      <span class="value">
        <input
          type="number"
          aria-invalid={Boolean(why)}
          aria-describedby={why ? whyId : undefined}
          step="any"
          aria-label={name}
          placeholder={about.default === undefined ? t.parts.theory.own : short(about.default)}
          value={shown ?? now ?? ""}
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
