/** Jobs that were asked for before, in this window or another. */

import { useEffect } from "preact/hooks";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { earlier, list, reopen, type Made } from "./job";
import { many, type Question } from "./state";

const words = t.many;

export function Earlier() {
  useEffect(() => void list(), []);
  if (earlier.value.length === 0) return null;
  return (
    <Panel title={words.earlier} sentence={words.earlierSentence}>
      <ul class="many-jobs">
        {earlier.value.slice(0, 30).map((one) => (
          <li key={one.id}>
            <button
              type="button"
              aria-current={one.id === many.value.job ? "true" : undefined}
              onClick={() => void reopen(one.id)}
            >
              <span>{one.title || words.questions[one.kind as Question]}</span>
              <span class="quiet">
                {when(one)} · {words.states[one.state]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function when(one: Made): string {
  return new Date(1000 * one.made).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
