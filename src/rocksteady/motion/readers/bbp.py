"""SCEC Broadband Platform files (.bbp): comments, then time and three components.

``# time(sec) N-S(cm/s/s) E-W(cm/s/s) U-D(cm/s/s)`` names the columns; above it there may be lines
``# key = value``. Files of velocities (cm/s) have the same layout.
"""

from __future__ import annotations

import re
import warnings

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import RocksteadyWarning
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import by_component, motion
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, in_si, quietly, settled_dt
from rocksteady.motion.readers.common.source import Source, failure
from rocksteady.motion.readers.common.words import number_in
from rocksteady.numerics.types import Array

NAME = "SCEC BBP"

_COLUMNS = re.compile(
    r"^#\s*time\s*\(s\w*\)" + r"\s+([\w-]+)\s*\(([^)]*)\)" * 3 + r"\s*$", re.M | re.I
)
_KEY = re.compile(r"^#\s*(\w+)\s*=\s*(.*?)\s*$", re.M)
_KEPT = {"station": "station", "filename": "event", "lon": "longitude", "lat": "latitude"}


def sniff(source: Source) -> bool:
    """A commented line that names time and three components, each with its unit."""
    return source.head.lstrip().startswith("#") and _COLUMNS.search(source.head) is not None


@quietly
def read(source: Source, options: Options) -> dict[str, Motion]:
    """Three motions: N-S, E-W and U-D. A copied column gives a warning."""
    path, match = source.path, _COLUMNS.search(source.head)
    assert match is not None
    line = source.head.count("\n", 0, match.end()) + 1
    while source.line(line + 1).startswith("#"):
        line += 1
    found = numbers(source, source.start_of(line + 1))
    count = found.values.size
    if count % 4 or not count:
        raise failure(
            path,
            f"{count} numbers follow the header, which do not fill rows of 4: the file is cut or "
            "damaged.",
            source.line_at(max(found.end - 1, 0)),
        )
    rows = found.values.reshape(-1, 4)
    _require_rows(source, found.places.reshape(-1, 4))
    dt = settled_dt(path, _step(source, rows[:, 0], line), options.dt, line + 1)
    names, units = (match[1], match[3], match[5]), (match[2], match[4], match[6])
    _warn_of_copies(source, rows, names)
    header = {
        _KEPT[key]: number_in(value) if key in ("lon", "lat") else value
        for key, value in _KEY.findall(source.head)
        if key in _KEPT
    }
    motions = []
    for i, (name, unit) in enumerate(zip(names, units, strict=True), start=1):
        speed = re.fullmatch(r"\s*[cm]?m/s(?:ec)?\s*", unit, re.I) is not None
        kind = "velocity" if speed else "acceleration"
        accel, its_unit = in_si(source, rows[:, i], dt, unit, options, kind)
        facts = {"format": NAME, "unit": its_unit, "station": path.stem, "component": name}
        motions.append(motion(source, accel, dt, facts | header, several=True))
    return by_component(motions)


def _require_rows(source: Source, places: NDArray[np.int32]) -> None:
    """An error unless each row of four is in one line."""
    lines = source.lines_of(places)
    broken = (lines[:, 0] != lines[:, 3]) | np.append(lines[:-1, 3] == lines[1:, 0], False)
    if broken.any():
        line = int(lines[np.argmax(broken), 0])
        raise failure(source.path, "the row does not have 4 numbers.", line)


def _step(source: Source, time: Array, line: int) -> float:
    """The uniform step [s] of the time column."""
    if time.size < 2:
        raise failure(source.path, "has fewer than 2 samples.", line + 1)
    step = float(f"{(time[-1] - time[0]) / (time.size - 1):.7g}")
    off = np.abs(time - time[0] - np.arange(time.size) * step) > 0.01 * abs(step) + 1e-6 * np.abs(
        time
    )
    if not step > 0 or off.any():
        row = int(np.argmax(off)) if step > 0 else 0
        raise failure(source.path, "the time column is not uniform.", line + 1 + row)
    return step


def _warn_of_copies(source: Source, rows: Array, names: tuple[str, ...]) -> None:
    for one, two in ((1, 2), (1, 3), (2, 3)):
        if np.array_equal(rows[:, one], rows[:, two]) and rows[:, one].any():
            warnings.warn(
                f"{source.path.name}: {names[two - 1]} is a copy of {names[one - 1]}, so it is "
                "hardly the real component: do not use it.",
                RocksteadyWarning,
                stacklevel=2,
            )
