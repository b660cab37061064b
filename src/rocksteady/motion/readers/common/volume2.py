"""Volume 2 as Caltech's reports had it, and CDMG and USC after them: equal steps.

A line such as ``8000 points of accel data equally spaced at .005 sec, in cm/sec2. (8f10.3)`` stands
above the numbers. Volume 1 of digital recorders also has one. ``/&`` ends a channel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rocksteady.errors import MotionFormatError
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import Peak, measured, peak_in
from rocksteady.motion.readers.common.numbers import Numbers, numbers, refuse_more
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volume1 import columns_of

_DATA = re.compile(
    r"\s*(\d{1,18})\s+(?:accelerogram\s+points|points\s+of\s+(acc|vel|dis)\w*\s+data)", re.I
)
_RATE = re.compile(r"\bat\s*([\d.]+)\s*(?:pts|points|samples)\s*/\s*sec", re.I)
_STEP = re.compile(r"\bat\s*([\d.]+)\s*sec", re.I)
_UNIT = re.compile(
    r"(?:\bin\s+units\s+of|\bin\s+units|\bin|units?\s*[:=])\s*([a-z%][\w/^*%]*)", re.I
)
_FORMAT = re.compile(r"\(\s*\d*\s*[FEGI](\d+)", re.I)
_END = b"/&"
_VALUE = (
    r"\s*=\s*(?P<value>[-+.\dE]+)\s*(?P<unit>[A-Z][\w/^*]*)[\s,]*"
    r"(?:AT\s*(?P<time>[-+.\d]+)\s*SEC)?"
)
_PEAK = re.compile(rf"\bPEAK\s+ACC\w*\.?{_VALUE}", re.I)
_UNCORRECTED_PEAK = re.compile(rf"(?<!UNCOR )(?<!UNCOR  )\bMAX{_VALUE}", re.I)


def _data_lines(source: Source) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines right above accelerations."""
    lower = source.content.lower()
    place = lower.find(b"points")
    while place >= 0:
        line = source.line_at(place)
        match = _DATA.match(source.header(line, line)[0])
        if match and (match[2] or "acc").lower() == "acc":
            yield line, match
        place = lower.find(b"points", source.start_of(line + 1))


def _begin_of_channel(source: Source, line: int) -> int:
    """The first line of the channel whose numbers are below ``line``."""
    end = source.content.rfind(_END, 0, source.start_of(line))
    return source.line_at(end) + 1 if end >= 0 else 1


def volume2_motions(
    source: Source, facts: Callable[[list[str]], dict[str, Any]], options: Options
) -> list[Motion]:
    """One motion per channel; ``facts`` reads the metadata from the words above its numbers."""
    motions = []
    for line, match in _data_lines(source):
        begin = _begin_of_channel(source, line)
        words = source.header(begin, line - 1)
        motions.append(_accelerations(source, line, match, words, begin, facts(words), options))
    return motions


def _accelerations(
    source: Source,
    line: int,
    match: re.Match[str],
    words: list[str],
    first: int,
    facts: Mapping[str, Any],
    options: Options,
) -> Motion:
    """The motion below ``line``, of a channel with these ``words`` from the line ``first`` on."""
    title = source.header(line, line)[0]
    rate, step = _RATE.search(title), _STEP.search(title)
    try:
        stated = step_of(float(rate[1])) if rate else float(step[1]) if step else None
    except ValueError:
        raise source.failure(f"the time step in {title.strip()!r} is not a number.", line) from None
    if stated is None:
        raise source.failure("no time step is stated above the numbers.", line)
    dt = settled_dt(source, stated, options, line)
    columns, unit_words = _FORMAT.search(title), _UNIT.search(title)
    width = int(columns[1]) if columns and len(columns[1]) < 4 else 0
    unit = unit_words[1].rstrip(".") if unit_words else "cm/s2" if match[2] else None
    found = _numbers(source, line + 1, int(match[1]), width)
    refuse_more(source, found.end, int(match[1]))
    peak = _stated_peak(words, first)
    return measured(source, found.values, dt, unit, options, facts, peak=peak, several=True)


def _numbers(source: Source, line: int, count: int, width: int) -> Numbers:
    """The numbers from ``line`` on; those that touch, in a file that does not state its columns,
    are separated by the columns of the first line."""
    start = source.start_of(line)
    try:
        return numbers(source, start, count, width)
    except MotionFormatError:
        found, margin = columns_of("".join(source.header(line, line)))
        if width or not found or margin:
            raise
        return numbers(source, start, count, found)


def _stated_peak(words: list[str], first: int) -> Peak | None:
    """The peak of the numbers: the corrected one, if the header has both."""
    corrected = any(re.match(r"\s*corrected", line, re.I) for line in words[:2])
    return peak_in(words, _PEAK if corrected else _UNCORRECTED_PEAK, first)
