/** How worn a building is: a band for each state of damage, and a needle. */

import { t } from "../texts";

const BAND_COLOURS = ["stand", "accent", "second", "fall", "fall"];
const [CX, CY, R] = [110, 104, 84];

interface Props {
  /** Lost share of stiffness and strength [-]; null where it is not known. */
  wear: number | null;
  /** Where the states of damage begin, from slight to complete. */
  limits: number[];
}

/** The state of damage, from 0 (none). */
export function stateOf(wear: number, limits: number[]): number {
  return limits.filter((limit) => wear >= limit).length;
}

export function Gauge({ wear, limits }: Props) {
  const state = stateOf(wear ?? 0, limits);
  const [nx, ny] = onArc(along(wear ?? 0, limits), R - 18);
  const told = wear === null ? t.building.unknown : percent(wear);
  return (
    <div class="gauge" role="img" aria-label={`${t.building.wear}: ${told}, ${t.building.damage[state]}`}>
      <svg viewBox="-4 0 228 132" aria-hidden="true">
        {BAND_COLOURS.map((name, k) => (
          <path key={k} d={arc(k / 5 + 0.006, (k + 1) / 5 - 0.006)} class={`band ${k === state ? "here" : ""}`} stroke={`var(--${name})`} />
        ))}
        {limits.map((limit, k) => {
          const [x, y] = onArc((k + 1) / 5, R + 17);
          return (
            <text key={k} x={x} y={y + 3} class="limit">
              {Number((100 * limit).toPrecision(2))} %
            </text>
          );
        })}
        {wear !== null && <line x1={CX} y1={CY} x2={nx} y2={ny} class="needle" />}
        <circle cx={CX} cy={CY} r="5" class="hub" />
        <text x={CX} y={CY + 25} class="told">
          {told}
        </text>
      </svg>
    </div>
  );
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value < 0.05 ? 0 : Number(value.toFixed(value < 10 ? 1 : 0))} %`;
}

/** Where on the gauge [0 to 1]: each state of damage has a fifth of it. */
function along(wear: number, limits: number[]): number {
  const edges = [0, ...limits, 1];
  const k = Math.min(stateOf(wear, limits), 4);
  const share = (wear - edges[k]!) / (edges[k + 1]! - edges[k]!);
  return Math.min(1, (k + Math.min(Math.max(share, 0), 1)) / 5);
}

function onArc(part: number, r: number): [number, number] {
  const angle = Math.PI * (1 - part);
  return [CX + r * Math.cos(angle), CY - r * Math.sin(angle)];
}

function arc(from: number, to: number): string {
  const [x1, y1] = onArc(from, R);
  const [x2, y2] = onArc(to, R);
  return `M ${x1.toFixed(2)} ${y1.toFixed(2)} A ${R} ${R} 0 0 1 ${x2.toFixed(2)} ${y2.toFixed(2)}`;
}
