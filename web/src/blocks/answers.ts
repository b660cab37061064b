/** What the server says of stones: the models of `studio/answers/assembly`. */

import type { MotionAbout } from "../types";

export type Point = [number, number];
/** x and y of the centre of mass [m], rotation [rad]. */
export type Pose = [number, number, number];

export interface Stone {
  name: string;
  fixed: boolean;
  centre: Point;
  parts: Point[][];
}

export interface Shape {
  warnings?: string[];
  label: string;
  stones: Stone[];
  count: number;
  joints: number;
  mass: number;
  length: number;
  height: number;
  friction: number;
  rule: "located" | "stepped";
  quick: boolean;
}

export interface Run {
  assembly: Shape;
  motion: MotionAbout | null;
  dt: number;
  frames: { time: number[]; poses: Pose[][]; ground: number[] };
  columns: Record<"displacement [m]" | "turn [rad]" | "fallen [-]", number[]>;
  ground: number[];
  impacts: number[];
  peak: number;
  time_of_peak: number;
  status: string;
  fell: boolean;
  fall: { time: number; direction: string } | null;
  outcome: string;
  sentence: string;
  fallen: string[];
  told: string;
  /** Why runs with shorter steps say nothing of an error; "" where they do. */
  not_halved: string;
  warnings: string[];
}

/** What the time step may have done to a run. */
export interface StepError {
  displacement: number | null;
  turn: number | null;
  settled: boolean;
  converges: boolean;
  sentence: string;
}

export interface Limit {
  warnings?: string[];
  assembly: Shape;
  status: string;
  multiplier: number | null;
  range: [number, number] | null;
  mechanism: string;
  words: string;
  /** Of each stone: x and y [m/s], rotation [rad/s]. */
  velocities: Pose[];
  hinges: { stones: [number, number]; point: Point }[];
  slides: { stones: [number, number]; ends: [Point, Point] }[];
}
