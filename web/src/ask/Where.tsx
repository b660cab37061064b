/** On which floor, and how strongly the ground shakes there. */

import { useEffect, useId, useState } from "preact/hooks";
import { Choice } from "../parts/Choice";
import { Explain } from "../parts/Explain";
import { Slider } from "../parts/Slider";
import { t } from "../texts";
import { Ask } from "./Questions";
import { about, set, state, unread } from "./state";
import { digits } from "./words";

const words = t.ask;

export function Floor() {
  const { storey, storeys } = state.value.question;
  const floor = words.floor;
  return (
    <Ask question={floor.question} sentence={floor.sentence}>
      <Choice
        label={floor.where}
        hidden
        options={[
          { value: "ground", label: floor.ground },
          { value: "building", label: floor.building },
        ]}
        value={storey ? "building" : "ground"}
        onChange={(value) => set({ storey: value === "ground" ? 0 : 1 })}
      />
      {storey > 0 && (
        <>
          <Slider label={floor.storeys} names={["storeys"]} whole least={1} most={60} min={1} max={30} step={1} value={storeys} onChange={(value) => set({ storeys: value, storey: Math.min(storey, value) })} />
          <Slider label={floor.storey} explain={<Explain term={t.parts.explain}>{floor.storeyWords}</Explain>} names={["storey"]} whole least={1} most={storeys} min={1} max={Math.max(storeys, 2)} step={1} value={storey} onChange={(value) => set({ storey: value })} />
          <Period />
        </>
      )}
    </Ask>
  );
}

function Period() {
  const { period, storeys } = state.value.question;
  const floor = words.floor;
  const rule = Number(((about.value?.asking.per_storey ?? 0.1) * storeys).toFixed(3));
  const explain = <Explain term={floor.period}>{floor.periodWords}</Explain>;
  return (
    <>
      {period === undefined && (
        <p class="quiet">
          {explain}: {floor.rule(digits(rule))}
        </p>
      )}
      <label class="check">
        <input type="checkbox" checked={period !== undefined} onChange={() => set({ period: period === undefined ? rule : undefined } as object)} />
        {floor.knows}
      </label>
      {period !== undefined && <Slider label={floor.period} names={["period"]} most={10} unit="s" min={0.05} max={4} log value={period} onChange={(value) => set({ period: value })} />}
    </>
  );
}

// -- the place ----------------------------------------------------------------------------------

export function Where() {
  const { place: at } = state.value.question;
  const place = words.place;
  const asking = about.value?.asking;
  const by = at.levels ? "table" : at.pga !== undefined ? "pga" : (at.strength ?? "strong");
  const strengths = Object.keys(asking?.strengths ?? {});
  const pga = at.pga ?? asking?.strengths[by];
  return (
    <Ask question={place.question} sentence={place.sentence}>
      <Choice
        label={place.strength}
        hidden
        options={[...strengths.map((value) => ({ value, label: place.strengths[value] ?? value })), { value: "pga", label: place.pga }, { value: "table", label: place.table }]}
        value={by}
        onChange={(value) => {
          if (value === "pga") set({ place: { pga: pga ?? 0.25 } });
          else if (value === "table") set({ place: { levels: [0.05, 0.1, 0.2, 0.4, 0.8], rates: [0.04, 0.013, 0.0033, 0.00065, 0.0001] } });
          else set({ place: { strength: value } });
        }}
      />
      {by === "pga" && <Slider label={place.peak} names={["place.pga", "pga"]} most={3} explain={<Explain term={t.parts.explain}>{place.peakWords}</Explain>} unit="g" min={0.02} max={1.5} log value={at.pga!} onChange={(value) => set({ place: { pga: value } })} />}
      {by === "table" && <Table />}
      {pga !== undefined && asking && (
        <p class="quiet">
          {place.meaning[by]} {place.means(digits(pga))} {place.rest(asking.slope)}{" "}
          {by !== "pga" && <Explain term={t.parts.explain}>{place.peakWords}</Explain>}
        </p>
      )}
    </Ask>
  );
}

function Table() {
  const { place: at } = state.value.question;
  const place = words.place;
  const [text, setText] = useState(() => at.levels!.map((level, i) => `${level}, ${at.rates![i]}`).join("\n"));
  useEffect(() => () => void (unread.value = ""), []);
  const id = useId();
  return (
    <div class="text">
      <span>
        <label for={id}>{place.rows}</label> <Explain term={t.parts.explain}>{place.rowsWords}</Explain>
      </span>
      <textarea
        id={id}
        rows={6}
        value={text}
        onInput={(e) => {
          const given = e.currentTarget.value;
          setText(given);
          const rows = given.split("\n").filter((row) => row.trim());
          const read = rows.map((row) => row.split(/[,;\s]+/).filter(Boolean).map(Number));
          const bad = read.findIndex((row) => row.length !== 2 || !row.every((value) => value > 0));
          unread.value = bad >= 0 ? place.unread(rows[bad]!) : read.length < 2 ? place.fewRows : "";
          if (!unread.value) set({ place: { levels: read.map((row) => row[0]!), rates: read.map((row) => row[1]!) } });
        }}
      />
      {unread.value && <span class="problem">{unread.value}</span>}
    </div>
  );
}
