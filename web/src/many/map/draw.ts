/** A map on a canvas: points in colours, axes, and the boundaries in closed form. */

import { colour } from "../../settings";
import type { Axis, Grid } from "./grid";

export const MARGIN = { left: 58, right: 14, top: 12, bottom: 46 };
export const WAY_COLOURS = ["way-unknown", "way-flat", "way-rocks", "way-at-once", "way-after-one", "way-later"];
const DASHES = [[], [7, 4], [2, 3]];
const GUESSED = 0.55; // opacity of a point that has not been run yet

export interface Area {
  width: number;
  height: number;
}

export type Point = [number, number];
type Rgb = [number, number, number];

export interface Look {
  size: Area;
  /** The point whose run is shown, and the one that is pointed at. */
  chosen: Point | null;
  pointed: Point | null;
  closedForms: boolean;
}

export function draw(canvas: HTMLCanvasElement, grid: Grid, points: HTMLCanvasElement, look: Look): void {
  const { width, height } = look.size;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext("2d")!;
  ctx.scale(ratio, ratio);
  const plot = inner(look.size);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(points, plot.x, plot.y, plot.w, plot.h);
  ctx.strokeStyle = colour("line");
  ctx.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.w + 1, plot.h + 1);
  axes(ctx, grid, look.size);
  if (look.closedForms) boundaries(ctx, grid, look.size);
  if (look.pointed && String(look.pointed) !== String(look.chosen)) mark(ctx, grid, look.size, look.pointed, 4);
  if (look.chosen) mark(ctx, grid, look.size, look.chosen, 8);
}

export function inner({ width, height }: Area) {
  const w = Math.max(width - MARGIN.left - MARGIN.right, 10);
  return { x: MARGIN.left, y: MARGIN.top, w, h: Math.max(height - MARGIN.top - MARGIN.bottom, 10) };
}

/** The point under a place on the canvas. */
export function pointAt(grid: Grid, size: Area, left: number, top: number): Point | null {
  const plot = inner(size);
  const i = Math.floor(((left - plot.x) / plot.w) * grid.nx);
  const j = Math.floor((1 - (top - plot.y) / plot.h) * grid.ny);
  return i >= 0 && i < grid.nx && j >= 0 && j < grid.ny ? [i, j] : null;
}

/** One pixel a point; those that have not been run yet are paler. `only` is the only value to be
 * shown in full colour. */
export function picture(grid: Grid, only: number | null): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = grid.nx;
  canvas.height = grid.ny;
  const ctx = canvas.getContext("2d")!;
  if (grid.empty) return canvas;
  const image = ctx.createImageData(grid.nx, grid.ny);
  const { value, distance } = grid.filled();
  const colours = grid.shares ? ramp() : ways();
  const empty = rgb(colour("way-unknown"));
  for (let i = 0; i < grid.nx; i++)
    for (let j = 0; j < grid.ny; j++) {
      const at = i * grid.ny + j;
      const pixel = 4 * ((grid.ny - 1 - j) * grid.nx + i);
      const [red, green, blue] = colours[value[at]! + (grid.shares ? 0 : 1)] ?? empty;
      image.data[pixel] = red;
      image.data[pixel + 1] = green;
      image.data[pixel + 2] = blue;
      const faded = only !== null && value[at] !== only ? 0.2 : 1;
      image.data[pixel + 3] = 255 * faded * (distance[at] ? GUESSED : 1);
    }
  ctx.putImageData(image, 0, 0);
  return canvas;
}

function ways(): Rgb[] {
  return WAY_COLOURS.map((name) => rgb(colour(name)));
}

/** Colours of 0 to 100 percent: lightness changes one way, whatever colours one can see. */
export function ramp(): Rgb[] {
  const stops = ["share-none", "share-half", "share-all"].map((name) => rgb(colour(name)));
  return Array.from({ length: 101 }, (_, k) => {
    const [from, to] = k < 50 ? [stops[0]!, stops[1]!] : [stops[1]!, stops[2]!];
    const part = (k < 50 ? k : k - 50) / 50;
    return from.map((c, n) => Math.round(c + part * (to[n]! - c))) as Rgb;
  });
}

