"""GeoNet files (.V1A, .V2A): up to three components, each with accelerations in mm/s².

Per component 16 lines of text, 40 integers and 60 real numbers; then the accelerations, velocities
and displacements, ten in a line, of which the 34th to 36th integer say how many. Only the
accelerations are used.
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import peak_in, require_duration, require_same_step
from rocksteady.motion.readers.common.motions import measured, one_after_the_other
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import found_in, number_in
from rocksteady.motion.units import canonical_unit

NAME = "GeoNet V1A/V2A"

_TEXT, _INTEGERS, _REALS, _WIDTH = 16, 40, 60, 8
_TITLE = re.compile(r"\s*(?:un)?corrected\s+accelerogram", re.I)
_STEP = re.compile(r"\bat\s+([\d.]+)\s+sec\w*\s+intervals", re.I)
_PEAK = re.compile(r"^Acceleration:\s*peak\s+(?P<value>\S+)\s+(?P<unit>\S+)\s+at", re.I)
_SPEED = re.compile(r"^Velocity:\s*peak\s+\S+\s+(\S+)\s+at", re.M | re.I)
_DURATION = r"^Number of points\s+\d+\s+Duration\s+(\S+)"


def sniff(source: Source) -> bool:
    """The title, then the site and a component."""
    return _TITLE.match(source.head) is not None and (
        re.search(r"^Site\s", source.head, re.M) is not None
        and re.search(r"^Component\s", source.head, re.M) is not None
    )


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per component, named by its bearing (S16W, S74E, Up)."""
    return one_after_the_other(source, options, _component)


def _component(source: Source, first: int, options: Options) -> tuple[Motion, int]:
    """The component whose header begins in line ``first``, and the line after it."""
    text = source.header(first, first + _TEXT - 1)
    if not _TITLE.match(text[0]):
        raise source.failure(f"a component should begin here, not {text[0][:40]!r}.", first)
    words = "\n".join(text)
    step, peak = _STEP.search(words), peak_in(text, _PEAK, first)
    line = first + _TEXT
    integers = numbers(source, source.start_of(line), _INTEGERS, _WIDTH)
    reals = numbers(source, integers.end, _REALS, _WIDTH)
    try:
        stated = float(step[1]) if step else float(reals.values[25])
    except ValueError:
        stated = float("nan")
    dt = settled_dt(source, stated, options, first + 10)
    counts = [int(count) for count in integers.values[33:36]]
    declared = found_in(words, r"Number of points\s+(\d+)", re.I) or counts[0]
    if min(counts) < 0 or int(declared) != counts[0]:
        raise source.failure(
            f"the header declares {counts} samples here and {declared} points in its text: the "
            "file is damaged.",
            line + 3,
        )
    blocks, end = [], reals.end
    for count in counts:  # acceleration, velocity, displacement
        blocks.append(numbers(source, end, count, _WIDTH))
        end = blocks[-1].end
    values, stated_unit = blocks[0].values, peak.unit if peak else None
    speed = _SPEED.search(words)
    known = canonical_unit(peak.unit) if peak else None
    if peak and speed and known and known != canonical_unit(f"{speed[1]}/s"):
        raise source.failure(
            f"the header states accelerations in {peak.unit}, but velocities in {speed[1]}: one of "
            "them is wrong. Get the file from its archive again.",
            peak.line,
        )
    require_same_step(source, dt, float(reals.values[25]), options, first + 10)
    duration = found_in(words, _DURATION, re.M | re.I)
    require_duration(source, duration, values.size, dt, options, first + 9)
    facts = _facts(text)
    found = measured(source, values, dt, stated_unit, options, facts, peak=peak, several=True)
    return found, source.line_at(max(end - 1, 0)) + 1


def _facts(text: list[str]) -> dict[str, Any]:
    words = "\n".join(text)
    time = found_in(words, r"^(\d{4} \w+ +\d+ +[\d:.]+ UT)")
    direction = found_in(words, r"^Component\s+(\S+)") or "1"
    return {
        "event": text[5].split("Processed")[0].strip() if len(text) > 5 else None,
        "origin_time": time and re.sub(r" +", " ", time),
        "magnitude": number_in(found_in(words, r"^Epicentre.*\bM\s*[LW]?\s*([\d.]+)")),
        "station": found_in(words, r"^Site\s+(\S+)"),
        "station_name": text[2].strip() if len(text) > 2 else None,
        "component": direction,
        "filter": found_in(words, r"^(Band-pass filter.*?)\s*$", re.M | re.I),
    }
