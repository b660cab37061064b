/** The time line of the workbench. */

import { TimeBar as Bar } from "../parts/TimeBar";
import { end, play, playing, refused, seek, shown, speed, time } from "./state";

const SPEEDS = ["1", "0.5", "0.25", "0.1"];

export function TimeBar() {
  const clock = { time, playing, speed, play, seek };
  return <Bar clock={clock} end={end.value} told={`${time.value.toFixed(2)} s`} step={0.05} speeds={SPEEDS} disabled={!shown.value || Boolean(refused.value)} />;
}
