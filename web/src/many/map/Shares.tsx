/** The map as a table: the share that falls in a part of it, for those who cannot see the colours. */

import { useMemo, useState } from "preact/hooks";
import { t } from "../../texts";
import type { Grid } from "./grid";
import { number } from "./words";

const words = t.many.map;
const PARTS = 6;

export function Shares({ grid, version }: { grid: Grid; version: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="many-table" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{words.table}</summary>
      {open && <Table grid={grid} version={version} />}
    </details>
  );
}

function Table({ grid, version }: { grid: Grid; version: number }) {
  const { x, y } = grid.frame;
  const rows = useMemo(() => summed(grid), [grid, version]);
  const range = (values: number[], k: number) => {
    const [first, last] = bounds(values.length, k);
    return `${number(values[first]!)} – ${number(values[last]!)}`;
  };
  return (
    <div class="many-scroll" tabIndex={0} role="region" aria-label={words.tableCaption}>
      <table>
        <caption>{words.tableCaption}</caption>
        <thead>
          <tr>
            <th scope="col">
              {y.label} \ {x.label}
            </th>
            {rows[0]!.map((_, k) => (
              <th key={k} scope="col">
                {range(x.values, k)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .map((row, k) => (
              <tr key={k}>
                <th scope="row">{range(y.values, k)}</th>
                {row.map((share, n) => (
                  <td key={n}>{share === null ? "–" : words.percent(share)}</td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </div>
  );
}

/** The first and the last point of a part of an axis. */
function bounds(count: number, part: number): [number, number] {
  const parts = Math.min(PARTS, count);
  return [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts) - 1];
}

/** The share of runs that fell, over parts of both axes; null where there is none yet. */
function summed(grid: Grid): (number | null)[][] {
  const parts = (count: number) => [...Array(Math.min(PARTS, count)).keys()].map((k) => bounds(count, k));
  return parts(grid.ny).map(([bottom, top]) =>
    parts(grid.nx).map(([left, right]) => {
      let fell = 0;
      let known = 0;
      for (let i = left; i <= right; i++)
        for (let j = bottom; j <= top; j++) {
          const point = grid.at(i, j);
          if (!point.seen) continue;
          fell += grid.shares ? point.fell : Number(point.way?.falls ?? false);
          known += grid.shares ? point.known : Number((point.way?.way ?? -1) >= 0);
        }
      return known ? fell / known : null;
    }),
  );
}
