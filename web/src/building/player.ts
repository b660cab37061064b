/** The clock of what is played. */

import { computed, effect, signal } from "@preact/signals";
import { door } from "../address";
import { asked, indexAt, refused, track } from "./state";

export const SPEEDS = ["1", "4", "16"] as const;
export const time = signal(0);
export const playing = signal(true);
export const speed = signal(4);
export const end = computed(() => track.value?.time.at(-1) ?? 0);
/** The sample that is shown. */
export const now = computed(() => (track.value ? indexAt(track.value.time, time.value) : 0));

let last = 0;
function tick(at: number): void {
  const step = Math.min((at - last) / 1000, 0.1);
  last = at;
  if (playing.peek() && end.peek() > 0 && door.peek() === "building" && !refused.peek()) {
    const pace = asked.peek().way === "push" ? 1 : speed.peek();
    const next = time.peek() + step * pace;
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

// What is asked anew is shown to its end; another way is played from its beginning.
let way = asked.peek().way;
effect(() => {
  if (!track.value) return;
  if (asked.value.way !== way) {
    way = asked.value.way;
    time.value = 0;
    playing.value = true;
  } else if (!playing.peek()) time.value = end.value;
});
