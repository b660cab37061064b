/** What the building is. */

import { Panel } from "../parts/Panel";
import { Explain } from "../parts/Explain";
import { NumberField, Slider } from "../parts/Slider";
import { t } from "../texts";
import { about, asked, change, track, values } from "./state";

const words = t.building.house;
const OWN_SLIDERS = ["mass", "damping"];

export function BuildingPanel() {
  const { mass, damping } = asked.value;
  const house = track.value?.house;
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Slider label={words.mass} names={["mass"]} above={0} unit="t" min={10} max={80} step={0.5} value={mass} onChange={(value) => change({ mass: value })} />
      <Slider
        label={words.damping}
        explain={<Explain term="ζ">{words.dampingWords}</Explain>}
        unit="%"
        names={["damping"]}
        least={0}
        min={0}
        max={10}
        step={0.1}
        value={100 * damping}
        onChange={(value) => change({ damping: value / 100 })}
      />
      {house && (
        <dl class="facts number">
          <dt>{words.frequency}</dt>
          <dd>{house.frequency.toFixed(2)} Hz</dd>
          <dt>{words.slips}</dt>
          <dd>
            {(house.elastic_force / 1e3).toFixed(0)} kN, {(1e3 * house.elastic_displacement).toFixed(2)} mm
          </dd>
          <dt>{words.strength}</dt>
          <dd>{(house.strength / 1e3).toFixed(0)} kN</dd>
        </dl>
      )}
      <More />
    </Panel>
  );
}

/** The parameters of the interface, in the words of their description. */
function More() {
  const { other } = asked.value;
  const shown = about.value?.parameters.filter((one) => !OWN_SLIDERS.includes(one.name)) ?? [];
  return (
    <details class="options">
      <summary>{words.more}</summary>
      <p class="quiet small">{words.moreSentence}</p>
      {shown.map((one) => (
        <div key={one.name} class="parameter">
          <NumberField
            label={words.parameters[one.name as keyof typeof words.parameters] ?? one.name}
            unit={one.unit}
            names={[one.name, `building.${one.name}`]}
            value={values.value[one.name] ?? 0}
            onChange={(value) => change({ other: { ...other, [one.name]: value } })}
          />
          <p class="quiet small">{one.words}</p>
        </div>
      ))}
      {Object.keys(other).length > 0 && (
        <button type="button" onClick={() => change({ other: {} })}>
          {words.reset}
        </button>
      )}
    </details>
  );
}
