/** Entries of fields: what cannot be used is not passed on, and the field says why.
 *
 * A field refuses what no body or motion can be (a height of −3 m, nothing at all); what only the
 * server can judge it refuses in a sentence that begins with the name of a quantity, "com_height =
 * 5 m lies above the block's top", and the field of that name shows it. */

import { computed, signal, useSignal, type ReadonlySignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useId, useRef } from "preact/hooks";
import { t } from "../texts";

export interface Limits {
  /** The entry must be larger than this. */
  above?: number;
  least?: number;
  most?: number;
  whole?: boolean;
}

export interface Entry extends Limits {
  label: string;
  unit?: string;
  value: number | undefined;
  /** What the server calls it. */
  names?: readonly string[];
  onChange: (value: number) => void;
}

/** Why the entries that are not used are not, by field. */
const reasons = signal<Record<string, string>>({});
/** Names of the fields that are seen. */
const seen = signal<Record<string, readonly string[]>>({});
const edited = signal("");

/** Why something that was typed in is not used; "" if all of it is. */
export const rejected = computed(() => Object.values(reasons.value)[0] ?? "");

/** What the server refused of the door that is open, in its words. */
export const Refused = createContext<ReadonlySignal<string>>(signal(""));

/** Why an entry cannot be used; "" if it can. */
export function reason(given: number, { label, unit = "", above, least, most, whole }: Omit<Entry, "value" | "onChange">): string {
  const of = (limit: number) => `${limit}${unit ? ` ${unit}` : ""}`;
  if (!Number.isFinite(given)) return t.parts.entry.none(label);
  if (whole && !Number.isInteger(given)) return t.parts.entry.whole(label);
  if (above !== undefined && !(given > above)) return t.parts.entry.above(label, of(above));
  if (least !== undefined && most !== undefined && !(given >= least && given <= most))
    return t.parts.entry.between(label, String(least), of(most));
  if (least !== undefined && given < least) return t.parts.entry.least(label, of(least));
  if (most !== undefined && given > most) return t.parts.entry.most(label, of(most));
  return "";
}

/** The state of a field: what it shows, why its entry is refused, and how an entry is taken. */
export function useEntry(entry: Entry) {
  const { value, names = [], onChange } = entry;
  const id = useId();
  const draft = useSignal<string | null>(null);
  const typing = useRef(false);
  const text = useContext(Refused).value;
  const known = names.join();
  useEffect(() => {
    seen.value = { ...seen.peek(), [id]: names };
    return () => {
      seen.value = without(seen.peek(), id);
    };
  }, [known]);
  const accept = () => {
    typing.current = false;
    draft.value = null;
    if (id in reasons.peek()) reasons.value = without(reasons.peek(), id);
  };
  useEffect(() => {
    if (!typing.current) accept(); // it was changed elsewhere
  }, [value]);
  useEffect(() => accept, []);
  const take = (given: number, written: string) => {
    edited.value = id;
    typing.current = false;
    const why = reason(given, entry);
    if (!why) {
      accept();
      onChange(given);
      return;
    }
    draft.value = written;
    reasons.value = { ...reasons.peek(), [id]: why };
  };
  /** What is being typed stays when an answer draws the field anew, or changes its value. */
  const hold = (written: string) => {
    typing.current = true;
    draft.value = written;
  };
  /** The field is left with what it had: no entry was taken. */
  const release = () => {
    if (typing.current) accept();
  };
  const why = reasons.value[id] ?? (isAbout(text, id) ? text : "");
  return { id, why, whyId: `${id}why`, shown: draft.value, hold, release, take, leave: accept };
}

/** Whether the server's sentence is about this field: by name, or else the one changed last. */
function isAbout(text: string, id: string): boolean {
  if (!text) return false;
  const name = /^([\w.[\]]+) = /.exec(text)?.[1];
  const named = Object.keys(seen.value).filter((other) => name && seen.value[other]!.includes(name));
  return named.length ? named.includes(id) : edited.value === id;
}

function without<T>(all: Record<string, T>, id: string): Record<string, T> {
  const { [id]: _, ...rest } = all;
  return rest;
}
