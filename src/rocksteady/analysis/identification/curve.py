"""Read and check measured force–displacement curves.

A curve is a history: its rows are in the order of measurement. It is monotonic, or cyclic with at
least a few rows between two reversals.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError, warn
from rocksteady.numbers import is_number, number_row
from rocksteady.numerics.types import Array
from rocksteady.text_tables import UnclearNumbersError, read_rows

FEWEST = 8  # rows of a curve
LARGEST = 10.0  # m; a larger displacement is in the wrong unit
TURN = 0.02  # of the range of displacement: a smaller reversal is noise, not a cycle
UNITS = {
    "displacement": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6},
    "force": {"n": 1.0, "kn": 1e3, "mn": 1e6},
    "time": {"s": 1.0, "": 1.0},
}
NAMES = {
    "displacement": ("displacement", "displ", "disp", "drift", "slip", "u", "d", "x"),
    "force": ("force", "base shear", "shear", "load", "f", "v", "p", "y"),
    "time": ("time", "t"),
}


class Curve(NamedTuple):
    """A force–displacement history."""

    displacement: Array
    """[m]"""
    force: Array
    """[N]"""


# -- checks ----------------------------------------------------------------------------------------


def checked_curve(displacement: ArrayLike, force: ArrayLike) -> Curve:
    """Both as arrays of one length, finite, in the order of measurement; otherwise an error."""
    u, F = number_row("displacement", displacement, "m"), number_row("force", force, "N")
    if len(u) != len(F):
        raise InputError(
            f"displacement has {len(u)} values and force {len(F)}: a curve needs one force for "
            "each displacement."
        )
    if len(u) < FEWEST:
        raise InputError(
            f"The curve has {len(u)} points: the fit needs at least {FEWEST}, better 50."
        )
    for name, values, unit in (("displacement", u, "m"), ("force", F, "N")):
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InputError(
                f"{name}[{bad[0]}] = {values[bad[0]]} {unit}: {len(bad)} of {len(values)} values "
                "are not finite. Leave out the rows without a measurement."
            )
    if np.abs(u).max() > LARGEST:
        raise InputError(
            f"The displacement reaches {np.abs(u).max():g} m, more than {LARGEST:g} m: "
            "displacements are in metres. Is this in millimetres?"
        )
    if not np.ptp(u) > 0 or not np.abs(F).max() > 0:
        raise InputError("The curve is constant: displacement and force must both change.")
    if float(np.sum(u * F)) <= 0:
        raise InputError(
            "Force and displacement have opposite signs along the curve: change the sign of one "
            "of them, so that a push to the right meets a positive force."
        )
    _refuse_unordered(u, F)
    return Curve(u, F)


def turning_points(u: Array) -> list[int]:
    """Rows where the displacement reverses by more than TURN of its range."""
    least = TURN * float(np.ptp(u))
    turns: list[int] = []
    extreme, way = 0, 0
    for i in range(1, len(u)):
        step = u[i] - u[extreme]
        if way == 0:
            if abs(step) > least:
                extreme, way = i, int(np.sign(step))
        elif step * way >= 0:
            extreme = i
        elif abs(step) > least:
            turns.append(extreme)
            extreme, way = i, -way
    return turns


def _refuse_unordered(u: Array, F: Array) -> None:
    turns = turning_points(u)
    size = np.abs(u)
    if not turns:
        if size[0] > 0.5 * size.max() and size[0] > size[-1]:
            raise InputError(
                f"The curve begins at {u[0]:g} m, its largest displacement, and ends at {u[-1]:g} "
                "m: it runs backwards. Put the rows in the order of measurement, the first push "
                "from zero first."
            )
        return
    rows = np.diff([0, *turns, len(u) - 1])
    sort = np.argsort(u, kind="stable")
    straight = np.corrcoef(u, F)[0, 1] ** 2 > 0.98  # elastic cycles are a line, in any order
    single = np.abs(np.diff(F[sort])).sum() < np.abs(np.diff(F)).sum() and not straight
    if float(np.mean(rows)) < 2.5 or single:
        raise InputError(
            f"The curve is not in order: its displacement reverses at {len(turns)} of "
            f"{len(u)} points, first at row {turns[0] + 1} ({u[turns[0]]:g} m)"
            f"{', yet sorted by displacement it is one line' if single else ''}. Rows must be in "
            "the order of measurement. Sort a monotonic curve by displacement; give a cyclic one "
            "several rows between two turns."
        )


# -- files -----------------------------------------------------------------------------------------


def read_curve(
    path: str | Path, displacement_unit: str | None = None, force_unit: str | None = None
) -> Curve:
    """Read a force–displacement curve from CSV or any text of columns.

    The header names the columns and their units: ``displacement [mm], force [kN]``. Separators are
    commas, semicolons, tabs or blanks, decimal signs points or commas; ``#`` begins a comment;
    other columns are ignored. A column ``time [s]``, if present, must increase. Without a header
    the first two columns are displacement and force.

    Parameters
    ----------
    displacement_unit, force_unit
        Units if the file does not give them: m, cm, mm; N, kN, MN. By default metres and newtons,
        with a warning.
    """
    rows = _rows(Path(path))
    if not rows:
        raise InputError(f"{path} has no rows.")
    header = None if all(is_number(cell) for cell in rows[0] if cell) else rows[0]
    columns = _columns(path, header, len(rows[0]))
    asked = {"displacement": displacement_unit, "force": force_unit}
    body = rows if header is None else rows[1:]
    found = {}
    for kind, (place, unit) in columns.items():
        if kind == "time":
            found[kind] = _column(path, body, place, kind)
            continue
        given = asked[kind]
        if unit and given and unit.lower() != given.lower():
            raise InputError(
                f"{path} gives its {kind} in {unit}, but you gave {given}: leave out the unit."
            )
        found[kind] = _column(path, body, place, kind) * _factor(path, kind, unit or given)
    if "time" in found:
        _refuse_jumps(path, found["time"])
    try:
        return checked_curve(found["displacement"], found["force"])
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _rows(path: Path) -> list[list[str]]:
    try:
        return [row for row in read_rows(path) if any(row)]
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    except UnclearNumbersError as error:
        raise InputError(f"{path}: {error}") from error


def _columns(path: str | Path, header: list[str] | None, width: int) -> dict[str, tuple[int, str]]:
    """Column and unit ("" if not given) of displacement, force and perhaps time."""
    if header is None:
        if width < 2:
            raise InputError(f"{path} has one column: displacement and force are needed.")
        return {"displacement": (0, ""), "force": (1, "")}
    named: dict[str, tuple[int, str]] = {}
    for kind, names in NAMES.items():
        best = len(names)
        for place, cell in enumerate(header):
            match = re.fullmatch(r"\s*([^\[(]*?)\s*(?:[\[(]\s*(.*?)\s*[\])])?\s*", cell)
            words = (match[1] if match else cell).strip().lower().replace("_", " ")
            unit = (match[2] or "") if match else ""
            first, _, tail = words.rpartition(" ")
            if not unit and tail in UNITS[kind] and first:  # displacement_mm
                words, unit = first, tail
            if words in names and names.index(words) < best:
                best, named[kind] = names.index(words), (place, unit)
    for kind in ("displacement", "force"):
        if kind not in named:
            raise InputError(
                f"{path} has no column {kind!r}; it has {', '.join(map(repr, header))}. Name its "
                "columns 'displacement [mm]' and 'force [kN]'."
            )
    return named


def _factor(path: str | Path, kind: str, unit: str | None) -> float:
    units = UNITS[kind]
    if not unit:
        default = "m" if kind == "displacement" else "N"
        warn(
            f"{path} gives no unit for {kind}: {default} is assumed. Give it in the header, as in "
            f"'{kind} [{default}]'.",
            stacklevel=3,
        )
        return 1.0
    if unit.lower() not in units:
        raise InputError(
            f"{unit!r} is not a known unit of {kind}: use {', '.join(units)} (any case)."
        )
    return units[unit.lower()]


def _column(path: str | Path, rows: list[list[str]], place: int, kind: str) -> Array:
    values = np.empty(len(rows))
    for i, row in enumerate(rows):
        cell = row[place] if place < len(row) else ""
        if not is_number(cell):
            raise InputError(
                f"{path}: {kind} in data row {i + 1} is {cell!r}, not a number. Leave out the rows "
                "without a measurement."
            )
        values[i] = float(cell)
    return values


def _refuse_jumps(path: str | Path, time: Array) -> None:
    back = np.flatnonzero(~(np.diff(time) >= 0))
    if len(back):
        raise InputError(
            f"{path} is not in order: time goes from {time[back[0]]:g} to {time[back[0] + 1]:g} s "
            f"at data row {back[0] + 2}. Sort its rows by time."
        )
