/** Lets Preact forget what it drew earlier.
 *
 * A component that draws itself anew (because a signal has changed) leaves its first node in the
 * props of the element around it. Children that need no drawing pass from the old node to the new
 * one and point to it, so that each drawing keeps the next one in memory, with all histories that
 * were in its props: 0.3 MB at every move of a slider. Here the old node of a component drops its
 * children as soon as the new one is in place. */

import { options, type VNode } from "preact";

/** What Preact calls them inside: the children of a node and its component; the end of a drawing. */
type Node = VNode & { __k?: unknown; __c?: object | null };
type Hooks = typeof options & { __c?: (root: VNode, queue: unknown[]) => void };

const drawn = new WeakMap<object, Node>(); // the newest node of each component
let old: Node[] = [];

const hooks = options as Hooks;
const { diffed, __c: commit } = hooks;

hooks.diffed = (node: Node) => {
  diffed?.(node);
  const component = node.__c;
  if (!component) return;
  const before = drawn.get(component);
  if (before && before !== node) old.push(before);
  drawn.set(component, node);
};

hooks.__c = (root, queue) => {
  commit?.(root, queue);
  for (const node of old) node.__k = null;
  old = [];
};
