/** A body in space, moved as its run says. */

import { effect, useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { dark } from "../../settings";
import { t } from "../../texts";
import type { BodyAbout, Run } from "../../types";
import { posesOf } from "./pose";
import { Scene, possible, type Look } from "./scene";
import "./space.css";

const words = t.bench.space;
const FIRST: Look = { azimuth: -0.9, elevation: 0.3, zoom: 1 };
const TURN = 0.1; // rad a key
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

interface Props {
  run: Run;
  body: BodyAbout;
  time: Signal<number>;
}

export default function Space({ run, body, time }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const look = useSignal(FIRST);
  const label = useSignal("");
  const able = useMemo(possible, []);
  const space = body.space;
  const shape = JSON.stringify([space?.centre, space?.height, space?.base, space?.radius, space?.vertices?.length]);
  const isDark = dark.value;

  const scene = useRef<Scene | null>(null);
  const poses = useMemo(() => posesOf(run, space?.centre ?? [0, 0, 0]), [run, shape]);

  useEffect(() => {
    const place = canvas.current;
    if (!place || !space) return;
    const own = (scene.current = new Scene(place, space));
    own.follow(poses);
    const fit = new ResizeObserver(() => {
      own.resize(place.clientWidth, place.clientHeight);
      own.draw(time.peek(), look.peek()); // at once: a canvas is empty after its size has changed
    });
    fit.observe(place);
    let waiting = 0;
    const draw = () => {
      waiting = 0;
      own.draw(time.peek(), look.peek());
    };
    const stop = effect(() => {
      void [time.value, look.value];
      waiting ||= requestAnimationFrame(draw);
    });
    return () => {
      stop();
      fit.disconnect();
      cancelAnimationFrame(waiting);
      own.dispose();
      scene.current = null;
    };
  }, [shape, isDark, able]);

  useEffect(() => {
    scene.current?.follow(poses);
    scene.current?.draw(time.peek(), look.peek());
    const tell = () => {
      const now = time.peek();
      label.value = words.now(now.toFixed(1), poses.lean(now).toFixed(2));
    };
    tell();
    const again = setInterval(tell, 500);
    return () => clearInterval(again);
  }, [poses]);

  if (!able) return <p class="quiet space-none">{words.none}</p>;
  const turn = (azimuth: number, elevation: number, zoom = 1) => {
    const now = look.peek();
    look.value = {
      azimuth: now.azimuth + azimuth,
      elevation: clamp(now.elevation + elevation, 0.03, 1.5),
      zoom: clamp(now.zoom * zoom, 0.4, 6),
    };
  };
  return (
    <div
      class="space-stage"
      role="group"
      aria-label={words.stage}
      tabIndex={0}
      onKeyDown={(event) => key(event, turn)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.buttons & 1) turn(-0.008 * event.movementX, 0.008 * event.movementY);
      }}
      onWheel={(event) => {
        // the page scrolls as ever until somebody has clicked here
        if (document.activeElement !== event.currentTarget) return;
        event.preventDefault();
        turn(0, 0, Math.exp(-0.001 * event.deltaY));
      }}
    >
      <canvas key={`${shape}${isDark}`} ref={canvas} role="img" aria-label={`${body.label}. ${label.value}`} />
    </div>
  );
}

function key(event: KeyboardEvent, turn: (azimuth: number, elevation: number, zoom?: number) => void): void {
  const act: Record<string, [number, number, number?]> = {
    ArrowLeft: [-TURN, 0],
    ArrowRight: [TURN, 0],
    ArrowUp: [0, TURN],
    ArrowDown: [0, -TURN],
    "+": [0, 0, 1.15],
    "=": [0, 0, 1.15],
    "-": [0, 0, 1 / 1.15],
  };
  const found = act[event.key];
  if (!found) return;
  event.preventDefault();
  event.stopPropagation();
  turn(...found);
}
