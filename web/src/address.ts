/** The address holds every state: `#/bench?s=<base64url of JSON>`. */

import { effect, signal, type Signal } from "@preact/signals";
import type { Check } from "./shape";

export const DOORS = ["ask", "bench", "blocks", "many", "building", "monitor"] as const;
export type Door = (typeof DOORS)[number];

interface Place {
  door: Door;
  state: unknown;
}

/** What stands for the state of a link that cannot be read. */
const UNREADABLE = Symbol("unreadable");
/** Whether the door is open as it is at first because the state in its link cannot be used. */
export const damaged = signal(false);

export function encoded(state: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decoded(text: string): unknown | typeof UNREADABLE {
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return UNREADABLE; // cut short, or changed by hand
  }
}

function read(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const door = (DOORS as readonly string[]).includes(path) ? (path as Door) : "bench";
  const text = new URLSearchParams(query).get("s");
  return { door, state: text === null ? undefined : decoded(text) };
}

/** The address of a door in a given state. */
export function linkTo(door: Door, state?: unknown): string {
  return state === undefined ? `#/${door}` : `#/${door}?s=${encoded(state)}`;
}

export const door = signal<Door>(read().door);
const lastStates = new Map<Door, unknown>();
const listeners = new Map<Door, (state: unknown) => void>();

window.addEventListener("hashchange", () => {
  const place = read();
  damaged.value = false;
  if (place.state !== undefined) listeners.get(place.door)?.(place.state);
  door.value = place.door;
});

/** Open a door, in the state in which it was left or in the one that is given. */
export function go(to: Door, state: unknown = lastStates.get(to)): void {
  location.hash = linkTo(to, state);
}

/** The state in which another door was left; undefined if it has not been opened. */
export function left(other: Door): unknown {
  return lastStates.get(other);
}

/** A signal whose value is always in the address while its door is open. A link whose state is not
 * as `usable` wants it opens the door as it is at first, and `damaged` says so. */
export function linked<T extends object>(own: Door, initial: T, usable: Check): Signal<T> {
  const place = read();
  const given = place.door === own ? place.state : undefined;
  const merged = (state: unknown): T => {
    if (state === undefined) return initial;
    const whole = typeof state === "object" && !Array.isArray(state) ? { ...initial, ...state } : null;
    if (whole && usable(whole)) return whole as T;
    damaged.value = true;
    return initial;
  };
  const state = signal<T>(merged(given));
  listeners.set(own, (next) => {
    if (JSON.stringify(next) !== JSON.stringify(state.peek())) state.value = merged(next);
  });
  let waiting = 0;
  effect(() => {
    const value = state.value;
    lastStates.set(own, value);
    if (door.value !== own) return;
    clearTimeout(waiting); // browsers refuse more than a hundred changes of the address in 10 s
    waiting = window.setTimeout(() => {
      // the address, not the signal: a link to another door may have been followed just now
      if (read().door === own) history.replaceState(null, "", linkTo(own, value));
    }, 200);
  });
  return state;
}
