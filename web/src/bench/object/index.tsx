/** The object: what stands there. Begin with a picture, a photograph or a scan; then its sizes. */

import { signal } from "@preact/signals";
import { linkTo } from "../../address";
import { ApiError, upload } from "../../api";
import { Choice } from "../../parts/Choice";
import { Drop } from "../../parts/Drop";
import { Explain } from "../../parts/Explain";
import { Panel } from "../../parts/Panel";
import { later } from "../../parts/later";
import { angleUnit, inAngles } from "../../settings";
import { t } from "../../texts";
import type { BodyAbout, BodySpec, ScanAnswer, Side } from "../../types";
import { answer, asked, bench, body } from "../state";
import { ColumnFields, PlaneFields, SpaceFields } from "./Fields";
import { Picture } from "./Picture";
import { Presets, type Kind } from "./Presets";
import { put } from "./put";
import "./object.css";

const words = t.bench.object;
const ONE_BODY = "vase_fixed_on_plinth";
const Tracing = later(() => import("../outline"));
const tracing = signal(false);
const scanning = signal("");
const scanSays = signal<string[]>([]);

const KINDS = (["Block", "Body", "FlexibleOscillator"] as const).map((value) => ({ value, label: words.kinds[value] }));
const FIELDS = { Block: PlaneFields, Body: SpaceFields, FlexibleOscillator: ColumnFields };

export function ObjectPanel() {
  const spec = asked.value.body;
  const about = body.value;
  const kind = spec.kind in FIELDS ? (spec.kind as Kind) : "Block";
  const Fields = FIELDS[kind];
  const current = about && about.kind === spec.kind ? about : undefined;
  return (
    <Panel title={words.title} sentence={words.sentence} class="object">
      {about && <Picture body={about} />}
      {current && <Numbers body={current} />}
      {(spec.preset ?? bench.value.preset) === ONE_BODY && current?.side && <OneBody side={current.side} />}
      <Choice
        label={words.space}
        hidden
        options={KINDS}
        value={kind}
        onChange={change}
      />
      <Presets kind={kind} />
      {current?.side && <Fields spec={spec} about={current} />}
      <div class="row">
        <button type="button" onClick={() => (tracing.value = true)}>
          {spec.outline === undefined ? words.trace : words.edit}
        </button>
      </div>
      <Drop words={words.scan} accept=".stl,.obj,.ply,.glb" onFiles={(files) => void scan(files[0]!)} />
      {scanning.value && <p class="quiet">{scanning.value}</p>}
      {scanSays.value.map((text) => (
        <p key={text} class="quiet small" role="status">
          {text}
        </p>
      ))}
      {tracing.value && <Tracing onClose={() => (tracing.value = false)} />}
    </Panel>
  );
}

/** A preset of two objects says that they are one here, and where they are two. */
function OneBody({ side }: { side: Side }) {
  const sizes = { height: side.height, width: side.width };
  return (
    <p class="warning small">
      {words.oneBody} <a href={linkTo("blocks", { kind: "vase_on_plinth", sizes: { vase_on_plinth: sizes } })}>{words.twoBodies}</a>
    </p>
  );
}

/** The same object in a plane, in space or on a column, as far as its sizes go. */
function change(kind: Kind): void {
  const side = answer.peek()?.body.side;
  const [height, width] = [side?.height ?? 1.8, side?.width ?? 0.5].map((v) => Number(v.toPrecision(4)));
  const com_height = Number((side?.centre[1] ?? 0.9).toPrecision(4));
  if (kind === "Block") put({ kind, height, width, com_height });
  else if (kind === "FlexibleOscillator") put(begun(height!, width!, side?.mass ?? 1000));
  else put({ kind, base_x: width, base_y: width, height, com_height });
}

/** A column of these sizes [m] and mass [kg] that sways five times as fast as it rocks, as in Fig. 7. */
function begun(height: number, width: number, mass: number): BodySpec {
  const [top_mass, base_mass] = [mass / 4, mass / 2].map((kg) => Number(kg.toPrecision(3)));
  const p = Math.sqrt(9.81 / Math.hypot(height, width / 2));
  const natural_frequency = Number((5 * p).toPrecision(3));
  const masses = { top_mass, base_mass, column_mass: top_mass };
  return { kind: "FlexibleOscillator", height, width, ...masses, natural_frequency, damping_ratio: 0.01 };
}

async function scan(file: File): Promise<void> {
  scanning.value = words.reading;
  scanSays.value = [];
  try {
    const found = await upload<ScanAnswer>(file);
    if (!found.body) throw new Error(words.notScan);
    put(found.body);
    scanSays.value = found.warnings;
  } catch (error) {
    scanSays.value = [error instanceof ApiError || error instanceof Error ? error.message : String(error)];
  }
  scanning.value = "";
}

/** What decides how it rocks. */
function Numbers({ body }: { body: BodyAbout }) {
  const lifts = Math.min(...(body.side?.lifts_at ?? [0]));
  return (
    <dl class="object-numbers">
      <div>
        <dt>
          <Explain term={words.alpha}>{words.alphaWords}</Explain>
        </dt>
        <dd>
          {inAngles(body.alpha ?? 0).toPrecision(3)}
          {angleUnit() === "°" ? "°" : ` ${angleUnit()}`}
        </dd>
      </div>
      <div>
        <dt>
          <Explain term={words.p}>{words.pWords}</Explain>
        </dt>
        <dd>{(body.p ?? 0).toPrecision(3)} rad/s</dd>
      </div>
      {!body.stem && (
        <div>
          <dt>
            <Explain term={words.lifts}>{words.liftsWords}</Explain>
          </dt>
          <dd>{lifts.toPrecision(3)} g</dd>
        </div>
      )}
    </dl>
  );
}
