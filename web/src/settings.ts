/** Choices of the reader, kept in the browser: theme and unit of angles. */

import { effect, signal } from "@preact/signals";

function kept<T extends string>(name: string, options: readonly T[], first: T) {
  const found = localStorage.getItem(name) as T | null;
  const choice = signal<T>(found !== null && options.includes(found) ? found : first);
  effect(() => localStorage.setItem(name, choice.value));
  return choice;
}

export const THEMES = ["system", "light", "dark"] as const;
export const theme = kept("theme", THEMES, "system");
export const ANGLES = ["degrees", "radians"] as const;
export const angles = kept("angles", ANGLES, "degrees");

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkSystem.matches);
darkSystem.addEventListener("change", () => (systemDark.value = darkSystem.matches));

/** Whether the page is dark now: canvases ask for it. */
export const dark = signal(false);
effect(() => {
  dark.value = theme.value === "dark" || (theme.value === "system" && systemDark.value);
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
});

/** The colour of a CSS variable now. */
export function colour(name: string): string {
  void dark.value;
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** An angle [rad] in the reader's unit, and the unit. */
export function inAngles(radians: number): number {
  return angles.value === "degrees" ? (radians * 180) / Math.PI : radians;
}
export function angleUnit(): string {
  return angles.value === "degrees" ? "°" : "rad";
}
