"""On which line of a TOML text a key stands, so that an error can point at it."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*([\w.\-"']+)\s*=""")

Key = tuple[str | int, ...]


def line_of(text: str, key: Key) -> int | None:
    """The line, from 1, of a key such as ("motions", 1, "file"), or of the nearest above it."""
    places = key_lines(text)
    for length in range(len(key), 0, -1):
        if key[:length] in places:
            return places[key[:length]]
    return None


def key_lines(text: str) -> dict[Key, int]:
    """The line of every table and key. What stands inside a value is not looked into."""
    places: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _within(_words(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                places.setdefault(table, number)
                table = (*table, counts[table])
            places.setdefault(table, number)
        elif key:
            places.setdefault((*table, *_words(key[1])), number)
    return places


def _words(dotted: str) -> Key:
    return tuple(word.strip().strip("\"'") for word in dotted.split("."))


def _within(key: Key, counts: dict[Key, int]) -> Key:
    """``key`` with the number of the last table of each array of tables on its way."""
    out: Key = ()
    for i, word in enumerate(key):
        out = (*out, word)
        if i < len(key) - 1 and out in counts:
            out = (*out, counts[out])
    return out
