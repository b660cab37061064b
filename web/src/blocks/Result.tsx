/** Whether it stands or falls, in words, and how that was computed. */

import { JobProgress } from "../parts/JobProgress";
import { Waiting } from "../parts/Waiting";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import { busy, compiling, job, refused, run, shake, slow, stepError, waited } from "./state";

const words = t.blocks;

export function Result() {
  const why = refused.value;
  const found = why ? null : run.value;
  return (
    <div class="result" aria-live="polite" aria-busy={busy.value}>
      <Waiting busy={busy} answer={run} compiling={compiling} waited={waited} />
      {why && <p class="problem">{t.parts.notComputed(why)}</p>}
      {slow.value && !found && <Slow />}
      {found && (
        <div class="verdict">
          <p class={`outcome ${found.fell ? "fell" : "stood"}`}>
            <data class="peak" value={String(found.peak)}>
              {found.outcome}
            </data>
          </p>
          <p class="quiet small">{found.told}</p>
          {stepError.value && <p class={`small ${stepError.value.displacement === null ? "warning" : "quiet"} step-error`}>{stepError.value.sentence}</p>}
          <Warnings said={found.warnings.filter((one) => !found.told.includes(one.split(" g h")[0]!))} />
          <p class="quiet small">{t.bench.result.one}</p>
        </div>
      )}
    </div>
  );
}

/** A wall is shaken when one asks for it. */
function Slow() {
  const now = job.value;
  const going = now && (now.state === "queued" || now.state === "running" || now.state === "done");
  return (
    <>
      {!going && (
        <>
          <p class="quiet small">{words.slow}</p>
          <div>
            <button type="button" class="main" disabled={Boolean(refused.value)} onClick={() => void shake()}>
              {words.shake}
            </button>
          </div>
        </>
      )}
      {now && <JobProgress job={now} />}
    </>
  );
}
