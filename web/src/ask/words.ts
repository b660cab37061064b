/** Numbers as people say them. */

import { t } from "../texts";
import type { Share } from "./state";

/** A length [m]: "49 cm", "1.80 m". */
export function size(metres: number): string {
  if (metres < 1) return `${Number((100 * metres).toPrecision(3))} ${t.ask.centimetres}`;
  return `${metres < 10 ? metres.toFixed(2) : metres.toFixed(1)} ${t.ask.metres}`;
}

/** So many digits, without an exponent and without zeros at the end. */
export function digits(value: number, count = 3): string {
  return String(Number(value.toPrecision(count)));
}

export function percent(part: number): string {
  return `${digits(100 * part, 2)} %`;
}

/** Of how many earthquakes the sentence speaks: of a thousand where less than 1 in 100 fall. */
function among(found: Share): number {
  return found.share * 100 >= 1 && found.low > 0 ? 100 : 1000;
}

/** How many little objects are drawn, and how many of them lie. */
export function drawn(found: Share): { all: number; lying: number } {
  if (among(found) === 100 || found.count === 0) return { all: 100, lying: Math.round(100 * found.share) };
  return { all: found.of, lying: found.count };
}
