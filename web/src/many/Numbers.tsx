/** A table of numbers, on demand. */

import { useState } from "preact/hooks";
import { t } from "../texts";

interface Props {
  caption: string;
  head: string[];
  rows: () => (string | number | null)[][];
}

export function Numbers({ caption, head, rows }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details class="many-table" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{t.many.table}</summary>
      {open && (
        <div class="many-scroll" tabIndex={0} role="region" aria-label={caption}>
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map((row, k) => (
                <tr key={k}>
                  {row.map((value, n) => (
                    <td key={n}>{typeof value === "number" ? <Exact value={value} /> : (value ?? "–")}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** Four digits to read; all of them for whoever copies the table by a program. */
function Exact({ value }: { value: number }) {
  return <data value={String(value)}>{Number(value.toPrecision(4))}</data>;
}
