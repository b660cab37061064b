/** Whether an answer is waited for so long that the last one must not pass for it. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";

const SOON = 1000; // ms: a faster answer takes the place of the last one without a word

/** True while `busy` has lasted, since the last answer, for longer than a moment. */
export function lateness(busy: ReadonlySignal<boolean>, answer: ReadonlySignal<unknown>): ReadonlySignal<boolean> {
  const late = signal(false);
  effect(() => {
    void answer.value;
    late.value = false;
    if (!busy.value) return undefined;
    const waiting = setTimeout(() => (late.value = true), SOON);
    return () => clearTimeout(waiting);
  });
  return late;
}
