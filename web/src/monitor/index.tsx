/** Buildings that are watched by a sensor, or a demonstration. */

import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { Many } from "./Many";
import { One } from "./One";
import { board, change, clock, connected, demonstrate, endDemonstration, problem, shown } from "./state";
import "../building/building.css";
import "./monitor.css";

const words = t.monitor;
const SPEEDS = ["1", "4", "16"] as const;

export default function Monitor() {
  const found = board.value;
  const none = found !== null && found.buildings.length === 0;
  return (
    <div class="monitor">
      <h1 class="unseen">{words.title}</h1>
      {!connected.value && (
        <p class="problem" role="alert">
          {words.lost}
        </p>
      )}
      {found === null && <p class="quiet">{t.loading}</p>}
      {found && <Banner />}
      {none && <Welcome />}
      {!none && found && (shown.value.name ? <One /> : <Many />)}
    </div>
  );
}

/** What is shown, and that a demonstration is one. */
function Banner() {
  const found = board.value!;
  const showing = found.demonstration;
  return (
    <>
      {found.missing && <p class="problem">{words.missing(found.folder)}</p>}
      {found.left_out > 0 && <p class="warning">{words.leftOut(found.left_out)}</p>}
      {showing && (
        <section class="banner" aria-label={words.demonstration}>
          <p>
            <strong>{words.demonstration}.</strong> {words.demonstrationSentence(showing.speed)}{" "}
            <span class="number quiet">
              {showing.ended ? words.ended : `${clock(showing.time)} / ${showing.duration.toFixed(0)} s`}
            </span>
          </p>
          {showing.problem && <p class="problem">{showing.problem}</p>}
          <div class="row">
            <Start again />
            <button type="button" onClick={() => void endDemonstration()}>
              {words.end}
            </button>
          </div>
        </section>
      )}
    </>
  );
}

function Welcome() {
  const found = board.value!;
  return (
    <div class="welcome">
      <Panel title={words.welcome} sentence={words.welcomeSentence}>
        {found.watching && <p class="quiet">{found.reading ? t.loading : words.nothingYet(found.folder)}</p>}
        <Start />
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
      </Panel>
      <Panel title={words.yours} sentence={words.yoursSentence}>
        <pre class="command" tabIndex={0}>{words.commands}</pre>
      </Panel>
    </div>
  );
}

function Start({ again = false }: { again?: boolean }) {
  return (
    <>
      <Choice
        label={words.speed}
        hidden={again}
        options={SPEEDS.map((value) => ({ value, label: value === "1" ? words.trueSpeed : `${value} ×` }))}
        value={String(shown.value.speed) as (typeof SPEEDS)[number]}
        onChange={(value) => change({ speed: Number(value) })}
      />
      <div class="row">
        <button type="button" class={again ? "" : "main"} onClick={() => void demonstrate(1)}>
          {again ? words.againOne : words.startOne}
        </button>
        <button type="button" class={again ? "" : "main"} onClick={() => void demonstrate(8)}>
          {again ? words.againMany : words.startMany}
        </button>
      </div>
    </>
  );
}
