/** The object drawn to scale beside a person, and small figures of it. */

import { t } from "../texts";
import { presetOf, single, state } from "./state";
import { size } from "./words";
import { centreOf } from "./What";

const words = t.ask;
const PERSON = 1.7; // m
type Point = [number, number];

/** The outline of a kind at a size [m], from the middle of its base. */
function outline(what: string, height: number, width: number): Point[] {
  const preset = presetOf(what);
  if (!preset) return [[-width / 2, 0], [width / 2, 0], [width / 2, height], [-width / 2, height]];
  return preset.outline.map(([x, y]) => [(x / preset.width) * width, (y / preset.height) * height]);
}

const path = (points: Point[]) => `M${points.map(([x, y]) => `${x.toFixed(4)} ${(-y).toFixed(4)}`).join("L")}Z`;

export function Picture() {
  const { what, height, width, com_height } = state.value.question;
  const high = Math.max(height, PERSON) * 1.08;
  const unit = high / 100; // of strokes and letters
  const left = -width / 2 - 16 * unit;
  const person = width / 2 + 22 * unit;
  const right = person + Math.max(0.35, 10 * unit);
  const centre = com_height ?? centreOf(height);
  const label = words.picture(words.what.kinds[what] ?? what, size(height), size(width));
  return (
    <svg class="picture" role="img" aria-label={label} viewBox={`${left} ${-high} ${right - left} ${high + 14 * unit}`}>
      <line class="ground" x1={left} x2={right} y1={0} y2={0} stroke-width={0.8 * unit} />
      <path class="stone" d={path(outline(what, height, width))} stroke-width={0.5 * unit} />
      {single.value && (
        <g class="centre" stroke-width={0.5 * unit}>
          <circle cx={0} cy={-centre} r={1.6 * unit} />
          <path d={`M${-2.6 * unit} ${-centre}h${5.2 * unit}M0 ${-centre - 2.6 * unit}v${5.2 * unit}`} />
        </g>
      )}
      <Person x={person} />
      <g class="sizes" stroke-width={0.3 * unit} font-size={4.2 * unit}>
        <path d={`M${-width / 2 - 4 * unit} 0V${-height}M${-width / 2} ${5 * unit}H${width / 2}`} />
        <text x={-width / 2 - 6 * unit} y={-height / 2} transform={`rotate(-90 ${-width / 2 - 6 * unit} ${-height / 2})`} text-anchor="middle">
          {size(height)}
        </text>
        <text x={0} y={10.5 * unit} text-anchor="middle">
          {size(width)}
        </text>
      </g>
    </svg>
  );
}

function Person({ x }: { x: number }) {
  return (
    <g class="person" transform={`translate(${x} 0)`}>
      <circle cx={0} cy={-1.59} r={0.11} />
      <path d="M-0.2 -1.4Q-0.21 -1.45 -0.15 -1.45H0.15Q0.21 -1.45 0.2 -1.4L0.24 -0.85H0.16L0.13 -1.2V-0.8L0.11 0H0.01V-0.75H-0.01V0H-0.11L-0.13 -0.8V-1.2L-0.16 -0.85H-0.24Z" />
    </g>
  );
}

/** A small picture of a kind, standing or lying, in a square. */
export function Figure({ what, height, width, lying = false }: { what: string; height?: number; width?: number; lying?: boolean }) {
  const preset = presetOf(what);
  const h = height ?? preset?.height ?? 1;
  const w = width ?? preset?.width ?? 0.3;
  const side = 1.06 * Math.max(h, w);
  const turned = lying ? `translate(${-h / 2} ${-w / 2}) rotate(90)` : undefined;
  return (
    <svg class={lying ? "figure lies" : "figure"} aria-hidden="true" viewBox={`${-side / 2} ${-side} ${side} ${side}`}>
      <path d={path(outline(what, h, w))} transform={turned} />
    </svg>
  );
}
