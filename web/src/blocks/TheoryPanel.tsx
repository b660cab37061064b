/** How the stones are computed: as rigid ones, or on springs in their joints. */

import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { TheoryOptions } from "../parts/TheoryOptions";
import { t } from "../texts";
import type { TheorySpec } from "../types";
import { about, asked, change } from "./state";

const words = t.blocks.theory;
const ELSEWHERE = ["rubble"]; // options that have a switch of their own

export function TheoryPanel() {
  const { theory, options } = asked.value;
  const fitting = (about.value?.theories ?? []).filter((one) => one.bodies.includes("Assembly"));
  const chosen = fitting.find((one) => one.name === theory);
  const take = ({ name, ...given }: TheorySpec) => change({ options: { ...options, [name]: given } });
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice
        label={words.title}
        hidden
        options={fitting.map((one) => ({ value: one.name, label: words.names[one.name] ?? one.title, title: one.words }))}
        value={theory}
        onChange={(name) => change({ theory: name })}
      />
      {chosen && (
        <>
          <p class="quiet small">{words.words[theory] ?? chosen.words}</p>
          <TheoryOptions key={theory} spec={{ name: theory, ...options[theory] }} theory={chosen} without={ELSEWHERE} onChange={take} />
        </>
      )}
    </Panel>
  );
}
