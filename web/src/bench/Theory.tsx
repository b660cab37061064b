/** The theories that fit the object: one or several, each with its options. */

import type { ComponentChildren } from "preact";
import { Choice } from "../parts/Choice";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { Why } from "../parts/Slider";
import { useEntry } from "../parts/entry";
import { t } from "../texts";
import type { Parameter, Theory, TheorySpec } from "../types";
import { about, asked, change } from "./state";

const words = t.bench.theory;

export function TheoryPanel() {
  const kind = asked.value.body.kind;
  const fitting = (about.value?.theories ?? []).filter((one) => one.bodies.includes(kind));
  const chosen = asked.value.theories ?? [];
  const names = chosen.map((one) => one.name);
  const toggle = (name: string) => {
    const left = chosen.filter((one) => one.name !== name);
    const next = left.length < chosen.length ? left : [...chosen, { name }];
    change({ theories: next.length ? next : chosen });
  };
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.title}
        hidden
        several
        options={fitting.map((one) => ({ value: one.name, label: one.title, title: one.words }))}
        value={names}
        onChange={toggle}
      />
      {chosen.map((one) => {
        const theory = fitting.find((found) => found.name === one.name);
        return theory && <Options key={one.name} spec={one} theory={theory} />;
      })}
    </Panel>
  );
}

function Options({ spec, theory }: { spec: TheorySpec; theory: Theory }) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = spec;
    const next = (value === undefined ? rest : { ...rest, [name]: value }) as TheorySpec;
    change({ theories: (asked.value.theories ?? []).map((one) => (one.name === spec.name ? next : one)) });
  };
  const shown = Object.entries(theory.parameters).filter(([, one]) => one.type === "number" || one.type === "boolean");
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
