/** The options of a theory, in the words of its description. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";
import type { Parameter, Theory, TheorySpec } from "../types";
import { Explain } from "./Explain";
import { Why } from "./Slider";
import { useEntry } from "./entry";

const words = t.parts.theory;

interface Props {
  spec: TheorySpec;
  theory: Theory;
  /** Options that the page asks for elsewhere. */
  without?: readonly string[];
  onChange: (next: TheorySpec) => void;
}

export function TheoryOptions({ spec, theory, without = [], onChange }: Props) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = spec;
    onChange((value === undefined ? rest : { ...rest, [name]: value }) as TheorySpec);
  };
  const shown = Object.entries(theory.parameters).filter(
    ([name, one]) => (one.type === "number" || one.type === "boolean") && !without.includes(name),
  );
  return (
    <details class="options">
      <summary>{theory.title}</summary>
      <p class="quiet small">{theory.words}</p>
      {shown.map(([name, about]) => (
        <Option key={name} name={name} about={about} value={spec[name]} set={(value) => set(name, value)} />
      ))}
    </details>
  );
}

interface OptionProps {
  name: string;
  about: Parameter;
  value: unknown;
  set: (value: unknown) => void;
}

function Option({ name, about, value, set }: OptionProps) {
  const label = <Explain term={name}>{about.description?.replaceAll("``", "") ?? name}</Explain>;
  if (about.type === "boolean")
    return (
      <div class="field">
        <span>{label}</span>
        <input type="checkbox" aria-label={name} checked={Boolean(value ?? about.default)} onChange={(e) => set(e.currentTarget.checked)} />
      </div>
    );
  return <Quantity name={name} label={label} about={about} value={value} set={set} />;
}

/** A number that may be left out: then the theory has its own. */
function Quantity({ name, label, about, value, set }: OptionProps & { label: ComponentChildren }) {
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
          placeholder={about.default === undefined ? words.own : short(about.default)}
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
