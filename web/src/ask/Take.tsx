/** The report, the answers as a file, and one of the earthquakes for the workbench. */

import { linkTo } from "../address";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { job, presetName, result, share, state, stopped } from "./state";

const words = t.ask.take;
const STONES = "stones.json";

export function Take() {
  const id = job.value?.id;
  const inputs = result.value?.files.includes(STONES) ? STONES : "object.toml";
  const examples = share.value?.examples;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      {result.value && id ? (
        <div class="row">
          <a class="button main" href={`/api/jobs/${id}/files/report.html`} target="_blank" rel="noopener">
            {words.report}
          </a>
          <a class="button" href={`/api/jobs/${id}/files/report.html`} download="report.html">
            {words.save}
          </a>
          <a class="button" href={`/api/jobs/${id}/files/${inputs}`} download={inputs}>
            {inputs === STONES ? words.stones : words.toml}
          </a>
          <Explain term={t.parts.explain}>{inputs === STONES ? words.stonesWords : words.tomlWords}</Explain>
        </div>
      ) : (
        <p class="quiet">{stopped.value ? t.ask.stopped : words.waiting}</p>
      )}
      {examples && (examples.falls || examples.stands) && (
        <>
          <p>{words.look}</p>
          <div class="row">
            {(["falls", "stands"] as const).map((how) => {
              const one = examples[how];
              return (
                one && (
                  <a key={how} class="button" href={linkTo("bench", { preset: presetName(state.value.question.what), case: { theories: [{ name: "housner" }], ...one.case } })}>
                    {words[how](one.number)}
                  </a>
                )
              );
            })}
          </div>
        </>
      )}
    </Panel>
  );
}
