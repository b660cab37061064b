/** The object, what shakes it, and how much is run. */

import { Choice } from "../parts/Choice";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { NumberField, Slider } from "../parts/Slider";
import { rejected } from "../parts/entry";
import { t } from "../texts";
import type { BodySpec } from "../types";
import { run } from "./job";
import { PULSES, SLENDERNESS, SOURCES, change, fitting, many, onBench, taken } from "./state";

const words = t.many;

export function Settings() {
  return (
    <Panel title={words.settings} sentence={words.settingsSentence}>
      <form
        class="many-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!rejected.peek()) void run();
        }}
      >
        <Subject />
        <Shaking />
        <HowMany />
        <TheoryChoice />
        <button type="submit" class="main" disabled={Boolean(rejected.value)}>
          {words.run}
        </button>
      </form>
    </Panel>
  );
}

// -- the object -------------------------------------------------------------------------------

function Subject() {
  const { body, floor } = many.value;
  const bench = onBench();
  const other = bench !== undefined && JSON.stringify(bench.body) !== JSON.stringify(body);
  return (
    <fieldset>
      <legend>{words.object}</legend>
      {plain(body) ? <Size body={body} /> : <p class="quiet">{words.otherBody(body.kind)}</p>}
      {floor && (
        <p class="row spread quiet">
          {words.onFloor(floor)}
          <button type="button" onClick={() => change({ floor: null })}>
            {words.toGround}
          </button>
        </p>
      )}
      {bench && (other || bench.floor) && (
        <button type="button" onClick={() => change(taken(bench))}>
          {words.fromBench}
        </button>
      )}
    </fieldset>
  );
}

/** Whether a body is given by its height and width, so that they can be changed alone. */
function plain(body: BodySpec): body is BodySpec & { height: number; width: number } {
  const numbers = typeof body.height === "number" && typeof body.width === "number";
  return body.kind === "Block" && numbers && body.inertia === undefined;
}

function Size({ body }: { body: BodySpec & { height: number; width: number } }) {
  const resize = (height: number) => {
    const centre = body.com_height as number | undefined;
    const moved = centre === undefined ? {} : { com_height: (centre * height) / body.height };
    change({ body: { ...body, height, ...moved } });
  };
  return (
    <>
      <Slider label={words.height} unit="m" min={0.1} max={20} log value={body.height} onChange={resize} />
      <Slider
        label={words.width}
        unit="m"
        min={0.02}
        max={10}
        log
        value={body.width}
        onChange={(width) => change({ body: { ...body, width } })}
      />
    </>
  );
}

// -- what shakes it -----------------------------------------------------------------------------

function Shaking() {
  const { question, source, pulse, motion, count, seed } = many.value;
  const sources = SOURCES.filter(
    (one) => (one === "pulse" ? question === "map" : one === "generated" || motion !== null),
  );
  const here = sources.includes(source) ? source : "generated";
  return (
    <fieldset>
      <legend>{words.shaking}</legend>
      {sources.length > 1 && (
        <Choice
          label={words.shaking}
          hidden
          value={here}
          options={sources.map((value) => ({ value, label: words.sources[value] }))}
          onChange={(value) => change({ source: value, points: Math.min(many.peek().points, value === "pulse" ? 121 : 31) })}
        />
      )}
      {here === "pulse" && (
        <label class="many-select">
          {words.pulse}
          <select value={pulse} onChange={(e) => change({ pulse: e.currentTarget.value })}>
            {PULSES.map((name) => (
              <option key={name} value={name}>
                {words.pulses[name as keyof typeof words.pulses]}
              </option>
            ))}
          </select>
        </label>
      )}
      {here === "generated" && (
        <>
          <NumberField
            label={words.count}
            whole
            min={1}
            max={1000}
            step={1}
            value={count}
            onChange={(value) => change({ count: value })}
          />
          <NumberField
            label={words.seed}
            whole
            min={0}
            step={1}
            value={seed}
            onChange={(value) => change({ seed: value })}
          />
          <p class="quiet small">
            <Explain term={words.generated}>{words.generatedWords}</Explain>
          </p>
        </>
      )}
      {here === "bench" && <p class="quiet small">{words.benchMotion}</p>}
    </fieldset>
  );
}

// -- how much is run ----------------------------------------------------------------------------

const HOW_MANY = { map: Points, fragility: Strengths, spectrum: Slenderness, theories: Theories };

function HowMany() {
  const Part = HOW_MANY[many.value.question];
  return <Part />;
}

function Points() {
  const { points, count, source } = many.value;
  return (
    <div>
      <Choice
        label={words.points}
        value={String(points)}
        options={[31, 61, 121, 241, 401].map((n) => ({ value: String(n), label: String(n), title: `${n} × ${n}` }))}
        onChange={(value) => change({ points: Number(value) })}
      />
      <p class="quiet small">{words.runs(points ** 2 * (source === "generated" ? count : 1))}</p>
    </div>
  );
}

function Strengths() {
  const { measure, levels } = many.value;
  return (
    <>
      <Choice
        label={words.measure}
        value={measure}
        options={(["pga", "pgv"] as const).map((value) => ({ value, label: words.measures[value] }))}
        onChange={(value) => change({ measure: value })}
      />
      <NumberField
        label={words.levels}
        whole
        min={2}
        max={60}
        step={1}
        value={levels}
        onChange={(value) => change({ levels: value })}
      />
    </>
  );
}

function Slenderness() {
  const { slenderness } = many.value;
  return (
    <>
      <Peak />
      <label class="many-check">
        <input
          type="checkbox"
          checked={slenderness.length > 1}
          onChange={(e) => change({ slenderness: e.currentTarget.checked ? SLENDERNESS : [1] })}
        />
        {words.alsoOthers}
      </label>
    </>
  );
}

function Theories() {
  const { theories } = many.value;
  const toggle = (name: string) => {
    const others = theories.filter((one) => one !== name);
    change({ theories: others.length < theories.length ? others : [...theories, name] });
  };
  return (
    <>
      <Peak />
      <Choice
        label={words.theoriesToCompare}
        several
        value={theories}
        options={fitting.value.map((one) => ({ value: one.name, label: one.title, title: one.words }))}
        onChange={toggle}
      />
    </>
  );
}

/** To which peak generated earthquakes are scaled; the workbench's motion is as it is there. */
function Peak() {
  const { pga, source, motion } = many.value;
  if (source === "bench" && motion) return null;
  return (
    <>
      <label class="many-check">
        <input
          type="checkbox"
          checked={pga !== null}
          onChange={(e) => change({ pga: e.currentTarget.checked ? 0.4 : null })}
        />
        {words.scaled}
      </label>
      {pga !== null && (
        <Slider
          label={words.pga}
          unit="g"
          min={0.05}
          max={2}
          log
          value={pga}
          onChange={(value) => change({ pga: value })}
        />
      )}
    </>
  );
}

function TheoryChoice() {
  const { theory, question } = many.value;
  if (question === "theories") return null;
  return (
    <label class="many-select">
      {words.theory}
      <select
        value={theory?.name ?? ""}
        onChange={(e) => change({ theory: e.currentTarget.value ? { name: e.currentTarget.value } : null })}
      >
        <option value="">{words.usual}</option>
        {fitting.value.map((one) => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </select>
    </label>
  );
}
