/** What can be built from a few sizes: the fields of each structure, and its description. */

import type { BodySpec } from "../types";

export const STRUCTURES = ["drums", "pedestal", "vase_on_plinth", "portal", "trilith", "arch", "buttressed_arch", "wall"] as const;
export type Structure = (typeof STRUCTURES)[number];
export type Kind = Structure | "file";

export const BONDS = ["running", "english", "stack"] as const;
export const OPENINGS = ["none", "window", "door"] as const;

export type Sizes = Record<string, number>;
export interface Masonry {
  bond: (typeof BONDS)[number];
  opening: (typeof OPENINGS)[number];
}

export interface Field {
  name: string;
  /** Metres, or a whole number. */
  unit: "m" | "";
  first: number;
  min: number;
  max: number;
}

const m = (name: string, first: number, min: number, max: number): Field => ({ name, unit: "m", first, min, max });
const n = (name: string, first: number, min: number, max: number): Field => ({ name, unit: "", first, min, max });

export const FIELDS: Record<Structure, Field[]> = {
  drums: [n("count", 6, 1, 20), m("height", 6, 0.5, 15), m("width", 1, 0.1, 3), m("top_width", 0.85, 0.1, 3)],
  pedestal: [m("statue_height", 1.8, 0.3, 5), m("statue_width", 0.5, 0.1, 2), m("pedestal_height", 1.1, 0.2, 3), m("pedestal_width", 0.8, 0.1, 3)],
  vase_on_plinth: [m("height", 1.5, 0.3, 4), m("width", 0.4, 0.05, 2)],
  portal: [n("columns", 3, 2, 8), m("width", 0.7, 0.1, 3), m("height", 5, 0.5, 15), m("beam_length", 9, 1, 40), m("beam_height", 0.8, 0.1, 3)],
  trilith: [m("width", 1.1, 0.1, 3), m("height", 4, 0.5, 10), m("gap", 1.6, 0.1, 6), m("lintel_height", 0.8, 0.1, 3), m("overhang", 0, 0, 2)],
  arch: [n("voussoirs", 15, 3, 60), m("span", 4, 0.5, 20), m("rise", 1.6, 0.1, 10), m("ring", 0.45, 0.05, 3)],
  buttressed_arch: [
    n("voussoirs", 13, 3, 60),
    m("span", 4, 0.5, 20),
    m("rise", 1.6, 0.1, 10),
    m("ring", 0.5, 0.05, 3),
    m("buttress_width", 1.4, 0.2, 6),
    m("buttress_height", 2.5, 0.2, 12),
    n("courses", 3, 1, 10),
  ],
  wall: [n("rows", 8, 1, 20), n("columns", 6, 1, 20), m("length", 0.4, 0.1, 2), m("height", 0.2, 0.05, 1)],
};

/** Of a window or a door: its width, how many courses high, and on which course it begins. */
export const OPENING_FIELDS = [m("opening_width", 0.8, 0.1, 10), n("opening_courses", 3, 1, 18), n("sill", 2, 1, 18)];

export function sizesOf(kind: Structure, given: Sizes | undefined): Sizes {
  const all = kind === "wall" ? [...FIELDS.wall, ...OPENING_FIELDS] : FIELDS[kind];
  return { ...Object.fromEntries(all.map(({ name, first }) => [name, first])), ...given };
}

/** The description that goes to the server. */
export function described(kind: Structure, sizes: Sizes, masonry: Masonry, friction: number): BodySpec {
  const common = { kind: "Assembly", structure: kind, friction };
  if (kind === "pedestal") {
    const { statue_width, statue_height, pedestal_width, pedestal_height } = sizes;
    return { ...common, statue: [statue_width, statue_height], pedestal: [pedestal_width, pedestal_height] };
  }
  const own = Object.fromEntries(FIELDS[kind].map(({ name }) => [name, sizes[name]]));
  if (kind !== "wall") return { ...common, ...own };
  const openings = opened(sizes, masonry.opening);
  return { ...common, ...own, bond: masonry.bond, ...(openings ? { openings } : {}) };
}

/** A window or door in the middle of the wall: (x, y, width, height) [m]. */
function opened(sizes: Sizes, opening: Masonry["opening"]): number[][] | null {
  if (opening === "none") return null;
  const { columns, length, height, opening_width: wide, opening_courses: courses, sill } = sizes;
  const first = opening === "door" ? 0 : sill!;
  const round = (value: number) => Number(value.toPrecision(12));
  return [[round((columns! * length! - wide!) / 2), round(first * height!), wide!, round(courses! * height!)]];
}
