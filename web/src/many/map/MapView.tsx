/** The overturning map: it fills in while it is run, and a point of it can be asked for its run. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Panel } from "../../parts/Panel";
import { dark } from "../../settings";
import { t } from "../../texts";
import { found, job } from "../job";
import { change, many } from "../state";
import { draw, picture, pointAt, type Area, type Point } from "./draw";
import { Grid, type Frame, type MapResult, type Round } from "./grid";
import { Said } from "../Said";
import { Legend } from "./Legend";
import { Shares } from "./Shares";
import { RunHere } from "./RunHere";
import { told } from "./words";

const words = t.many.map;

/** The grid with all that was found so far, and a number that grows with it. */
function useGrid(): { grid: Grid | null; version: number } {
  const kept = useRef<{ id: string; grid: Grid; taken: number } | null>(null);
  const parts = found.value;
  const now = job.value;
  const frame = parts[0]?.map as Frame | undefined;
  if (!now || !frame) return { grid: null, version: 0 };
  if (kept.current?.id !== now.id || kept.current.taken > parts.length)
    kept.current = { id: now.id, grid: new Grid(frame), taken: 1 };
  for (; kept.current.taken < parts.length; kept.current.taken++)
    kept.current.grid.take(parts[kept.current.taken] as unknown as Round);
  if (now.result) kept.current.grid.complete(now.result as unknown as MapResult);
  return { grid: kept.current.grid, version: parts.length + (now.result ? 1 : 0) };
}

export function MapView() {
  const { grid, version } = useGrid();
  const [only, setOnly] = useState<number | null>(null);
  const [closedForms, setClosedForms] = useState(true);
  if (!grid) return null;
  const result = job.value!.result as unknown as MapResult | null;
  return (
    <div class="many-split">
      <Panel title={grid.frame.title} sentence={grid.shares ? words.sharesSentence : words.sentence}>
        <Picture grid={grid} version={version} only={only} closedForms={closedForms} />
        <Legend grid={grid} only={only} onOnly={setOnly} closedForms={closedForms} onClosedForms={setClosedForms} />
        {result && <Said sentences={result.sentences} />}
        <Shares grid={grid} version={version} />
      </Panel>
      <RunHere grid={grid} />
    </div>
  );
}

/** As wide as there is room, and not higher than the window. */
function useSize(canvas: { current: HTMLCanvasElement | null }): Area {
  const [size, setSize] = useState<Area>({ width: 0, height: 0 });
  useEffect(() => {
    const place = canvas.current!.parentElement!;
    const fit = new ResizeObserver(() => {
      const width = place.clientWidth;
      setSize({ width, height: Math.round(Math.min(Math.max(0.68 * width, 300), 0.72 * innerHeight + 120)) });
    });
    fit.observe(place);
    return () => fit.disconnect();
  }, []);
  return size;
}

interface PictureProps {
  grid: Grid;
  version: number;
  only: number | null;
  closedForms: boolean;
}

function Picture({ grid, version, only, closedForms }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const [at, setAt] = useState<Point | null>(null);
  const point = many.value.point;
  const chosen: Point | null = point && [point[0], point[1]];
  const shown = at ?? chosen;
  const isDark = dark.value;
  const points = useMemo(() => picture(grid, only), [grid, version, only, isDark]);
  useEffect(() => {
    if (size.width) draw(canvas.current!, grid, points, { size, chosen, pointed: at, closedForms });
  }, [points, size, at?.[0], at?.[1], chosen?.[0], chosen?.[1], closedForms]);

  const under = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return pointAt(grid, size, event.clientX - box.left, event.clientY - box.top);
  };
  const choose = (where: Point | null) => {
    if (where && grid.at(...where).seen) change({ point: [...where, 0] });
  };
  const label = useMemo(() => `${grid.frame.title}. ${words.keys}`, [grid]);
  return (
    <div class="many-map">
      <canvas
        ref={canvas}
        style={{ width: `${size.width}px`, height: `${size.height}px` }}
        tabIndex={0}
        role="application"
        aria-roledescription={words.role}
        aria-label={label}
        aria-describedby="many-point"
        data-ran={grid.ran}
        onPointerMove={(event) => setAt(under(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => choose(under(event))}
        onBlur={() => setAt(null)}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === " ") choose(shown);
          else {
            const next = moved(grid, shown, event);
            if (!next) return;
            setAt(next);
          }
          event.preventDefault();
        }}
      />
      <p id="many-point" class="many-point number" role="status">
        {shown ? told(grid, ...shown) : words.hint}
      </p>
    </div>
  );
}

const STEPS: Record<string, Point> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Where an arrow key leads; with Shift ten points on. */
function moved(grid: Grid, from: Point | null, event: KeyboardEvent): Point | null {
  const step = STEPS[event.key];
  if (!step) return null;
  if (!from) return [Math.floor(grid.nx / 2), Math.floor(grid.ny / 2)];
  const by = event.shiftKey ? 10 : 1;
  const inside = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  return [inside(from[0] + by * step[0], grid.nx), inside(from[1] + by * step[1], grid.ny)];
}
