/** Trace an outline over a photograph: its area, centre and inertia, and a block that has it. */

import { useEffect, useId, useRef } from "preact/hooks";
import { Choice } from "../../parts/Choice";
import { Drop } from "../../parts/Drop";
import { rejected } from "../../parts/entry";
import { NumberField } from "../../parts/Slider";
import { t } from "../../texts";
import { put } from "../object/put";
import { bench } from "../state";
import { Stage } from "./Stage";
import * as tracing from "./tracing";
import "./outline.css";

const words = t.bench.outline;
const SECTIONS = (["flat", "round", "square"] as const).map((value) => ({ value, label: words.section[value] }));
const SETTINGS = [
  { value: "height", label: words.byHeight },
  { value: "length", label: words.byLength },
] as const;

export default function Tracing({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    tracing.resume(bench.peek().case.body);
    dialog.current!.showModal();
  }, []);
  const use = () => {
    const body = tracing.outlined();
    if (!body) return;
    put(body);
    onClose();
  };
  return (
    <dialog ref={dialog} class="tracing" aria-labelledby={title} onClose={onClose} onKeyDown={shortcut}>
      <header>
        <h2 id={title}>{words.title}</h2>
        <p class="quiet">{words.sentence}</p>
      </header>
      <div class="tracing-work">
        {tracing.picture.value ? <Stage /> : <Pictures />}
        <div class="tracing-side">
          <Steps />
          <Size />
          <Numbers />
          {tracing.problem.value && (
            <p class="problem" role="alert">
              {tracing.problem.value}
            </p>
          )}
          <div class="row tracing-end">
            <button type="button" class="main" disabled={!tracing.found.value?.body || Boolean(rejected.value)} onClick={use}>
              {words.use}
            </button>
            <button type="button" onClick={onClose}>
              {words.cancel}
            </button>
          </div>
        </div>
      </div>
    </dialog>
  );
}

function shortcut(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return;
  const name = event.key.toLowerCase();
  if (name === "z") (event.shiftKey ? tracing.redo : tracing.undo)();
  else if (name === "y") tracing.redo();
  else return;
  event.preventDefault();
}

function Pictures() {
  return (
    <div class="tracing-pictures">
      <Drop words={words.drop} accept="image/*" onFiles={(files) => void tracing.load(files[0]!)} />
    </div>
  );
}

function Steps() {
  if (!tracing.picture.value) return null;
  return (
    <div class="row">
      <button type="button" disabled={!tracing.canUndo.value} onClick={tracing.undo}>
        {words.undo}
      </button>
      <button type="button" disabled={!tracing.canRedo.value} onClick={tracing.redo}>
        {words.redo}
      </button>
      <button type="button" disabled={tracing.chosen.value < 0} onClick={() => tracing.removeCorner(tracing.chosen.peek())}>
        {words.remove}
      </button>
      <button type="button" disabled={!tracing.traced.value.corners.length} onClick={tracing.clear}>
        {words.clear}
      </button>
      <label class="button">
        {words.other}
        <input
          type="file"
          accept="image/*"
          class="unseen"
          onChange={(e) => {
            const file = e.currentTarget.files?.[0];
            if (file) void tracing.load(file);
          }}
        />
      </label>
      <span class="quiet small">{words.corners(tracing.traced.value.corners.length)}</span>
    </div>
  );
}

function Size() {
  const { setting, section } = tracing;
  return (
    <div class="tracing-size">
      <Choice label={words.size} options={SETTINGS} value={setting.value} onChange={(value) => (setting.value = value)} />
      {setting.value === "height" ? (
        <NumberField label={words.height} unit="m" above={0} value={tracing.height.value} onChange={(value) => (tracing.height.value = value)} />
      ) : (
        <>
          <p class="quiet small">{words.marks}</p>
          <NumberField label={words.length} unit="m" above={0} value={tracing.length.value} onChange={(value) => (tracing.length.value = value)} />
        </>
      )}
      <Choice label={words.sections} options={SECTIONS} value={section.value} onChange={(value) => (section.value = value)} />
      {section.value === "flat" && (
        <NumberField label={words.depth} unit="m" above={0} value={tracing.thickness.value} onChange={(value) => (tracing.thickness.value = value)} />
      )}
      <NumberField label={words.density} unit="kg/m³" above={0} value={tracing.density.value} onChange={(value) => (tracing.density.value = value)} />
    </div>
  );
}

function Numbers() {
  const about = tracing.found.value;
  if (!about) return <p class="quiet">{words.few}</p>;
  const side = about.body?.side;
  const rows: [string, string, number | undefined, string][] = [
    ["area", words.area, about.area ?? undefined, "m²"],
    ["centre", words.centre, side ? side.centre[1] : about.centre[1] - about.floor, "m"],
    ["offset", words.offset, side?.centre[0], "m"],
    ["base", words.base, side?.width, "m"],
    ["mass", words.mass, side?.mass, "kg"],
    ["inertia", words.inertia, side?.inertia, "kg m²"],
  ];
  return (
    <dl class="object-numbers tracing-numbers">
      {rows.map(([name, label, value, unit]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{label}</dt>
            <dd data-name={name} data-value={value}>
              {shown(value)} {unit}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

function shown(value: number): string {
  return String(Number(Math.abs(value) < 1e-9 ? 0 : value.toPrecision(4)));
}
