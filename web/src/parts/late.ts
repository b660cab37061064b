/** How long an answer has been waited for. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";

const SOON = 1000; // ms: a faster answer takes the place of the last one without a word

/** True while there is an answer and `busy` has lasted, since it came, for longer than a moment: it
 * must not pass for the one that is awaited. */
export function lateness(busy: ReadonlySignal<boolean>, answer: ReadonlySignal<unknown>): ReadonlySignal<boolean> {
  const late = signal(false);
  effect(() => {
    late.value = false;
    if (answer.value === null || !busy.value) return undefined;
    const waiting = setTimeout(() => (late.value = true), SOON);
    return () => clearTimeout(waiting);
  });
  return late;
}

/** For how many whole seconds `busy` has lasted. */
export function seconds(busy: ReadonlySignal<boolean>): ReadonlySignal<number> {
  const waited = signal(0);
  effect(() => {
    waited.value = 0;
    if (!busy.value) return undefined;
    const begun = Date.now();
    const ticking = setInterval(() => (waited.value = Math.floor((Date.now() - begun) / 1000)), 1000);
    return () => clearInterval(ticking);
  });
  return waited;
}
