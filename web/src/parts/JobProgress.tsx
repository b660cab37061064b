/** How far a job is, and how to stop it. */

import { post } from "../api";
import { t } from "../texts";
import type { JobState } from "../types";

export function JobProgress({ job }: { job: JobState }) {
  if (job.state === "done") return null;
  if (job.state === "failed")
    return (
      <p class="problem" role="alert">
        {t.parts.failed}: {job.error}
      </p>
    );
  if (job.state === "cancelled") return <p class="quiet">{t.parts.cancelled}</p>;
  const words = job.state === "queued" ? job.words || t.parts.waiting : job.words;
  return (
    <div class="job">
      <div class="row spread">
        <span role="status">{words}</span>
        <button type="button" onClick={() => void post(`jobs/${job.id}/cancel`, {})}>
          {t.parts.cancel}
        </button>
      </div>
      <progress aria-label={words} value={job.total ? job.done : undefined} max={job.total || 1} />
    </div>
  );
}
