/** The numbers behind the words, each explained where it stands. */

import type { ComponentChildren } from "preact";
import { Explain } from "../parts/Explain";
import { angleUnit, inAngles } from "../settings";
import { t } from "../texts";
import type { Share } from "./state";
import { digits, percent } from "./words";

const words = t.ask.numbers;

/** Those that two bodies, one free on the other, do not have. */
function ofOneBody(n: Share["numbers"]): [ComponentChildren, string][] {
  return [
    [<Explain term={words.alpha}>{words.alphaWords}</Explain>, `${digits(inAngles(n.alpha!), 4)} ${angleUnit()}`],
    [<Explain term={words.p}>{words.pWords}</Explain>, `${digits(n.p!, 4)} rad/s`],
    [<Explain term={words.eta}>{words.etaWords}</Explain>, digits(n.eta!, 4)],
    [<Explain term={words.lifts}>{words.liftsWords}</Explain>, `${digits(n.lifts_at!, 4)} g`],
    [words.R, `${digits(n.R!, 4)} m`],
    [words.centre, `${digits(n.com_height!, 4)} m`],
    [words.inertia, `${digits(n.inertia!, 4)} kg m²`],
  ];
}

export function Numbers({ found }: { found: Share }) {
  const n = found.numbers;
  const rows: [ComponentChildren, string][] = [
    [words.share, `${found.count}/${found.of} = ${percent(found.share)}`],
    [words.interval(Math.round(100 * found.level)), `${percent(found.low)} – ${percent(found.high)}`],
    [words.pga, `${digits(found.pga)} g`],
    [<Explain term={words.lean}>{words.leanWords}</Explain>, digits(found.lean)],
    ...(typeof n.alpha === "number" ? ofOneBody(n) : []),
    [words.mass, `${digits(n.mass!, 4)} kg`],
    ...(n.floor ? ([[words.floor, n.floor], [words.amplification, digits(n.amplification!)]] as [string, string][]) : []),
    [words.motions, `${n.motions}, ${n.independent}`],
    [words.theory, n.theory],
  ];
  return (
    <details class="panel numbers">
      <summary>{words.title}</summary>
      <dl>
        {rows.map(([term, value], i) => (
          <div key={i}>
            <dt>{term}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
