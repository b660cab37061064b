/** The questions, one under the other, and a drawing of the object beside them. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Choice } from "../parts/Choice";
import { NumberField } from "../parts/Slider";
import { rejected } from "../parts/entry";
import { t } from "../texts";
import { Picture } from "./Picture";
import { set, state, unanswered, unread, type Question } from "./state";
import { Fixing, Sizes, Weight, What } from "./What";
import { Floor, Where } from "./Where";

const words = t.ask;

export function Questions() {
  return (
    <div class="questions">
      <header class="opening">
        <h1>{words.title}</h1>
        <p>{words.sentence}</p>
      </header>
      <div class="list">
        <What />
        <Fixing />
        <Sizes />
        <Weight />
        <Floor />
        <Where />
        <Years />
        <ForReport />
        <button type="button" class="main go" disabled={Boolean(unread.value || rejected.value || unanswered.value)} onClick={shake}>
          {words.go}
        </button>
        {unread.value && (
          <p class="problem" role="alert">
            {words.place.unreadTable}
          </p>
        )}
        {unanswered.value && <p class="quiet">{unanswered.value}</p>}
        {!unread.value && rejected.value && <p class="problem">{words.cannot(rejected.value)}</p>}
      </div>
      <aside class="beside">
        <Picture />
      </aside>
    </div>
  );
}

function shake(): void {
  state.value = { ...state.value, asked: true };
  scrollTo({ top: 0 });
}

/** One question: large, with a sentence that says what is meant. */
export function Ask({ question, sentence, children }: { question: string; sentence: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="question" aria-labelledby={id}>
      <h2 id={id}>{question}</h2>
      <p class="quiet">{sentence}</p>
      {children}
    </section>
  );
}

const USUAL = [10, 30, 50, 100];

function Years() {
  const { years } = state.value.question;
  return (
    <Ask question={words.years.question} sentence={words.years.sentence}>
      <Choice
        label={words.years.label}
        hidden
        options={USUAL.map((one) => ({ value: String(one), label: words.summary.years(one) }))}
        value={String(years)}
        onChange={(value) => set({ years: Number(value) })}
      />
      <NumberField label={words.years.label} names={["years"]} unit={words.years.unit} min={1} max={10_000} value={years} onChange={(value) => set({ years: value })} />
    </Ask>
  );
}

function ForReport() {
  return (
    <details class="question">
      <summary>{words.report.title}</summary>
      <p class="quiet">{words.report.sentence}</p>
      {(["name", "site", "author"] as const).map((name) => (
        <TextField key={name} name={name} />
      ))}
    </details>
  );
}

function TextField({ name }: { name: "name" | "site" | "author" }) {
  const id = useId();
  return (
    <div class="text">
      <label for={id}>{words.report[name]}</label>
      <input
        id={id}
        type="text"
        maxLength={200}
        value={state.value.question[name]}
        onInput={(e) => set({ [name]: e.currentTarget.value } as Partial<Question>)}
      />
    </div>
  );
}
