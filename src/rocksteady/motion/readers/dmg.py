"""CSMIP/CDMG (DMG) files: volume 1 (.V1, .RAW) and volume 2 (.V2), several channels in one file.

Lines of text and tables of header numbers, then ``35430 Accelerogram points at 100 pts/sec in units
of g. Format: (8f9.6)`` or ``8000 points of accel data equally spaced at .005 sec, in cm/sec2.
(8f10.3)`` and the numbers in these columns. ``/&`` ends a channel. The velocities and displacements
of volume 2 are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
    Options,
    azimuth_of,
    by_component,
    found_in,
    in_si,
    motion,
    quietly,
    settled_dt,
    step_of,
)
from rocksteady.motion.readers._numbers import numbers
from rocksteady.motion.readers._source import Source, failure

NAME = "CSMIP/DMG"

_TITLE = re.compile(r"\s*(un)?corrected\s+accelerogram", re.I)
_DATA = re.compile(
    r"\s*(\d{1,18})\s+(?:accelerogram\s+points|points\s+of\s+(accel|veloc|displ)\w*\s+data)", re.I
)
_RATE = re.compile(r"\bat\s*([\d.]+)\s*(?:pts|points|samples)\s*/\s*sec", re.I)
_STEP = re.compile(r"\bat\s*([\d.]+)\s*sec", re.I)
_UNIT = re.compile(r"(?:\bin\s+units\s+of|\bin|units?\s*[:=])\s*([a-z%][\w/^*%]*)", re.I)
_FORMAT = re.compile(r"\(\s*\d*\s*[FEGI](\d+)", re.I)
_END = b"/&"


def sniff(source: Source) -> bool:
    """The title, and the line above the numbers or a channel's name."""
    if not _TITLE.match(source.head):
        return False
    return (
        re.search(r"\bChan\s+\d|points of accel|Accelerogram points", source.head, re.I) is not None
    )


@quietly
def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (90, Up)."""
    motions = []
    for line, match in _data_lines(source):
        if (match[2] or "accel").lower() != "accel":
            continue
        end = source.content.rfind(_END, 0, source.start_of(line))
        begin = source.line_at(end) + 1 if end >= 0 else 1
        motions.append(_channel(source, begin, line, match, options))
    if not motions:
        raise failure(source.path, "has no line '... points of accel data' above any numbers.")
    return by_component(motions)


def _data_lines(source: Source) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines that stand above numbers."""
    lower = source.content.lower()
    place = lower.find(b"points")
    while place >= 0:
        line = source.line_at(place)
        match = _DATA.match(source.header(line, line)[0])
        if match:
            yield line, match
        place = lower.find(b"points", source.start_of(line + 1))


def _channel(
    source: Source, begin: int, line: int, match: re.Match[str], options: Options
) -> Motion:
    path, words = source.path, source.header(line, line)[0]
    rate, step = _RATE.search(words), _STEP.search(words)
    try:
        stated = step_of(float(rate[1])) if rate else float(step[1]) if step else None
    except ValueError:
        raise failure(path, f"the time step in {words.strip()!r} is no number.", line) from None
    if stated is None:
        raise failure(path, "no time step is stated above the numbers.", line)
    dt = settled_dt(path, stated, options.dt, line)
    columns, unit_words = _FORMAT.search(words), _UNIT.search(words)
    width = int(columns[1]) if columns else 0
    unit = unit_words[1].rstrip(".") if unit_words else "cm/s2" if match[2] else None
    found = numbers(source, source.start_of(line + 1), int(match[1]), width)
    accel, unit = in_si(source, found.values, dt, unit, options)
    header = source.header(begin, line - 1)
    _refuse_more(source, found.end, int(match[1]), line)
    meta = {"format": NAME, "unit": unit, **_facts(header)}
    return motion(path, accel, dt, f"{path.stem} {meta['component']}", meta)


def _refuse_more(source: Source, end: int, declared: int, line: int) -> None:
    """An error where numbers go on after those that were declared."""
    after = source.content[end : end + 80].split()
    if after and re.fullmatch(rb"[-+]?\d*\.\d*(?:[eE][-+]?\d+)?", after[0]):
        raise failure(
            source.path,
            f"line {line} declares {declared} numbers, but more follow: the file is damaged.",
            source.line_at(end),
        )


def _facts(header: list[str]) -> dict[str, Any]:
    words = "\n".join(header)
    channel = re.search(r"\bChan\s+(\d+)\s*:\s*(.*?)(?:\s{2,}|\s*$)", words, re.M | re.I)
    both = re.M | re.I
    direction = re.sub(r"\s*deg\w*\.?$", "", channel[2], flags=re.I) if channel else ""
    return {
        "event": found_in(words, r"^Re?co?rd of\s+(.*?)(?:\s{3,}|\s*$)", both),
        "origin_time": found_in(words, r"\(?Origin:\s*(\d.*?)(?:\)|\s{2,}|$)"),
        "station": found_in(words, r"^Station (?:Id\.|No\.)\s*(\S+)", both),
        "channel": int(channel[1]) if channel and len(channel[1]) < 9 else None,
        "component": direction or (channel[1] if channel else "1"),
        "azimuth": azimuth_of(direction),
        "start_time": found_in(words, r"Start time:\s*(\d.*?)(?:\s{2,}|\s*$)", both),
        "filter": found_in(words, r"((?:band-?pass|filter)[^\n]*?\d[^\n]*?)(?=\s{3,}|\s*$)", both),
    }
