"""Ground motions written to files that any program can read: CSV, and PEER's AT2.

Numbers have all their digits. `read_motion` gives the same motion back from a CSV file, bit for
bit; an AT2 file is in g, so samples may differ in the last bit. The header keeps what is known of
the motion (components, azimuths, station, event, origin time and the rest of ``meta``), and it is
read back too: see `rocksteady.motion.kept`.
"""

import re
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.files import checked_path
from rocksteady.marks import sealed_mark
from rocksteady.motion.kept import FIRST, kept_line
from rocksteady.motion.motion import Motion, checked_motion
from rocksteady.motion.readers.common.plausible import exceeds
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.motion.upwards import is_vertical

_FACTS = (*FIRST, "filter", "target")
_LONGEST = 200  # characters of a line of words
_MOST_STEPS = 12  # of a history, the last ones: readers look for numbers in the first 8192 bytes
_PER_LINE = 5  # numbers, as PEER has them
_ENDINGS = {"vertical": "UP", "transverse": "T"}  # of the names of AT2 files
# What a reader would take for the size or the unit of a record.
_MISLEADING = re.compile(r"\b(?:npts|dt|units?|velocity|displacement)\b|[=\"]", re.I)


def write_motion(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write a motion to ``path``, whose name ends in .csv or .at2; returns the files written.

    A CSV file has a column for each component. An AT2 file holds one: the vertical component goes
    to ``name-UP.AT2`` and the transverse one to ``name-T.AT2``; `read_record` reads all of them.
    Each file is written whole or not at all.
    """
    target = Path(checked_path(path))
    return writer_for(target)(checked_motion(motion), target)


def writer_for(path: str | PathLike[str]) -> Callable[[Motion, Path], list[Path]]:
    """The function that writes a file of this name, or an error."""
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        raise InputError(
            f"Cannot write a motion to {str(path)!r}: its name must end in "
            f"{' or '.join(WRITERS)} (capitals are allowed)."
        )
    return WRITERS[suffix]


def write_csv(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write columns ``time [s]``, ``a_h [m/s2]`` and, if the motion has them, ``a_t [m/s2]``
    (transverse) and ``a_v [m/s2]`` (vertical).

    A motion that is a record of a vertical component alone is written as ``a_v``.
    """
    alone_and_up = len(motion.components) == 1 and is_vertical(motion)
    others = {"a_t [m/s2]": motion.transverse, "a_v [m/s2]": motion.vertical}
    columns = {"time [s]": motion.time, f"a_{'v' if alone_and_up else 'h'} [m/s2]": motion.accel}
    columns |= {name: column for name, column in others.items() if column is not None}
    # The reader takes the first step it finds: it comes before the remarks.
    lines = [f"# dt = {motion.dt!r} s", f"# {sealed_mark()}"]
    lines += [f"# {kept_line(motion, any_peak=exceeds(motion) or None)}"]
    lines += [f"# {words}" for words in _remarks(motion)]
    lines.append(",".join(columns))
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines += [",".join(map(repr, row)) for row in rows]
    return [_written(path, lines)]


def write_at2(motion: Motion, path: str | PathLike[str]) -> list[Path]:
    """Write PEER's layout: four lines of header, then accelerations in g, five to a line."""
    target = Path(path)
    others = [key for key in motion.meta if key.startswith(("vertical_", "transverse_"))]
    shared = {key: value for key, value in motion.meta.items() if key not in others}
    files = {"accel": (target, shared)}
    for role, file in at2_files(target).items():
        facts = {key: motion.meta.get(f"{role}_{key}") for key in ("component", "azimuth")}
        facts["component"] = facts["component"] or _ENDINGS[role]
        files[role] = file, {**shared, **facts}
    return [
        _written(file, _at2_lines(Motion(accel, motion.dt, name=motion.name, meta=meta)))
        for role, accel in motion.components.items()
        for file, meta in [files[role]]
    ]


def at2_files(path: Path) -> dict[str, Path]:
    """Where the other components of an AT2 file go, by name."""
    return {role: path.with_stem(f"{path.stem}-{end}") for role, end in _ENDINGS.items()}


WRITERS: dict[str, Callable[[Motion, Path], list[Path]]] = {".csv": write_csv, ".at2": write_at2}
"""The function that writes files with each ending."""


def _remarks(motion: Motion) -> list[str]:
    """Lines about a motion, without anything that a reader would take for a number or a unit."""
    meta = motion.meta
    facts = [f"{key}: {meta[key]}" for key in _FACTS if meta.get(key) not in (None, "")]
    facts += [f"history: {entry}" for entry in meta.get("history", ())[-_MOST_STEPS:]]
    return [_words(fact) for fact in ([f"name: {motion.name}"] if motion.name else []) + facts]


def _at2_lines(motion: Motion) -> list[str]:
    meta = motion.meta
    parts = (
        str(meta.get("event", "") or motion.name or "motion"),
        str(meta.get("station", "") or "-"),
        str(meta.get("component", "") or "H"),
    )
    event = _words(parts[0]).strip(" ,") or "-"
    # Commas separate the three, so the last two must have none.
    station, direction = (_words(part.replace(",", " ")) or "-" for part in parts[1:])
    in_g = [f"{value: .16E}" for value in (motion.accel / GRAVITY_UNIT).tolist()]
    rows = ("  ".join(in_g[i : i + _PER_LINE]) for i in range(0, len(in_g), _PER_LINE))
    return [
        f"PEER AT2 LAYOUT, {sealed_mark()} " + kept_line(motion, any_peak=exceeds(motion) or None),
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
    from rocksteady.digests import sealed
    from rocksteady.files import write_whole

    return write_whole(Path(path), sealed(("\n".join(lines) + "\n").encode()))
