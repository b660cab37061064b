/** The doors of the studio, each loaded when it is first opened. */

import type { ComponentType } from "preact";
import type { Door } from "./address";

type Loader = () => Promise<{ default: ComponentType }>;

export const DOOR: Record<Door, Loader> = {
  ask: () => import("./ask"),
  bench: () => import("./bench"),
  blocks: () => import("./blocks"),
  many: () => import("./many"),
  building: () => import("./building"),
  monitor: () => import("./monitor"),
};
