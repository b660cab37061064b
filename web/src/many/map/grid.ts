/** The points of a map as they come in, and between them what their nearest neighbour came to. */

export interface Axis {
  values: number[];
  name: string;
  unit: string;
  words: string;
  label: string;
  log: boolean;
}

export interface Way {
  way: number;
  words: string;
  falls: boolean;
}

/** What is known of a map before its first run. */
export interface Frame {
  x: Axis;
  y: Axis;
  title: string;
  pulse: string | null;
  /** Of a body under pulses: with them axes are told in s and g. */
  p?: number | null;
  tan_alpha?: number | null;
  motions: number;
  motion_names: string[];
  ways: Way[];
  closed_forms: Record<string, (number | null)[]>;
}

/** Points that were run in one round. */
export interface Round {
  i: number[];
  j: number[];
  way?: number[];
  peak?: (number | null)[];
  impacts?: number[];
  fell?: number[];
  known?: number[];
}

/** What the map came to; rows are x, columns strengths. */
export interface MapResult extends Frame {
  method: string;
  runs: number;
  sentences: string[];
  way?: number[][];
  ran?: boolean[][];
  share?: (number | null)[][];
  low?: (number | null)[][];
  high?: (number | null)[][];
}

const NOT_RUN = -128;

export class Grid {
  readonly nx: number;
  readonly ny: number;
  /** How many points have been run. */
  ran = 0;
  private readonly done: Uint8Array;
  /** A way's number, or of many motions the share in percent; see `at`. */
  private readonly value: Int8Array;
  private readonly peak: Float64Array;
  private readonly impacts: Int32Array;
  private readonly fell: Int32Array;
  private readonly known: Int32Array;

  constructor(readonly frame: Frame) {
    this.nx = frame.x.values.length;
    this.ny = frame.y.values.length;
    const size = this.nx * this.ny;
    this.done = new Uint8Array(size);
    this.value = new Int8Array(size).fill(NOT_RUN);
    this.peak = new Float64Array(size).fill(NaN);
    this.impacts = new Int32Array(size).fill(-1);
    this.fell = new Int32Array(size);
    this.known = new Int32Array(size);
  }

  get shares(): boolean {
    return this.frame.motions > 1;
  }

  /** Whether there is nothing to be drawn yet. */
  get empty(): boolean {
    return this.value.every((value) => value === NOT_RUN);
  }

  /** Take the points of a round in. */
  take(round: Round): void {
    for (let k = 0; k < round.i.length; k++) {
      const at = this.place(round.i[k]!, round.j[k]!);
      this.ran += 1 - this.done[at]!;
      this.done[at] = 1;
      if (round.way) {
        this.value[at] = round.way[k]!;
        this.peak[at] = round.peak?.[k] ?? NaN;
        this.impacts[at] = round.impacts?.[k] ?? -1;
      } else {
        this.fell[at] = round.fell?.[k] ?? 0;
        this.known[at] = round.known?.[k] ?? 0;
        this.value[at] = percent(this.fell[at]!, this.known[at]!);
      }
    }
  }

  /** Points that were not run but follow from those around them (an adaptive map). */
  complete(result: MapResult): void {
    result.way?.forEach((column, i) =>
      column.forEach((way, j) => {
        const at = this.place(i, j);
        if (!this.done[at]) this.value[at] = way;
      }),
    );
  }

  /** What is known of one point. */
  at(i: number, j: number) {
    const at = this.place(i, j);
    const value = this.value[at]!;
    return {
      x: this.frame.x.values[i]!,
      y: this.frame.y.values[j]!,
      seen: value !== NOT_RUN,
      way: this.shares || value === NOT_RUN ? undefined : this.frame.ways.find((w) => w.way === value),
      peak: this.peak[at]!,
      impacts: this.impacts[at]!,
      fell: this.fell[at]!,
      known: this.known[at]!,
    };
  }

  /** How many of the points that were run came to each value. */
  counts(): Map<number, number> {
    const found = new Map<number, number>();
    for (const value of this.value)
      if (value !== NOT_RUN) found.set(value, (found.get(value) ?? 0) + 1);
    return found;
  }

  /** Each point's value, or that of the nearest point that was run, and how far off that is. */
  filled(): { value: Int8Array; distance: Uint16Array } {
    const { nx, ny } = this;
    const value = this.value.slice();
    const far = 65000;
    const distance = new Uint16Array(value.length);
    for (let at = 0; at < value.length; at++) distance[at] = value[at] === NOT_RUN ? far : 0;
    const ask = (at: number, other: number) => {
      const through = distance[other]! + 1;
      if (through < distance[at]!) {
        distance[at] = through;
        value[at] = value[other]!;
      }
    };
    for (let i = 0; i < nx; i++)
      for (let j = 0; j < ny; j++) {
        const at = i * ny + j;
        if (i > 0) ask(at, at - ny);
        if (j > 0) ask(at, at - 1);
      }
    for (let i = nx - 1; i >= 0; i--)
      for (let j = ny - 1; j >= 0; j--) {
        const at = i * ny + j;
        if (i < nx - 1) ask(at, at + ny);
        if (j < ny - 1) ask(at, at + 1);
      }
    return { value, distance };
  }

  private place(i: number, j: number): number {
    return i * this.ny + j;
  }
}

const NO_ANSWER = -1;

function percent(fell: number, known: number): number {
  return known ? Math.round((100 * fell) / known) : NO_ANSWER;
}
