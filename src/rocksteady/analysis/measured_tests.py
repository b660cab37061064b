"""A table of tests: which motion shook a body how strongly, how far it leant, whether it fell.

Columns, in any order, units in brackets:

=====================  =====================================================================
``motion``             a record's file, beginning where the table lies; a pulse
                       (``pulse:sine,a=0.4g,T=0.8``); or the name of one of the given motions
``component``          which one, of a file with several
``scale [-]``          what the accelerations were multiplied by; or ``pga [g]``, the peak
``peak [-]``           largest |θ|/α; or ``peak [rad]``, ``peak [deg]``
``overturned``         yes or no
``group``              a name for each test, the same for tests with one earthquake, if you know
                       better than the records say
``test``, ``series``   names, if there are any
=====================  =====================================================================

A cell may be empty where something was not measured; each test needs a peak or an outcome.
"""

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.draws import earthquake_numbers, label_numbers
from rocksteady.bodies import Rocker
from rocksteady.bodies.units import split_unit
from rocksteady.errors import InputError, unknown, warn
from rocksteady.files import checked_path
from rocksteady.motion import Motion
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.specs.motion import MotionSpec
from rocksteady.text_tables import read_table_file

YES = ("yes", "y", "true", "1", "1.0", "overturned", "fell")
NO = ("no", "n", "false", "0", "0.0", "stood", "stands", "at rest")
COLUMNS = ("motion", "component", "scale", "pga", "peak", "overturned", "group", "test", "series")
UNITS = {"scale": ("", "-", "1"), "pga": ("g",), "peak": ("-", "1", "rad", "deg", "°")}


@dataclass(frozen=True, eq=False)
class MeasuredTests:
    """Tests of one body, one entry each."""

    names: tuple[str, ...]
    motions: tuple[Motion, ...]
    """Not scaled."""
    scales: Array
    peak: Array
    """Largest |θ|, in ``unit``; nan where it is not known."""
    unit: str
    """Of the peaks: "-" (over α), "rad" or "deg"."""
    fell: NDArray[np.bool_]
    known: NDArray[np.bool_]
    """Whether it is known if the body overturned."""
    series: tuple[str, ...]
    """Empty where the table has none."""
    groups: tuple[str, ...] = ()
    """The earthquake of each test; empty where the table does not say."""

    def __len__(self) -> int:
        return len(self.names)

    def peak_over_alpha(self, body: Rocker) -> Array:
        """max |θ|/α [-]; α of the weaker side."""
        factor = {"rad": 1 / body.alpha, "deg": math.radians(1) / body.alpha}.get(self.unit, 1.0)
        return self.peak * factor

    @property
    def clusters(self) -> NDArray[np.int64]:
        """(n,) the number of each test's group or, if the table has none, of its earthquake: tests
        under one earthquake, at whatever strength, are alike."""
        if self.groups:
            return label_numbers("group", self.groups, len(self), "tests")
        return earthquake_numbers(self.motions)


def read_tests(path: str | Path, motions: Mapping[str, Motion] | None = None) -> MeasuredTests:
    """Read a table of tests (CSV or Parquet); see above for its columns.

    ``motions`` may be named in its column ``motion``.
    """
    path = Path(checked_path(path))
    return measured_in(read_table_file(path, "a table of tests"), motions, path.parent, path.name)


def measured_in(
    table: Any,
    motions: Mapping[str, Motion] | None = None,
    folder: Path = Path(),
    source: str = "the table",
) -> MeasuredTests:
    """The same from a pandas DataFrame; files begin in ``folder``."""
    columns, units = _columns(table, source)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if not rows:
        raise InputError(f"{source} has no tests: it has a heading only.")
    found: dict[tuple[str, str], Motion] = {}
    names, shaken, scales, peaks, fell, known = [], [], [], [], [], []
    for i, row in enumerate(rows, start=1):
        name = row.get("test") or str(i)
        where = f"{source}, test {name}"
        motion = _motion(row, motions or {}, folder, found, where)
        peak = _number(row, "peak", where)
        outcome = _outcome(row, where)
        if peak is None and outcome is None:
            raise InputError(f"{where} has neither a peak nor an outcome: give one of them.")
        if peak is not None and peak < 0:
            raise InputError(f"{where} has peak = {peak:g}: give the largest |θ|, without a sign.")
        names.append(name)
        shaken.append(motion)
        scales.append(_scale(row, motion, where))
        peaks.append(math.nan if peak is None else peak)
        fell.append(bool(outcome))
        known.append(outcome is not None)
    return MeasuredTests(
        tuple(names),
        tuple(shaken),
        np.array(scales),
        np.array(peaks),
        {"": "-", "1": "-", "°": "deg"}.get(units.get("peak", ""), units.get("peak", "-")),
        np.array(fell),
        np.array(known),
        tuple(row.get("series", "") for row in rows) if "series" in columns else (),
        _groups(rows, source) if "group" in columns else (),
    )


