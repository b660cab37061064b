"""OpenQuake's CSV of hazard curves: a comment, a heading with the levels, a row for each site."""

import math
import re
from typing import NamedTuple

import numpy as np

from rocksteady.analysis.hazard.files.raw import Problem, Raw
from rocksteady.numbers import NUMBER, is_number
from rocksteady.numerics.types import Array
from rocksteady.text_tables import cells

FAR = 10.0  # km: from here on the distance to the nearest site is a warning
EARTH = 6371.0  # km, mean radius
_PLACES = {"lon": (-180, 360), "lat": (-90, 90)}  # degrees
_LEVEL = re.compile(rf"poe-({NUMBER})", re.IGNORECASE)
_SAYS = r"\b{}\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|({number}))"


def is_openquake(text: str) -> bool:
    """Whether the first lines have a heading of OpenQuake's."""
    return any(
        _LEVEL.search(line) or "investigation_time" in line for line in text.split("\n", 5)[:5]
    )


class Sites(NamedTuple):
    """The sites of a file: there may be a million, so a row is read when it is the one wanted."""

    rows: list[tuple[int, str]]
    """Line and text."""
    longitude: Array
    latitude: Array
    """In degrees; nan where a row has none."""


def read(text: str, wanted: tuple[float, float] | None) -> Raw:
    """The curve of the only site, or of the one nearest to ``wanted``."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), start=1)]
    rows = [(n, line) for n, line in lines if line and not line.startswith("#")]
    comments = [line for _, line in lines if line.startswith("#")]
    about = " ".join(comments).replace('""', '"')
    years, measure, kind = _years(about), _said(about, "imt"), _said(about, "kind")
    if measure is None:
        raise Problem("line 1", "imt='PGA' or the like was expected in the comment")
    number, names = _heading(rows)
    levels, columns = _levels(number, names)
    body = rows[1:]
    if not body:
        raise Problem(f"line {number}", "rows of numbers were expected after the heading")
    chosen, notes = _nearest(_sites(body, [name.lower() for name in names]), wanted)
    line, words = body[chosen][0], cells(body[chosen][1], ",")
    values = [_number(words[i], line, names[i]) for i in columns]
    places = [f"line {line}, column {names[i]}" for i in columns]
    unit = "cm/s" if measure.strip().upper() == "PGV" else None
    return Raw(levels, values, places, "poe", years, measure, unit, _kind_note(kind) + notes)


def _said(about: str, name: str) -> str | None:
    found = re.search(_SAYS.format(name, number=NUMBER), about)
    return None if found is None else next(part for part in found.groups() if part is not None)


def _years(about: str) -> float:
    said = _said(about, "investigation_time")
    if said is None or not is_number(said) or not 0 < float(said) < math.inf:
        raise Problem(
            "line 1",
            "investigation_time=50.0 or the like, in years, was expected in the comment"
            + ("" if said is None else f", and there is {said!r}"),
        )
    return float(said)


def _kind_note(kind: str | None) -> tuple[str, ...]:
    if kind is None or kind == "mean":
        return ()
    return (
        f"The hazard curve is of the kind {kind!r}: a yearly rate asks for the mean curve, which "
        "holds the uncertainty of the hazard.",
    )


def _heading(rows: list[tuple[int, str]]) -> tuple[int, list[str]]:
    if not rows:
        raise Problem("", "a heading lon,lat,depth,poe-0.1, … was expected after the comment")
    number, heading = rows[0]
    names = cells(heading, ",")
    if not any(_LEVEL.fullmatch(name) for name in names):
        raise Problem(
            f"line {number}", "columns such as poe-0.1000000 were expected in the heading"
        )
    return number, names


def _levels(number: int, names: list[str]) -> tuple[list[float], list[int]]:
    columns = [i for i, name in enumerate(names) if name.lower().startswith("poe-")]
    levels = []
    for i in columns:
        match = _LEVEL.fullmatch(names[i])
        if match is None:
            raise Problem(
                f"line {number}, column {i + 1}",
                f"{names[i]!r}: poe- and a level, as in poe-0.1000000, was expected",
            )
        levels.append(float(match[1]))
    return levels, columns


def _sites(rows: list[tuple[int, str]], names: list[str]) -> Sites:
    """Where the sites are; each row must have as many values as the heading has ``names``."""
    for n, line in rows:
        count = (line.count(",") + 1) if '"' not in line else len(cells(line, ","))
        if count != len(names):
            raise Problem(
                f"line {n}", f"{count} values: {len(names)} were expected, as in the heading"
            )
    return Sites(rows, *(_degrees(rows, names, name) for name in _PLACES))


def _degrees(rows: list[tuple[int, str]], names: list[str], name: str) -> Array:
    """A column of longitudes or latitudes [°]."""
    if name not in names:
        return np.full(len(rows), np.nan)
    at = names.index(name)
    words = [
        (line.split(",", at + 1) if '"' not in line else cells(line, ","))[at] for _, line in rows
    ]
    try:
        found = np.array(words).astype(float)
    except ValueError:
        found = np.array([
            _number(word.strip(), n, name, empty=True)
            for (n, _), word in zip(rows, words, strict=True)
        ])  # fmt: skip
    least, most = _PLACES[name]
    wrong = (found < least) | (found > most)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise Problem(
            f"line {rows[first][0]}, column {name}",
            f"{words[first].strip()}: {least} to {most} degrees were expected",
        )
    return found


def _number(word: str, line: int, column: str, *, empty: bool = False) -> float:
    if not is_number(word) or (not empty and not math.isfinite(float(word))):
        raise Problem(f"line {line}, column {column}", f"{word!r}: a number was expected")
    return float(word)


def _nearest(sites: Sites, wanted: tuple[float, float] | None) -> tuple[int, tuple[str, ...]]:
    """Which row is wanted, and how far away its site is."""
    x, y = sites.longitude, sites.latitude
    if wanted is None:
        if len(x) == 1:
            return 0, ()
        raise Problem(
            "",
            f"it has {len(x)} sites, longitude {x.min():g} to {x.max():g}, latitude {y.min():g} to "
            f"{y.max():g}: say which, as in site=({x[0]:g}, {y[0]:g})",
        )
    away = _distance(x, y, wanted)
    if not np.isfinite(away).any():
        raise Problem("", "columns lon and lat were expected, for a site is wanted")
    chosen = int(np.nanargmin(away))
    where = f"longitude {x[chosen]:g}, latitude {y[chosen]:g}"
    note = f"The nearest site of the hazard file, {where}, is {away[chosen]:.1f} km away"
    if away[chosen] > FAR:
        return chosen, (f"{note}: that is far, and the hazard may differ there.",)
    return chosen, (f"{note}.",)


def _distance(longitude: Array, latitude: Array, place: tuple[float, float]) -> Array:
    """Along great circles [km]."""
    x1, y1 = np.radians(longitude), np.radians(latitude)
    x2, y2 = math.radians(place[0]), math.radians(place[1])
    half = np.sin((y2 - y1) / 2) ** 2 + np.cos(y1) * np.cos(y2) * np.sin((x2 - x1) / 2) ** 2
    return np.asarray(2 * EARTH * np.arcsin(np.minimum(1.0, np.sqrt(half))))
