"""Ground motions written to files that any program can read: CSV, and PEER's AT2.

Numbers have all their digits. A CSV file is read back (`read_motion`) to the same motion, bit for
bit; an AT2 file is in g, so that samples may differ in the last bit. What is known of the motion
(component, azimuth, station, event, origin time and the rest of ``meta``) stands in the header and
is read back, too: see `rocksteady.motion.kept`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path

from rocksteady import __version__
from rocksteady.errors import InputError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.kept import kept_line
from rocksteady.motion.motion import Motion, checked_motion
from rocksteady.motion.readers.common.plausible import exceeds
from rocksteady.motion.readers.common.source import checked_path
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.motion.upwards import is_vertical

_FACTS = ("event", "station", "component", "azimuth", "filter", "target")
_LONGEST = 200  # characters of a line of words
_MOST_STEPS = 12  # of a history, the last ones: readers look for numbers in the first 8192 bytes
_PER_LINE = 5  # numbers, as PEER has them
# What would be taken for the size or the unit of a record.
_MISLEADING = re.compile(r"\b(?:npts|dt|units?|velocity|displacement)\b|[=\"]", re.I)


def write_motion(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write a motion to ``path``, as its name ends: .csv or .at2. The files that were written.

    An AT2 file holds one component: the vertical one goes into a second file, ``name-UP.AT2``.
    Each file is written whole or not at all.
    """
    target = Path(checked_path(path))
    return writer_for(target)(checked_motion(motion), target)


def writer_for(path: str | PathLike[str]) -> Callable[[Motion, Path], list[Path]]:
    """The function that writes files of that name; an error where there is none."""
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        raise InputError(
            f"Cannot write a motion to {str(path)!r}: its name must end in "
            f"{' or '.join(WRITERS)} (in capitals, too)."
        )
    return WRITERS[suffix]


def write_csv(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write columns ``time [s]``, ``a_h [m/s2]`` and, where there is one, ``a_v [m/s2]``.

    A record of a vertical component is written as ``a_v``.
    """
    alone_and_up = motion.vertical is None and is_vertical(motion)
    columns = {"time [s]": motion.time, f"a_{'v' if alone_and_up else 'h'} [m/s2]": motion.accel}
    if motion.vertical is not None:
        columns["a_v [m/s2]"] = motion.vertical
    # The step stands above what others wrote: the first one counts for the reader.
    lines = [f"# dt = {motion.dt!r} s", f"# written by rocksteady {__version__}"]
    lines += [f"# {kept_line(motion, any_peak=exceeds(motion) or None)}"]
    lines += [f"# {words}" for words in _remarks(motion)]
    lines.append(",".join(columns))
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines += [",".join(map(repr, row)) for row in rows]
    return [_written(path, lines)]


def write_at2(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write PEER's layout: four lines of header, then accelerations in g, five in a line."""
    target = Path(path)
    written = [_written(target, _at2_lines(motion, motion.accel))]
    if motion.vertical is not None:
        meta = {**motion.meta, "component": "UP", "azimuth": None}
        alone = Motion(motion.vertical, motion.dt, name=motion.name, meta=meta)
        written.append(_written(vertical_file(target), _at2_lines(alone, alone.accel)))
    return written


def vertical_file(path: Path) -> Path:
    """Where the vertical component of an AT2 file goes."""
    return path.with_name(f"{path.stem}-UP{path.suffix}")


WRITERS: dict[str, Callable[[Motion, Path], list[Path]]] = {".csv": write_csv, ".at2": write_at2}
"""What writes the files whose names end so."""


def _remarks(motion: Motion) -> list[str]:
    """Lines about a motion, without anything that a reader would take for more than words."""
    meta = motion.meta
    facts = [f"{key}: {meta[key]}" for key in _FACTS if meta.get(key) not in (None, "")]
    facts += [f"history: {entry}" for entry in meta.get("history", ())[-_MOST_STEPS:]]
    return [_words(fact) for fact in ([f"name: {motion.name}"] if motion.name else []) + facts]


def _at2_lines(motion: Motion, accel: FloatArray) -> list[str]:
    meta = motion.meta
    parts = (
        str(meta.get("event", "") or motion.name or "motion"),
        str(meta.get("station", "") or "-"),
        str(meta.get("component", "") or "H"),
    )
    event = _words(parts[0]).strip(" ,") or "-"
    # Commas separate: there are none inside the last two.
    station, direction = (_words(part.replace(",", " ")) or "-" for part in parts[1:])
    in_g = [f"{value: .16E}" for value in (accel / GRAVITY_UNIT).tolist()]
    rows = ("  ".join(in_g[i : i + _PER_LINE]) for i in range(0, len(in_g), _PER_LINE))
    return [
        f"PEER AT2 LAYOUT, WRITTEN BY ROCKSTEADY {__version__} "
        + kept_line(motion, any_peak=exceeds(motion) or None),
        f"{event}, {station}, {direction}",
        "ACCELERATION TIME SERIES IN UNITS OF G",
        f"NPTS= {motion.npts}, DT= {motion.dt!r} SEC",
        *rows,
    ]


def _words(text: str) -> str:
    """One line of printable words."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(_MISLEADING.sub(" ", plain).split())[:_LONGEST]


def _written(path: str | PathLike[str], lines: Iterable[str]) -> Path:
    from rocksteady.files import write_whole

    return write_whole(Path(path), "\n".join(lines) + "\n")
