"""China's network (CSMNC): 16 lines of words, then the accelerations of one component.

``NO. OF POINTS: 12000 EQUALLY SPACED INTERVALS OF: 0.005 SEC`` and ``UNCORRECTED ACCELERATION
UNIT: CM/SEC/SEC`` say what the numbers are; ``PEAK VALUE`` is their largest. Times are China's.
"""

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import ask_about_step, peak_in, require_duration
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.numbers import numbers, refuse_more
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.rows import rows_begin
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import (
    found_in,
    iso_time,
    magnitude_in,
    number_in,
    squeezed,
)
from rocksteady.numbers import NUMBER, is_number

NAME = "CSMNC"

_MOST_LINES = 40
_KIND = re.compile(
    r"^ *((?:UN)?CORRECTED)? *(ACCELERATION|VELOCITY|DISPLACEMENT)\b.*?\bUNITS? *: *(\S+)",
    re.M | re.I,
)
_POINTS = re.compile(
    r"NO\. OF POINTS *: *(\d{1,9}) +EQUALLY SPACED INTERVALS? OF *: *([\d.]+) *SEC", re.I
)
_PEAK = re.compile(r"PEAK VALUE *: *(?P<value>[-+.\dE]+) +AT +(?P<time>[-+.\d]+) *SEC", re.I)
_CHINA = 8.0  # hours ahead of UTC


def sniff(source: Source) -> bool:
    """The component's line, and those that say what the numbers are."""
    begin = source.content[:3000].upper()
    if b"\nCOMP." not in begin or b"NO. OF POINTS" not in begin:
        return False
    return _KIND.search(source.head[:3000]) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under its component (EW, NS, UD)."""
    lines = source.header(1, _MOST_LINES)
    text = "\n".join(lines)
    kind, points = _KIND.search(text), _POINTS.search(text)
    if kind is None or points is None or not is_number(points[2]):
        raise source.failure(
            "no line like 'NO. OF POINTS: 12000 EQUALLY SPACED INTERVALS OF: 0.005 SEC' is in the "
            "header."
        )
    line = 1 + text.count("\n", 0, points.start())
    dt = settled_dt(source, float(points[2]), options, line)
    duration = found_in(text, rf"\bDURATION *: *({NUMBER})", re.I)
    require_duration(source, duration, int(points[1]), dt, options, line + 1)
    ask_about_step(source, dt, options, line, usual=duration is None)
    first = rows_begin(source, line + 1, _MOST_LINES)
    found = numbers(source, source.start_of(first), int(points[1]))
    refuse_more(source, found.end, int(points[1]))
    component = found_in(text, r"^COMP\. *(\S+)", re.M | re.I) or "1"
    facts = {**_facts(lines, text), "component": component, "processing": (kind[1] or "").lower()}
    values, quantity, peak = found.values, kind[2].lower(), peak_in(lines, _PEAK)
    made = measured(source, values, dt, kind[3], options, facts, quantity=quantity, peak=peak)
    return {component: made}


def _facts(lines: list[str], text: str) -> dict[str, object]:
    form = "%Y-%m-%d %H:%M:%S"
    zone = r" *(?:BTM|BJT|BEIJING *TIME)? *$"
    origin = found_in(text, rf"^\S* *(\d{{4}}-\d+-\d+ +\d+:\d+:[\d.]+){zone}", re.M | re.I)
    start = found_in(text, rf"^PRE-EVENT.*?(\d{{4}}-\d+-\d+ +\d+:\d+:[\d.]+){zone}", re.M | re.I)
    magnitude = found_in(text, r"^MAGNITUDE *:? *(\d+(?:\.\d+)?)", re.M | re.I)
    return {
        "event": squeezed(next((line for line in lines if "EARTHQUAKE" in line.upper()), None)),
        "origin_time": iso_time(origin, form, _CHINA),
        "magnitude": number_in(magnitude) or magnitude_in(found_in(text, r"^(M\w+.*)$", re.M)),
        "network": NAME,
        "station": found_in(text, r"^STATION *: *(\S+)", re.M | re.I),
        "instrument": squeezed(found_in(text, r"^INSTRUMENT TYPE *:(.*)$", re.M | re.I)),
        "pre_trigger": number_in(found_in(text, r"^PRE-EVENT TIME *: *(\S+)", re.M | re.I)),
        "start_time": iso_time(start, form, _CHINA),
    }
