"""CSMIP/CDMG (DMG) files: volume 1 (.V1, .RAW) and volume 2 (.V2), several channels in one file.

Lines of text and tables of header numbers, then ``35430 Accelerogram points at 100 pts/sec in units
of g. Format: (8f9.6)`` or ``8000 points of accel data equally spaced at .005 sec, in cm/sec2.
(8f10.3)`` and the numbers in these columns. ``/&`` ends a channel. The velocities and displacements
of volume 2 are skipped. Volume 1 of film records has no such line but pairs (time, value).
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import by_component
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volumes import film_motions, volume2_motions
from rocksteady.motion.readers.common.words import azimuth_of, found_in, magnitude_in, squeezed

NAME = "CSMIP/DMG"

_TITLE = re.compile(r"\s*(un)?corrected\s+accelerogram", re.I)
_SPECTRA = re.compile(r"\s*response\s+and\s+fourier\s+amplitude\s+spectra", re.I)
_FILM = re.compile(rb"^ *UNCORRECTED +ACCELEROGRAM +DATA", re.M | re.I)
_PLACE = re.compile(r"[\d.]+[NS]\b", re.I)  # where a station has no number, its latitude is next


def sniff(source: Source) -> bool:
    """The title, and the line above the numbers or a channel's name."""
    if not (_TITLE.match(source.head) or _SPECTRA.match(source.head)):
        return False
    return (
        re.search(r"\bChan\s+\d|points of accel|Accelerogram points", source.head, re.I) is not None
    )


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (90, Up)."""
    if _SPECTRA.match(source.head):
        raise source.failure(
            "holds spectra (volume 3), not an accelerogram: use the record's volume 1 or 2.", 1
        )
    motions = volume2_motions(source, _facts, options)
    if not motions and re.match(r"\s*uncorrected", source.head, re.I):
        motions = film_motions(source, _FILM, _facts, options)
    if not motions:
        raise source.failure("has no line '... points of accel data' above any numbers.")
    return by_component(motions)


def _facts(header: list[str]) -> dict[str, Any]:
    words = "\n".join(header)
    both = re.M | re.I
    channel = re.search(r"\bChan\s+(\d+)\s*:\s*(.*?)(?:\s{2,}|\s*$)", words, both)
    direction = re.sub(r"\s*deg\w*\.?$", "", channel[2], flags=re.I) if channel else ""
    station = re.search(r"^Station (?:Id\.|No\.)\s*(\S+).*\n\s*(.*?)(?:\s{3,}|\s*$)", words, both)
    return {
        "event": found_in(words, r"^Re?co?rd of\s+(.*?)(?:\s{3,}|\s*$)", both)
        or squeezed(found_in(words, r"uncorrected accelerogram data.*\n\s*(.*?)\s*$", both)),
        "origin_time": found_in(
            words, r"\(?Origin\s*(?:\([^)\n]*\))?\s*:\s*(\d.*?)(?:\)|\s{2,}|$)", both
        ),
        "magnitude": magnitude_in(found_in(words, r"^Hypocenter(.*)$", both)),
        "station": station[1] if station and not _PLACE.match(station[1]) else None,
        "station_name": squeezed(station[2]) if station else None,
        "channel": int(channel[1]) if channel and len(channel[1]) < 9 else None,
        "component": direction or (channel[1] if channel else "1"),
        "azimuth": azimuth_of(direction),
        "start_time": found_in(words, r"(?:Start|Trigger) time:\s*(\d.*?)(?:\s{2,}|\s*$)", both),
        "filter": found_in(words, r"((?:band-?pass|filter)[^\n]*?\d[^\n]*?)(?=\s{3,}|\s*$)", both),
    }
