/** A uPlot that follows the theme and the width of its place. */

import { effect, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { colour, dark } from "../settings";

export interface Line {
  label: string;
  colour: string;
  values: ArrayLike<number | null>;
  width?: number;
  dash?: number[];
  points?: boolean;
}

interface Props {
  label: string;
  x: ArrayLike<number>;
  lines: Line[];
  xLabel?: string;
  yLabel?: string;
  height?: number;
  range?: [number, number];
  xRange?: [number, number];
  legend?: boolean;
  log?: boolean;
  /** Where the time line stands; it can be dragged if `onCursor` says what to do. */
  cursor?: Signal<number>;
  onCursor?: (x: number) => void;
  draw?: (plot: uPlot) => void;
}

export function Plot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const now = useRef(props);
  now.current = props;
  const shape = props.lines.map((l) => `${l.label}${l.colour}${l.dash}${l.points}`).join();
  const isDark = dark.value;

  useEffect(() => {
    const element = place.current!;
    plot.current = new uPlot(options(now, element.clientWidth), data(now.current), element);
    const drag = (event: PointerEvent) => {
      const act = now.current.onCursor;
      if (!act || !(event.buttons & 1) || !plot.current) return;
      const left = event.clientX - plot.current.over.getBoundingClientRect().left;
      act(plot.current.posToVal(left, "x"));
    };
    plot.current.over.addEventListener("pointerdown", drag);
    plot.current.over.addEventListener("pointermove", drag);
    const fit = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: now.current.height ?? 180 }),
    );
    fit.observe(element);
    const stop = props.cursor ? withLine(plot.current, props.cursor) : () => {};
    return () => {
      stop();
      fit.disconnect();
      plot.current?.destroy();
    };
  }, [shape, isDark, props.legend, props.log, props.yLabel, props.xLabel]);

  useEffect(() => plot.current?.setData(data(props)), [props.x, ...props.lines.map((l) => l.values)]);
  useEffect(() => plot.current?.redraw(false), [props.draw]);

  return <div class="plot" role="img" aria-label={props.label} data-range={props.range?.join(" ")} ref={place} />;
}

function data(props: Props): uPlot.AlignedData {
  return [props.x, ...props.lines.map((line) => line.values)] as unknown as uPlot.AlignedData;
}

function options(now: { current: Props }, width: number): uPlot.Options {
  const props = now.current;
  const axis = {
    stroke: colour("soft"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line"), width: 1 },
    font: "12px system-ui",
    labelFont: "12px system-ui",
    labelSize: 20,
  };
  const series = props.lines.map((line) => ({
    label: line.label,
    stroke: colour(line.colour),
    width: line.width ?? 1.6,
    ...(line.dash ? { dash: line.dash } : {}),
    points: { show: Boolean(line.points), size: 5 },
    ...(line.points ? { paths: () => null } : {}),
  }));
  return {
    width,
    height: props.height ?? 180,
    legend: { show: props.legend ?? false, live: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    scales: {
      x: { time: false, distr: props.log ? 3 : 1, range: (_, low, high) => now.current.xRange ?? [low, high] },
      y: { range: (_, low, high) => now.current.range ?? padded(low, high) },
    },
    axes: [
      { ...axis, ...(props.xLabel ? { label: props.xLabel } : {}), size: 30 },
      { ...axis, ...(props.yLabel ? { label: props.yLabel } : {}), size: 52, space: (props.height ?? 180) < 170 ? 20 : 30, values: ticks },
    ],
    series: [{}, ...series],
    hooks: { draw: [(plot) => now.current.draw?.(plot)] },
  };
}

/** Tick labels with as many digits as they differ by. */
function ticks(_: uPlot, splits: (number | null)[]): string[] {
  return splits.map((value) => (value === null ? "" : String(Number(value.toPrecision(6))).replace("-", "−")));
}

/** A line at the cursor: an element of its own, for drawing a plot anew at every frame is slow. */
function withLine(plot: uPlot, cursor: Signal<number>): () => void {
  const line = document.createElement("div");
  line.className = "now";
  plot.over.append(line);
  return effect(() => {
    line.style.transform = `translateX(${plot.valToPos(cursor.value, "x")}px)`;
  });
}

function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const by = 0.06 * (high - low) || Math.abs(high) || 1;
  return [low - by, high + by];
}
