/** Which line is which: in its colour and its dashes. */

import { t } from "../texts";

export const LOOKS = [
  { colour: "accent", dash: [] },
  { colour: "second", dash: [8, 4] },
  { colour: "third", dash: [2, 3] },
  { colour: "fourth", dash: [10, 3, 2, 3] },
  { colour: "fall", dash: [5, 5] },
  { colour: "stand", dash: [1, 4] },
  { colour: "ink", dash: [12, 6] },
  { colour: "soft", dash: [4, 2] },
] as const;

export function look(k: number) {
  const { colour, dash } = LOOKS[k % LOOKS.length]!;
  return { colour, dash: [...dash] };
}

export function Key({ names }: { names: string[] }) {
  return (
    <ul class="many-key" aria-label={t.many.lines}>
      {names.map((name, k) => (
        <li key={name}>
          <svg width="34" height="8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="34"
              y2="4"
              class={`many-stroke-${look(k).colour}`}
              stroke-width="2.5"
              stroke-dasharray={look(k).dash.join(" ")}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
