"""Write plain values and calls as Python that evaluates to the same, bit for bit."""

import math
import textwrap
from collections.abc import Mapping
from typing import Any

WIDTH = 88


def literal(thing: Any) -> str:
    """A value as one writes it. ``repr`` of a text has no line break and closes its own quotation
    marks, whatever is in it."""
    if isinstance(thing, bool) or thing is None:
        return repr(thing)
    if isinstance(thing, float) and not math.isfinite(thing):
        return f'float("{float(thing)}")'
    if isinstance(thing, float):
        return repr(float(thing))  # not NumPy's, which names its type
    if isinstance(thing, int):
        return repr(int(thing))
    if isinstance(thing, Mapping):
        return "{" + ", ".join(f"{literal(n)}: {literal(v)}" for n, v in thing.items()) + "}"
    if isinstance(thing, tuple):
        return f"({', '.join(map(literal, thing))}{',' * (len(thing) == 1)})"
    if isinstance(thing, list):
        return f"[{', '.join(map(literal, thing))}]"
    text = repr(str(thing))
    plain = text[1:-1] == str(thing) and '"' not in text
    return f'"{thing}"' if plain else text


class Code(str):
    """An expression, which is written as it is."""


def call(function: str, /, *given: Any, **named: Any) -> Code:
    """A call on one line, or with an argument a line where it would be too long."""
    written = [_argument(value) for value in given]
    written += [f"{name}={_argument(value)}" for name, value in named.items()]
    line = f"{function}({', '.join(written)})"
    if len(line) <= WIDTH - len("response = ") and "\n" not in line:
        return Code(line)
    inner = "".join(f"{_indented(argument)},\n" for argument in written)
    return Code(f"{function}(\n{inner})")


def _argument(thing: Any) -> str:
    if isinstance(thing, Code):
        return thing
    text = literal(thing)
    if isinstance(thing, list) and len(text) > WIDTH - 12 and _plain(thing):
        filled = textwrap.fill(text[1:-1], WIDTH - 8, break_long_words=False)
        return f"[\n{textwrap.indent(filled, '    ')}\n]"
    return text


def _plain(things: Any) -> bool:
    """Whether it can be broken at every blank: numbers, and lists of them."""
    if isinstance(things, list):
        return all(map(_plain, things))
    return isinstance(things, int | float)


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")
