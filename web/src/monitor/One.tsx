/** One building: what it does now, how worn it is, its alarms and its history. */

import { Gauge, percent, stateOf } from "../building/Gauge";
import { Choice } from "../parts/Choice";
import { Panel } from "../parts/Panel";
import { Plot } from "../parts/Plot";
import { t } from "../texts";
import { Share } from "./Many";
import { board, card, change, clock, count, days, limits, lines, points, shown, written, type Card, type Point } from "./state";
import { Traces } from "./Traces";

const words = t.monitor;
const WINDOWS = ["10", "30", "300", "3000"] as const;

export function One() {
  const now = card.value;
  const several = (board.value?.buildings.length ?? 0) > 1;
  return (
    <>
      <div class="row spread">
        <div class="row">
          {several && (
            <button type="button" onClick={() => change({ name: "" })}>
              ← {words.all}
            </button>
          )}
          <h2 class="big">{shown.value.name}</h2>
          {now?.demonstration && <span class="tag">{words.demonstration}</span>}
        </div>
        {!several && !now && (
          <button type="button" onClick={() => change({ name: "" })}>
            {words.all}
          </button>
        )}
      </div>
      {now ? <Known now={now} /> : <p class="quiet" role="status">{board.value?.reading ? t.loading : words.unknown}</p>}
    </>
  );
}

function Known({ now }: { now: Card }) {
  return (
    <div class="one">
      <div>
        <Panel
          title={words.traces}
          sentence={words.tracesSentence}
          aside={
            <Choice
              label={words.window}
              hidden
              options={WINDOWS.map((value) => ({ value, label: words.windows[value] }))}
              value={String(shown.value.window) as (typeof WINDOWS)[number]}
              onChange={(value) => change({ window: Number(value) })}
            />
          }
        >
          <State now={now} />
          <Traces />
        </Panel>
        <History now={now} />
      </div>
      <div>
        <Worn now={now} />
        <Alarms now={now} />
        <Feed now={now} />
      </div>
    </div>
  );
}

function State({ now }: { now: Card }) {
  return (
    <div class="result" aria-live="polite">
      {now.problem && <p class="problem">{now.problem}</p>}
      <p class={`outcome ${now.over ? "fell" : ""}`}>{now.words}</p>
      {now.damaged?.map((said) => (
        <p key={said} class="warning">
          {said}
        </p>
      ))}
      {now.doubts?.map((doubt) => (
        <p key={doubt.reason} class="warning">
          {words.uncertain} {doubt.words} ({words.times(doubt.count)}
          {doubt.seconds > 0 && `, ${doubt.seconds.toFixed(1)} s`}).
        </p>
      ))}
    </div>
  );
}

function Worn({ now }: { now: Card }) {
  const wear = now.values?.wear;
  const ratio = now.frequency?.ratio;
  return (
    <Panel title={wear === undefined ? words.values : t.building.wear} sentence={words.valuesSentence}>
      {wear !== undefined && (
        <>
          <Gauge wear={wear} limits={limits.value} />
          {wear !== null && (
            <p class="meaning">
              <strong>{t.building.damage[stateOf(wear, limits.value)]}.</strong>{" "}
              {t.building.meaning[stateOf(wear, limits.value)]}
            </p>
          )}
        </>
      )}
      <dl class="facts number">
        {Object.entries(now.values ?? {}).map(([name, value]) => (
          <>
            <dt>{words.quantities[name as keyof typeof words.quantities] ?? name}</dt>
            <dd data-quantity={name}>{written(value, now.units?.[name] ?? "")}</dd>
          </>
        ))}
        <dt>{words.peak}</dt>
        <dd>{written(now.peak ?? null, now.coordinate?.unit ?? "")}</dd>
        {ratio != null && now.frequency?.unworn != null && (
          <>
            <dt>{t.building.frequency}</dt>
            <dd>
              {(ratio * now.frequency.unworn).toFixed(2)} Hz, {t.building.slower(percent(1 - ratio))}
            </dd>
          </>
        )}
        {now.frequency?.measured != null && (
          <>
            <dt>{words.measured}</dt>
            <dd>{now.frequency.measured.toFixed(2)} Hz</dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function Alarms({ now }: { now: Card }) {
  const alarms = [...(now.alarms ?? [])].sort((a, b) => (b.time ?? -Infinity) - (a.time ?? -Infinity));
  return (
    <Panel title={words.alarms} sentence={words.alarmsSentence}>
      {!alarms.length && <p class="quiet">{words.noAlarms}</p>}
      <ul class="alarms number" aria-live="polite">
        {alarms.map((alarm) => {
          const name = words.quantities[alarm.quantity as keyof typeof words.quantities] ?? alarm.quantity;
          const value = now.values?.[alarm.quantity] ?? 0;
          return (
            <li key={`${alarm.quantity}${alarm.threshold}`} class={alarm.raised ? "raised" : ""}>
              <span>
                {name} ≥ {written(alarm.threshold, alarm.unit)}
              </span>
              {alarm.raised ? (
                <strong>
                  {words.raised} {clock(alarm.time ?? 0)}
                </strong>
              ) : (
                <Share share={value / alarm.threshold} />
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Feed({ now }: { now: Card }) {
  return (
    <Panel title={words.feed} sentence={words.feedSentence}>
      <p>
        {now.demonstration && now.followed === "live" ? words.demonstrated : now.followed && words.followedSentence[now.followed]}{" "}
        <span class="quiet number">{words.samples(now.samples ?? 0, clock(now.time ?? 0))}</span>
      </p>
      {now.clock?.map((said) => (
        <p key={said} class="quiet">
          {words.sensorClock} {said}.
        </p>
      ))}
      {lines.value.length > 0 && (
        <details class="options">
          <summary>{words.lines}</summary>
          <ol class="lines small">
            {[...lines.value].reverse().map((line, k) => (
              <li key={k}>
                <time>{line.at.replace("T", " ").slice(0, 19)}</time> {line.kind}
                {line.why && `: ${line.why}`}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Panel>
  );
}

/** The first of the watched quantities over all that is kept here, and over days. */
function History({ now }: { now: Card }) {
  void count.value;
  const [quantity] = Object.keys(now.values ?? {});
  if (!quantity) return null;
  const name = words.quantities[quantity as keyof typeof words.quantities] ?? quantity;
  const draw = (kept: Point[], unit: number, label: string) => (
    <Plot
      label={`${name}, ${label}`}
      x={kept.map((point) => (point[0] ?? 0) / unit)}
      lines={[{ label: name, colour: "fall", values: kept.map((point) => (point[3] == null ? null : 100 * point[3])) }]}
      yLabel="%"
      xLabel={label}
      height={150}
    />
  );
  const step = Math.ceil(points.length / 600);
  return (
    <Panel title={words.history(name)} sentence={words.historySentence}>
      {draw(points.filter((_, k) => k % step === 0), 1, words.seconds)}
      {days.value.length > 2 && draw(days.value, 86400, words.days)}
    </Panel>
  );
}
