/** What is built: one of the usual structures by its sizes, or a drawing of your own. */

import { signal } from "@preact/signals";
import { upload } from "../api";
import { Choice } from "../parts/Choice";
import { Drop } from "../parts/Drop";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { NumberField, Slider } from "../parts/Slider";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import type { Uploaded } from "../types";
import { asked, change, resize, shape, sizes } from "./state";
import { BONDS, FIELDS, OPENINGS, OPENING_FIELDS, STRUCTURES, type Field, type Kind } from "./structures";

const words = t.blocks.shape;

export function ShapePanel() {
  const { kind, friction } = asked.value;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Choice<Kind>
        label={words.title}
        hidden
        options={[...STRUCTURES, "file" as const].map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={(value) => change({ kind: value })}
      />
      {kind === "file" ? <Own /> : FIELDS[kind].map((field) => <Size key={`${kind} ${field.name}`} field={field} />)}
      {kind === "wall" && <Bond />}
      <Slider
        label={words.friction}
        explain={<Explain term="μ">{words.frictionWords}</Explain>}
        min={0.1}
        max={1.5}
        step={0.01}
        value={friction}
        least={0}
        names={["friction"]}
        onChange={(value) => change({ friction: value })}
      />
      <Facts />
    </Panel>
  );
}

function Size({ field: { name, unit, min, max } }: { field: Field }) {
  const whole = unit === "";
  const limits = whole ? { least: 1, whole } : min === 0 ? { least: 0 } : { above: 0 };
  const label = words.sizes[words.other[asked.value.kind]?.[name] ?? name] ?? name;
  return <Slider label={label} unit={unit} min={min} max={max} step={whole ? 1 : 0.01} value={sizes.value[name]!} names={[name]} {...limits} onChange={(value) => resize({ [name]: value })} />;
}

function Bond() {
  const { bond, opening } = asked.value;
  const shown = OPENING_FIELDS.filter(({ name }) => opening === "window" || name !== "sill");
  return (
    <>
      <Choice label={words.bond} options={BONDS.map((value) => ({ value, label: words.bonds[value] }))} value={bond} onChange={(value) => change({ bond: value })} />
      <Choice label={words.opening} options={OPENINGS.map((value) => ({ value, label: words.openings[value] }))} value={opening} onChange={(value) => change({ opening: value })} />
      {opening !== "none" && shown.map((field) => <Size key={field.name} field={field} />)}
    </>
  );
}

function Facts() {
  const found = shape.value;
  if (!found) return null;
  const tonnes = found.mass / 1000;
  return (
    <>
      <p class="quiet small number told">
        {words.facts(found.count, found.joints, found.length.toFixed(2), found.height.toFixed(2), tonnes.toPrecision(3))}
      </p>
      <Warnings said={found.warnings} />
    </>
  );
}

// -- a drawing ------------------------------------------------------------------------------------

const reading = signal(false);
const failed = signal("");
const told = signal("");
/** A drawing that does not say how long one of its units is. */
const unscaled = signal<Uploaded | null>(null);
const unit = signal(0.001);

async function take(file: File): Promise<void> {
  reading.value = true;
  failed.value = told.value = "";
  unscaled.value = null;
  try {
    const found = await upload<Uploaded>(file);
    if (found.kind !== "assembly" || !found.body) throw new Error(`${file.name}: ${words.notStones}`);
    if ("scale" in found.asks) unscaled.value = found;
    else change({ file: found.body });
    if (found.body.ground) told.value = words.groundAdded;
  } catch (error) {
    failed.value = error instanceof Error ? error.message : String(error);
  }
  reading.value = false;
}

function Own() {
  const file = asked.value.file?.file;
  return (
    <>
      <Drop words={words.drop} accept=".json,.dxf,.svg" onFiles={([one]) => one && void take(one)} />
      {reading.value && <p role="status">{t.loading}</p>}
      {failed.value && (
        <p class="problem" role="alert">
          {failed.value}
        </p>
      )}
      {unscaled.value && <Scale found={unscaled.value} />}
      {typeof file === "string" && !unscaled.value && (
        <p>
          <strong>{file.split("/").at(-1)}</strong>
        </p>
      )}
      {told.value && <p class="quiet small">{told.value}</p>}
    </>
  );
}

function Scale({ found }: { found: Uploaded }) {
  return (
    <form
      class="asks"
      onSubmit={(e) => {
        e.preventDefault();
        change({ file: { ...found.body!, scale: unit.value } });
        unscaled.value = null;
      }}
    >
      <p class="small">{words.scaleWords}</p>
      <NumberField label={words.scale} unit="m" required value={unit.value} min={1e-6} onChange={(value) => (unit.value = value)} />
      <button type="submit" class="main">
        {words.use}
      </button>
    </form>
  );
}
