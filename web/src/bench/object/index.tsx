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
import type { BodyAbout, ScanAnswer, Side } from "../../types";
import { answer, asked, bench, body } from "../state";
import { PlaneFields, SpaceFields } from "./Fields";
import { Picture } from "./Picture";
import { Presets } from "./Presets";
import { put } from "./put";
import "./object.css";

const words = t.bench.object;
const ONE_BODY = "vase_fixed_on_plinth";
const Tracing = later(() => import("../outline"));
const tracing = signal(false);
const scanning = signal("");
const scanSays = signal<string[]>([]);

const KINDS = (["Block", "Body"] as const).map((value) => ({ value, label: words.kinds[value] }));

export function ObjectPanel() {
  const spec = asked.value.body;
  const about = body.value;
  const space = spec.kind === "Body";
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
        value={space ? "Body" : "Block"}
        onChange={(kind) => change(kind)}
      />
      <Presets space={space} />
      {current && (space ? <SpaceFields spec={spec} about={current} /> : <PlaneFields spec={spec} about={current} />)}
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

/** The same object in a plane or in space, as far as its sizes go. */
function change(kind: "Block" | "Body"): void {
  const side = answer.peek()?.body.side;
  const [height, width] = [side?.height ?? 1.8, side?.width ?? 0.5].map((v) => Number(v.toPrecision(4)));
  const com_height = Number((side?.centre[1] ?? 0.9).toPrecision(4));
  if (kind === "Block") put({ kind, height, width, com_height });
  else put({ kind, base_x: width, base_y: width, height, com_height });
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
      <div>
        <dt>
          <Explain term={words.lifts}>{words.liftsWords}</Explain>
        </dt>
        <dd>{lifts.toPrecision(3)} g</dd>
      </div>
    </dl>
  );
}
