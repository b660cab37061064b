/** A canvas that is drawn anew when what it shows, the theme or its size changes. */

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { dark } from "../settings";

interface Props {
  class: string;
  label: string;
  /** Reads signals: a change of any of them draws again. */
  paint: (canvas: HTMLCanvasElement) => void;
}

export function Canvas({ class: name, label, paint }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = () => {
      void dark.value;
      if (canvas.current) paint(canvas.current);
    };
    const stop = effect(draw);
    const fit = new ResizeObserver(draw);
    fit.observe(canvas.current!);
    return () => {
      stop();
      fit.disconnect();
    };
  }, []);
  return <canvas ref={canvas} class={name} role="img" aria-label={label} />;
}
