/** One of a few options, or several of them. */

import { useId } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: string; title?: string }[];
  value: T | readonly T[];
  several?: boolean;
  hidden?: boolean;
  onChange: (value: T) => void;
}

export function Choice<T extends string>({ label, options, value, several, hidden, onChange }: Props<T>) {
  const name = useId();
  const chosen = (one: T) => (Array.isArray(value) ? value.includes(one) : value === one);
  return (
    <fieldset class="choices">
      <legend class={hidden ? "unseen" : ""}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.title}>
          <input
            type={several ? "checkbox" : "radio"}
            name={name}
            value={option.value}
            checked={chosen(option.value)}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
