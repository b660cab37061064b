/** The object to scale, with its centre of mass and its slenderness angle. */

import { useEffect, useRef } from "preact/hooks";
import { angleUnit, colour, dark, inAngles } from "../../settings";
import { t } from "../../texts";
import type { BodyAbout, Side } from "../../types";
import { paintCentre, sharp, trace, type View } from "../drawing";
import { parts } from "./silhouette";

const MARGIN = 26;

export function Picture({ body }: { body: BodyAbout }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const alpha = angle(body.alpha ?? 0);
  const isDark = dark.value;
  useEffect(() => {
    const place = canvas.current!;
    const draw = () => paint(place, body, alpha);
    const fit = new ResizeObserver(draw);
    fit.observe(place);
    draw();
    return () => fit.disconnect();
  }, [body, alpha, isDark]);
  const centre = (body.side?.centre[1] ?? 0).toPrecision(3);
  const words = t.bench.object;
  const label = body.stem ? words.stemPicture(body.label, alpha) : words.picture(body.label, alpha, centre);
  return <canvas class="object-picture" role="img" aria-label={label} ref={canvas} />;
}

function angle(radians: number): string {
  return `${inAngles(radians).toPrecision(3)}${angleUnit() === "°" ? "°" : ` ${angleUnit()}`}`;
}

function paint(canvas: HTMLCanvasElement, body: BodyAbout, alpha: string): void {
  const [ctx, w, h] = sharp(canvas);
  const { side } = body;
  if (!side) return;
  const shape = parts(body);
  const points = shape.flat();
  const xs = points.map(([x]) => x);
  const [left, right, top] = [Math.min(...xs), Math.max(...xs), Math.max(...points.map(([, z]) => z))];
  const scale = Math.min((h - 2 * MARGIN) / top, (w - 4 * MARGIN) / (right - left));
  const view: View = { scale, x: w / 2 - (scale * (left + right)) / 2, y: h - MARGIN };
  paintFloor(ctx, w, view.y);
  ctx.fillStyle = colour("stone");
  ctx.strokeStyle = colour("stone-edge");
  ctx.lineWidth = 1.2;
  ctx.lineJoin = "round";
  for (const part of shape) {
    trace(ctx, part, view);
    ctx.fill();
    ctx.stroke();
  }
  paintAngle(ctx, side, view, `α = ${alpha}`);
  paintCentre(ctx, side.centre, view, 7);
  paintScale(ctx, side.height, view, h);
}

function paintFloor(ctx: CanvasRenderingContext2D, w: number, y: number): void {
  ctx.strokeStyle = colour("soft");
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(12, y + 0.5);
  ctx.lineTo(w - 12, y + 0.5);
  ctx.stroke();
}

/** Between the vertical at the nearer corner and the line from there to the centre of mass. */
function paintAngle(ctx: CanvasRenderingContext2D, side: Side, view: View, words: string): void {
  const to = side.limits[0] <= side.limits[1] ? 1 : -1;
  const [x, y] = [view.x + (to * side.width * view.scale) / 2, view.y];
  const [cx, cy] = [view.x + side.centre[0] * view.scale, view.y - side.centre[1] * view.scale];
  const long = Math.hypot(cx - x, cy - y);
  ctx.strokeStyle = colour("accent");
  ctx.lineWidth = 1.6;
  ctx.setLineDash([5, 4]);
  ctx.beginPath();
  ctx.moveTo(cx, cy);
  ctx.lineTo(x, y);
  ctx.lineTo(x, y - long);
  ctx.stroke();
  ctx.setLineDash([]);
  const leans = Math.atan2(cy - y, cx - x);
  ctx.beginPath();
  ctx.arc(x, y, 0.55 * long, leans, -Math.PI / 2, to < 0);
  ctx.stroke();
  ctx.fillStyle = colour("ink");
  ctx.font = "600 13px system-ui";
  ctx.textAlign = to > 0 ? "left" : "right";
  ctx.fillText(words, x + to * 8, y - 0.6 * long);
}

/** A bar of a round length. */
function paintScale(ctx: CanvasRenderingContext2D, height: number, view: View, h: number): void {
  const power = 10 ** Math.floor(Math.log10(height / 2));
  const size = power * ([5, 2, 1].find((n) => n * power <= height / 2) ?? 1);
  ctx.fillStyle = colour("soft");
  ctx.fillRect(14, h - 14, size * view.scale, 3);
  ctx.font = "12px system-ui";
  ctx.textAlign = "left";
  ctx.fillText(`${Number(size.toPrecision(2))} ${t.bench.object.metres}`, 20 + size * view.scale, h - 9);
}
