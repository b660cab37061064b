/** The theories that fit the object: one or several, each with its options. */

import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { TheoryOptions } from "../parts/TheoryOptions";
import { t } from "../texts";
import type { TheorySpec } from "../types";
import { about, asked, change } from "./state";

const words = t.bench.theory;

/** The body whose edges may differ. */
const ON_EDGES = "FlexibleOscillator";

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
  const replaced = (next: TheorySpec) => change({ theories: chosen.map((one) => (one.name === next.name ? next : one)) });
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
        return theory && <TheoryOptions key={one.name} spec={one} theory={theory} edges={kind === ON_EDGES} onChange={replaced} />;
      })}
    </Panel>
  );
}
