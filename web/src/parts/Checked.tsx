/** The frame of a door with fields: they hear what the server refused, and as long as an entry is not
 * used, everything that was computed before is grey. */

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Refused, rejected } from "./entry";

interface Props {
  class: string;
  /** What the server said of the latest question; "" if it answered it. */
  problem: ReadonlySignal<string>;
  children: ComponentChildren;
}

export function Checked({ class: name, problem, children }: Props) {
  const stale = Boolean(rejected.value || problem.value);
  return (
    <Refused.Provider value={problem}>
      <div class={stale ? `${name} stale` : name}>{children}</div>
    </Refused.Provider>
  );
}
