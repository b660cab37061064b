/** A component that is loaded when it is first shown. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const loaded = signal<ComponentType<P> | null>(null);
  return (props: P) => {
    useEffect(() => {
      if (!loaded.peek()) void load().then((found) => (loaded.value = found.default));
    }, []);
    const Content = loaded.value;
    return Content ? <Content {...props} /> : null;
  };
}
