"""The facts in a motion's ``meta``, kept in one line of a file that we write, and read back.

The line is a comment in a CSV file, or part of the first line of an AT2 file, which other programs
ignore: ``rocksteady-motion {"component": "U-D", "station": "AOM008"}``.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocksteady.motion.motion import Motion

MARK = "rocksteady-motion {"
"""How the line begins."""
FIRST = (
    "component", "azimuth", "transverse_component", "transverse_azimuth", "vertical_component",
    "station", "event", "origin_time", "network", "magnitude",
)  # fmt: skip
_OF_THE_FILE = ("file", "files", "format", "unit", "unit_assumed", "history", "any_peak", "layout")
_LONGEST = 500  # characters of one entry
_MOST = 4000  # characters of all: headers are looked for in the first 8192


def kept_line(motion: Motion, **others: Any) -> str:
    """The facts about a motion as one line; ``others`` replace its own, and None leaves one out."""
    meta = {**{key: motion.meta.get(key) for key in FIRST}, **motion.meta, **others}
    line = "{"
    for key, value in meta.items():
        if key in _OF_THE_FILE and key not in others:
            continue
        value = value.item() if hasattr(value, "item") else value  # NumPy's numbers
        if value is None or value == "" or not _is_plain(value):
            continue
        entry = f"{json.dumps(str(key))}: {json.dumps(value)}"
        if len(entry) <= _LONGEST and len(line) + len(entry) < _MOST:
            line += ("" if line == "{" else ", ") + entry
    # No = sign: a reader would take the word before it for the name of a quantity.
    return MARK.removesuffix("{") + line.replace("=", "\\u003d") + "}"


def kept_in(lines: Sequence[str]) -> dict[str, Any]:
    """The facts in such a line among ``lines``; none if there is no such line or it is damaged."""
    for line in lines:
        _, mark, entries = line.partition(MARK)
        if mark:
            try:
                found = json.loads("{" + entries.strip())
            except (ValueError, RecursionError):
                return {}
            return _checked(found) if isinstance(found, dict) else {}
    return {}


def without_kept(lines: Sequence[str]) -> list[str]:
    """The lines without what `kept_in` reads, so that no reader takes its numbers and units."""
    return [line.partition(MARK)[0] for line in lines]


def _checked(found: Mapping[str, Any]) -> dict[str, Any]:
    own = [key for key in _OF_THE_FILE if key != "any_peak"]
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in found.items()
        if key not in own and _is_plain(value)
    }


def _is_plain(value: Any) -> bool:
    """Whether it is a text, a number, or a list of them."""
    if isinstance(value, (list, tuple)):
        return all(_is_plain(one) and not isinstance(one, (list, tuple)) for one in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, (str, int))
