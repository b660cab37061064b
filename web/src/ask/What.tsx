/** What it is, how large and how heavy. */

import { Choice } from "../parts/Choice";
import { Explain } from "../parts/Explain";
import { NumberField, Slider } from "../parts/Slider";
import { t } from "../texts";
import { Ask } from "./Questions";
import { Figure } from "./Picture";
import { FIXINGS, PAIR, about, presetOf, set, single, state } from "./state";

const words = t.ask;

export function What() {
  const kinds = Object.keys(words.what.kinds).filter(presetOf);
  return (
    <Ask question={words.what.question} sentence={words.what.sentence}>
      <fieldset class="kinds">
        <legend class="unseen">{words.what.question}</legend>
        {kinds.map((name) => (
          <label key={name}>
            <input type="radio" name="what" value={name} checked={state.value.question.what === name} onChange={() => choose(name)} />
            <Figure what={name} />
            <span>{words.what.kinds[name]}</span>
          </label>
        ))}
      </fieldset>
    </Ask>
  );
}

/** Another kind begins with its own typical sizes. */
function choose(what: string): void {
  const { height, width } = presetOf(what)!;
  set({ what, fixing: undefined, height, width, com_height: undefined, mass: undefined, material: undefined } as object);
}

/** Of one object on another: whether both move as one. */
export function Fixing() {
  const { what, fixing } = state.value.question;
  const own = words.fixing;
  if (what !== PAIR) return null;
  return (
    <Ask question={own.question} sentence={own.sentence}>
      <Choice
        label={own.question}
        hidden
        options={FIXINGS.map((value) => ({ value, label: own[value] }))}
        value={fixing ?? []}
        onChange={(value) => set({ fixing: value, ...(value === "fixed" ? {} : { com_height: undefined }) } as object)}
      />
      {fixing && <p class="quiet">{own.words[fixing]}</p>}
      <p class="quiet">
        {own.anchored}{" "}
        <button type="button" onClick={() => choose("vase")}>
          {own.alone}
        </button>
      </p>
    </Ask>
  );
}

export function Sizes() {
  const { what, height, width, com_height } = state.value.question;
  const pair = what === PAIR;
  const size = words.size;
  const knows = com_height !== undefined;
  return (
    <Ask question={size.question} sentence={size.sentence}>
      <Slider label={pair ? size.heightBoth : size.height} names={["height"]} above={0.01} most={100} explain={<Explain term={t.parts.explain}>{size.heightWords}</Explain>} unit={words.metres} min={0.1} max={20} log value={height} onChange={(value) => set({ height: value })} />
      <Slider label={pair ? size.widthPlinth : size.width} names={["width"]} above={0.01} most={100} explain={<Explain term={t.parts.explain}>{size.widthWords}</Explain>} unit={words.metres} min={0.03} max={5} log value={width} onChange={(value) => set({ width: value })} />
      {single.value && <label class="check">
        <input type="checkbox" checked={knows} onChange={() => set({ com_height: knows ? undefined : Number((centreOf(height)).toPrecision(3)) } as object)} />
        {size.knows}
      </label>}
      {knows && (
        <Slider label={size.centre} names={["com_height"]} above={0.01} most={height} explain={<Explain term={t.parts.explain}>{size.centreWords}</Explain>} unit={words.metres} min={0.05 * height} max={height} value={com_height} onChange={(value) => set({ com_height: value })} />
      )}
    </Ask>
  );
}

/** The height of the centre of mass [m] that is typical of the kind. */
export function centreOf(height: number): number {
  const preset = presetOf(state.value.question.what);
  return preset?.com_height === undefined ? height / 2 : (preset.com_height / preset.height) * height;
}

// -- how heavy --------------------------------------------------------------------------------

type By = "unknown" | "material" | "mass";

export function Weight() {
  const { mass, material, what } = state.value.question;
  const weight = words.weight;
  const by: By = mass !== undefined ? "mass" : material !== undefined ? "material" : "unknown";
  const materials = about.value?.asking.materials ?? {};
  const solid = (presetOf(what)?.density ?? 1000) >= Math.min(...Object.values(materials));
  const options = (["unknown", "material", "mass"] as const).filter((one) => solid || one !== "material");
  return (
    <Ask question={weight.question} sentence={weight.sentence}>
      <Choice label={weight.by} hidden options={options.map((value) => ({ value, label: weight[value] }))} value={by} onChange={choose} />
      {by === "material" && (
        <>
          <Choice label={weight.of} options={Object.keys(materials).map((value) => ({ value, label: weight.materials[value] ?? value }))} value={material ?? ""} onChange={(value) => set({ material: value })} />
          <p class="quiet">{weight.density(materials[material ?? ""] ?? 0)}</p>
        </>
      )}
      {by === "mass" && <NumberField label={weight.kilograms} names={["mass"]} unit={words.kilograms} min={0.1} max={1e7} value={mass ?? 0} onChange={(value) => set({ mass: value })} />}
    </Ask>
  );

  function choose(next: By): void {
    if (next === "unknown") set({ mass: undefined, material: undefined } as object);
    if (next === "material") set({ mass: undefined, material: "stone" } as object);
    if (next === "mass") set({ mass: 500, material: undefined } as object);
  }
}
