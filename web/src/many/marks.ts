/** What uPlot does not draw by itself: bands, intervals as bars, dots, and a line at one place. */

import type uPlot from "uplot";
import { colour } from "../settings";

type Row = ArrayLike<number | null>;

function inside(plot: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - 6, bbox.top - 6, bbox.width + 12, bbox.height + 12);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

const left = (plot: uPlot, x: number) => plot.valToPos(x, "x", true);
const top = (plot: uPlot, y: number) => plot.valToPos(y, "y", true);

/** Shade between two rows; a gap in either is a gap in the band. */
export function band(plot: uPlot, x: ArrayLike<number>, low: Row, high: Row, name: string): void {
  inside(plot, (ctx) => {
    ctx.fillStyle = colour(name);
    ctx.globalAlpha = 0.16;
    let part: number[] = [];
    const shade = () => {
      if (part.length > 1) {
        ctx.beginPath();
        for (const k of part) ctx.lineTo(left(plot, x[k]!), top(plot, high[k]!));
        for (const k of part.reverse()) ctx.lineTo(left(plot, x[k]!), top(plot, low[k]!));
        ctx.fill();
      }
      part = [];
    };
    for (let k = 0; k < x.length; k++)
      if (Number.isFinite(low[k] ?? NaN) && Number.isFinite(high[k] ?? NaN)) part.push(k);
      else shade();
    shade();
  });
}

/** A dot with its interval at each place. */
export function bars(plot: uPlot, x: ArrayLike<number>, y: Row, low: Row, high: Row, name: string): void {
  inside(plot, (ctx) => {
    const unit = devicePixelRatio;
    ctx.strokeStyle = ctx.fillStyle = colour(name);
    ctx.lineWidth = 1.4 * unit;
    for (let k = 0; k < x.length; k++) {
      const value = y[k];
      if (value === null || value === undefined) continue;
      const at = left(plot, x[k]!);
      ctx.beginPath();
      for (const end of [low[k], high[k]]) {
        if (end === null || end === undefined) continue;
        ctx.moveTo(at, top(plot, value));
        ctx.lineTo(at, top(plot, end));
        ctx.moveTo(at - 3 * unit, top(plot, end));
        ctx.lineTo(at + 3 * unit, top(plot, end));
      }
      ctx.stroke();
      ctx.beginPath();
      ctx.arc(at, top(plot, value), 3.2 * unit, 0, 2 * Math.PI);
      ctx.fill();
    }
  });
}

/** A dashed upright line with a word at its top. */
export function upright(plot: uPlot, x: number, word: string): void {
  const { bbox } = plot;
  inside(plot, (ctx) => {
    const unit = devicePixelRatio;
    const at = left(plot, x);
    ctx.strokeStyle = ctx.fillStyle = colour("soft");
    ctx.lineWidth = unit;
    ctx.setLineDash([4 * unit, 4 * unit]);
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${12 * unit}px system-ui`;
    ctx.textBaseline = "top";
    const right = at < bbox.left + bbox.width / 2;
    ctx.textAlign = right ? "left" : "right";
    ctx.fillText(word, at + (right ? 5 : -5) * unit, bbox.top + 3 * unit);
  });
}
