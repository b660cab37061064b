/** What happened, in words, of each theory. */

import { linkTo } from "../address";
import { angleUnit, inAngles } from "../settings";
import { Waiting } from "../parts/Waiting";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import type { Run } from "../types";
import { COLOURS, answer, asked, busy, compiling, refused, waited } from "./state";

export function Result() {
  const runs = (!refused.value && answer.value?.runs) || [];
  const { body, floor = null, motion = null } = asked.value;
  const standing = { body, floor, motion };
  return (
    <div class="result" aria-live="polite" aria-busy={busy.value}>
      <Waiting busy={busy} answer={answer} compiling={compiling} waited={waited} />
      {refused.value && <p class="problem">{t.parts.notComputed(refused.value)}</p>}
      {runs.length > 0 && <Warnings said={answer.value?.warnings} />}
      {runs.map((run, k) => (
        <Verdict key={run.name} run={run} k={k} many={runs.length > 1} />
      ))}
      {runs.length > 0 && answer.value?.refused.map((one) => (
        <p key={one.name} class="warning small">
          {one.title}: {one.error}
        </p>
      ))}
      {runs.length > 0 && (
        <p class="quiet small">
          {t.bench.result.one} <a href={linkTo("many", { question: "fragility", ...standing })}>{t.bench.result.often}</a>
        </p>
      )}
    </div>
  );
}

function Verdict({ run, k, many }: { run: Run; k: number; many: boolean }) {
  return (
    <div class="verdict" data-theory={run.name}>
      <p class={`outcome ${run.fell ? "fell" : "stood"}`}>
        {many && <span class="dot" style={{ background: `var(--${COLOURS[k % COLOURS.length]})` }} />}
        {many ? `${run.title}: ` : ""}
        {run.outcome}
      </p>
      <p class="quiet small number">
        <data class="peak" value={String(run.peak)}>
          {run.fell ? "" : `${t.bench.result.peak} ${size(run)}`}
        </data>
        {run.away && run.slide !== 0 && `${run.fell ? "" : " · "}${t.bench.result.slide} ${(1000 * run.slide).toFixed(0)} mm`}
      </p>
      <Warnings said={run.warnings} />
    </div>
  );
}

/** The largest lean, relative and as an angle. */
function size({ peak, peak_angle, coordinate }: Run): string {
  if (!coordinate.over) return `${peak.toPrecision(4)} ${coordinate.unit}`;
  const angle = coordinate.unit === "rad" ? ` = ${inAngles(Math.abs(peak_angle)).toPrecision(3)}${angleUnit() === "°" ? "" : " "}${angleUnit()}` : "";
  return `${coordinate.ratio} ${peak.toPrecision(4)}${angle}`;
}