def _groups(rows: list[dict[str, str]], source: str) -> tuple[str, ...]:
    """The group of each test: all tests have one, or none has."""
    groups = tuple(row["group"] for row in rows)
    if any(groups) and not all(groups):
        first = groups.index("") + 1
        raise InputError(
            f"{source}, test {rows[first - 1].get('test') or first} has no group, and others have: "
            "give each test one, or leave the column out."
        )
    return groups if all(groups) else ()


def _columns(table: Any, source: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The cells of the known columns as texts, and their units."""
    columns: dict[str, list[str]] = {}
    units: dict[str, str] = {}
    for i, label in enumerate(table.columns):
        name, unit = split_unit(label)
        name = name.lower()
        if name not in COLUMNS:
            said = f"{source}: the column '{label}' {unknown(name, COLUMNS)}."
            if difflib.get_close_matches(name, COLUMNS, n=1, cutoff=0.8):
                raise InputError(said)
            warn(f"{said} It is not read.")
            continue
        if name in columns:
            raise InputError(f"{source} has the column {name} twice: keep one.")
        allowed = UNITS.get(name, ("",))
        if unit not in allowed:
            ways = " or ".join(
                f"'{name} [{each}]'" for each in allowed if each not in ("", "1", "°")
            )
            raise InputError(
                f"{source}: the column '{label}' must be written {ways}."
                if ways
                else f"{source}: the column '{label}' has no unit: write '{name}'."
            )
        units[name] = unit
        cells = table.iloc[:, i]
        columns[name] = [
            "" if cell != cell or cell is None else str(cell).strip() for cell in cells
        ]
    if "motion" not in columns or not {"peak", "overturned"} & set(columns):
        there = ", ".join(map(str, table.columns))
        raise InputError(
            f"{source} is not a table of tests: it has the columns {there}. It needs 'motion', and "
            "'peak [-]' (or [rad], [deg]) or 'overturned' or both; 'scale [-]' or 'pga [g]', "
            "'component', 'group', 'test' and 'series' may be there."
        )
    if {"scale", "pga"} <= set(columns):
        raise InputError(f"{source} has a column 'scale' and one 'pga': keep one of them.")
    return columns, units


def _motion(
    row: dict[str, str],
    motions: Mapping[str, Motion],
    folder: Path,
    found: dict[tuple[str, str], Motion],
    where: str,
) -> Motion:
    name, component = row["motion"], row.get("component", "")
    if not name:
        raise InputError(f"{where} has no motion: name a file, a pulse or one of the motions.")
    if name in motions:
        return motions[name]
    key = name, component
    if key not in found:
        values = {"pulse": name} if name.startswith("pulse:") else {"file": name}
        if not name.startswith("pulse:") and not (folder / name).is_file():
            known = f"; the motions given are {', '.join(list(motions)[:8])}" if motions else ""
            raise InputError(f"{where}: there is no file {folder / name}{known}.")
        try:
            given = values | ({"component": component} if component else {})
            found[key] = MotionSpec.checked(given).build(folder)
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
    return found[key]


def _scale(row: dict[str, str], motion: Motion, where: str) -> float:
    scale, pga = _number(row, "scale", where), _number(row, "pga", where)
    if pga is not None:
        if pga <= 0 or motion.pga == 0:
            raise InputError(f"{where}: no factor gives {motion!r} a pga of {pga:g} g.")
        return pga * GRAVITY_UNIT / motion.pga
    return 1.0 if scale is None else scale


def _number(row: dict[str, str], column: str, where: str) -> float | None:
    text = row.get(column, "")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}, column '{column}': {text!r} is not a number.")
    return value


def _outcome(row: dict[str, str], where: str) -> bool | None:
    text = row.get("overturned", "").lower()
    if text in YES:
        return True
    if text in NO:
        return False
    if text:
        raise InputError(f"{where}, column 'overturned': {text!r} is not known: write yes or no.")
    return None
