"""The main shock of L'Aquila, 6 April 2009, at stations AQG and AQV, if the user has the records.

They are not in the paper's text, and this package contains none: ESM and ITACA give them.
"""

import re
from functools import cache
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.catalogue import files_in
from rocksteady.motion.upwards import is_vertical

_MAYBE = re.compile(r"aquila|aq[gv]", re.IGNORECASE)  # names of files worth reading
_STATIONS = {"AQG": r"\bAQG\b|Colle Grilli", "AQV": r"\bAQV\b|Centro Valle"}
_DIRECTIONS = {"NS": r"NS|SN|N|H1|HNN|HGN|HLN", "WE": r"WE|EW|E|H2|HNE|HGE|HLE"}
_ON_THE_DAY = "2009-04-06"


@cache
def recorded(folder: Path) -> dict[str, Motion]:
    """The horizontal components of the main shock in a folder, by station and direction: "AQG NS",
    "AQG WE", "AQV NS", "AQV WE". An error if there is none."""
    found: dict[str, Motion] = {}
    for path in files_in(folder):
        if not _MAYBE.search(path.name):
            continue
        read = read_motion(path)
        for motion in read.values() if isinstance(read, dict) else [read]:
            name = _called(motion)
            if name is not None:
                found.setdefault(name, motion.renamed(f"L'Aquila 2009, {name}"))
    if not found:
        raise InputError(
            f"{folder} has no record of the main shock of L'Aquila (6 April 2009, 01:32) at AQG or "
            "AQV: give the folder of such files of ESM, ITACA or SIMBAD, with AQG, AQV or Aquila "
            "in their names."
        )
    return dict(sorted(found.items()))


def _called(motion: Motion) -> str | None:
    """Station and direction of a horizontal component of the main shock; None for another."""
    facts = motion.meta
    begin = str(facts.get("origin_time") or facts.get("start_time") or _ON_THE_DAY)
    if is_vertical(motion) or not begin.startswith(_ON_THE_DAY):
        return None
    where = " ".join(str(facts.get(key, "")) for key in ("station", "station_name", "file"))
    where = where.replace("_", " ").replace(".", " ")
    which = str(facts.get("component", ""))
    for station, words in _STATIONS.items():
        for direction, names in _DIRECTIONS.items():
            if re.search(words, where) and re.fullmatch(names, which, re.IGNORECASE):
                return f"{station} {direction}"
    return None
