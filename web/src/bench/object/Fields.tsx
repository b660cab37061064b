/** The sizes of the object. */

import { Choice } from "../../parts/Choice";
import { Slider } from "../../parts/Slider";
import { t } from "../../texts";
import type { BodyAbout, BodySpec } from "../../types";
import { resize, scaledWith } from "./put";

const words = t.bench.object;
interface Props {
  spec: BodySpec;
  about: BodyAbout;
}

function number(spec: BodySpec, name: string, otherwise: number): number {
  const value = spec[name];
  return typeof value === "number" ? value : otherwise;
}

/** A slider over powers of ten for one size that the description holds under its name. */
function Size(props: { spec: BodySpec; name: string; label: string; first: number; min: number; max: number; with?: string[]; unit?: string }) {
  const { spec, name, label, first, min, max, unit = "m" } = props;
  const value = number(spec, name, first);
  const change = (next: number) => {
    const others = (props.with ?? []).map((other) => scaledWith(other, next / value));
    resize(Object.assign({ [name]: next }, ...others));
  };
  return <Slider label={label} unit={unit} min={min} max={max} log value={value} names={[name]} onChange={change} />;
}

export function PlaneFields({ spec, about }: Props) {
  const side = about.side!;
  return (
    <>
      <Size spec={spec} name="height" label={words.height} first={side.height} min={0.1} max={15} with={["com_height"]} />
      {spec.outline === undefined && (
        <>
          <Size spec={spec} name="width" label={words.width} first={side.width} min={0.02} max={5} with={["offset"]} />
          <Slider
            label={words.centre}
            unit="m"
            names={["com_height"]}
            min={0.05 * side.height}
            max={side.height}
            value={number(spec, "com_height", side.centre[1])}
            onChange={(com_height) => resize({ com_height })}
          />
          <Slider
            label={words.offset}
            unit="m"
            names={["offset"]}
            min={-0.48 * side.width}
            max={0.48 * side.width}
            value={number(spec, "offset", 0)}
            onChange={(offset) => resize({ offset: offset || undefined })}
          />
        </>
      )}
      {(spec.section ?? "flat") === "flat" && (
        <Size spec={spec} name="thickness" label={words.depth} first={Number(about.values.thickness ?? 1)} min={0.02} max={5} />
      )}
      <Density spec={spec} about={about} />
    </>
  );
}

const KILOGRAMS = [
  ["top_mass", words.topMass],
  ["base_mass", words.baseMass],
  ["column_mass", words.columnMass],
] as const;

/** A mass on a flexible column. */
export function ColumnFields({ spec, about }: Props) {
  const now = (name: string) => number(spec, name, Number(about.values[name] ?? 0));
  const rate = now("natural_frequency");
  return (
    <>
      <Size spec={spec} name="height" label={words.massHeight} first={now("height")} min={0.1} max={50} />
      <Size spec={spec} name="width" label={words.width} first={now("width")} min={0.02} max={15} />
      {KILOGRAMS.map(([name, label]) => (
        <Slider
          key={name}
          label={label}
          unit="kg"
          names={[name]}
          {...(name === "top_mass" ? { above: 0 } : { least: 0 })}
          min={0}
          max={Math.max(10 * now("top_mass"), now(name))}
          value={now(name)}
          onChange={(mass) => resize({ [name]: mass })}
        />
      ))}
      <Size spec={spec} name="natural_frequency" label={words.frequency} first={rate} min={0.5} max={500} unit="rad/s" />
      <Slider
        label={words.damping}
        unit="%"
        names={["damping_ratio"]}
        least={0}
        min={0}
        max={20}
        value={100 * now("damping_ratio")}
        onChange={(percent) => resize({ damping_ratio: percent / 100 })}
      />
      <p class="quiet small">{words.ofColumn(((2 * Math.PI) / rate).toPrecision(3))}</p>
    </>
  );
}

