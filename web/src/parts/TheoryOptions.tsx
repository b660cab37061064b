/** The options of a theory, in the words of its description. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";
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
  /** Whether the right and the left edge of the body may have their own. */
  edges?: boolean;
  onChange: (next: TheorySpec) => void;
}

export function TheoryOptions({ spec, theory, without = [], edges = false, onChange }: Props) {
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
        <Option key={name} name={name} about={about} value={spec[name]} edges={edges} set={(value) => set(name, value)} />
      ))}
    </details>
  );
}

interface OptionProps {
  name: string;
  about: Parameter;
  value: unknown;
  edges: boolean;
  set: (value: unknown) => void;
}

function Option({ name, about, value, edges, set }: OptionProps) {
  const label = <Explain term={name}>{about.description?.replaceAll("``", "") ?? name}</Explain>;
  if (about.type === "boolean")
    return (
      <div class="field">
        <span>{label}</span>
        <input type="checkbox" aria-label={name} checked={Boolean(value ?? about.default)} onChange={(e) => set(e.currentTarget.checked)} />
      </div>
    );
  if (about.each && edges) return <OfEdges name={name} label={label} about={about} value={value} set={set} />;
  return <Quantity name={name} label={label} about={about} value={value} set={set} />;
}

type OfEdgesProps = Omit<OptionProps, "edges"> & { label: ComponentChildren };

/** One number for both edges, or one for each. */
function OfEdges({ name, label, about, value, set }: OfEdgesProps) {
  const words = t.parts.theory;
  const first = typeof about.default === "number" ? about.default : 0.5;
  const pair = Array.isArray(value) ? (value as number[]) : null;
  const one = typeof value === "number" ? value : first;
  const put = (k: number) => (next: unknown) => set(pair!.map((old, i) => (i !== k ? old : (next ?? first))));
  return (
    <>
      {pair === null ? (
        <Quantity name={name} label={label} about={about} value={value} set={set} />
      ) : (
        <>
          <p class="small">{label}</p>
          {[words.right, words.left].map((edge, k) => (
            <Quantity key={edge} name={name} edge={edge} label={edge} about={about} value={pair[k]} set={put(k)} />
          ))}
        </>
      )}
      <div class="field">
        <span class="quiet small">{words.each}</span>
        <input
          type="checkbox"
          aria-label={`${name}: ${words.each}`}
          checked={pair !== null}
          onChange={(e) => set(e.currentTarget.checked ? [one, one] : pair![0])}
        />
      </div>
    </>
  );
}
