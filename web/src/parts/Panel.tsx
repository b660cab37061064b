/** A part of the page with its title and one sentence that explains it. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  sentence?: string;
  class?: string;
  aside?: ComponentChildren;
  children?: ComponentChildren;
}

export function Panel({ title, sentence, class: more = "", aside, children }: Props) {
  const id = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <header>
        <div class="row spread">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
        {sentence && <p>{sentence}</p>}
      </header>
      {children}
    </section>
  );
}
