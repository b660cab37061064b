/** A pulse of the ground: its shape, how strong and how long. */

import { t } from "../texts";
import type { MotionSpec } from "../types";
import { Choice } from "./Choice";
import { Slider } from "./Slider";

const words = t.bench.motion;
const SHAPES = ["sine", "cosine", "rectangular", "ricker", "antisymmetric", "mavroeidis"] as const;
type Shape = (typeof SHAPES)[number];

interface Pulse {
  shape: Shape;
  /** Peak acceleration [g]; of Mavroeidis' pulse, peak velocity [m/s]. */
  strength: number;
  /** Period, or how long a rectangular push lasts [s]. */
  period: number;
}

function written({ shape, strength, period }: Pulse): string {
  if (shape === "rectangular") return `rectangular,a=${strength}g,d=${period}`;
  if (shape === "mavroeidis") return `mavroeidis,A=${strength},T=${period}`;
  if (shape === "antisymmetric") return `ricker,a=${strength}g,T=${period},kind=antisymmetric`;
  return `${shape},a=${strength}g,T=${period}`;
}

export const FIRST_PULSE: MotionSpec = { pulse: "sine,a=0.4g,T=0.8" };

const GRAVITY = 9.80665; // m/s²: what a "g" in the text of a pulse is

function read({ pulse, scale = 1 }: { pulse?: unknown; scale?: unknown }): Pulse {
  const text = String(pulse);
  const found = (key: string) => new RegExp(`\\b${key}=([\\d.eE+-]+?)(g?)(?:,|$)`).exec(text);
  const number = (key: string, otherwise: number) => Number(found(key)?.[1] ?? otherwise);
  const inG = found("a")?.[2] === "" ? 1 / GRAVITY : 1;
  const name = text.split(",")[0] ?? "";
  const shape = text.includes("kind=antisymmetric") ? "antisymmetric" : name;
  return {
    shape: (SHAPES as readonly string[]).includes(shape) ? (shape as Shape) : "sine",
    strength: Number(scale) * (shape === "mavroeidis" ? number("A", 0.5) : inG * number("a", 0.4)),
    period: shape === "rectangular" ? number("d", 0.5) : found("w") ? (2 * Math.PI) / number("w", 1) : number("T", 0.8),
  };
}

interface Props {
  motion: MotionSpec;
  onChange: (motion: MotionSpec) => void;
  /** What is written behind the text of a pulse of this period [s]. */
  sampled?: (period: number) => string;
}

export function PulseEditor({ motion, onChange, sampled = () => "" }: Props) {
  const pulse = read(motion);
  const set = (part: Partial<Pulse>) => {
    const next = { ...pulse, ...part };
    onChange({ pulse: written(next) + sampled(next.period) });
  };
  const byVelocity = pulse.shape === "mavroeidis";
  return (
    <>
      <Choice
        label={words.shape}
        options={SHAPES.map((value) => ({ value, label: words.shapes[value] }))}
        value={pulse.shape}
        onChange={(shape) => set({ shape })}
      />
      <Slider
        label={byVelocity ? words.velocity : words.amplitude}
        unit={byVelocity ? "m/s" : "g"}
        names={["a", "A", "amplitude", "motion.pulse"]}
        min={0.05}
        max={2}
        log
        value={pulse.strength}
        onChange={(strength) => set({ strength })}
      />
      <Slider label={pulse.shape === "rectangular" ? words.lasts : words.period} names={["T", "d", "period"]} unit="s" min={0.1} max={4} log value={pulse.period} onChange={(period) => set({ period })} />
    </>
  );
}
