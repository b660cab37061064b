"""The roles of a table's columns by their names: time, horizontal, vertical, or unknown.

Names may be English, German, French, Italian, Spanish, Portuguese or Turkish.
"""

import re
import unicodedata
from typing import Literal, NamedTuple

from rocksteady.motion.units import LENGTHS, SPEEDS, canonical_unit, plain_unit
from rocksteady.numbers import is_number

_TIME = {
    "t", "time", "times", "sec", "second", "seconds", "zeit", "tempo", "tempi", "temps", "tiempo",
    "zaman", "sekunden", "secondi", "secondes", "segundos",
}  # fmt: skip
_TIME_UNIT = re.compile(r"(m|milli)?s(?:ec(?:ond)?s?|ek|n)?\.?", re.I)
_UPWARDS = re.compile(r"[bcehls][ghln]z")  # SEED's channels, as in HNZ
_SIDEWAYS = re.compile(r"[bcehls][ghln][nexy123]")
_VERTICAL = {
    "vertical", "vert", "vertikal", "verticale", "vertikale", "senkrecht", "dusey", "ud", "updown",
    "z", "up", "av", "az", "v",
}  # fmt: skip
_HORIZONTAL = {
    "a", "ah", "ag", "ax", "ay", "h", "h1", "h2", "x", "y", "ns", "ew", "we", "sn", "fn", "fp", "n",
    "e", "horizontal", "horizontale", "orizzontale", "yatay", "longitudinal", "longitudinale",
    "transverse", "transversal", "trasversale", "radial", "nordsud", "ostwest", "estovest",
    "estouest", "nortesur", "esteoeste", "eo", "ow",
}  # fmt: skip
_ACCELERATION = re.compile(r"acceleration|accelerazion[ei]|beschleunigung|acelerac(?:ion|ao)|accel|"
                           r"beschl|ivme|acc", re.I)  # fmt: skip


# Turkish letters, and what they are where Windows-1254 is read as Latin-1: Düþey is Düşey.
_LETTERS = str.maketrans("ıýþð", "iisg")

LONGEST = 60
"""Characters of a column's name in a message."""


class Column(NamedTuple):
    """One column of a table."""

    place: int  # from 0
    name: str
    role: Literal["time", "horizontal", "vertical", "counter", "other", "unknown"]
    unit: str | None = None
    named: bool = True  # by the file, not by us

    @property
    def seconds(self) -> float:
        """Seconds in one unit of a time column."""
        return (self.unit and seconds_in(self.unit)) or 1.0

    def __str__(self) -> str:
        name = repr(self.name[:LONGEST])
        return f"{name} [{self.unit}]" if self.unit else name


def seconds_in(unit: str) -> float | None:
    """Seconds in one ``unit`` of time, such as ``s`` or ``msec``; None if it is not one."""
    match = _TIME_UNIT.fullmatch(unit)
    return None if match is None else 1e-3 if match[1] else 1.0


def columns_named(header: list[str], count: int, separator: str | None) -> list[Column] | None:
    """The ``count`` columns that the lowest fitting line of ``header`` names, or None.

    A line fits if it has that many names and one of them is known here, or if it is right above the
    numbers and separated like them. Units may be in a line of their own, below the names.
    """
    lines = [bare for line in header if (bare := line.strip().lstrip("#%!/").strip())]
    units = _units_alone(lines[-1], count, separator) if len(lines) > 1 else None
    found = _named(lines[:-1], count, separator, units) if units else None
    return found or _named(lines, count, separator)


def _named(
    lines: list[str], count: int, separator: str | None, units: list[str] | None = None
) -> list[Column] | None:
    for line in reversed(lines):
        for words in _splits(line, separator):
            if len(words) != count or any(map(is_number, words)):
                continue
            if units:
                words = [
                    word if _name_and_unit(word)[1] or not unit else f"{word} [{unit}]"
                    for word, unit in zip(words, units, strict=True)
                ]
            columns = [_column(i, word) for i, word in enumerate(words)]
            known = any(column.role != "unknown" for column in columns)
            if known or (separator and count > 1 and line is lines[-1]):
                return _unique(columns)
    return None


