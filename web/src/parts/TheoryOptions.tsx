/** The options of a theory, in the words of its description. */

import type { Parameter, Theory, TheorySpec } from "../types";
import { Contacts, type Contact } from "./Contacts";
import { Explain } from "./Explain";
import { Quantity } from "./Quantity";

const CONTACTS = "interfaces"; // what bodies on springs call them

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
      {CONTACTS in theory.parameters && <Contacts value={spec[CONTACTS] as Contact[] | undefined} set={(value) => set(CONTACTS, value)} />}
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
