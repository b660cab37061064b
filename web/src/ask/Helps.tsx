/** What would halve the chance that it falls, a card each. */

import { Explain } from "../parts/Explain";
import { Panel } from "../parts/Panel";
import { t } from "../texts";
import { cards, share, state, stopped, type Card } from "./state";
import { digits, percent, size } from "./words";

const words = t.ask.helps;
const GRAVITY = 9.80665; // m/s² in a g

export function Helps() {
  const found = cards.value;
  const free = found?.some((card) => card.key === "fixed");
  const idle = found?.every((card) => card.key !== "anchor" && card.best === null);
  return (
    <Panel title={words.title} sentence={free ? words.sentenceFree : words.sentence}>
      {!found && <p class="quiet">{stopped.value ? t.ask.stopped : words.waiting}</p>}
      {idle && <p>{words.nothing}</p>}
      {found && !idle && (
        <div class="cards">
          {found.map((card) => (
            <Help key={card.key} card={card} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Help({ card }: { card: Card }) {
  return (
    <article class="card" data-help={card.key} data-value={card.value ?? card.pull ?? ""}>
      <h3>{words[card.key]}</h3>
      <p class="advice">{advice(card)}</p>
      {card.value !== null && card.key !== "anchor" && card.key !== "fixed" && (
        <p class="quiet">
          {words.left(percent(card.left), state.value.question.years)}
          {then(card)}.
        </p>
      )}
      {card.key === "anchor" && <p class="quiet">{words.static}</p>}
      <Explain term={words.from}>{basis(card)}</Explain>
    </article>
  );
}

function advice(card: Card): string {
  if (card.key === "fixed") return words.fixedWords(card.count, share.value?.count ?? 0, card.of);
  if (card.key === "anchor") return words.anchorWords(digits(card.pull / 1000, 2));
  if (card.value === null) {
    const none = card.key === "centre" ? words.noneCentre : words.none;
    return none(size(card.last), percent(card.best ?? 1));
  }
  if (card.key === "plinth") return words.plinthWords(size(card.value), size(card.plinth_height));
  if (card.key === "width") return words.widthWords(size(card.value), size(card.now));
  return words.centreWords(size(card.value), size(card.now), digits(card.ballast, 2));
}

/** How many overturn it then at the strength of the place; nothing where none does as it is. */
function then(card: Card): string {
  const before = Math.round(100 * (share.value?.share ?? 0));
  return before ? `; ${words.then(Math.round(100 * card.share), before)}` : "";
}

function basis(card: Card): string {
  if (card.key === "fixed") return words.fromFixed;
  if (card.key === "plinth") return words.fromPlinth;
  if (card.key === "width") return words.fromWidth;
  if (card.key === "centre") return words.fromCentre;
  const a = card.holds_to * card.amplification * GRAVITY;
  return words.fromAnchor(digits(card.mass), digits(a), digits(card.com_height), digits(card.b), digits(card.width));
}
