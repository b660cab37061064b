"""Chile's network (RENADIC): volume 1 (.v1) with pairs (time, value) in tenths of g.

CDMG's layout of film records, in columns that touch from 100 s on. A record may continue in another
file; a peak in its header before the first sample or after the last is that of the whole.
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import by_component
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volumes import film_motions
from rocksteady.motion.readers.common.words import (
    azimuth_of,
    found_in,
    iso_time,
    magnitude_in,
    squeezed,
)

NAME = "RENADIC"

_TITLE = re.compile(rb"^ *UNCORRECTED +ACCELEROGRAM +DATA", re.M | re.I)


def sniff(source: Source) -> bool:
    """The title of volume 1, and the network's name below it."""
    head = source.head[:2000].upper()
    return _TITLE.match(source.content[:200]) is not None and "RENADIC" in head


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (EW, NS, Z)."""
    return by_component(film_motions(source, _TITLE, _facts, options))


def _facts(header: list[str]) -> dict[str, Any]:
    text, words = "\n".join(header), [*header, *[""] * 6]
    direction = found_in(text, r"^CHAN +\d+ *: *(\S+)", re.M | re.I)
    name = re.sub(r" +S/N +\S+ *$", "", words[5].strip())
    form = "%m/%d/%Y %H:%M:%S"
    origin = found_in(text, r"\(ORIGIN: *(.*?) *(?:GMT|UTC)? *\)", re.I)
    start = found_in(text, r"TRIGGER TIME: *(\d.*?) *(?:GMT|UTC|$)", re.M | re.I)
    return {
        "event": squeezed(words[1]),
        "origin_time": iso_time(origin, form),
        "magnitude": magnitude_in(found_in(text, r"^HYPOCENTER:(.*)$", re.M | re.I)),
        "network": NAME,
        "station": squeezed(name),
        "component": direction or "1",
        "azimuth": azimuth_of(direction or ""),
        "start_time": iso_time(start, form),
    }
