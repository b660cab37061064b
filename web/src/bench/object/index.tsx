/** The object: its size and where its weight is. */

import { Panel } from "../../parts/Panel";
import { Slider } from "../../parts/Slider";
import { t } from "../../texts";
import { asked, change } from "../state";

const words = t.bench.object;

export function ObjectPanel() {
  const body = asked.value.body;
  const set = (part: Record<string, unknown>) => change({ body: { ...body, ...part } });
  const height = Number(body.height);
  return (
    <Panel title={words.title} sentence={words.sentence}>
      <Slider label={words.height} unit="m" min={0.1} max={10} log value={height} onChange={(h) => set({ height: h, com_height: (Number(body.com_height ?? height / 2) / height) * h })} />
      <Slider label={words.width} unit="m" min={0.05} max={3} log value={Number(body.width)} onChange={(width) => set({ width })} />
    </Panel>
  );
}
