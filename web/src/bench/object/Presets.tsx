/** Objects to begin with, as small pictures. */

import { useId } from "preact/hooks";
import { t } from "../../texts";
import type { BodySpec, CaseSpec } from "../../types";
import { about, bench } from "../state";
import { put } from "./put";

export type Kind = keyof typeof t.bench.object.kinds;
type Name = keyof typeof t.bench.object.presets;
interface Begin {
  name: Name;
  body: BodySpec;
  path: string;
  /** The rest of the case in which it was published. */
  case?: Partial<CaseSpec>;
}

const W = 44;
const H = 52;

export function Presets({ kind }: { kind: Kind }) {
  const name = useId();
  const all = kind === "Body" ? SPACE : kind === "FlexibleOscillator" ? COLUMNS : [...planar(), PLAIN];
  return (
    <fieldset class="object-presets">
      <legend>{t.bench.object.preset}</legend>
      {all.map((one) => (
        <label key={one.name} title={t.bench.object.presets[one.name]}>
          <input
            type="radio"
            name={name}
            checked={bench.value.preset === one.name}
            onChange={() => put(one.body, one.name, one.case)}
          />
          <svg viewBox={`0 0 ${W} ${H}`} width={W} height={H} aria-hidden="true">
            <path d={one.path} />
          </svg>
          <span>{t.bench.object.presets[one.name]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Those of the server, with their own outlines. */
function planar(): Begin[] {
  const found = Object.entries(about.value?.presets ?? {});
  return found
    .filter(([name]) => name in t.bench.object.presets)
    .map(([name, preset]) => ({
      name: name as Name,
      body: { kind: "Block", preset: name, height: preset.height, width: preset.width },
      path: pathOf(preset.outline),
    }));
}

/** An outline as a path that fills the small picture. */
function pathOf(points: [number, number][]): string {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [left, right, top] = [Math.min(...xs), Math.max(...xs), Math.max(...ys)];
  const scale = Math.min((W - 4) / (right - left), (H - 6) / top);
  const at = ([x, y]: [number, number]) =>
    `${(W / 2 + scale * (x - (left + right) / 2)).toFixed(1)} ${(H - 3 - scale * y).toFixed(1)}`;
  return `M${points.map(at).join("L")}Z`;
}

const PLAIN: Begin = {
  name: "plain",
  body: { kind: "Block", height: 2, width: 0.5 },
  path: "M15 4H29V49H15Z",
};

const STEM = "M21 17H23V45H32V49H12V45H21ZM16 5H28V17H16Z";

/** A base, a column and a mass. The pulse of the first is 5 g b/H at 7 p. */
const COLUMNS: Begin[] = [
  {
    name: "giouvanidis2016",
    body: { kind: "FlexibleOscillator", preset: "giouvanidis2016", height: 10 },
    path: STEM,
    case: {
      motion: { pulse: "sine,a=4.905,w=6.915956" },
      theories: [{ name: "nonsmooth" }],
    },
  },
  {
    name: "water_tower",
    body: {
      ...{ kind: "FlexibleOscillator", height: 20, width: 6, top_mass: 2e5, base_mass: 2e5, column_mass: 8e4 },
      ...{ natural_frequency: 6, damping_ratio: 0.03 },
    },
    path: "M20 19H24V45H33V49H11V45H20ZM11 4H33V19H11Z",
  },
  {
    name: "lamp",
    body: {
      ...{ kind: "FlexibleOscillator", height: 4, width: 0.8, top_mass: 25, base_mass: 300, column_mass: 60 },
      ...{ natural_frequency: 18, damping_ratio: 0.01 },
    },
    path: "M21.5 9H22.5V46H28V49H16V46H21.5ZM19 3H25V9H19Z",
  },
];

const SPACE: Begin[] = [
  {
    name: "statue",
    body: { kind: "Body", base_x: 0.5, base_y: 0.5, height: 1.8, com_height: 0.936, density: 1600 },
    path: "M13 10L20 6L31 9V45L24 49L13 46ZM13 10L24 13L31 9M24 13V49",
  },
  {
    name: "cabinet",
    body: { kind: "Body", base_x: 0.9, base_y: 0.45, height: 2, com_height: 0.9, density: 350 },
    path: "M8 13L16 9L38 13V44L30 49L8 44ZM8 13L30 18L38 13M30 18V49",
  },
  {
    name: "cylinder",
    body: { kind: "Body", diameter: 0.6, height: 4.2, density: 2600 },
    path: "M15 8A7 3 0 0 1 29 8V46A7 3 0 0 1 15 46ZM15 8A7 3 0 0 0 29 8",
  },
  {
    name: "drum",
    body: { kind: "Body", diameter: 0.8, top_diameter: 0.6, height: 1.6, density: 2600 },
    path: "M14 12A8 3.5 0 0 1 30 12L34 45A12 4 0 0 1 10 45ZM14 12A8 3.5 0 0 0 30 12",
  },
  {
    name: "cone",
    body: { kind: "Body", diameter: 0.6, top_diameter: 0, height: 1.4, density: 2600 },
    path: "M22 5L35 44A13 4.5 0 0 1 9 44Z",
  },
  {
    name: "obelisk",
    body: { kind: "Body", base_x: 1.2, base_y: 1.2, height: 9, taper: 0.65, density: 2700 },
    path: "M17 8L22 6L28 8L31 45L23 49L13 46ZM17 8L23 10L28 8M23 10V49",
  },
];
