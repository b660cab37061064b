"""Volumes 1 and 2 as Caltech's reports had them, and CDMG, USC, RENADIC and BHRC after them.

Volume 1: a channel has lines of words, a table of 100 integers, 7 lines of real numbers, and its
points: pairs (time, value) digitised from film, or values alone. Volume 2, and volume 1 of digital
recorders: a line such as ``8000 points of accel data equally spaced at .005 sec, in cm/sec2.
(8f10.3)`` stands above numbers at equal steps. ``/&`` ends a channel.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import (
    Peak,
    peak_in,
    require_duration,
    require_peak,
    require_same_step,
)
from rocksteady.motion.readers.common.motions import measured, motion
from rocksteady.motion.readers.common.numbers import Numbers, numbers, refuse_more
from rocksteady.motion.readers.common.options import Options, in_si, settled_dt, step_of
from rocksteady.motion.readers.common.pairs import even
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import found_in, number_in
from rocksteady.numbers import NUMBER
from rocksteady.numerics.types import Array

_END = b"/&"
_LINES_OF_WORDS = 60  # at most
_LINES_OF_REALS = 7
_BEYOND = 0.005  # of a record's length: what its rounding may hide
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
        width, margin = _columns_of(source.line(channel.data))
        if not width:
            raise
        body = b"\n".join(row[margin:] for row in content[start : channel.end].split(b"\n"))
        own = Source(source.path, content[:start] + body)
        found = numbers(own, start, width=width)
    return found.values, own.lines_of(found.places)


def _columns_of(row: str) -> tuple[int, int]:
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


def film_motions(
    source: Source,
    title: re.Pattern[bytes],
    facts: Callable[[list[str]], dict[str, Any]],
    options: Options,
) -> list[Motion]:
    """One motion per channel of pairs (time, value); ``facts`` reads what its words say."""
    found = channels(source, title)
    return [_film_motion(source, channel, facts(channel.words), options) for channel in found]


def _film_motion(
    source: Source, channel: Channel, facts: Mapping[str, Any], options: Options
) -> Motion:
    """The motion of a channel of pairs (time, value)."""
    declared = declared_points(source, channel)
    numbers_found, lines = points(source, channel)
    if numbers_found.size != 2 * declared:
        stated, line = f"{declared} points, that is {2 * declared} numbers", r"\bNO\. OF POINTS"
        raise source.cut(stated, str(numbers_found.size), channel.line_of(line))
    times, values = numbers_found[::2].copy(), numbers_found[1::2].copy()
    # Checked on the file's own points: those between them are no larger.
    accel, unit = in_si(source, values, 1.0, stated_unit(channel), options)
    end = float(times[-1]) if times.size else 0.0
    _require_end(source, channel, float(np.ptp(times)) if times.size else 0.0)
    require_peak(source, accel, stated_peak(channel), end, str(facts["component"]))
    sampled = even(source, times, accel, lines[::2], options)
    meta = {**facts, "unit": unit, "note": sampled.note}
    return motion(source, sampled.values, sampled.dt, meta, several=True)


def _require_end(source: Source, channel: Channel, span: float) -> None:
    """An error if the times span more than the record's length; a part of it may span less."""
    for number, words in enumerate(channel.words, start=channel.first):
        stated = number_in(found_in(words, r"\b(?:RECORD LENGTH|DURATION) *= *(\S+)", re.I))
        if stated and span > stated * (1 + _BEYOND):
            raise source.failure(
                f"the header states a duration of {stated:g} s, but the times span {span:g} s: "
                "one of them is wrong. Get the file from its archive again.",
                number,
            )


# -- volume 2 -------------------------------------------------------------------------------------

_DATA = re.compile(
    r"\s*(\d{1,18})\s+(?:accelerogram\s+points|points\s+of\s+(acc|vel|dis)\w*\s+data)", re.I
)
_RATE = re.compile(r"\bat\s*([\d.]+)\s*(?:pts|points|samples)\s*/\s*sec", re.I)
_STEP = re.compile(r"\bat\s*([\d.]+)\s*sec", re.I)
_UNIT = re.compile(
    r"(?:\bin\s+units\s+of|\bin\s+units|\bin|units?\s*[:=])\s*([a-z%][\w/^*%]*)", re.I
)
_SPACED = re.compile(rf"\bEQUALLY-SPACED INTERVALS OF +({NUMBER}) *SEC", re.I)
_LENGTH = re.compile(
    rf"\bNO\. OF POINTS *= *(\d{{1,9}})\b.*?\b(?:RECORD LENGTH|DURATION) *= *({NUMBER})", re.I
)
_FORMAT = re.compile(r"\(\s*\d*\s*[FEGI](\d+)", re.I)
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


def volume2_motions(
    source: Source, facts: Callable[[list[str]], dict[str, Any]], options: Options
) -> list[Motion]:
    """One motion per channel; ``facts`` reads the metadata from the words above its numbers."""
    below = _data_lines(source)
    return [_motion_below(source, line, match, facts, options) for line, match in below]


def _motion_below(
    source: Source,
    line: int,
    match: re.Match[str],
    facts: Callable[[list[str]], dict[str, Any]],
    options: Options,
) -> Motion:
    """The motion whose numbers are below ``line``, which ``match`` was found in."""
    end = source.content.rfind(_END, 0, source.start_of(line))  # of the channel before it
    first = source.line_at(end) + 1 if end >= 0 else 1
    words = source.header(first, line - 1)
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
    _require_one_step(source, words, int(match[1]), dt, options, first)
    peak, values = _peak_of_volume2(words, first), found.values
    return measured(source, values, dt, unit, options, facts(words), peak=peak, several=True)


def _require_one_step(
    source: Source, words: list[str], count: int, dt: float, options: Options, first: int
) -> None:
    """An error if the words state another step or length; those of an uncorrected record that was
    resampled since have another number of points."""
    for number, text in enumerate(words, start=first):
        spaced = _SPACED.search(text)
        if spaced:
            require_same_step(source, dt, float(spaced[1]), options, number)
        length = _LENGTH.search(text)
        if length and int(length[1]) == count:
            require_duration(source, length[2], count, dt, options, number)


def _numbers(source: Source, line: int, count: int, width: int) -> Numbers:
    """The numbers from ``line`` on; those that touch, in a file that does not state its columns,
    are separated by the columns of the first line."""
    start = source.start_of(line)
    try:
        return numbers(source, start, count, width)
    except MotionFormatError:
        found, margin = _columns_of("".join(source.header(line, line)))
        if width or not found or margin:
            raise
        return numbers(source, start, count, found)


def _peak_of_volume2(words: list[str], first: int) -> Peak | None:
    """The peak of the numbers: the corrected one, if the header has both."""
    corrected = any(re.match(r"\s*corrected", line, re.I) for line in words[:2])
    return peak_in(words, _PEAK if corrected else _UNCORRECTED_PEAK, first)
