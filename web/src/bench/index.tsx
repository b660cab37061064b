/** The workbench: an object, a motion, a floor, theories, and what happens. */

import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { FloorPanel } from "./Floor";
import { Histories } from "./Histories";
import { MotionPanel } from "./Motion";
import { ObjectPanel } from "./object";
import { Portrait } from "./Portrait";
import { Result } from "./Result";
import { Stage } from "./Stage";
import { answer } from "./state";
import { TheoryPanel } from "./Theory";
import { TimeBar } from "./TimeBar";
import "./bench.css";

export default function Workbench() {
  const spatial = answer.value?.body.spatial ?? false;
  return (
    <>
      <h1 class="unseen">{t.bench.title}</h1>
      <div class="bench">
        <div class="controls">
          <ObjectPanel />
          <MotionPanel />
          <FloorPanel />
          <TheoryPanel />
        </div>
        <div class="seen">
          <Panel title={t.bench.stage} sentence={t.bench.stageSentence}>
            <Stage />
            <TimeBar />
            <Result />
          </Panel>
          {!spatial && (
            <Panel title={t.bench.plots.portrait} sentence={t.bench.plots.portraitSentence}>
              <Portrait />
            </Panel>
          )}
        </div>
        <div class="histories">
          <Histories />
        </div>
      </div>
    </>
  );
}
