/** The clock of what is played. */

import { computed, effect, signal } from "@preact/signals";
import { door } from "../address";
import { refused, run } from "./state";

export const SPEEDS = ["1", "0.5", "0.25", "0.1"] as const;
export const time = signal(0);
export const playing = signal(true);
export const speed = signal(1);
export const end = computed(() => run.value?.frames.time.at(-1) ?? 0);

let last = 0;
function tick(at: number): void {
  const step = Math.min((at - last) / 1000, 0.1);
  last = at;
  if (playing.peek() && end.peek() > 0 && door.peek() === "blocks" && !refused.peek()) {
    const next = time.peek() + step * speed.peek();
    time.value = Math.min(next, end.peek());
    if (next >= end.peek()) playing.value = false;
  }
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);

export function seek(to: number): void {
  playing.value = false;
  time.value = Math.min(Math.max(to, 0), end.peek());
}

export function play(): void {
  if (time.peek() >= end.peek()) time.value = 0;
  playing.value = true;
}

// A new answer is played from its beginning.
effect(() => {
  if (!run.value) return;
  time.value = 0;
  playing.value = true;
});
