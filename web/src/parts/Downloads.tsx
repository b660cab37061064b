/** Take a case home: as a script, a study, tables, figures, a film or a link. */

import { useSignal, type Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { ApiError, download, follow, get, post } from "../api";
import { t } from "../texts";
import type { CaseSpec, Job, JobState } from "../types";
import "./downloads.css";
import { JobProgress } from "./JobProgress";

const FILES = ["script", "study", "csv", "nc", "png", "svg"] as const;
const FILMS = ["gif", "mp4"] as const;

/** A file that can be taken. */
export interface Taken {
  what: string;
  label: string;
  words: string;
  content: () => ReturnType<typeof download>;
}

interface Props {
  case: CaseSpec;
  /** The address of this state, from "#" on. */
  link: string;
  /** Whether it can be filmed. */
  filmed?: boolean;
  /** Whether there is nothing to take yet. */
  disabled?: boolean;
  /** Those of a run of one object unless given. */
  files?: readonly Taken[];
}

export function Downloads({ case: asked, link, filmed = true, disabled = false, files = ofCase(asked) }: Props) {
  const id = useId();
  const said = useSignal("");
  const wrong = useSignal("");
  const busy = useSignal(false);
  const film = useSignal<JobState | null>(null);

  const trying = async (work: () => Promise<string>) => {
    busy.value = true;
    said.value = wrong.value = "";
    try {
      said.value = await work();
    } catch (error) {
      wrong.value = error instanceof ApiError ? error.message : String(error);
    }
    busy.value = false;
  };
  const takeFilm = (format: string) =>
    trying(async () => {
      const job = await madeFilm(asked, format, film);
      return job.state === "done" ? saveFilm(job) : "";
    });

  return (
    <div class="downloads">
      <div class="row">
        <button type="button" popovertarget={id} disabled={disabled}>
          {t.take.title}
        </button>
        <CopyLink link={link} />
      </div>
      <div id={id} popover="auto" class="explanation taking" role="group" aria-label={t.take.title}>
        <h3>{t.take.title}</h3>
        <p class="quiet small">{t.take.sentence}</p>
        <ul>
          {files.map((one) => (
            <Entry key={one.what} {...one} busy={busy} onClick={() => trying(async () => save(await one.content()))} />
          ))}
          {filmed &&
            FILMS.map((what) => {
              const [label, words] = t.take.files[what];
              return <Entry key={what} what={what} label={label} words={words} busy={busy} onClick={() => takeFilm(what)} />;
            })}
        </ul>
        {film.value && film.value.state !== "done" && <JobProgress job={film.value} />}
        <p role="status" class="small">
          {busy.value && !film.value ? t.take.making : said.value}
        </p>
        {wrong.value && (
          <p role="alert" class="problem small">
            {wrong.value}
          </p>
        )}
      </div>
    </div>
  );
}

/** The files of a case. */
function ofCase(asked: CaseSpec): Taken[] {
  return FILES.map((what) => {
    const [label, words] = t.take.files[what];
    return { what, label, words, content: () => download(`take/${what}`, asked) };
  });
}

interface EntryProps {
  what: string;
  label: string;
  words: string;
  busy: Signal<boolean>;
  onClick: () => void;
}

function Entry({ what, label, words, busy, onClick }: EntryProps) {
  return (
    <li>
      <button type="button" data-take={what} disabled={busy.value} onClick={onClick}>
        <span>{label}</span> <span class="quiet small">{words}</span>
      </button>
    </li>
  );
}

/** Puts the link into the clipboard; where the browser does not let us, it is shown instead. */
function CopyLink({ link }: { link: string }) {
  const copied = useSignal("");
  const shown = useSignal(false);
  const whole = location.origin + location.pathname + link;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(whole);
      copied.value = link;
    } catch {
      shown.value = true;
    }
  };
  return (
    <>
      <button type="button" data-take="link" onClick={() => void copy()}>
        {t.take.copy}
      </button>
      <span role="status" class="quiet small">
        {copied.value === link ? t.take.copied : ""}
      </span>
      {shown.value && (
        <input type="text" readonly aria-label={t.take.link} value={whole} onFocus={(e) => e.currentTarget.select()} />
      )}
    </>
  );
}

/** Starts the film and waits for it. */
async function madeFilm(asked: CaseSpec, format: string, film: Signal<JobState | null>): Promise<JobState> {
  const job = await post<JobState>("jobs", { kind: "film", case: asked, format });
  return new Promise((resolve) => {
    follow(job.id, {
      state: (state) => {
        film.value = state;
        if (["done", "failed", "cancelled"].includes(state.state)) resolve(state);
      },
    });
  });
}

async function saveFilm(job: JobState): Promise<string> {
  const { files } = await get<Job>(`jobs/${job.id}`);
  return save(await download(`jobs/${job.id}/files/${encodeURIComponent(files[0] ?? "")}`));
}

/** Hands a file to the browser, which puts it where downloads go. */
function save({ name, content }: { name: string; content: Blob }): string {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return `${t.take.saved} ${name}`;
}