function rgb(text: string): Rgb {
  const short = text.length === 4; // "#fff", as the build shortens it
  const number = parseInt(short ? text.slice(1).replace(/./g, "$&$&") : text.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

// -- axes -----------------------------------------------------------------------------------------

/** Where a value lies along an axis: 0 at its first point, 1 at its last. */
function along(axis: Axis, value: number): number {
  const first = axis.values[0]!;
  const last = axis.values.at(-1)!;
  if (axis.log) return Math.log(value / first) / Math.log(last / first);
  return (value - first) / (last - first);
}

/** The same in pixels: points are as wide as the space between them. */
function pixel(axis: Axis, value: number, length: number): number {
  const count = axis.values.length;
  return ((along(axis, value) * (count - 1) + 0.5) / count) * length;
}

function ticks(axis: Axis, most: number): number[] {
  const first = axis.values[0]!;
  const last = axis.values.at(-1)!;
  if (axis.log) {
    const found: number[] = [];
    const steps = last < 15 * first ? [1, 1.5, 2, 3, 5, 7] : [1, 2, 5];
    for (let power = Math.floor(Math.log10(first)); power <= Math.log10(last); power++)
      for (const m of steps) found.push(m * 10 ** power);
    return found.filter((v) => v >= first * 0.999 && v <= last * 1.001);
  }
  const rough = (last - first) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough)!;
  const found: number[] = [];
  for (let k = Math.ceil(first / step); k * step <= last * 1.0001; k++) found.push(k * step);
  return found;
}

function axes(ctx: CanvasRenderingContext2D, grid: Grid, size: Area): void {
  const plot = inner(size);
  const { x, y } = grid.frame;
  ctx.fillStyle = colour("soft");
  ctx.font = "12px system-ui";
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  for (const value of ticks(x, plot.w / 55)) {
    const at = plot.x + pixel(x, value, plot.w);
    ctx.fillRect(at - 0.5, plot.y + plot.h + 1, 1, 4);
    ctx.fillText(shown(value), at, plot.y + plot.h + 8);
  }
  ctx.fillText(x.label, plot.x + plot.w / 2, plot.y + plot.h + 27);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const value of ticks(y, plot.h / 40)) {
    const at = plot.y + plot.h - pixel(y, value, plot.h);
    ctx.fillRect(plot.x - 5, at - 0.5, 4, 1);
    ctx.fillText(shown(value), plot.x - 8, at);
  }
  ctx.save();
  ctx.translate(12, plot.y + plot.h / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textAlign = "center";
  ctx.fillText(y.label, 0, 0);
  ctx.restore();
}

function shown(value: number): string {
  return String(Number(value.toPrecision(6)));
}

// -- on top ---------------------------------------------------------------------------------------

function boundaries(ctx: CanvasRenderingContext2D, grid: Grid, size: Area): void {
  const plot = inner(size);
  const { x, y, closed_forms: lines } = grid.frame;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.x, plot.y, plot.w, plot.h);
  ctx.clip();
  Object.values(lines).forEach((values, k) => {
    const path = new Path2D();
    let drawing = false;
    values.forEach((value, i) => {
      if (value === null) return void (drawing = false);
      const left = plot.x + pixel(x, x.values[i]!, plot.w);
      const top = plot.y + plot.h - pixel(y, value, plot.h);
      if (drawing) path.lineTo(left, top);
      else path.moveTo(left, top);
      drawing = true;
    });
    for (const [paint, wide] of [["card", 4.5], ["ink", 1.8]] as const) {
      ctx.strokeStyle = colour(paint);
      ctx.lineWidth = wide;
      ctx.setLineDash(paint === "ink" ? DASHES[k % DASHES.length]! : []);
      ctx.globalAlpha = paint === "ink" ? 1 : 0.5;
      ctx.stroke(path);
    }
  });
  ctx.restore();
}

function mark(ctx: CanvasRenderingContext2D, grid: Grid, size: Area, [i, j]: Point, radius: number): void {
  const plot = inner(size);
  const left = plot.x + ((i + 0.5) / grid.nx) * plot.w;
  const top = plot.y + plot.h - ((j + 0.5) / grid.ny) * plot.h;
  for (const [paint, wide] of [["card", 4], ["ink", 1.8]] as const) {
    ctx.strokeStyle = colour(paint);
    ctx.lineWidth = wide;
    ctx.beginPath();
    ctx.arc(left, top, radius, 0, 2 * Math.PI);
    ctx.stroke();
  }
}
