"""USGS SMC files: 11 lines of text, 48 integers, 50 real numbers, comments, then 8E10.4 in cm/s².

The 17th integer is the number of samples, the 16th that of comment lines, the 2nd real number the
sampling rate [Hz]. What is not known is the file's own null value, the first of each table.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from rocksteady.motion._checks import FloatArray
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
    Options,
    azimuth_of,
    in_si,
    motion,
    quietly,
    require_all,
    settled_dt,
    step_of,
)
from rocksteady.motion.readers._numbers import numbers
from rocksteady.motion.readers._source import Source, failure

NAME = "USGS SMC"

_TEXT, _INTEGERS, _REALS = 11, 6, 10  # lines
_TITLE = re.compile(
    r"\s*\d?\s*(?:(?:UN)?CORRECTED\s+ACCEL|VELOCITY|DISPLACEMENT|RESPONSE|FOURIER)|\*\s*$", re.I
)
_WIDTH = 10  # characters of a sample; negative ones touch
_UNITS = {"acceleration": "cm/s2", "velocity": "cm/s", "displacement": "cm"}


def sniff(source: Source) -> bool:
    """A title of this format, and six lines of eight integers after 11 lines of text."""
    lines = source.head.split("\n", _TEXT + _INTEGERS)[: _TEXT + _INTEGERS]
    return (
        _TITLE.match(lines[0]) is not None
        and len(lines) == _TEXT + _INTEGERS
        and all(re.fullmatch(r"[-\d\s]+", line) is not None for line in lines[_TEXT:])
    )


@quietly
def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under its component (133, up)."""
    path, text = source.path, source.header(1, _TEXT)
    quantity = _quantity(source, text[0])
    integers = numbers(source, source.start_of(_TEXT + 1), 48, 10).values
    first_real = _TEXT + _INTEGERS + 1
    reals = numbers(source, source.start_of(first_real), 50, 15).values
    dt = settled_dt(path, step_of(float(reals[1])), options.dt, first_real)
    comments, npts = integers[15], integers[16]
    line = first_real + _REALS + (int(comments) if comments > 0 else 0)
    found = numbers(source, source.start_of(line), width=_WIDTH).values
    require_all(source, npts, found.size, _TEXT + 3)
    accel, unit = in_si(source, found, dt, _UNITS[quantity], options, quantity)
    words = "\n".join(text)
    station = re.search(r"station\s*=\s*(.*?)\s*(?:component\s*=\s*(.*?))?\s*$", words, re.M)
    component = (station and station[2]) or path.stem
    known = integers != integers[0]
    meta = {
        "format": NAME,
        "unit": unit,
        "event": text[3].strip(" *"),
        "magnitude": float(reals[5]) if reals[5] != reals[0] else None,
        "station": text[2].strip(" *") or (f"{integers[29]:.0f}" if known[29] else None),
        "station_name": station[1] if station else None,
        "component": component,
        "azimuth": azimuth_of(component),
        "start_time": _start(integers),
    }
    return {component: motion(path, accel, dt, path.stem, meta)}


def _quantity(source: Source, title: str) -> str:
    words = title.lower()
    for quantity in _UNITS:
        if quantity[:5] in words:
            return quantity
    raise failure(source.path, f"{title.strip()!r} is not an accelerogram.", 1)


def _start(integers: FloatArray) -> str | None:
    """When the first sample was taken (year, day, hour, minute, second), where that is known."""
    null = integers[0]
    year, day, hour, minute, second = integers[1:6]
    if null in (year, day, hour, minute) or not (1 <= year <= 9999 and 1 <= day <= 366):
        return None
    seconds = hour * 3600 + minute * 60 + (0 if second == null else second)
    try:
        time = datetime(int(year), 1, 1) + timedelta(days=day - 1, seconds=float(seconds))
    except (OverflowError, ValueError):
        return None
    return time.isoformat()
