/** The address holds every state: `#/bench?s=<base64url of JSON>`. */

import { effect, signal, type Signal } from "@preact/signals";

export const DOORS = ["ask", "bench", "blocks", "many", "building", "monitor"] as const;
export type Door = (typeof DOORS)[number];

interface Place {
  door: Door;
  state: unknown;
}

export function encoded(state: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decoded(text: string): unknown {
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // a link that was cut short opens the door as it is at first
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

/** A signal whose value is always in the address while its door is open. */
export function linked<T extends object>(own: Door, initial: T): Signal<T> {
  const place = read();
  const given = place.door === own ? place.state : undefined;
  const merged = (state: unknown): T =>
    typeof state === "object" && state !== null ? { ...initial, ...(state as T) } : initial;
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