def _units_alone(line: str, count: int, separator: str | None) -> list[str] | None:
    """The units in a line of nothing but units, at least one of acceleration; empty for a column
    without one."""
    cells = line.rstrip(f"{separator} ").split(separator) if separator else line.split()
    units = [cell.strip(" \t\"'()[]-") for cell in cells]
    if len(units) != count or not any(map(canonical_unit, units)):
        return None
    known = all(not unit or canonical_unit(unit) or seconds_in(unit) for unit in units)
    return units if known else None


def columns_unnamed(count: int, first_increases: bool) -> list[Column]:
    """Columns without a header: one is acceleration; of two, the first is time if it increases."""
    names = [f"column {i + 1}" for i in range(count)]
    if count == 1:
        return [Column(0, names[0], "horizontal", named=False)]
    columns = [Column(i, name, "unknown", named=False) for i, name in enumerate(names)]
    if first_increases:
        columns[0] = columns[0]._replace(role="time")
        if count == 2:
            columns[1] = columns[1]._replace(role="horizontal")
    return columns


def _splits(line: str, separator: str | None) -> list[list[str]]:
    if separator is not None:
        parts = line.rstrip(separator + " ").split(separator)
        return [[part.strip(" \t\"'") for part in parts]]
    return [
        re.split(r"\s{2,}|\t", line),
        re.findall(r"[^\s\[(]+(?:\s*[\[(][^\])]*[\])])?", line),  # a name and its [unit]
    ]


def _column(place: int, word: str) -> Column:
    name, unit = _name_and_unit(word)
    lower = _plain(name)
    key = re.sub(r"[^a-z0-9]", "", _ACCELERATION.sub("", lower))
    is_acceleration = unit is not None and canonical_unit(unit) is not None
    if lower in _TIME and (unit is None or seconds_in(unit)):
        return Column(place, name, "time", unit)
    if unit is not None and not is_acceleration:
        other = plain_unit(unit) in SPEEDS | LENGTHS  # a velocity or displacement
        return Column(place, name, "other" if other else "unknown", unit)
    if key in _VERTICAL or _UPWARDS.fullmatch(key) or (is_acceleration and key == "u"):
        return Column(place, name, "vertical", unit)
    if (
        is_acceleration
        or _ACCELERATION.search(lower)
        or key in _HORIZONTAL
        or _SIDEWAYS.fullmatch(key)
    ):
        return Column(place, name, "horizontal", unit)
    return Column(place, name, "unknown", unit)


def _plain(name: str) -> str:
    """Small letters without accents: accélération, süd."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    return "".join(c for c in apart if not unicodedata.combining(c))


def _name_and_unit(word: str) -> tuple[str, str | None]:
    bracketed = re.fullmatch(r"(.*?)\s*[\[(]([^\])]*)[\])]", word)
    if bracketed:
        return _bare(bracketed[1]) or word, bracketed[2].strip()
    split = re.fullmatch(r"(.+)[_\s,]+(\S+)", word)  # accel_cm/s^2, acc m/s2, t_s, a / m/s²
    if split and (canonical_unit(split[2]) or seconds_in(split[2])):
        return _bare(split[1]), split[2]
    return word, None


def _bare(name: str) -> str:
    """A name without the word or sign before its unit: Zeit in s, a / (m/s²)."""
    return re.sub(r"\s*/$|\s+in$", "", name.strip("_ "))


def _unique(columns: list[Column]) -> list[Column]:
    """The columns, with its number added to the name of a repeated one."""
    seen: set[str] = set()
    result = []
    for column in columns:
        if column.name.casefold() in seen:
            column = column._replace(name=f"{column.name} (column {column.place + 1})")
        seen.add(column.name.casefold())
        result.append(column)
    return result
