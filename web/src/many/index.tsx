/** Many runs: maps, fragilities, spectra and theories beside each other, as jobs in the background. */

import "./many.css";
import { Choice } from "../parts/Choice";
import { JobProgress } from "../parts/JobProgress";
import { Checked } from "../parts/Checked";
import { rejected } from "../parts/entry";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import { Earlier } from "./Earlier";
import { Files } from "./Files";
import { FragilityView } from "./Fragility";
import { changed, job, problem, run } from "./job";
import { MapView } from "./map/MapView";
import { Settings } from "./Settings";
import { SpectrumView } from "./Spectrum";
import { QUESTIONS, change, many } from "./state";
import { TheoriesView } from "./Theories";

const words = t.many;
const VIEWS = { map: MapView, fragility: FragilityView, spectrum: SpectrumView, theories: TheoriesView };

export default function Door() {
  const { question } = many.value;
  return (
    <Checked class="many" problem={problem}>
      <header class="many-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.sentence}</p>
        <Choice
          label={words.question}
          hidden
          value={question}
          options={QUESTIONS.map((value) => ({ value, label: words.questions[value] }))}
          onChange={(value) => change({ question: value, job: null, point: null })}
        />
      </header>
      <div class="many-body">
        <div class="many-side">
          <Settings />
          <Earlier />
        </div>
        <div class="many-main">
          <Answer />
        </div>
      </div>
    </Checked>
  );
}

function Answer() {
  const { question } = many.value;
  const now = job.value;
  const View = VIEWS[question];
  return (
    <>
      {(rejected.value || problem.value) && (
        <p class="problem" role="alert">
          {rejected.value ? t.parts.notComputed(rejected.value) : problem.value}
        </p>
      )}
      {now ? <Progress /> : <Nothing />}
      {changed.value && <p class="many-changed">{words.changed}</p>}
      {now && <Warnings said={now.result?.warnings} />}
      {now && now.kind === question && <View />}
      {now && <Files id={now.id} names={now.files} />}
    </>
  );
}

function Progress() {
  const now = job.value!;
  return (
    <>
      <JobProgress job={now} />
      {(now.state === "cancelled" || now.state === "failed") && (
        <div>
          <button type="button" onClick={() => void run()}>
            {words.goOn}
          </button>
        </div>
      )}
    </>
  );
}

/** Before the first job: what the question is, in words. */
function Nothing() {
  const { question } = many.value;
  return (
    <section class="panel many-nothing">
      <h2>{words.questions[question]}</h2>
      <p>{words.about[question]}</p>
      <div>
        <button type="button" class="main" disabled={Boolean(rejected.value)} onClick={() => void run()}>
          {words.run}
        </button>
      </div>
    </section>
  );
}
