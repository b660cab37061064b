/** A masonry building: shaken by one earthquake after the other, or pushed slowly. */

import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { Checked } from "../parts/Checked";
import { TimeBar } from "../parts/TimeBar";
import { Slider } from "../parts/Slider";
import { Waiting } from "../parts/Waiting";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import { BuildingPanel } from "./BuildingPanel";
import { Earthquakes } from "./Earthquakes";
import { Gauge, percent, stateOf } from "./Gauge";
import { Histories, Shocks } from "./Histories";
import { House } from "./House";
import { Loop } from "./Loop";
import { SPEEDS, end, now, play, playing, seek, speed, time } from "./player";
import { STARTS, about, asked, busy, change, compiling, late, problem, pushed, refused, shaken, start, track, waited, type Start, type Way } from "./state";
import "./building.css";

const words = t.building;
const CYCLES = ["0", "2", "4", "8"] as const;

export default function Building() {
  const shakes = asked.value.way === "shake";
  return (
    <>
      <h1 class="unseen">{words.title}</h1>
      <Checked class="building" problem={problem} late={late}>
        <div class="controls">
          <Panel title={words.way} sentence={words.waySentence}>
            <Choice<Way>
              label={words.way}
              hidden
              options={[
                { value: "shake", label: words.ways.shake },
                { value: "push", label: words.ways.push },
              ]}
              value={asked.value.way}
              onChange={(way) => change({ way })}
            />
            {!shakes && <Push />}
          </Panel>
          <Starts />
          {shakes && <Earthquakes />}
          <BuildingPanel />
        </div>
        <div class="seen">
          <Panel title={words.loop} sentence={shakes ? words.loopSentence : words.pushSentence}>
            <Loop />
            <Time />
            <Outcome />
          </Panel>
          {shakes && <Shocks />}
        </div>
        <div class="beside">
          <WearPanel />
          {shakes && <Histories />}
        </div>
      </Checked>
    </>
  );
}

/** A house with its earthquakes: ours, or that of the paper. */
function Starts() {
  const own = words.starts;
  return (
    <Panel title={own.title} sentence={own.sentence}>
      <Choice<Start | "">
        label={own.title}
        hidden
        options={(Object.keys(STARTS) as Start[]).map((value) => ({ value, label: own.names[value] }))}
        value={start.value ?? ""}
        onChange={(name) => name && change(STARTS[name])}
      />
      {start.value && <p class="quiet small">{own.words[start.value]}</p>}
    </Panel>
  );
}

function Push() {
  const { to, cycles } = asked.value;
  return (
    <>
      <Slider label={words.push.to} unit="mm" min={0.5} max={40} log value={to} names={["to"]} onChange={(value) => change({ to: value })} />
      <Choice
        label={words.push.cycles}
        options={CYCLES.map((value) => ({ value, label: value === "0" ? words.push.once : value }))}
        value={String(cycles) as (typeof CYCLES)[number]}
        onChange={(value) => change({ cycles: Number(value) })}
      />
    </>
  );
}

function Time() {
  const shakes = asked.value.way === "shake";
  const told = shakes ? `${time.value.toFixed(1)} s` : percent(end.value ? time.value / end.value : 0);
  const clock = { time, playing, speed, play, seek };
  return <TimeBar clock={clock} end={end.value || 1} told={told} step={0.1} speeds={shakes ? SPEEDS : []} disabled={!track.value || Boolean(refused.value)} />;
}

function Outcome() {
  const found = track.value;
  const why = refused.value;
  return (
    <div class="result" aria-live="polite" aria-busy={busy.value}>
      <Waiting busy={busy} answer={track} compiling={compiling} waited={waited} />
      {why && <p class="problem">{t.parts.notComputed(why)}</p>}
      {found && !why && <p class={`outcome ${found.collapse === null ? "" : "fell"}`}>{found.sentence}</p>}
      {found && !why && <Warnings said={(asked.value.way === "push" ? pushed : shaken).value?.warnings} />}
    </div>
  );
}

function WearPanel() {
  const found = track.value;
  const limits = about.value?.damage.wear;
  if (!found || !limits) return null;
  const wear = found.wear[now.value]!;
  const left = found.frequency[now.value]! / found.house.frequency;
  const state = stateOf(wear, limits);
  return (
    <Panel title={words.wear} sentence={words.wearSentence}>
      <div class="worn">
        <House />
        <div>
          <Gauge wear={wear} limits={limits} />
          <p class="meaning">
            <strong>{words.damage[state]}.</strong> {words.meaning[state]}
          </p>
          <p class="quiet small number">
            {words.frequency}: {found.frequency[now.value]!.toFixed(2)} Hz, {words.slower(percent(1 - left))}
          </p>
        </div>
      </div>
    </Panel>
  );
}
