"""SCEC Broadband Platform files (.bbp): comments, then time and three components.

``# time(sec) N-S(cm/s/s) E-W(cm/s/s) U-D(cm/s/s)`` names the columns; above it there may be lines
``# key = value``. Files of velocities (cm/s) have the same layout.
"""

import re

import numpy as np

from rocksteady.errors import warn
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import by_component, measured
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.rows import Rows, rows
from rocksteady.motion.readers.common.source import Source
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


def read(source: Source, options: Options) -> dict[str, Motion]:
    """Three motions: N-S, E-W and U-D. A copied column gives a warning."""
    match = _COLUMNS.search(source.head)
    assert match is not None
    line = source.head.count("\n", 0, match.end()) + 1
    while source.line(line + 1).startswith("#"):
        line += 1
    table = rows(source, line + 1, 4)
    dt = settled_dt(source, _step(source, table), options, line + 1)
    names, units = (match[1], match[3], match[5]), (match[2], match[4], match[6])
    _warn_of_copies(source, table.values, names)
    header = {
        _KEPT[key]: number_in(value) if key in ("lon", "lat") else value
        for key, value in _KEY.findall(source.head)
        if key in _KEPT
    }
    motions = []
    for i, (name, unit) in enumerate(zip(names, units, strict=True), start=1):
        speed = re.fullmatch(r"\s*[cm]?m/s(?:ec)?\s*", unit, re.I) is not None
        kind = "velocity" if speed else "acceleration"
        facts = {"station": source.path.stem, "component": name, **header}
        values = table.values[:, i]
        motions.append(
            measured(source, values, dt, unit, options, facts, quantity=kind, several=True)
        )
    return by_component(motions)


def _step(source: Source, table: Rows) -> float:
    """The uniform step [s] of the time column."""
    time = table.values[:, 0]
    if time.size < 2:
        raise source.failure("has fewer than 2 samples.", int(table.lines[0]))
    step = float(f"{(time[-1] - time[0]) / (time.size - 1):.7g}")
    slack = 0.01 * abs(step) + 1e-6 * np.abs(time)
    off = np.abs(time - time[0] - np.arange(time.size) * step) > slack
    if not step > 0 or off.any():
        row = int(np.argmax(off)) if step > 0 else 0
        raise source.failure("the time column is not uniform.", int(table.lines[row]))
    return step


def _warn_of_copies(source: Source, values: Array, names: tuple[str, ...]) -> None:
    for one, two in ((1, 2), (1, 3), (2, 3)):
        if np.array_equal(values[:, one], values[:, two]) and values[:, one].any():
            warn(
                f"{source.path.name}: {names[two - 1]} is a copy of {names[one - 1]}, so it is "
                "hardly the real component: do not use it."
            )
