/** The workbench: an object, a motion, a floor, theories, and what happens. */

import { linkTo } from "../address";
import { Checked } from "../parts/Checked";
import { Downloads } from "../parts/Downloads";
import { Panel } from "../parts/Panel";
import { later } from "../parts/later";
import { t } from "../texts";
import { FloorPanel } from "./Floor";
import { Histories } from "./Histories";
import { MotionPanel } from "./Motion";
import { ObjectPanel } from "./object";
import { Portrait } from "./Portrait";
import { Result } from "./Result";
import { Stage } from "./Stage";
import { answer, asked, bench, body, late, problem, refused, shown, time } from "./state";
import { TheoryPanel } from "./Theory";
import { TimeBar } from "./TimeBar";
import "./bench.css";

const Space = later(() => import("./space"));

/** In a plane or in space, as the object is. */
function Scene() {
  const found = shown.value;
  if (!found?.body.spatial) return <Stage />;
  return (
    <div class="stage">
      <Space run={found.runs[0]!} body={found.body} time={time} />
    </div>
  );
}

export default function Workbench() {
  const spatial = body.value?.spatial ?? false;
  return (
    <>
      <h1 class="unseen">{t.bench.title}</h1>
      <Checked class="bench" problem={problem} late={late}>
        <div class="controls">
          <ObjectPanel />
          <MotionPanel />
          <FloorPanel />
          <TheoryPanel />
        </div>
        <div class="seen">
          <Panel title={t.bench.stage} sentence={t.bench.stageSentence}>
            <Scene />
            <TimeBar />
            <Result />
            <Downloads
              case={asked.value}
              link={linkTo("bench", bench.value)}
              filmed={body.value?.filmed ?? true}
              disabled={!answer.value || Boolean(refused.value)}
            />
          </Panel>
          {!spatial && (
            <Panel
              title={t.bench.plots.portrait}
              sentence={body.value?.stem ? t.bench.plots.portraitBends : t.bench.plots.portraitSentence}
            >
              <Portrait />
            </Panel>
          )}
        </div>
        <div class="histories">
          <Histories />
        </div>
      </Checked>
    </>
  );
}
