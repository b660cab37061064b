"""OpenQuake's CSV of hazard curves: a comment, a heading with the levels, a row for each site."""

import math
import re
from typing import NamedTuple

from rocksteady.analysis.hazard.files.raw import Problem, Raw
from rocksteady.numbers import NUMBER, is_number
from rocksteady.text_tables import cells

FAR = 10.0  # km: from here on the distance to the nearest site is a warning
EARTH = 6371.0  # km, mean radius
_LEVEL = re.compile(rf"poe-({NUMBER})", re.IGNORECASE)
_SAYS = r"\b{}\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|({number}))"


def is_openquake(text: str) -> bool:
    """Whether the first lines have a heading of OpenQuake's."""
    return any(
        _LEVEL.search(line) or "investigation_time" in line for line in text.split("\n", 5)[:5]
    )


class Site(NamedTuple):
    line: int
    longitude: float
    latitude: float
    values: list[float]


def read(text: str, wanted: tuple[float, float] | None) -> Raw:
    """The curve of the only site, or of the one nearest to ``wanted``."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    comments = [line for _, line in lines if line.startswith("#")]
    rows = [(n, line) for n, line in lines if not line.startswith("#")]
    about = " ".join(comments).replace('""', '"')
    years, measure, kind = _years(about), _said(about, "imt"), _said(about, "kind")
    if measure is None:
        raise Problem("line 1", "imt='PGA' or the like was expected in the comment")
    number, heading, names = _heading(rows)
    levels, columns = _levels(number, names)
    body = [(n, line) for n, line in rows if n > number]
    if not body:
        raise Problem(f"line {number}", "rows of numbers were expected after the heading")
    sites = [_site(n, line, names, columns, heading) for n, line in body]
    site, notes = _nearest(sites, wanted)
    places = [f"line {site.line}, column {names[i]}" for i in columns]
    unit = "cm/s" if measure.strip().upper() == "PGV" else None
    return Raw(levels, site.values, places, "poe", years, measure, unit, _kind_note(kind) + notes)


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


def _heading(rows: list[tuple[int, str]]) -> tuple[int, str, list[str]]:
    if not rows:
        raise Problem("", "a heading lon,lat,depth,poe-0.1, … was expected after the comment")
    number, heading = rows[0]
    names = cells(heading, ",")
    if not any(_LEVEL.fullmatch(name) for name in names):
        raise Problem(
            f"line {number}", "columns such as poe-0.1000000 were expected in the heading"
        )
    return number, heading, names


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


def _site(n: int, line: str, names: list[str], columns: list[int], heading: str) -> Site:
    row = cells(line, ",")
    if len(row) != len(names):
        raise Problem(
            f"line {n}", f"{len(row)} values: {len(names)} were expected, as in the heading"
        )
    by_name = {name.lower(): value for name, value in zip(names, row, strict=True)}
    lon, lat = (_number(by_name.get(name, "nan"), n, name, empty=True) for name in ("lon", "lat"))
    return Site(n, lon, lat, [_number(row[i], n, names[i]) for i in columns])


def _number(word: str, line: int, column: str, *, empty: bool = False) -> float:
    if not is_number(word) or (not empty and not math.isfinite(float(word))):
        raise Problem(f"line {line}, column {column}", f"{word!r}: a number was expected")
    return float(word)


def _nearest(sites: list[Site], wanted: tuple[float, float] | None) -> tuple[Site, tuple[str, ...]]:
    if wanted is None:
        if len(sites) == 1:
            return sites[0], ()
        west, east = min(s.longitude for s in sites), max(s.longitude for s in sites)
        south, north = min(s.latitude for s in sites), max(s.latitude for s in sites)
        raise Problem(
            "",
            f"it has {len(sites)} sites, longitude {west:g} to {east:g}, latitude {south:g} to "
            f"{north:g}: say which, as in site=({sites[0].longitude:g}, {sites[0].latitude:g})",
        )
    known = [site for site in sites if math.isfinite(site.longitude + site.latitude)]
    if not known:
        raise Problem("", "columns lon and lat were expected, for a site is wanted")
    away, site = min(((_distance(s, wanted), s) for s in known), key=lambda pair: pair[0])
    where = f"longitude {site.longitude:g}, latitude {site.latitude:g}"
    note = f"The nearest site of the hazard file, {where}, is {away:.1f} km away"
    if away > FAR:
        return site, (f"{note}: that is far, and the hazard may differ there.",)
    return site, (f"{note}.",)


def _distance(site: Site, wanted: tuple[float, float]) -> float:
    """Along a great circle [km]."""
    (x1, y1), (x2, y2) = (
        (math.radians(x), math.radians(y)) for x, y in ((site.longitude, site.latitude), wanted)
    )
    half = math.sin((y2 - y1) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x2 - x1) / 2) ** 2
    return 2 * EARTH * math.asin(min(1.0, math.sqrt(half)))
