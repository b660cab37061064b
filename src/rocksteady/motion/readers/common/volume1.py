"""Volume 1 as Caltech's reports had it, and CDMG, USC, RENADIC and BHRC after them.

A channel has lines of words, a table of 100 integers, 7 lines of real numbers, and its points:
pairs (time, value) digitised from film, or values alone. ``/&`` ends it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import Peak, motion, peak_in, require_peak
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, in_si
from rocksteady.motion.readers.common.pairs import even
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import found_in
from rocksteady.numerics.types import Array

_END = b"/&"
_LINES_OF_WORDS = 60  # at most
_LINES_OF_REALS = 7
_INTEGERS = re.compile(r"[-\d\s]*\d[-\d\s]*")
_UNITS = re.compile(r"\bUNITS\b.*?\bSEC\w*\.? +AND +([A-Z%][\w/%]*)", re.I)
_MAX = re.compile(
    r"(?<!UNCOR )\bMAX *= *(?P<value>[-+.\dE]+) *(?P<unit>[A-Z][\w/%]*) *,? *"
    r"(?:AT *(?P<time>[-+.\d]+) *SEC)?",
    re.I,
)


class Channel(NamedTuple):
    """One channel of a file of volume 1."""

    words: list[str]
    first: int  # the line of the first of them
    reals: int  # the line of the first real numbers
    data: int  # the line of the first points
    end: int  # the byte after the last of them

    @property
    def text(self) -> str:
        """The words."""
        return "\n".join(self.words)

    def line_of(self, pattern: str) -> int:
        """The line in the file of the first words that match."""
        for number, words in enumerate(self.words):
            if re.search(pattern, words, re.I):
                return self.first + number
        return self.first


def channels(source: Source, title: re.Pattern[bytes]) -> list[Channel]:
    """The channels of a file, each of which begins with a line that has the ``title``."""
    content = source.content
    starts = [match.start() for match in title.finditer(content)]
    found = []
    line = source.lines_of(np.array(starts, np.int64))
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else len(content)
        end = content.find(_END, start, stop)
        found.append(_channel(source, int(line[number]), stop if end < 0 else end))
    return found


def _channel(source: Source, first: int, end: int) -> Channel:
    lines = source.header(first, first + _LINES_OF_WORDS - 1)
    is_table = [_INTEGERS.fullmatch(line) is not None for line in lines]
    # An event may be named by a number alone: a row of the table has many.
    begins = [
        is_row and len(line.split()) > 3 for is_row, line in zip(is_table, lines, strict=True)
    ]
    if True not in begins:
        raise source.failure("no table of integers follows the lines of words.", first)
    table = begins.index(True)
    reals = is_table.index(False, table) if False in is_table[table:] else len(lines)
    line = first + reals
    return Channel(lines[:table], first, line, line + _LINES_OF_REALS, end)


def declared_points(source: Source, channel: Channel) -> int:
    """How many points the words declare."""
    count = found_in(channel.text, r"\bNO\. OF POINTS *= *(\d{1,9})\b", re.I)
    if count is None:
        raise source.failure("no line 'NO. OF POINTS = …' is in the header.", channel.first)
    return int(count)


def stated_unit(channel: Channel) -> str | None:
    """The unit of the values: ``G/10`` in "UNITS ARE SEC AND G/10."."""
    match = _UNITS.search(channel.text)
    return match[1] if match else None


def stated_peak(channel: Channel) -> Peak | None:
    """The peak in "MAX  =  -.200 G, AT  11.576 SEC."."""
    return peak_in(channel.words, _MAX, channel.first)


def points(source: Source, channel: Channel) -> tuple[Array, NDArray[np.int64]]:
    """All numbers of a channel and their lines; numbers that touch are separated by the columns of
    the first line."""
    content, start = source.content, source.start_of(channel.data)
    own = Source(source.path, content[: channel.end])
    try:
        found = numbers(own, min(start, channel.end))
    except MotionFormatError:
        width, margin = columns_of(source.line(channel.data))
        if not width:
            raise
        body = b"\n".join(row[margin:] for row in content[start : channel.end].split(b"\n"))
        own = Source(source.path, content[:start] + body)
        found = numbers(own, start, width=width)
    return found.values, own.lines_of(found.places)


def columns_of(row: str) -> tuple[int, int]:
    """The width of equal columns and the margin left of them, from the distance of the decimal
    points; 0 and 0 if the columns are not equal."""
    row = row.rstrip()
    marks = [place for place, character in enumerate(row) if character == "."]
    widths = {right - left for left, right in pairwise(marks)}
    if len(widths) != 1:
        return 0, 0
    width = widths.pop()
    margin = marks[0] + len(row) - marks[-1] - width
    return (width, margin) if margin >= 0 else (0, 0)


def film_motion(
    source: Source, channel: Channel, facts: Mapping[str, Any], options: Options
) -> Motion:
    """The motion of a channel of pairs (time, value); ``facts`` are what its words say."""
    declared = declared_points(source, channel)
    numbers_found, lines = points(source, channel)
    if numbers_found.size != 2 * declared:
        stated, line = f"{declared} points, that is {2 * declared} numbers", r"\bNO\. OF POINTS"
        raise source.cut(stated, str(numbers_found.size), channel.line_of(line))
    times, values = numbers_found[::2].copy(), numbers_found[1::2].copy()
    # Checked on the file's own points: those between them are no larger.
    accel, unit = in_si(source, values, 1.0, stated_unit(channel), options)
    end = float(times[-1]) if times.size else 0.0
    require_peak(source, accel, stated_peak(channel), end, str(facts["component"]))
    sampled = even(source, times, accel, lines[::2], options)
    meta = {**facts, "unit": unit, "note": sampled.note}
    return motion(source, sampled.values, sampled.dt, meta, several=True)
