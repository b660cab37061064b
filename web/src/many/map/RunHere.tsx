/** The very run behind a point of a map. */

import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo } from "../../address";
import { ApiError, post } from "../../api";
import { Panel } from "../../parts/Panel";
import { Plot } from "../../parts/Plot";
import { t } from "../../texts";
import type { CaseAnswer, CaseSpec, Run } from "../../types";
import { job } from "../job";
import { change, many } from "../state";
import type { Grid } from "./grid";
import { number, told } from "./words";

const words = t.many.point;

/** Where the panel is below the map, not beside it (see many.css). */
const BELOW = matchMedia("(max-width: 1239px)");

const FAR = 1.5; // of the balance angle

interface Found {
  case: CaseSpec;
  run: Run;
}

/** The run at the chosen point; before there is one, how to choose it. */
export function RunHere({ grid }: { grid: Grid }) {
  const point = many.value.point;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (point && BELOW.matches) place.current!.scrollIntoView({ block: "nearest" });
  }, [point]);
  return (
    <div ref={place} class="many-run">
      <Panel title={words.title} sentence={point ? told(grid, point[0], point[1]) : words.choose}>
        {point && grid.shares && <Motion grid={grid} />}
        {point && <Ran point={point} />}
      </Panel>
    </div>
  );
}

/** Of several motions, which. */
function Motion({ grid }: { grid: Grid }) {
  const [i, j, motion] = many.value.point!;
  return (
    <label class="many-select">
      {words.motion}
      <select value={motion} onChange={(e) => change({ point: [i, j, Number(e.currentTarget.value)] })}>
        {grid.frame.motion_names.map((name, k) => (
          <option key={name} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Ask for the case behind the point, and run it. */
function Ran({ point: [i, j, motion] }: { point: [number, number, number] }) {
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState("");
  const id = job.value!.id;
  useEffect(() => {
    const gone = new AbortController();
    setProblem("");
    const ask = async () => {
      const asked = await post<CaseSpec>(`jobs/${id}/case`, { i, j, motion }, gone.signal);
      const answer = await post<CaseAnswer>("simulate", asked, gone.signal);
      setFound({ case: asked, run: answer.runs[0]! });
    };
    ask().catch((error) => {
      if (!gone.signal.aborted) setProblem(error instanceof ApiError ? error.message : String(error));
    });
    return () => gone.abort();
  }, [id, i, j, motion]);
  if (problem)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  return found && <Shown {...found} />;
}

function Shown({ case: asked, run }: Found) {
  const time = run.relative.map((_, k) => k * run.dt);
  const { over } = run.coordinate;
  return (
    <>
      <p class="many-outcome">{run.sentence}</p>
      <dl class="many-facts number">
        <div>
          <dt>{words.peak}</dt>
          <dd>
            <data class="peak" value={String(run.peak)}>
              {run.fell ? words.beyond : `${number(run.peak, 4)} ${over}`}
            </data>
          </dd>
        </div>
        <div>
          <dt>{words.impacts}</dt>
          <dd>{run.impacts.time.length}</dd>
        </div>
        <div>
          <dt>{words.end}</dt>
          <dd>{run.status}</dd>
        </div>
      </dl>
      <Plot
        label={`${words.plot}. ${run.sentence}`}
        x={time}
        lines={[{ label: run.coordinate.ratio, colour: "accent", values: run.relative }]}
        xLabel={words.time}
        yLabel={run.coordinate.ratio}
        range={shownRange(run)}
        height={190}
      />
      <div>
        <a class="button main" href={linkTo("bench", { case: asked, preset: "" })}>
          {words.open}
        </a>
      </div>
    </>
  );
}

/** A fall goes far: what matters is what comes before. */
function shownRange({ relative }: Run): [number, number] {
  const low = Math.max(relative.reduce((a, b) => Math.min(a, b)), -FAR);
  const high = Math.min(relative.reduce((a, b) => Math.max(a, b)), FAR);
  const more = 0.06 * (high - low) || 0.1;
  return [low - more, high + more];
}
