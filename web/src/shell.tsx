/** The frame around the doors: header, settings, and the door that is open. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { DOORS, door, go, linkTo, type Door } from "./address";
import { DOOR } from "./doors";
import { ANGLES, THEMES, angles, theme } from "./settings";
import { t } from "./texts";

const opened = signal<Partial<Record<Door, ComponentType>>>({});

async function open(name: Door): Promise<void> {
  if (opened.peek()[name]) return;
  const { default: content } = await DOOR[name]();
  opened.value = { ...opened.peek(), [name]: content };
}

export function Shell() {
  const here = door.value;
  useEffect(() => void open(here), [here]);
  useEffect(() => {
    document.title = `${t.doors[here]} · ${t.name}`;
  }, [here]);
  const Content = opened.value[here];
  return (
    <>
      <a class="skip" href="#content" onClick={toContent}>
        {t.skip}
      </a>
      <header class="top">
        <a class="brand" href={linkTo("bench")}>
          <img src="./icon.svg" alt="" width="28" height="28" />
          <span>{t.name}</span>
        </a>
        <nav aria-label={t.doorsLabel}>
          {DOORS.map((name) => (
            <a
              key={name}
              href={linkTo(name)}
              aria-current={name === here ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                go(name);
              }}
            >
              {t.doors[name]}
            </a>
          ))}
        </nav>
        <Settings />
      </header>
      <main id="content" tabIndex={-1}>
        {Content ? <Content /> : <p class="quiet">{t.loading}</p>}
      </main>
    </>
  );
}

function toContent(event: Event): void {
  event.preventDefault(); // the address holds the state
  document.getElementById("content")?.focus();
}

function Settings() {
  return (
    <div class="settings">
      <label>
        <span>{t.settings.angles}</span>
        <select
          value={angles.value}
          onChange={(e) => (angles.value = e.currentTarget.value as (typeof ANGLES)[number])}
        >
          {ANGLES.map((name) => (
            <option key={name} value={name}>
              {t.settings[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t.settings.theme}</span>
        <select
          value={theme.value}
          onChange={(e) => (theme.value = e.currentTarget.value as (typeof THEMES)[number])}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t.settings[name]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
