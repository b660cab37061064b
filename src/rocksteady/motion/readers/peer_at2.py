"""PEER strong-motion files (.AT2): four lines of header, then accelerations in g.

Header variants in circulation: ``NPTS=  7500, DT=   .0200 SEC``, ``1991 0.0100 NPTS, DT`` and
either word alone or in other order (``dt= 0.005``). The title line is
``event, date, station, component``, or without the second comma. Velocities (.VT2, cm/s) and
displacements (.DT2, cm) have the same layout.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
    GRAVITY_UNIT,
    Options,
    azimuth_of,
    in_si,
    motion,
    settled_dt,
    stated_unit,
)
from rocksteady.motion.readers._numbers import numbers
from rocksteady.motion.readers._source import Source, failure

NAME = "PEER AT2"

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_DT = re.compile(rf"\bdt\s*=\s*{_NUMBER}", re.I)
_NPTS = re.compile(r"\bnpts\s*=\s*(\d{1,18})", re.I)
_BARE = re.compile(r"\s*(\d{1,18})\s+" + _NUMBER + r"\s+npts\s*,\s*dt\b", re.I)
_FILTER = re.compile(r"FILTER POINTS:\s*(.*)", re.I)
_SERIES = re.compile(r"time (history|series)", re.I)
_WORDS = re.compile(r"\bnpts\b|time (history|series) in units", re.I)
_HEADER_LINES = 10  # the line with DT is the last one of the header, and among the first ten
_QUANTITIES = (("velocity", ".VT2", "cm/s"), ("displacement", ".DT2", "cm"))


class _Header(NamedTuple):
    lines: list[str]  # up to the one with DT
    npts: int | None
    dt: float  # s


def sniff(source: Source) -> bool:
    """PEER's words and a DT in the first lines."""
    header = source.notes[NAME] = _header(source.head)
    return header is not None and any(map(_WORDS.search, reversed(header.lines)))


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under the component's name in the title line.

    The unit is g, which defines the format, unless the header names another.
    """
    path = source.path
    header = source.notes.get(NAME) or _header(source.head)
    assert header is not None  # or it would not be this format
    last = len(header.lines)
    words = "\n".join(header.lines)
    lower = words.lower()
    dt = settled_dt(path, header.dt, options.dt, last)
    quantity, by_format = _quantity(lower, source)
    found = numbers(source, source.start_of(last + 1))
    if header.npts is not None and header.npts != found.values.size:
        raise failure(
            path,
            f"the header declares NPTS = {header.npts}, but {found.values.size} numbers follow, up "
            f"to line {source.line_at(max(found.end - 1, 0))}: the file is cut or damaged.",
            last,
        )
    accel, unit = found.values, "g"
    if quantity == "acceleration" and options.unit is None and _says_g(lower):
        accel = accel * GRAVITY_UNIT
        accel.flags.writeable = False  # so that the Motion need not copy it
    else:
        stated = stated_unit(words) or by_format
        accel, unit = in_si(source, accel, dt, stated, options, quantity)
    event, station, direction = _title(header.lines) or ("", "", path.stem)
    filter_points = _FILTER.search(words) if "filter" in lower else None
    meta = {
        "format": NAME,
        "unit": unit,
        "event": event,
        "station": station,
        "component": direction,
        "azimuth": azimuth_of(direction.split("(")[0]),
        "filter": filter_points[1].strip() if filter_points else None,
    }
    return {direction: motion(path, accel, dt, path.stem, meta)}


def _header(text: str) -> _Header | None:
    """The lines up to the one with DT, or None; a commented one belongs to a table."""
    lines = text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    for i, line in enumerate(lines, start=1):
        if "dt" not in line.lower():
            continue
        bare = _BARE.match(line)
        dt = bare or _DT.search(line)
        if dt is None:
            continue
        if line.lstrip()[0] in "#%!;/":
            return None
        if bare:
            return _Header(lines[:i], int(bare[1]), float(bare[2]))
        npts = _NPTS.search(line)
        return _Header(lines[:i], int(npts[1]) if npts else None, float(dt[1]))
    return None


def _says_g(lower: str) -> bool:
    """Whether PEER's own words state the unit: what nearly all files have needs no search."""
    return lower.find("unit") == lower.find(" units of g\n") + 1 > 0


def _title(header: list[str]) -> tuple[str, str, str] | None:
    """Event (and date), station and component, where the header has PEER's four lines."""
    if len(header) == 4 and _SERIES.search(header[2]):
        parts = [part.strip() for part in header[1].split(",")]
        if len(parts) > 2:
            return ", ".join(parts[:-2]), parts[-2], parts[-1]
    return None


def _quantity(lower: str, source: Source) -> tuple[str, str | None]:
    """What the file holds, and the unit that its format implies."""
    suffix = source.path.suffix.upper()
    for quantity, its_suffix, unit in _QUANTITIES:
        if suffix == its_suffix or (quantity in lower and "accel" not in lower):
            return quantity, unit
    return "acceleration", "g" if suffix == ".AT2" or "peer" in lower else None
