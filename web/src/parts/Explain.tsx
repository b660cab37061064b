/** A term with its explanation where it stands. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export function Explain({ term, children }: { term: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <>
      <button type="button" class="explain" popovertarget={id}>
        {term}
      </button>
      <div id={id} popover="auto" class="explanation">
        {children}
      </div>
    </>
  );
}
