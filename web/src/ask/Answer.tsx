/** The answer: a sentence, its interval, what would halve it, the report. */

import { JobProgress } from "../parts/JobProgress";
import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { Warnings } from "../parts/Warnings";
import { t } from "../texts";
import { Helps } from "./Helps";
import { Numbers } from "./Numbers";
import { Figure } from "./Picture";
import { about, ask, job, problem, result, share, state, stopped, type Share } from "./state";
import { Take } from "./Take";
import { digits, drawn, size } from "./words";

const words = t.ask;

export function Answer() {
  const found = share.value;
  return (
    <div class="answers">
      <Summary />
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {job.value && <JobProgress job={job.value} />}
      {stopped.value && (
        <button type="button" onClick={() => void ask()}>
          {words.again}
        </button>
      )}
      <section class="panel verdict" aria-live="polite" aria-busy={!found && !stopped.value}>
        <p class="quiet">{words.answer.title}</p>
        {found ? <Count found={found} /> : <h1 class="quiet">{stopped.value ? words.stopped : words.answer.waiting}</h1>}
      </section>
      <Risk />
      <Helps />
      <Take />
      {found && <Numbers found={found} />}
      {result.value && (
        <details class="panel">
          <summary>{words.limits.title}</summary>
          <ul>
            {result.value.limits.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** What was asked, in a line. */
function Summary() {
  const { what, fixing, height, width, storey, storeys, place, years, name } = state.value.question;
  const shaking = place.levels ? words.summary.table : place.pga !== undefined ? words.summary.pga(digits(place.pga)) : words.summary.strength(words.place.strengths[place.strength!] ?? "");
  const parts = [
    name || (words.what.kinds[what] ?? what),
    ...(fixing ? [words.fixing.summary[fixing] ?? ""] : []),
    `${size(height)} × ${size(width)}`,
    storey ? words.summary.floor(storey, storeys) : words.summary.ground,
    shaking,
    words.summary.years(years),
  ];
  return (
    <div class="summary">
      <p>{parts.join(" · ")}</p>
      <button type="button" onClick={() => (state.value = { ...state.value, asked: false })}>
        {words.change}
      </button>
    </div>
  );
}

function Count({ found }: { found: Share }) {
  const said = words.answer;
  const { all, lying } = drawn(found);
  return (
    <>
      <h1 class="said">{found.sentence}</h1>
      {found.assumed && <p class="warning">{found.assumed}</p>}
      <Row all={all} lying={lying} />
      <p class="quiet">
        {all !== 100 && `${said.one(found.of)} `}
        {found.rocked === null ? "" : found.rocked ? said.rocked(`${digits((100 * found.rocked) / found.of, 2)} %`) : said.still(digits(found.numbers.lifts_at!))} {found.failed > 0 && said.failed(found.failed)}
      </p>
      <p class="terms">
        <Explain term={said.strength}>{said.strengthWords(found.of + found.failed, digits(found.pga))}</Explain>
        <Explain term={found.count === 0 ? said.atMost : found.count === found.of ? said.atLeast : said.between}>{said.betweenWords(found.count, found.of, Math.round(100 * found.level))}</Explain>
      </p>
    </>
  );
}

/** So many little objects, of which some lie. */
function Row({ all, lying }: { all: number; lying: number }) {
  const { what, height, width } = state.value.question;
  void about.value; // drawn again when the outlines are there
  return (
    <div class="hundred" role="img" aria-label={words.answer.row(lying, all)}>
      {Array.from({ length: all }, (_, i) => (
        <Figure key={i} what={what} height={height} width={width} lying={i < lying} />
      ))}
    </div>
  );
}

function Risk() {
  const { years } = state.value.question;
  const found = result.value;
  return (
    <Panel title={words.risk.title(years)} sentence={words.risk.sentence}>
      {found ? (
        <>
          <p class="answer">{found.answer}</p>
          <Warnings said={found.warnings} />
          <details>
            <summary>{words.risk.sure}</summary>
            <ul>
              {found.beside.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
        </>
      ) : (
        <p class="quiet">{stopped.value ? words.stopped : words.risk.waiting}</p>
      )}
    </Panel>
  );
}
