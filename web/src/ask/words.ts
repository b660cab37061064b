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

/** Of how many earthquakes the sentence speaks: where less than 1 in 100 fall, of a thousand. */
function among(found: Share): number {
  return found.share * 100 >= 1 && found.low > 0 ? 100 : 1000;
}

/** The answer, as `Share.sentence` of the server has it. */
export function sentence(found: Share): string {
  const words = t.ask.answer;
  if (found.count === 0) return words.none(found.of, Math.ceil(100 * found.high - 1e-9));
  if (found.count === found.of) return words.all(found.of, Math.floor(100 * found.low + 1e-9));
  const many = among(found);
  const [share, low, high] = [found.share, found.low, found.high].map((part) => Math.round(many * part));
  return words.some(many, share!, low!, high!);
}

/** How many little objects are drawn, and how many of them lie. */
export function drawn(found: Share): { all: number; lying: number } {
  if (among(found) === 100 || found.count === 0) return { all: 100, lying: Math.round(100 * found.share) };
  return { all: found.of, lying: found.count };
}
