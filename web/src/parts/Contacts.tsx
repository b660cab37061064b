/** Where a body on springs has contacts, if not with its whole base alone. */

import { t } from "../texts";
import { Quantity } from "./Quantity";
import "./contacts.css";

/** A row of `interfaces`, as the server takes it. */
export type Contact = { kind: string; side?: string } & Record<string, unknown>;

const words = t.parts.contacts;

/** What a person chooses, and how it begins. */
const KINDS: Record<string, Contact> = {
  base: { kind: "base" },
  left: { kind: "wall", side: "left", gap: 0.01 },
  right: { kind: "wall", side: "right", gap: 0.01 },
  pad: { kind: "pad", left: -0.05, right: 0.05 },
};
const SPRINGS = { K: "N/m", K_s: "N/m", beta: "s", friction: "" };
const SIZES: Record<string, Record<string, string>> = {
  base: {},
  wall: { gap: "m", bottom: "m", top: "m" },
  pad: { left: "m", right: "m", y: "m" },
};

const chosen = ({ kind, side }: Contact) => (kind === "wall" ? (side ?? "left") : kind);

export function Contacts({ value, set }: { value: Contact[] | undefined; set: (next: Contact[] | undefined) => void }) {
  const rows = value ?? [];
  const put = (k: number, next: Contact | null) => {
    const left = next ? rows.map((one, i) => (i === k ? next : one)) : rows.filter((_, i) => i !== k);
    set(left.length ? left : undefined);
  };
  return (
    <div class="contacts">
      <p class="small">
        <strong>{words.title}</strong> {rows.length ? words.sentence : words.none}
      </p>
      {rows.map((one, k) => (
        <Row key={k} name={`${words.one} ${k + 1}`} contact={one} put={(next) => put(k, next)} />
      ))}
      <button type="button" onClick={() => set(rows.length ? [...rows, KINDS.pad!] : [KINDS.base!, KINDS.right!])}>
        {words.add}
      </button>
    </div>
  );
}

function Row({ name, contact, put }: { name: string; contact: Contact; put: (next: Contact | null) => void }) {
  const fields = { ...SIZES[contact.kind], ...SPRINGS };
  const set = (field: string, given: unknown) => {
    const { [field]: _, ...rest } = contact;
    put((given === undefined ? rest : { ...rest, [field]: given }) as Contact);
  };
  return (
    <div class="parameter">
      <div class="row spread">
        <select aria-label={`${name}: ${words.kind}`} value={chosen(contact)} onChange={(e) => put(KINDS[e.currentTarget.value]!)}>
          {Object.keys(KINDS).map((kind) => (
            <option key={kind} value={kind}>
              {words.kinds[kind]}
            </option>
          ))}
        </select>
        <button type="button" class="plain" aria-label={`${words.remove} ${name.toLowerCase()}`} onClick={() => put(null)}>
          ×
        </button>
      </div>
      {Object.entries(fields).map(([field, unit]) => (
        <Quantity key={field} name={`${name}: ${words.fields[field] ?? field}`} label={words.fields[field] ?? field} about={{ unit }} value={contact[field]} set={(given) => set(field, given)} />
      ))}
    </div>
  );
}
