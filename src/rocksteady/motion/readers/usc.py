"""Files of the University of Southern California, as Caltech's volumes I and II.

Volume I: pairs (time, value) digitised from film, in tenths of g. Volume II: ``1887 POINTS OF ACC
DATA EQUALLY SPACED AT .020 SEC. IN UNITS CM/SEC/SEC`` above the accelerations; the velocities and
displacements that follow are skipped. The last columns of each line of words are its length,
and in some files the volume (``27VOL1``).
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import by_component
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.volumes import film_motions, volume2_motions
from rocksteady.motion.readers.common.words import azimuth_of, found_in, number_in, squeezed

NAME = "USC"

_FILM = re.compile(rb"^ *FILE +\d+ +OF +UNCORRECTED +ACCELEROGRAM", re.M | re.I)
_FROM_FILM = re.compile(
    r" *CORRECTED +ACCELEROGRAM\b.*\n *FILE +\d+ +OF +UNCORRECTED +ACCELEROGRAM", re.I
)
_SPECTRA = re.compile(r" *RESPONSE\b.*\n *CORRECTED +ACCELEROGRAM", re.I)
_LENGTH = 72  # the column after which a line of words may state its own length
_IS_LENGTH = re.compile(r" *\d{0,2} *(?:VOL\d)? *$", re.I)


def sniff(source: Source) -> bool:
    """The titles of volume I, II or III (which is refused with an explanation)."""
    head = source.head[:400]
    return (
        _FILM.match(source.content[:400]) is not None
        or _FROM_FILM.match(head) is not None
        or (_SPECTRA.match(head) is not None and "USC#" in source.head)
    )


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (N08W, UP)."""
    if _FILM.match(source.content[:400]) is not None:
        return by_component(film_motions(source, _FILM, _facts, options))
    motions = volume2_motions(source, _facts, options)
    if not motions:
        raise source.failure(
            "has no line '… POINTS OF ACC DATA …' above any numbers: it holds spectra, or is cut."
        )
    return by_component(motions)


def _facts(words: list[str]) -> dict[str, Any]:
    lines = [line[:_LENGTH] if _IS_LENGTH.match(line[_LENGTH:]) else line for line in words]
    lines = [line.strip() for line in lines]
    text = "\n".join(lines)
    station = next((i for i, line in enumerate(lines) if re.match("STATION", line, re.I)), None)
    direction = squeezed(found_in(text, r"^COMP +(\S.*)$", re.M | re.I))
    event = next((line for line in lines if re.search(r"EARTHQUAKE *$", line, re.I)), None)
    place = lines[station + 1] if station is not None and station + 1 < len(lines) else None
    return {
        "event": squeezed(event),
        "origin_time": squeezed(
            found_in(text, r"^([A-Z]{3}\w*\.? +\d+, *\d{4}\b.*)$", re.M | re.I)
        ),
        "magnitude": number_in(found_in(text, r"\bMAGNITUDE *= *(\d+\.?\d*)", re.I)),
        "network": NAME,
        "station": found_in(text, r"STATION +USC *# *(\S+)", re.I)
        or found_in(text, r"STATION +(?:NO\.)? *(\S+)", re.I),
        "station_name": squeezed(place),
        "component": direction or "1",
        "azimuth": azimuth_of(direction or ""),
        "filter": squeezed(
            found_in(text, r"((?:BAND|LOW|HIGH)-?PASS FILTERED.*?)\.?$", re.M | re.I)
        ),
    }
