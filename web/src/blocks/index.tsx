/** Stonework: columns, arches and walls of loose stones, shaken or pushed. */

import { Checked } from "../parts/Checked";
import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { TimeBar } from "../parts/TimeBar";
import { t } from "../texts";
import { Histories } from "./Histories";
import { LimitPanel } from "./LimitPanel";
import { MotionPanel } from "./MotionPanel";
import { Result } from "./Result";
import { ShapePanel } from "./ShapePanel";
import { Stage, wanders } from "./Stage";
import { Take } from "./Take";
import { TheoryPanel } from "./TheoryPanel";
import { SPEEDS, end, play, playing, seek, speed, time } from "./player";
import { asked, change, late, problem, refused, run } from "./state";
import "./blocks.css";

const words = t.blocks;
const TIMES = ["1", "10", "100"] as const;

export default function Stonework() {
  return (
    <>
      <h1 class="unseen">{words.title}</h1>
      <Checked class="blocks" problem={problem} late={late}>
        <div class="controls">
          <ShapePanel />
          <MotionPanel />
          <TheoryPanel />
        </div>
        <div class="seen">
          <Panel title={words.stage} sentence={words.stageSentence}>
            <Stage />
            {run.value && <Time />}
            {run.value && <Looks />}
            <Result />
            <Take />
          </Panel>
        </div>
        <div class="beside">
          <LimitPanel />
          <Histories />
        </div>
      </Checked>
    </>
  );
}

function Time() {
  const clock = { time, playing, speed, play, seek };
  return <TimeBar clock={clock} end={end.value || 1} told={`${time.value.toFixed(2)} s`} step={0.05} speeds={SPEEDS} disabled={Boolean(refused.value)} />;
}

/** How one looks at it. */
function Looks() {
  const { magnify, outside } = asked.value;
  return (
    <div class="looks">
      <Choice
        label={words.magnify}
        options={TIMES.map((value) => ({ value, label: `${value} ×` }))}
        value={String(magnify) as (typeof TIMES)[number]}
        onChange={(value) => change({ magnify: Number(value) })}
      />
      {run.value?.motion && (
        <label class="check">
          <input type="checkbox" checked={outside && !wanders.value} disabled={wanders.value} onChange={(e) => change({ outside: e.currentTarget.checked })} />
          {wanders.value ? words.wanders : words.outside}
        </label>
      )}
    </div>
  );
}
