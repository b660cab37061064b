"""PEER strong-motion files (.AT2): four lines of header, then accelerations in g.

Header variants in circulation: ``NPTS=  7500, DT=   .0200 SEC``, ``1991 0.0100 NPTS, DT`` and
either word alone or in other order (``dt= 0.005``). The title line is
``event, date, station, component``, or without the second comma. Velocities (.VT2, cm/s) and
displacements (.DT2, cm) have the same layout.
"""

import re
from typing import NamedTuple

from rocksteady.motion.kept import MARK, kept_in, without_kept
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import (
    ask_about_step,
    peak_in,
    require_peak,
    require_speed,
)
from rocksteady.motion.readers.common.motions import motion
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, in_si, settled_dt
from rocksteady.motion.readers.common.source import HEAD, Source
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.motion.units import GRAVITY_UNIT, stated_unit
from rocksteady.numbers import NUMBER
from rocksteady.numerics.types import Array

NAME = "PEER AT2"

_DT_WORD = re.compile(rb"dt", re.I)
_DT = re.compile(rf"\bdt\s*=\s*({NUMBER})", re.I)
_NPTS = re.compile(r"\bnpts\s*=\s*(\d{1,18})", re.I)
_BOTH = re.compile(
    rf"\s*(?:npts\s*=\s*(\d{{1,18}})\s*,\s*dt\s*=\s*({NUMBER})"
    rf"|(\d{{1,18}})\s+({NUMBER})\s+npts\s*,\s*dt\b)",
    re.I,
)
_FILTER = re.compile(r"FILTER POINTS:\s*(.*)", re.I)
_PGA = re.compile(rf"\bPGA *= *(?P<value>{NUMBER}) *(?P<unit>[A-Z][\w/^]*)", re.I)
_PGV = re.compile(rf"\bPGV *= *({NUMBER}) *CM/S", re.I)
_LOW_PASS = re.compile(rf"\bLP *= *({NUMBER}) *HZ", re.I)
_WORDS = re.compile(r"\bnpts\b|time (history|series) in units", re.I)
_HEADER_LINES = 10  # the line with DT is the last one of the header, and among the first ten
_QUANTITIES = (("velocity", ".VT2", "cm/s"), ("displacement", ".DT2", "cm"))


class _Header(NamedTuple):
    lines: list[str]  # up to the one with DT
    lower: str  # all of them, in small letters
    npts: int | None
    dt: float  # s
    end: int  # the place after them, in bytes from the start


def sniff(source: Source) -> bool:
    """PEER's words and a DT in the first lines."""
    header = source.notes[NAME] = _header(source)
    return header is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under the component's name in the title line.

    The unit is g, as the format defines, unless the header states another; if it states none,
    ``meta["unit_assumed"]`` is set, and ``unit=`` can give it.
    """
    header = source.notes.get(NAME) or _header(source)
    assert header is not None  # or it would not be this format
    last = len(header.lines)
    dt = settled_dt(source, header.dt, options, last)
    quantity, by_format = _quantity(header.lower, source)
    in_g = quantity == "acceleration" and options.unit is None and _says_g(header.lower)
    factor = GRAVITY_UNIT if in_g else 1.0
    found = numbers(source, header.end, likely=header.npts, factor=factor)
    if header.npts is not None and header.npts != found.values.size:
        what = f"{found.values.size} numbers up to line {source.line_at(max(found.end - 1, 0))}"
        raise source.cut(f"NPTS = {header.npts}", what, last)
    accel, unit, assumed = found.values, "g", None
    if not in_g:
        stated = stated_unit("\n".join(without_kept(header.lines)))
        if stated is None and options.unit is None:
            assumed = by_format
        accel, unit = in_si(source, accel, dt, stated or assumed, options, quantity)
    kept = kept_in(header.lines[:1])
    if quantity == "acceleration" and not kept:
        _require_agreement(source, header, accel, dt, options)
    event, station, direction = _title(header) or ("", "", source.path.stem)
    if kept:  # we wrote it, and put the motion's name where its event was not known
        event = ""
        station = "" if station == "-" else station
    filter_points = "filter" in header.lower and _FILTER.search("\n".join(header.lines))
    meta = {
        "unit": unit,
        "event": event,
        "station": station,
        "component": direction,
        "azimuth": azimuth_of(direction.split("(")[0]),
        "filter": filter_points[1].strip() if filter_points else None,
        "unit_assumed": assumed is not None or None,
    } | kept
    return {str(meta["component"]): motion(source, accel, dt, meta)}


def _require_agreement(
    source: Source, header: _Header, accel: Array, dt: float, options: Options
) -> None:
    """An error unless ``PGA= .48431 G, PGV= 39.6246 CM/SEC`` in the header are those of the
    numbers, and the step resolves what the record's filter passes."""
    peak = peak_in(header.lines, _PGA)
    require_peak(source, accel, peak)
    last = len(header.lines)
    text = "\n".join(header.lines)
    speed, low_pass = _PGV.search(text), _LOW_PASS.search(text)
    if speed and peak:
        require_speed(source, accel, dt, float(speed[1]), options, peak.line)
    ask_about_step(source, dt, options, last, highest=float(low_pass[1]) if low_pass else None)


def _header(source: Source) -> _Header | None:
    """The lines up to the one with DT, if PEER's words are in them; a commented one belongs to a
    table."""
    content, end = source.content, 0
    while word := _DT_WORD.search(content, end, HEAD):
        end = content.find(b"\n", word.end()) + 1 or len(content)
        text = source.decoded(content[: min(end, HEAD)]).removesuffix("\n")
        lines = text.split("\n")
        lower = "\n".join(without_kept(lines)).lower() if MARK in text else text.lower()
        if len(lines) > _HEADER_LINES:
            return None
        both = _BOTH.match(lines[-1])
        if both:
            npts, dt = both[1] or both[3], both[2] or both[4]
            return _Header(lines, lower, int(npts), float(dt), end)
        only = _DT.search(lines[-1])
        if only:
            if lines[-1].lstrip()[0] in "#%!;/" or not _WORDS.search(lower):
                return None
            count = _NPTS.search(lines[-1])
            return _Header(lines, lower, int(count[1]) if count else None, float(only[1]), end)
    return None


def _says_g(lower: str) -> bool:
    """Whether the unit is stated in PEER's own words, as in nearly all files."""
    return lower.find("unit") == lower.find(" units of g\n") + 1 > 0


def _title(header: _Header) -> tuple[str, str, str] | None:
    """Event (and date), station and component, if the header has PEER's four lines."""
    kind = header.lines[2].lower() if len(header.lines) == 4 else ""
    if "time series" in kind or "time history" in kind:
        parts = [part.strip() for part in header.lines[1].split(",")]
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
