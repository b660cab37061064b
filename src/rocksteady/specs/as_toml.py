"""Write plain values as TOML that reads back the same, bit for bit."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def value(thing: Any) -> str:
    """A number, truth value, text, list or table, on one line. Nothing (None) in a table is left
    out, for TOML has no word for it."""
    if isinstance(thing, bool):
        return str(thing).lower()
    if isinstance(thing, float) and not math.isfinite(thing):
        return str(float(thing))
    if isinstance(thing, int | float):
        return repr(thing)
    if isinstance(thing, Mapping):
        pairs = [f"{key(n)} = {value(v)}" for n, v in thing.items() if v is not None]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(thing, list | tuple):
        return f"[{', '.join(map(value, thing))}]"
    # A string of JSON is one of TOML, but for the character that only TOML wants escaped.
    return json.dumps(str(thing), ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """The name of a key, in quotation marks if it needs them."""
    return name if _BARE.fullmatch(name) else value(name)


def lines(table: Mapping[str, Any]) -> str:
    """A line for each key of a table."""
    return "".join(f"{key(n)} = {value(v)}\n" for n, v in table.items() if v is not None)
