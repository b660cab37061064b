"""GeoNet files (.V1A, .V2A): up to three components, each with accelerations in mm/s².

Per component 16 lines of text, 40 integers and 60 real numbers; then the accelerations, velocities
and displacements, ten in a line, of which the 34th to 36th integer say how many. Only the
accelerations are used.
"""

from __future__ import annotations

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
    Options,
    azimuth_of,
    in_si,
    motion,
    number_in,
    one_after_the_other,
    quietly,
    settled_dt,
)
from rocksteady.motion.readers._numbers import numbers
from rocksteady.motion.readers._source import Source, failure

NAME = "GeoNet V1A/V2A"

_TEXT, _INTEGERS, _REALS, _WIDTH = 16, 40, 60, 8
_TITLE = re.compile(r"\s*(?:un)?corrected\s+accelerogram", re.I)
_STEP = re.compile(r"\bat\s+([\d.]+)\s+sec\w*\s+intervals", re.I)
_UNIT = re.compile(r"^Acceleration:\s*peak\s+\S+\s+(\S+)\s+at", re.M | re.I)


def sniff(source: Source) -> bool:
    """The title, then the site and a component."""
    return _TITLE.match(source.head) is not None and (
        re.search(r"^Site\s", source.head, re.M) is not None
        and re.search(r"^Component\s", source.head, re.M) is not None
    )


@quietly
def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per component, named by its bearing (S16W, S74E, Up)."""
    return one_after_the_other(source, options, _component)


def _component(source: Source, first: int, options: Options) -> tuple[Motion, int]:
    """The component whose header begins in line ``first``, and the line after it."""
    path = source.path
    text = source.header(first, first + _TEXT - 1)
    if not _TITLE.match(text[0]):
        raise failure(path, f"a component should begin here, not {text[0][:40]!r}.", first)
    words = "\n".join(text)
    step, unit = _STEP.search(words), _UNIT.search(words)
    line = first + _TEXT
    integers = numbers(source, source.start_of(line), _INTEGERS, _WIDTH)
    reals = numbers(source, integers.end, _REALS, _WIDTH)
    try:
        stated = float(step[1]) if step else float(reals.values[25])
    except ValueError:
        stated = float("nan")
    dt = settled_dt(path, stated, options.dt, first + 10)
    counts = [int(count) for count in integers.values[33:36]]
    declared = number_in((re.search(r"Number of points\s+(\d+)", words, re.I) or [""])[0])
    if min(counts) < 0 or (declared is not None and declared != counts[0]):
        raise failure(
            path,
            f"the header declares {counts[0]} accelerations here and {declared:.0f} points in its "
            "text: the file is damaged."
            if declared is not None
            else f"the header declares {counts} samples.",
            line + 3,
        )
    found, end = None, reals.end
    for count in counts:  # acceleration, velocity, displacement
        block = numbers(source, end, count, _WIDTH)
        found, end = found if found is not None else block.values, block.end
    assert found is not None
    accel, its_unit = in_si(source, found, dt, unit[1] if unit else None, options)
    meta = {"format": NAME, "unit": its_unit, **_facts(text)}
    name = f"{path.stem} {meta['component']}"
    return motion(path, accel, dt, name, meta), source.line_at(max(end - 1, 0)) + 1


def _facts(text: list[str]) -> dict[str, Any]:
    words = "\n".join(text)
    site = re.search(r"^Site\s+(\S+)", words, re.M)
    component = re.search(r"^Component\s+(\S+)", words, re.M)
    time = re.search(r"^(\d{4} \w+ +\d+ +[\d:.]+ UT)", words, re.M)
    magnitude = re.search(r"^Epicentre.*\bM\s*[LW]?\s*([\d.]+)", words, re.M)
    filtered = re.search(r"^(Band-pass filter.*?)\s*$", words, re.M | re.I)
    direction = component[1] if component else "1"
    return {
        "event": text[5].split("Processed")[0].strip() if len(text) > 5 else None,
        "origin_time": re.sub(r" +", " ", time[1]) if time else None,
        "magnitude": number_in(magnitude[1]) if magnitude else None,
        "station": site[1] if site else None,
        "station_name": text[2].strip() if len(text) > 2 else None,
        "component": direction,
        "azimuth": azimuth_of(direction),
        "filter": filtered[1] if filtered else None,
    }
