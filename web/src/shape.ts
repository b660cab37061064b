/** What the state in a link must look like: a link may be cut short, edited by hand or from another
 * version. Each check says whether a value can be used. */

export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";
export const flag: Check = (value) => typeof value === "boolean";
export const oneOf = (...all: readonly unknown[]): Check => (value) => all.includes(value);
export const optional = (check: Check): Check => (value) => value === undefined || check(value);
export const orNull = (check: Check): Check => (value) => value === null || check(value);
export const listOf = (check: Check, least = 0): Check => (value) =>
  Array.isArray(value) && value.length >= least && value.every(check);
export const record = (check: Check): Check => (value) => isObject(value) && Object.values(value).every(check);
export const fields = (checks: Record<string, Check>): Check => (value) =>
  isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
export const either = (...checks: Check[]): Check => (value) => checks.some((check) => check(value));

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// -- what several doors have: see `types.ts` ------------------------------------------------------

const plain = either(text, number, flag);
export const motion: Check = (value) =>
  fields({
    pulse: optional(text),
    stochastic: optional(record(plain)),
    file: optional(either(text, listOf(text))),
    record: optional(either(text, listOf(text))),
    pga: optional(number),
    scale: optional(number),
  })(value);
export const floor = fields({
  period: optional(number),
  damping: optional(number),
  storeys: optional(number),
  level: optional(number),
});
export const theory = fields({ name: text, interfaces: optional(listOf(record(plain))) });

const SIZES = [
  ...["height", "width", "com_height", "offset", "thickness", "density", "mass", "base_x", "base_y", "diameter"],
  ...["top_mass", "base_mass", "column_mass", "natural_frequency", "damping_ratio"],
];
export const body: Check = (value) =>
  fields({
    kind: optional(text),
    preset: optional(text),
    mesh: optional(text),
    ...Object.fromEntries(SIZES.map((name) => [name, optional(number)])),
  })(value);
export const aCase = fields({
  body,
  motion: optional(motion),
  floor: optional(floor),
  theories: optional(listOf(theory)),
  theta0: optional(number),
  omega0: optional(number),
  direction: optional(number),
  until: optional(either(text, number)),
});
