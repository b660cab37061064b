/** What goes to the server and comes back: the models of `rocksteady.specs` and `studio/answers`. */

export type BodySpec = { kind: string; preset?: string } & Record<string, unknown>;
export type MotionSpec = Record<string, unknown>;
export type FloorSpec = { period?: number; damping?: number; storeys?: number; level?: number };
export type TheorySpec = { name: string } & Record<string, unknown>;

export interface CaseSpec {
  body: BodySpec;
  motion?: MotionSpec;
  floor?: FloorSpec;
  theories?: TheorySpec[];
  theta0?: number;
  omega0?: number;
  direction?: number;
  until?: "rest" | "motion" | number;
}

export interface Side {
  height: number;
  width: number;
  centre: [number, number];
  mass: number;
  inertia: number;
  limits: [number, number];
  eta: [number, number];
  lifts_at: [number, number];
  p: [number, number];
  R: [number, number];
  /** What is drawn, from the middle of the base [m]; null for a box. */
  outline?: [number, number][] | null;
}

/** The base is a line in the theory, the column has no thickness, the mass is a point at `height`. */
export interface Stem {
  height: number;
  width: number;
  plate: number;
  thickness: number;
  mass: number;
  /** Of the mass's way that the centre of mass goes when the column bends. */
  share: number;
}

/** Of an outline that crosses itself `area` and what follows from it are null. */
export interface OutlineAnswer {
  area: number | null;
  centre: [number, number];
  second: [number, number, number];
  height: number;
  breadth: number;
  floor: number;
  tolerance: number;
  base: [number, number] | null;
  body: BodyAbout | null;
  centre_of_mass: [number, number] | null;
  problem: string | null;
}

export interface ScanAnswer {
  kind: string;
  name: string;
  body?: BodySpec;
  warnings: string[];
}

export interface Space {
  base: [number, number][];
  radius: number | null;
  centre: [number, number, number];
  height: number;
  mass: number;
  vertices: [number, number, number][] | null;
  faces: number[][] | null;
}

export interface BodyAbout {
  kind: string;
  warnings?: string[];
  label: string;
  spatial: boolean;
  filmed: boolean;
  rocks: boolean;
  values: Record<string, number | string>;
  alpha?: number;
  p?: number;
  R?: number;
  weakest?: number;
  /** Energy at which it balances on its weak side [J]. */
  barrier?: number;
  /** In which sizes a mass on a column is drawn [m]; null for a rigid body. */
  stem?: Stem | null;
  side?: Side;
  space?: Space;
}

export interface MotionAbout {
  name: string;
  dt: number;
  count: number;
  duration: number;
  pga: number;
  pgv: number;
  components: string[];
}

export interface Run {
  name: string;
  theory: string;
  title: string;
  dt: number;
  columns: Record<string, number[]>;
  relative: number[];
  energy: number[];
  slid: number[] | null;
  ground: Partial<Record<"accel" | "vertical" | "transverse", number[]>>;
  moving: number;
  impacts: { time: number[]; rate_before: number[]; rate_after: number[] };
  coordinate: {
    name: string;
    unit: string;
    symbol: string;
    over: string;
    ratio: string;
    limits: [number, number];
  };
  rocks: boolean;
  has_impacts: boolean;
  peak: number;
  peak_angle: number;
  time_of_peak: number;
  status: string;
  advice: string;
  fell: boolean;
  fall: { time: number; direction: string } | null;
  slide: number;
  outcome: string;
  in_place: boolean;
  away: boolean;
  left: number;
  sentence: string;
  warnings: string[];
}

export interface CaseAnswer {
  runs: Run[];
  /** What it was warned of before a theory ran: bodies, files, motions. */
  warnings?: string[];
  refused: { name: string; title: string; error: string }[];
  body: BodyAbout;
  motion: MotionAbout | null;
}

export interface Parameter {
  type?: string;
  unit?: string;
  description?: string;
  default?: unknown;
  /** Whether the right and the left edge may have their own. */
  each?: boolean;
}

export interface Theory {
  name: string;
  title: string;
  words: string;
  bodies: string[];
  parameters: Record<string, Parameter>;
}

export interface Preset {
  words: string;
  height: number;
  width: number;
  com_height?: number;
  density?: number;
  mass?: number;
  /** From the middle of the base [m]. */
  outline: [number, number][];
}

/** What the door "Ask" offers; see `studio/asking/words.py`. */
export interface Asking {
  strengths: Record<string, number>;
  materials: Record<string, number>;
  return_period: number;
  slope: number;
  per_storey: number;
  motions: number;
}

export interface About {
  version: string;
  theories: Theory[];
  presets: Record<string, Preset>;
  asking: Asking;
}

export interface JobState {
  id: string;
  kind: string;
  /** The object and the question, in words. */
  title: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  words: string;
  done: number;
  total: number;
  error: string | null;
}

export interface Job<Result = Record<string, unknown>> extends JobState {
  request: Record<string, unknown>;
  result: (Result & { warnings?: string[] }) | null;
  files: string[];
}

/** What the server recognised in a file. */
export interface Uploaded {
  path: string;
  name: string;
  kind: "record" | "scan" | "assembly";
  motion?: MotionSpec;
  body?: BodySpec;
  /** What the file does not tell, and what may be answered; null: a number. */
  asks: Record<string, (string | boolean)[] | null>;
  words?: string;
  warnings: string[];
}
