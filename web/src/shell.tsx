/** The frame around the doors: header, settings, and the door that is open. */

import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { DOORS, damaged, door, go, linkTo, type Door } from "./address";
import { DOOR } from "./doors";
import { ANGLES, THEMES, angles, theme } from "./settings";
import { t } from "./texts";

const opened = signal<Partial<Record<Door, ComponentType>>>({});

const unloaded = signal("");

async function open(name: Door): Promise<void> {
  if (opened.peek()[name]) return;
  try {
    const { default: content } = await DOOR[name]();
    opened.value = { ...opened.peek(), [name]: content };
  } catch (error) {
    unloaded.value = String(error);
  }
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
        {damaged.value && (
          <p class="notice" role="alert">
            {t.damaged} <button type="button" onClick={() => (damaged.value = false)}>{t.close}</button>
          </p>
        )}
        {Content ? (
          <Guarded key={here} here={here}>
            <Content />
          </Guarded>
        ) : unloaded.value ? (
          <Failed here={here} why={unloaded.value} />
        ) : (
          <p class="quiet">{t.loading}</p>
        )}
      </main>
    </>
  );
}

/** A door that cannot be drawn says so, and the others stay open. */
function Guarded({ here, children }: { here: Door; children: ComponentChildren }) {
  const [error, retry] = useErrorBoundary((fault) => console.warn(fault));
  useEffect(() => {
    addEventListener("hashchange", retry); // another link may be sound
    return () => removeEventListener("hashchange", retry);
  }, []);
  return error ? <Failed here={here} why={String(error)} /> : <>{children}</>;
}

function Failed({ here, why }: { here: Door; why: string }) {
  const anew = () => {
    location.hash = linkTo(here);
    location.reload();
  };
  return (
    <section class="panel" role="alert">
      <h1>{t.failed(t.doors[here])}</h1>
      <p class="quiet small">{why}</p>
      <div>
        <button type="button" class="main" onClick={anew}>
          {t.anew}
        </button>
      </div>
    </section>
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