export function SpaceFields({ spec, about }: Props) {
  const { space } = about;
  if (!space) return null;
  return (
    <>
      {typeof spec.mesh === "string" ? <ScanFields spec={spec} /> : <SolidFields spec={spec} height={space.height} />}
      {typeof spec.mesh !== "string" && (
        <>
          <Slider
            label={words.centre}
            unit="m"
            names={["com_height"]}
            min={0.05 * space.height}
            max={space.height}
            value={number(spec, "com_height", space.centre[2])}
            onChange={(com_height) => resize({ com_height })}
          />
          <Offset spec={spec} name="offset_x" label={words.offsetX} reach={number(spec, "base_x", number(spec, "diameter", 1))} />
          <Offset spec={spec} name="offset_y" label={words.offsetY} reach={number(spec, "base_y", number(spec, "diameter", 1))} />
        </>
      )}
      <Density spec={spec} about={about} />
    </>
  );
}

function SolidFields({ spec, height }: { spec: BodySpec; height: number }) {
  const tall = <Size spec={spec} name="height" label={words.height} first={height} min={0.1} max={15} with={["com_height"]} />;
  if ("diameter" in spec)
    return (
      <>
        {tall}
        <Size spec={spec} name="diameter" label={words.diameter} first={1} min={0.02} max={5} with={["offset_x", "offset_y"]} />
        <Slider
          label={words.topDiameter}
          unit="m"
          names={["top_diameter"]}
          min={0}
          max={2 * number(spec, "diameter", 1)}
          value={number(spec, "top_diameter", number(spec, "diameter", 1))}
          onChange={(top_diameter) => resize({ top_diameter })}
        />
      </>
    );
  return (
    <>
      {tall}
      <Size spec={spec} name="base_x" label={words.baseX} first={1} min={0.02} max={5} with={["offset_x"]} />
      <Size spec={spec} name="base_y" label={words.baseY} first={1} min={0.02} max={5} with={["offset_y"]} />
      <Slider label={words.taper} names={["taper"]} min={0} max={1.5} value={number(spec, "taper", 1)} onChange={(taper) => resize({ taper })} />
    </>
  );
}

function Offset(props: { spec: BodySpec; name: string; label: string; reach: number }) {
  const { spec, name, label, reach } = props;
  return (
    <Slider
      label={label}
      unit="m"
      names={[name]}
      min={-0.48 * reach}
      max={0.48 * reach}
      value={number(spec, name, 0)}
      onChange={(value) => resize({ [name]: value || undefined })}
    />
  );
}

const UNITS = ["", "m", "cm", "mm", "in", "ft"] as const;
const AXES = ["", "z", "-z", "y", "-y", "x", "-x", "rest"] as const;

/** What a scan does not say by itself. */
function ScanFields({ spec }: { spec: BodySpec }) {
  const options = <T extends string>(all: readonly T[]) =>
    all.map((value) => ({ value, label: value || words.guessed }));
  return (
    <>
      <Choice label={words.unit} options={options(UNITS)} value={String(spec.unit ?? "") as (typeof UNITS)[number]} onChange={(unit) => resize({ unit: unit || undefined })} />
      <Choice label={words.up} options={options(AXES)} value={String(spec.up ?? "") as (typeof AXES)[number]} onChange={(up) => resize({ up: up || undefined })} />
      <Slider label={words.turn} names={["turn"]} unit="°" min={-180} max={180} step={1} value={number(spec, "turn", 0)} onChange={(turn) => resize({ turn: turn || undefined })} />
    </>
  );
}

function Density({ spec, about }: Props) {
  const mass = about.space?.mass ?? about.side?.mass ?? 0;
  return (
    <>
      <Size spec={spec} name="density" label={words.density} first={Number(about.values.density ?? 2600)} min={100} max={9000} unit="kg/m³" />
      <p class="quiet small">
        {words.mass}: <span class="number">{Number(mass.toPrecision(4))} kg</span>
      </p>
    </>
  );
}
