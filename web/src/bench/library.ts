/** A small library of earthquakes, made by our own generator from six numbers each. */

import type { MotionSpec } from "../types";

export type Kind = "strong" | "short" | "long" | "soft" | "any";

interface Entry {
  name: Kind;
  motion: MotionSpec;
}

const made = (values: Record<string, number>, pga: number): MotionSpec => ({
  stochastic: { count: 1, seed: 1, ...values },
  pga,
});

// Arias intensity [m/s], significant duration [s], its middle [s], frequency [Hz] and its change
// [Hz/s], damping of the filter [-].
export const LIBRARY: Entry[] = [
  { name: "strong", motion: made({ arias: 1.2, d5_95: 11, t_mid: 7, frequency_mid: 4.5, frequency_rate: -0.1, damping: 0.3 }, 0.4) },
  { name: "short", motion: made({ arias: 0.5, d5_95: 4, t_mid: 3, frequency_mid: 8, frequency_rate: -0.3, damping: 0.35 }, 0.5) },
  { name: "long", motion: made({ arias: 2, d5_95: 30, t_mid: 20, frequency_mid: 3, frequency_rate: -0.03, damping: 0.25 }, 0.35) },
  { name: "soft", motion: made({ arias: 1, d5_95: 20, t_mid: 12, frequency_mid: 1.2, frequency_rate: -0.01, damping: 0.2 }, 0.25) },
  { name: "any", motion: { stochastic: { count: 1, seed: 1 }, pga: 0.4 } },
];
