/** The picture with the outline over it: corners are set, dragged and deleted here. */

import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../texts";
import type { Point } from "../drawing";
import {
  addCorner,
  addMark,
  chosen,
  found,
  inside,
  move,
  picture,
  remember,
  removeCorner,
  setting,
  traced,
  type Which,
} from "./tracing";

const words = t.bench.outline;
const STEPS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Which is set by a click: the ends of the known length first. */
function next(): Which {
  return setting.peek() === "length" && traced.peek().marks.length < 2 ? "marks" : "corners";
}

export function Stage() {
  const svg = useRef<SVGSVGElement>(null);
  const pixel = useSignal(1); // pixels of the picture in a pixel of the screen
  const held = useRef<{ which: Which; i: number; moved: boolean } | null>(null);
  const cross = useSignal<Point | null>(null);
  const { url, width, height } = picture.value!;
  const zoom = useSignal({ x: 0, y: 0, times: 1 }); // the corner of what is shown, and how large

  useEffect(() => {
    const place = svg.current!;
    const fit = () => {
      const shown = place.getBoundingClientRect();
      pixel.value = Math.max(width / shown.width, height / shown.height) / zoom.peek().times || 1;
    };
    const stop = effect(() => {
      void zoom.value;
      fit();
    });
    const resized = new ResizeObserver(fit);
    resized.observe(place);
    return () => {
      stop();
      resized.disconnect();
    };
  }, [width, height]);

  /** Nearer to a point of the picture, which stays where it is seen. */
  const nearer = ([x, y]: Point, by: number) => {
    const now = zoom.peek();
    const times = Math.min(Math.max(now.times * by, 1), 16);
    const keep = (corner: number, at: number, size: number) =>
      Math.min(Math.max(at - ((at - corner) * now.times) / times, 0), size - size / times);
    zoom.value = { x: keep(now.x, x, width), y: keep(now.y, y, height), times };
  };

  const at = (event: MouseEvent): Point => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      svg.current!.getScreenCTM()!.inverse(),
    );
    return inside([x, y]);
  };
  const set = (point: Point) => {
    const which = next();
    const i = which === "marks" ? addMark(point) : addCorner(point, 6 * pixel.peek());
    return { which, i, moved: true };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const data = (event.target as SVGElement).dataset;
    if (data.which) {
      held.current = { which: data.which as Which, i: Number(data.i), moved: false };
      if (data.which === "corners") chosen.value = Number(data.i);
    } else held.current = set(at(event));
    svg.current!.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    const now = held.current;
    if (!now) return;
    if (!now.moved) remember();
    now.moved = true;
    move(now.which, now.i, at(event));
  };
  const up = () => {
    const now = held.current;
    held.current = null;
    // a corner may stand where the known length ends: a click there sets it
    if (now?.which === "marks" && !now.moved && next() === "corners") set(traced.peek().marks[now.i]!);
  };
  const key = (event: KeyboardEvent) => {
    const data = (event.target as SVGElement).dataset;
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const far = (event.shiftKey ? 10 : 1) * pixel.peek();
      const from = data.which
        ? traced.peek()[data.which as Which][Number(data.i)]!
        : (cross.peek() ?? [width / 2, height / 2]);
      const to: Point = [from[0] + far * step[0], from[1] + far * step[1]];
      if (!data.which) cross.value = inside(to);
      else {
        if (!event.repeat) remember();
        move(data.which as Which, Number(data.i), to);
      }
    } else if ((event.key === "Delete" || event.key === "Backspace") && data.which === "corners") {
      event.preventDefault();
      removeCorner(Number(data.i));
      svg.current!.focus();
    } else if ("+=-".includes(event.key)) {
      nearer(cross.peek() ?? [width / 2, height / 2], event.key === "-" ? 0.8 : 1.25);
    } else if (event.key === "Enter" && !data.which) {
      event.preventDefault();
      set(cross.peek() ?? [width / 2, height / 2]);
    }
  };

  return (
    <svg
      ref={svg}
      class="tracing-stage"
      viewBox={`${zoom.value.x} ${zoom.value.y} ${width / zoom.value.times} ${height / zoom.value.times}`}
      role="application"
      aria-label={words.stage}
      tabindex={0}
      onPointerDown={down}
      onPointerMove={drag}
      onPointerUp={up}
      onPointerCancel={() => (held.current = null)}
      onKeyDown={key}
      onWheel={(event) => {
        event.preventDefault();
        nearer(at(event), Math.exp(-0.002 * event.deltaY));
      }}
    >
      {url ? <image href={url} width={width} height={height} /> : null}
      <Outline pixel={pixel.value} />
      {cross.value && <path class="cross" d={crossAt(cross.value, 12 * pixel.value)} />}
    </svg>
  );
}

function crossAt([x, y]: Point, r: number): string {
  return `M${x - r} ${y}H${x + r}M${x} ${y - r}V${y + r}`;
}

function Outline({ pixel }: { pixel: number }) {
  const { corners, marks } = traced.value;
  const points = corners.map((p) => p.join(" ")).join(",");
  return (
    <>
      <polygon points={points} class="outline" />
      <Found pixel={pixel} />
      {marks.length === 2 && <path class="length" d={`M${marks[0]!.join(" ")}L${marks[1]!.join(" ")}`} />}
      {(["corners", "marks"] as const).map((which) =>
        (which === "corners" ? corners : marks).map(([x, y], i) => (
          <circle
            key={`${which}${i}`}
            cx={x}
            cy={y}
            r={7 * pixel}
            class={`${which} ${which === "corners" && chosen.value === i ? "chosen" : ""}`}
            data-which={which}
            data-i={i}
            tabindex={0}
            role="button"
            aria-label={which === "corners" ? words.corner(i + 1) : words.mark(i + 1)}
            onFocus={() => which === "corners" && (chosen.value = i)}
          />
        )),
      )}
    </>
  );
}

/** The centre of mass and the base, where the server says they are. */
function Found({ pixel }: { pixel: number }) {
  const about = found.value;
  const ys = traced.value.corners.map((p) => p[1]);
  if (!about || ys.length < 3) return null;
  const scale = (Math.max(...ys) - Math.min(...ys)) / about.height; // pixels in a metre
  const level = (metres: number) => picture.value!.height - scale * metres;
  const [x, y] = about.centre_of_mass ?? about.centre;
  const [cx, cy, r] = [scale * x, level(y), 9 * pixel];
  const quarter = (to: number) =>
    `M${cx} ${cy}L${cx + to * r} ${cy}A${r} ${r} 0 0 1 ${cx} ${cy + to * r}Z`;
  return (
    <g class="found">
      {about.base && (
        <path class="base" d={`M${scale * about.base[0]} ${level(about.floor)}H${scale * about.base[1]}`} />
      )}
      <circle cx={cx} cy={cy} r={r} />
      <path d={quarter(1) + quarter(-1)} />
    </g>
  );
}
