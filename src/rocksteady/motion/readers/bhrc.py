"""Iran's network (BHRC): volume 1 (.V1), a channel each for L, V and T, in tenths of g.

The numbers in a channel are accelerations alone, at the rate that the 7th real number states [Hz],
or pairs (time, value). The azimuths of L and T are in the line of the station.
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import require_duration
from rocksteady.motion.readers.common.motions import by_component, measured
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.pairs import Even, even
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volumes import (
    Channel,
    channels,
    declared_points,
    points,
    stated_peak,
    stated_unit,
)
from rocksteady.motion.readers.common.words import (
    azimuth_of,
    found_in,
    magnitude_in,
    number_in,
    squeezed,
)
from rocksteady.numbers import NUMBER, is_number

NAME = "BHRC"

_REAL = 13  # characters of a number in the table of real numbers
_TITLE = re.compile(rb"^\* *VOL1DS FILE", re.M)


def sniff(source: Source) -> bool:
    """The title."""
    return source.head.startswith("*") and _TITLE.match(source.content) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel: L, V, T."""
    return by_component(_motion(source, channel, options) for channel in channels(source, _TITLE))


def _motion(source: Source, channel: Channel, options: Options) -> Motion:
    sampled = _samples(source, channel, options)
    facts = {**_facts(channel), "note": sampled.note}
    unit, peak = stated_unit(channel), stated_peak(channel)
    values, dt, _ = sampled
    return measured(source, values, dt, unit, options, facts, peak=peak, several=True)


def _samples(source: Source, channel: Channel, options: Options) -> Even:
    """The values at equal steps, of values alone or of pairs."""
    values, lines = points(source, channel)
    declared, count = declared_points(source, channel), values.size
    if count == 2 * declared:
        return even(source, values[::2].copy(), values[1::2].copy(), lines[::2], options)
    line = channel.line_of(r"\bNO\. OF POINTS")
    if count != declared:
        raise source.cut(f"{declared} points", f"{count} numbers", line)
    return Even(values, settled_dt(source, _step(source, channel, options), options, line))


def _step(source: Source, channel: Channel, options: Options) -> float | None:
    """The time step [s] of the rate, which must fit the duration; without a rate, that of the
    duration."""
    declared = declared_points(source, channel)
    duration = found_in(channel.text, rf"\bDURATION *= *({NUMBER})", re.I)
    rate = number_in("".join(source.header(channel.reals + 1, channel.reals + 1)))
    line = channel.line_of(r"\bDURATION\b")
    if rate:
        stated = step_of(rate)
        require_duration(source, duration, declared, stated, options, line)
        return stated if stated > 0 else None
    seconds = float(duration or 0)
    if not (seconds and declared):
        return None
    step = float(f"{seconds / declared:.6g}")
    again = source.header(channel.reals, channel.reals)[0][2 * _REAL : 3 * _REAL].strip()
    require_duration(source, again if is_number(again) else None, declared, step, options, line)
    return step


def _facts(channel: Channel) -> dict[str, Any]:
    text = channel.text
    component = found_in(text, r"^COMP +([A-Z]+)", re.M | re.I) or found_in(text, r"^([LVT]) *$")
    letter = component[0] if component else "?"
    azimuth = found_in(text, rf"\bAzimuth\b.*?\b{re.escape(letter)} +(\d+(?:\.\d+)?)")
    return {
        "origin_time": squeezed(found_in(text, r"^Origin Time *:(.*)$")),
        "magnitude": magnitude_in(found_in(text, r"^Epicenter\b(.*)$")),
        "network": NAME,
        "station": squeezed(found_in(text, r"^(.*?) +Station +\d")),
        "record": found_in(text, r"FILE: *(\S+)"),
        "component": component or "1",
        "azimuth": azimuth_of(azimuth) if azimuth else None,
        "instrument": squeezed(found_in(text, r"^Inst Type *= *(.*)$")),
    }
