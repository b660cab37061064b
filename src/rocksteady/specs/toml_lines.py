"""Read a TOML file, and find the line of a key, so that an error can point at it."""

import re
import tomllib
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.marks import warn_if_changed
from rocksteady.specs.problems import Key, Place

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*([\w.\-"']+)\s*=""")


def read_toml(path: Path, what: str, example: str) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file and its values. Errors call it ``what`` and name the command that
    prints an ``example``."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"Cannot read {what} {path}: {why}. `{example}` prints one.") from error
    warn_if_changed(data, path)
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}.{_hint(text, str(error))}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; deep nesting
        why = "it is nested too deeply"
        if isinstance(error, ValueError):
            why = "a whole number in it has too many digits"
        raise InputError(f"{path} cannot be read: {why}.") from error


def _hint(text: str, error: str) -> str:
    """What to write instead, for what people write by habit."""
    place = re.search(r"at line (\d+)", error)
    line = text.splitlines()[int(place[1]) - 1] if place else ""
    value = re.search(r"=\s*(-?\d+),(\d+)", line)
    if value:
        return f" Write {value[1]}.{value[2]}: decimals have a point."
    value = re.search(r"=\s*(-?[\d.]+)\s*(%|[a-zA-Zµ°]+)", line)
    if value:
        return f" Write the number alone, without {value[2]!r}."
    return ""


class InFile(Place):
    """Where a value is in a TOML file: file, line and key."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text

    def at(self, key: Key) -> str:
        line = line_of(self.text, key)
        return f"{self.path}{f', line {line}' if line else ''}: {super().at(key)}"


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
