"""A motion of a channel of pairs (time, value), as CDMG, USC and RENADIC digitised film."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import motion
from rocksteady.motion.readers.common.options import Options, in_si
from rocksteady.motion.readers.common.pairs import even
from rocksteady.motion.readers.common.peaks import require_peak
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volume1 import Channel, pairs, stated_peak, stated_unit


def film_motion(
    source: Source, channel: Channel, facts: Mapping[str, Any], options: Options
) -> Motion:
    """The motion of a channel; ``facts`` are what its words say."""
    path, component = source.path, str(facts["component"])
    times, values, lines = pairs(source, channel)
    peak = stated_peak(channel)
    # Checked on the file's own points: those between them are no larger.
    accel, unit = in_si(source, values, 1.0, stated_unit(channel), options)
    require_peak(source, accel, peak, float(times[-1]) if times.size else 0.0, component)
    sampled = even(source, times, accel, lines, options)
    meta = {**facts, "unit": unit, "note": sampled.note}
    return motion(path, sampled.values, sampled.dt, f"{path.stem} {component}", meta)
