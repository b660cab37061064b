/** The histories of a run. */

/** A column by its name without the unit. */
export function column(run: { columns: Record<string, number[]> }, name: string): number[] | undefined {
  const found = Object.keys(run.columns).find((full) => full === name || full.startsWith(`${name} [`));
  return found === undefined ? undefined : run.columns[found];
}

/** The value of a history between its samples. */
export function at(values: ArrayLike<number>, dt: number, when: number): number {
  const x = Math.min(when / dt, values.length - 1);
  const i = Math.floor(x);
  const low = values[i] ?? 0;
  return low + (x - i) * ((values[i + 1] ?? low) - low);
}
