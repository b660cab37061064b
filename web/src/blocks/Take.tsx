/** The stones, the run and its film as files. */

import { linkTo } from "../address";
import { download, get } from "../api";
import { Downloads, type Taken } from "../parts/Downloads";
import { t } from "../texts";
import type { Job } from "../types";
import { asCase, asked, refused, run, slow } from "./state";

const words = t.blocks.take;
const STONES = ["json", "compas", "dxf", "svg"] as const;

export function Take() {
  const one = asCase.value;
  if (!one) return null;
  const stones = (what: string) => download(`assembly/take/${what}`, one);
  const entry = (what: keyof typeof words, content: Taken["content"]): Taken => {
    const [label, about] = words[what];
    return { what, label, words: about, content };
  };
  const files = [
    entry("script", () => download("take/script", one)),
    ...(run.value ? [entry("displacements", () => (slow.value ? ofJob(asked.value.job!) : stones("displacements")))] : []),
    ...STONES.map((what) => entry(what, () => stones(what))),
  ];
  return <Downloads case={one} link={linkTo("blocks", asked.value)} files={files} filmed={run.value !== null} disabled={Boolean(refused.value)} />;
}

/** The table that the job has written. */
async function ofJob(id: string): ReturnType<typeof download> {
  const { files } = await get<Job>(`jobs/${id}`);
  return download(`jobs/${id}/files/${encodeURIComponent(files[0] ?? "")}`);
}
