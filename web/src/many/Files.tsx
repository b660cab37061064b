/** What a job has made, to take along. */

import { t } from "../texts";

export function Files({ id, names }: { id: string; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <p class="row many-files">
      <span class="quiet">{t.many.files}</span>
      {names.map((name) => (
        <a key={name} class="button" href={`/api/jobs/${id}/files/${encodeURIComponent(name)}`} download={name}>
          {name}
        </a>
      ))}
    </p>
  );
}
