/** The frame of a door with fields: they hear what the server refused, and as long as an entry is not
 * used, everything that was computed before is grey; so are verdicts that another question waits to
 * replace. */

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Refused, rejected } from "./entry";

interface Props {
  class: string;
  /** What the server said of the latest question; "" if it answered it. */
  problem: ReadonlySignal<string>;
  /** Whether the latest question has waited for long: what is seen answers another one. */
  late?: ReadonlySignal<boolean>;
  children: ComponentChildren;
}

export function Checked({ class: name, problem, late, children }: Props) {
  const stale = Boolean(rejected.value || problem.value);
  return (
    <Refused.Provider value={problem}>
      <div class={`${name}${stale ? " stale" : ""}${late?.value ? " late" : ""}`}>{children}</div>
    </Refused.Provider>
  );
}
