/** The report, the answers as a file, and one of the earthquakes for the workbench. */

import { linkTo } from "../address";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { job, result, share, state, stopped } from "./state";

const words = t.ask.take;

export function Take() {
  const id = job.value?.id;
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
          <a class="button" href={`/api/jobs/${id}/files/object.toml`} download="object.toml">
            {words.toml}
          </a>
          <Explain term={t.parts.explain}>{words.tomlWords}</Explain>
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
                  <a key={how} class="button" href={linkTo("bench", { preset: state.value.question.what, case: { theories: [{ name: "housner" }], ...one.case } })}>
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
