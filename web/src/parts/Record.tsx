/** A record of your own: dropped, recognised, and asked for what it does not tell. */

import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ApiError, upload } from "../api";
import { Drop } from "./Drop";
import { NumberField } from "./Slider";
import { t } from "../texts";
import type { MotionSpec, Uploaded } from "../types";

const words = t.bench.motion;

interface Asking {
  motion: MotionSpec;
  asks: Uploaded["asks"];
  words: string;
}

interface Props {
  /** What shakes the object now. */
  motion: MotionSpec | undefined;
  /** Whether a file is still wanted: another source shakes the object until then. */
  pending: boolean;
  onUse: (motion: MotionSpec) => void;
  children: ComponentChildren;
}

export function Record({ motion, pending, onUse, children }: Props) {
  const failed = useSignal("");
  const doubts = useSignal<string[]>([]);
  const reading = useSignal(false);
  const asks = useSignal<Asking | null>(null);
  const take = async (files: File[]) => {
    reading.value = true;
    failed.value = "";
    asks.value = null;
    doubts.value = [];
    try {
      const found = await recognised(files);
      doubts.value = found.warnings;
      if (Object.keys(found.asks).length)
        asks.value = { motion: found.motion!, asks: found.asks, words: found.words ?? "" };
      else onUse(found.motion!);
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error);
    }
    reading.value = false;
  };
  const file = motion && (motion.file ?? motion.record);
  const known = typeof file === "string" ? file.split("/").at(-1) : undefined;
  return (
    <>
      <Drop words={words.drop} multiple onFiles={(files) => void take(files)} />
      {reading.value && <p role="status">{t.loading}</p>}
      {failed.value && (
        <p class="problem" role="alert">
          {failed.value}
        </p>
      )}
      {asks.value && <Missing asking={asks} onUse={onUse} />}
      {known && !pending && !asks.value && (
        <>
          <p>
            <strong>{known}</strong>
          </p>
          {doubts.value.map((sentence) => (
            <p key={sentence} class="warning small">
              {sentence}
            </p>
          ))}
          {children}
        </>
      )}
    </>
  );
}

/** What a file does not tell of itself. */
function Missing({ asking, onUse }: { asking: Signal<Asking | null>; onUse: Props["onUse"] }) {
  const { motion, asks: open, words: told } = asking.value!;
  const set = (name: string, value: unknown) => {
    asking.value = { ...asking.value!, motion: { ...asking.value!.motion, [name]: value } };
  };
  return (
    <form
      class="asks"
      onSubmit={(e) => {
        e.preventDefault();
        onUse(asking.value!.motion);
        asking.value = null;
      }}
    >
      <p>{told}</p>
      {Object.entries(open).map(([name, choices]) =>
        choices ? (
          <label class="field" key={name}>
            <span>{words.asked[name] ?? name}</span>
            <select required onChange={(e) => set(name, choices[e.currentTarget.selectedIndex - 1])}>
              <option value="">…</option>
              {choices.map((one) => (
                <option key={String(one)} selected={motion[name] === one}>
                  {one === true ? words.yes : String(one)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <NumberField key={name} label={words.asked[name] ?? name} value={motion[name] as number | undefined} required onChange={(value) => set(name, value)} />
        ),
      )}
      <button type="submit" class="main">
        {words.use}
      </button>
    </form>
  );
}

/** Several files are taken as the components of one station. */
async function recognised(files: File[]): Promise<Uploaded> {
  let found: Uploaded | null = null;
  for (const file of files) {
    found = await upload<Uploaded>(file, found ? { beside: found.path } : {});
    if (!found.motion) throw new ApiError(422, `${file.name}: ${words.notARecord}`);
  }
  return found!;
}
