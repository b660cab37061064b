"""USGS SMC files: 11 lines of text, 48 integers, 50 real numbers, comments, then 8E10.4 in cm/s².

The 17th integer is how many numbers there are, the 16th how many lines of comments, the 2nd real
number the sampling rate [Hz], the 30th and 32nd the largest and the smallest sample. Unknown values
are the file's own null value, the first of each table. Files of type 1 without a rate, digitised
from film, hold pairs (time, value) at uneven times.
"""

import re
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, require_peak, require_time_of
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.numbers import Numbers, numbers
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.pairs import Even, even
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import require_all
from rocksteady.motion.units import unit_factor
from rocksteady.numerics.types import Array

NAME = "USGS SMC"

_TEXT, _INTEGERS, _REALS = 11, 6, 10  # lines
_TITLE = re.compile(
    r"\s*\d?\s*(?:(?:UN)?CORRECTED\s+ACCEL|VELOCITY|DISPLACEMENT|RESPONSE|FOURIER)|\*\s*$", re.I
)
_WIDTH = 10  # characters of a sample; negative ones touch
_LINE = 8  # numbers in a line
_FASTEST = 1e5  # Hz; what is above is no rate
_UNITS = {"acceleration": "cm/s2", "velocity": "cm/s", "displacement": "cm"}


def sniff(source: Source) -> bool:
    """A title of this format, and six lines of eight integers after 11 lines of text."""
    lines = source.head.split("\n", _TEXT + _INTEGERS)[: _TEXT + _INTEGERS]
    return (
        _TITLE.match(lines[0]) is not None
        and len(lines) == _TEXT + _INTEGERS
        and all(re.fullmatch(r"[-\d\s]+", line) is not None for line in lines[_TEXT:])
    )


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under its component (133, up)."""
    text = source.header(1, _TEXT)
    quantity = _quantity(source, text[0])
    integers = numbers(source, source.start_of(_TEXT + 1), 48, 10).values
    first_real = _TEXT + _INTEGERS + 1
    reals = numbers(source, source.start_of(first_real), 50, 15).values
    comments = integers[15]
    line = first_real + _REALS + (int(comments) if comments > 0 else 0)
    found = numbers(source, source.start_of(line), width=_WIDTH)
    peak = _stated_peak(reals, first_real) if quantity == "acceleration" else None
    step = step_of(float(reals[1])) if _is_known(reals, 1) and reals[1] < _FASTEST else None
    if step is not None or "uncorrected" not in text[0].lower():
        dt = settled_dt(source, step, options, first_real)
        require_all(source, integers[16], found.values.size, _TEXT + 3)
        require_peak(source, found.values * unit_factor("cm/s2"), peak)
        for place in (29, 31) if peak is not None else ():
            time = float(reals[place - 1]) if _is_known(reals, place - 1) else None
            extreme, at = float(reals[place]), first_real + place // 5
            require_time_of(source, found.values, dt, extreme, time, options, at)
        sampled = Even(found.values, dt)
    else:
        sampled = _from_pairs(source, found, integers[16], peak, options)
    words = "\n".join(text)
    station = re.search(r"station *= *(.*?) *(?:component *= *(.*?))? *$", words, re.M)
    known = integers != integers[0]
    component = (station and station[2]) or _direction(integers, known) or source.path.stem
    facts = {
        "event": text[3].strip(" *"),
        "magnitude": float(reals[5]) if _is_known(reals, 5) else None,
        "station": text[2].strip(" *") or (f"{integers[29]:.0f}" if known[29] else None),
        "station_name": station[1] if station else None,
        "component": component,
        "start_time": _start(integers),
        "note": sampled.note,
    }
    (values, dt, _), unit = sampled, _UNITS[quantity]
    return {component: measured(source, values, dt, unit, options, facts, quantity=quantity)}


def _direction(integers: Array, known: NDArray[np.bool_]) -> str | None:
    """The component by the 13th and 14th integer: degrees from upwards, and from north."""
    if not known[12]:
        return None
    if integers[12] in (0, 180):
        return "UP" if integers[12] == 0 else "DOWN"
    return f"{integers[13]:.0f}" if known[13] and integers[12] == 90 else None


def _is_known(table: Array, place: int) -> bool:
    """Whether a number of a header's table is not its null value, 1.7E+38 for example."""
    return bool(table[place] != table[0] and abs(table[place]) < 1e30)


def _from_pairs(
    source: Source, found: Numbers, declared: float, peak: Peak | None, options: Options
) -> Even:
    """Samples of pairs (time, value); the header counts numbers or, in some files, pairs."""
    size, count = found.values.size, int(declared)
    if size >= 2 * count:  # it is pairs that were counted
        count *= 2
    more = size - count
    if count < 4 or count % 2 or not 0 <= more <= max(_LINE, 0.01 * count):
        stated = f"{declared:.0f} numbers, in pairs of time and value"
        raise source.cut(stated, str(size), _TEXT + 3)
    lines = source.lines_of(found.places)
    times, values = found.values[:count:2].copy(), found.values[1:count:2].copy()
    require_peak(source, values * unit_factor("cm/s2"), peak)
    sampled = even(source, times, values, lines[:count:2], options)
    if not more:
        return sampled
    note = f"{more} numbers after the {count} that the header declares are left out"
    return sampled._replace(note="; ".join(filter(None, (sampled.note, note))))


def _stated_peak(reals: Array, line: int) -> Peak | None:
    """The larger of the header's extremes [cm/s²]."""
    known = [place for place in (29, 31) if _is_known(reals, place)]
    if len(known) < 2:
        return None
    place = max(known, key=lambda at: abs(float(reals[at])))
    return Peak(f"{abs(reals[place]):.7g}", "cm/s2", line + place // 5)


def _quantity(source: Source, title: str) -> str:
    words = title.lower()
    for quantity in _UNITS:
        if quantity[:5] in words:
            return quantity
    raise source.failure(f"{title.strip()!r} is not an accelerogram.", 1)


def _start(integers: Array) -> str | None:
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
