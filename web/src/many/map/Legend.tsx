/** The colours in words. Pressing one shows it alone, which helps whoever cannot tell them apart. */

import { t } from "../../texts";
import type { Grid } from "./grid";
import { WAY_COLOURS } from "./draw";

const words = t.many.map;

interface Props {
  grid: Grid;
  only: number | null;
  onOnly: (value: number | null) => void;
  closedForms: boolean;
  onClosedForms: (shown: boolean) => void;
}

export function Legend({ grid, only, onOnly, closedForms, onClosedForms }: Props) {
  const lines = Object.entries(grid.frame.closed_forms).filter(([, values]) => values.some((v) => v !== null));
  return (
    <div class="many-legend">
      {grid.shares ? <Ramp /> : <Ways grid={grid} only={only} onOnly={onOnly} />}
      {lines.length > 0 && (
        <label class="row many-lines">
          <input
            type="checkbox"
            checked={closedForms}
            onChange={(e) => onClosedForms(e.currentTarget.checked)}
          />
          <span>{words.closedForms}</span>
          {lines.map(([name], k) => (
            <span key={name} class="row">
              <svg width="34" height="8" aria-hidden="true">
                <line x1="0" y1="4" x2="34" y2="4" class={`many-line-${k}`} />
              </svg>
              {name}
            </span>
          ))}
        </label>
      )}
    </div>
  );
}

function Ways({ grid, only, onOnly }: Pick<Props, "grid" | "only" | "onOnly">) {
  const counts = grid.counts();
  const all = [...counts.values()].reduce((a, b) => a + b, 0);
  return (
    <ul aria-label={words.legend}>
      {grid.frame.ways
        .filter(({ way }) => counts.has(way))
        .map(({ way, words: name }) => (
          <li key={way}>
            <button type="button" aria-pressed={only === way} onClick={() => onOnly(only === way ? null : way)}>
              <span class={`many-swatch ${WAY_COLOURS[way + 1]}`} aria-hidden="true" />
              {name}
              <span class="quiet number">{words.percent(counts.get(way)! / all)}</span>
            </button>
          </li>
        ))}
    </ul>
  );
}

function Ramp() {
  return (
    <div class="many-ramp">
      <span>{words.none}</span>
      <span class="many-ramp-bar" aria-hidden="true" />
      <span>{words.all}</span>
    </div>
  );
}
