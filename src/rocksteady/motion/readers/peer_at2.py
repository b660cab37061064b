"""PEER strong-motion files (.AT2): four lines of header, then accelerations in g.

Header variants in circulation: ``NPTS=  7500, DT=   .0200 SEC``, ``1991 0.0100 NPTS, DT`` and
either word alone or in other order (``dt= 0.005``). The title line is
``event, date, station, component``, or without the second comma. Velocities (.VT2, cm/s) and
displacements (.DT2, cm) have the same layout.
"""

from __future__ import annotations

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
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
_BARE = re.compile(r"^\s*(\d{1,18})\s+" + _NUMBER + r"\s+npts\s*,\s*dt\b", re.I)
_FILTER = re.compile(r"FILTER POINTS:\s*(.*)", re.I)
_WORDS = re.compile(r"\bnpts\b|time (history|series) in units", re.I)
_HEADER_LINES = 10  # the line with DT is the last one of the header, and among the first ten
_QUANTITIES = (("velocity", ".VT2", "cm/s"), ("displacement", ".DT2", "cm"))


def sniff(source: Source) -> bool:
    """PEER's words and a DT in the first lines."""
    header = _header(source.head)
    return header is not None and _WORDS.search("\n".join(header)) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under the component's name in the title line.

    The unit is g, which defines the format, unless the header names another.
    """
    path = source.path
    header = _header(source.head) or []
    last = len(header)  # the line with DT
    words = "\n".join(header)
    npts, stated_dt = _size(header[-1])
    dt = settled_dt(path, stated_dt, options.dt, last)
    quantity, by_format = _quantity(words, source)
    found = numbers(source, source.start_of(last + 1))
    if npts is not None and npts != found.values.size:
        raise failure(
            path,
            f"the header declares NPTS = {npts}, but {found.values.size} numbers follow, up to "
            f"line {source.line_at(max(found.end - 1, 0))}: the file is cut or damaged.",
            last,
        )
    unit = stated_unit(words) or by_format
    accel, unit = in_si(source, found.values, dt, unit, options, quantity)
    event, station, direction = _title(header) or ("", "", path.stem)
    filter_points = _FILTER.search(words)
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


def _header(text: str) -> list[str] | None:
    """The lines up to the one with DT, or None; a commented one belongs to a table."""
    lines = text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    for i, line in enumerate(lines):
        if "dt" in line.lower() and (_DT.search(line) or _BARE.search(line)):
            return None if line.lstrip()[0] in "#%!;/" else lines[: i + 1]
    return None


def _title(header: list[str]) -> tuple[str, str, str] | None:
    """Event (and date), station and component, where the header has PEER's four lines."""
    if len(header) == 4 and re.search(r"time (history|series)", header[2], re.I):
        parts = [part.strip() for part in header[1].split(",")]
        if len(parts) > 2:
            return ", ".join(parts[:-2]), parts[-2], parts[-1]
    return None


def _size(line: str) -> tuple[int | None, float]:
    """NPTS, where it is stated, and DT [s]."""
    bare = _BARE.search(line)
    if bare:
        return int(bare[1]), float(bare[2])
    dt, npts = _DT.search(line), _NPTS.search(line)
    assert dt is not None  # the header ends where DT was found
    return (int(npts[1]) if npts else None), float(dt[1])


def _quantity(header: str, source: Source) -> tuple[str, str | None]:
    """What the file holds, and the unit that its format implies."""
    words, suffix = header.upper(), source.path.suffix.upper()
    for quantity, its_suffix, unit in _QUANTITIES:
        if suffix == its_suffix or (quantity.upper() in words and "ACCEL" not in words):
            return quantity, unit
    return "acceleration", "g" if suffix == ".AT2" or "PEER" in words else None
