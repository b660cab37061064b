/** What keeps us waiting, and for how long already. */

import type { ReadonlySignal } from "@preact/signals";
import { t } from "../texts";

interface Props {
  busy: ReadonlySignal<boolean>;
  /** The last answer; null if there is none. */
  answer: ReadonlySignal<unknown>;
  /** What is compiled for the first time, in sentences. */
  compiling: ReadonlySignal<string[]>;
  /** Seconds. */
  waited: ReadonlySignal<number>;
}

export function Waiting({ busy, answer, compiling, waited }: Props) {
  const seconds = waited.value;
  if (seconds < 1 && answer.value) return null;
  if (!busy.value) return null;
  const [sentence = answer.value ? "" : t.bench.result.first] = compiling.value;
  if (!sentence) return null;
  return (
    <div class="waiting" role="status">
      <p class="quiet">
        {sentence} <span class="number">{t.bench.result.waited(seconds)}</span>
      </p>
      <progress aria-label={sentence} />
    </div>
  );
}
