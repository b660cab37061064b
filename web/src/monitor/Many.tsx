/** All buildings, the most urgent first. */

import { percent } from "../building/Gauge";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { board, change, clock, written, type Card } from "./state";

const words = t.monitor;

export function Many() {
  const cards = board.value?.buildings ?? [];
  const urgent = cards.filter((one) => (one.urgency ?? 1) <= 2).length;
  return (
    <Panel title={words.many} sentence={words.manySentence}>
      <p class="outcome" role="status">
        {words.count(cards.length, urgent)}
      </p>
      <div class="scrolled" role="group" tabIndex={0} aria-label={words.many}>
        <table class="number buildings">
          <thead>
            <tr>
              <th scope="col">{words.columns.name}</th>
              <th scope="col">{words.columns.state}</th>
              <th scope="col">{words.columns.nearest}</th>
              <th scope="col">{words.columns.value}</th>
              <th scope="col" class="wide">{words.columns.peak}</th>
              <th scope="col" class="wide">{words.columns.alarms}</th>
              <th scope="col" class="wide">{words.columns.feed}</th>
            </tr>
          </thead>
          <tbody>
            {cards.map((one) => (
              <Row key={one.name} one={one} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Row({ one }: { one: Card }) {
  const urgency = one.urgency ?? 1;
  const [quantity, value] = Object.entries(one.values ?? {})[0] ?? ["", null];
  const raised = one.alarms?.filter((alarm) => alarm.raised).length ?? 0;
  return (
    <tr data-urgency={urgency}>
      <th scope="row">
        <button type="button" class="open" onClick={() => change({ name: one.name })}>
          <span class={`lamp u${urgency}`} aria-hidden="true" />
          {one.name}
        </button>
        {one.demonstration && board.value?.watching && <span class="tag">{words.demonstration}</span>}
      </th>
      <td>{one.problem ? words.urgencies[1] : urgency === 4 ? one.status : words.urgencies[urgency]}</td>
      <td>
        <Share share={one.nearest ?? 0} />
      </td>
      <td>
        {quantity && (
          <>
            {words.quantities[quantity as keyof typeof words.quantities] ?? quantity}{" "}
            {written(value, one.units?.[quantity] ?? "")}
          </>
        )}
      </td>
      <td class="wide">{one.peak === undefined ? "" : written(one.peak, one.coordinate?.unit ?? "")}</td>
      <td class="wide">{one.alarms ? `${raised} / ${one.alarms.length}` : ""}</td>
      <td class="wide">
        {one.followed && words.followed[one.followed]}
        {one.time !== undefined && `, ${clock(one.time)}`}
      </td>
    </tr>
  );
}

/** How much of the nearest threshold is reached. */
export function Share({ share }: { share: number }) {
  const full = Math.min(share, 1);
  return (
    <span class="share">
      <meter min={0} max={1} low={0.5} high={0.99} optimum={0} value={full} aria-label={percent(share)} />
      <span aria-hidden="true">{share >= 1 ? words.reached : percent(share)}</span>
    </span>
  );
}
