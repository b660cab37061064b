"""Motions scaled to a peak, a spectral ordinate or a whole spectrum."""

import re
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.files import checked_path
from rocksteady.motion import intensity
from rocksteady.motion.motion import Motion, takes_motion
from rocksteady.motion.provenance import choice, noted, step
from rocksteady.motion.spectra import response_spectrum
from rocksteady.motion.units import canonical_unit, unit_factor
from rocksteady.numbers import is_number, positive
from rocksteady.numerics.types import Array
from rocksteady.text_tables import (
    UnclearNumbersError,
    cells,
    decoded,
    plain,
    stated_decimal,
    style_of,
)


@takes_motion
def scale(motion: Motion, factor: float) -> Motion:
    """All components times ``factor``."""
    return noted(motion, step("scale", factor), motion.scaled(factor))


@takes_motion
def scale_to(
    motion: Motion,
    measure: str,
    value: float,
    period: float | None = None,
    damping: float | None = None,
) -> Motion:
    """Scaled so that a measure of ``accel`` has this value; all components by the same factor.

    ``measure`` is "pga" (``value`` in m/s²), "pgv" (m/s), or "sa" (m/s²): the pseudo-spectral
    acceleration at a ``period`` [s], with ``damping`` 0.05 by default.
    """
    choice("measure", measure, ("pga", "pgv", "sa"))
    positive("value", value)
    if (measure == "sa") != (period is not None) or (damping is not None and measure != "sa"):
        raise InputError(
            f"measure = {measure!r} with period = {period!r} s and damping = {damping!r} is not "
            "allowed: 'sa' needs a period and may have a damping; 'pga' and 'pgv' take neither."
        )
    if measure == "pga":
        now = motion.pga
    elif measure == "pgv":
        now = motion.pgv
    else:
        assert period is not None
        zeta = 0.05 if damping is None else damping
        now = intensity.spectral_acceleration(motion, period, zeta)
    if now == 0:
        raise InputError(f"{motion!r} has {measure} = 0: no factor makes it {value!r}.")
    what = step("scale-to", measure, value, period, damping)
    return noted(motion, what, motion.scaled(value / now))


@takes_motion
def scale_to_spectrum(
    motion: Motion,
    periods: ArrayLike,
    psa: ArrayLike,
    shortest: float,
    longest: float,
    damping: float = 0.05,
) -> Motion:
    """Scaled to a target spectrum over a range of periods, by least squares of the logarithms.

    The target has ``psa`` [m/s²] at rising ``periods`` [s] and is a straight line between them on
    logarithmic axes. The factor makes the mean of ln(target/spectrum) zero over 100 periods,
    equally spaced in the logarithm, from ``shortest`` to ``longest`` [s]. The history notes the
    factor instead of the target.
    """
    T, target = np.asarray(periods, dtype=float), np.asarray(psa, dtype=float)
    if T.ndim != 1 or T.shape != target.shape or T.size < 2 or not (np.diff(T) > 0).all():
        raise InputError(
            f"the target has {T.size} periods and {target.size} values: it needs the same number "
            "of both, at least two, with rising periods."
        )
    inside = T[0] <= shortest < longest <= T[-1] and shortest > 0
    if not (inside and np.isfinite(target).all() and (target > 0).all()):
        raise InputError(
            f"a target from {T[0]:g} to {T[-1]:g} s cannot be used from {shortest!r} to "
            f"{longest!r} s: the range must lie within it, and both must be positive."
        )
    if motion.pga == 0:
        raise InputError(f"{motion!r} is all zeros: no factor gives it a spectrum.")
    at = np.geomspace(shortest, longest, 100)
    positive_T = np.maximum(T, 1e-6 * shortest)  # a target may begin at T = 0
    wanted = np.interp(np.log(at), np.log(positive_T), np.log(target))
    found = np.log(response_spectrum(motion, at, damping, exact=True).psa)
    factor = float(np.exp(np.mean(wanted - found)))
    remark = f"to a target spectrum, {shortest:g} to {longest:g} s, damping {damping:g}"
    return noted(motion, step("scale", factor), motion.scaled(factor), remark)


def read_spectrum(path: str | PathLike[str]) -> tuple[Array, Array]:
    """Periods [s] and accelerations [m/s²] from a text file of two columns.

    Columns are separated by commas, semicolons or blanks. A heading may state the unit of the
    accelerations, as in ``T [s], Sa [g]``, also after a #; otherwise they are in m/s².
    """
    file = Path(checked_path(path))
    try:
        lines = decoded(file.read_bytes()).split("\n")
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise _no_spectrum(path, f"{error}") from error
    rows = _numbers_in(path, lines)
    first = next((i for i, row in enumerate(rows) if row and all(map(is_number, row))), len(rows))
    factor = 1.0
    for line in lines[:first]:
        factor = _stated_factor(path, line) or factor
    for number, row in enumerate(rows[first:], start=first + 1):
        if row and not (len(row) == 2 and all(map(is_number, row))):
            raise _no_spectrum(path, f"line {number} is {lines[number - 1][:40]!r}")
    table = np.array([[float(word) for word in row] for row in rows[first:] if row])
    if len(table) < 2:
        raise _no_spectrum(path, f"it has {len(table)} rows of numbers")
    return table[:, 0], table[:, 1] * factor


def _numbers_in(path: str | PathLike[str], lines: list[str]) -> list[list[str]]:
    """The words of each line; those of numbers with decimal points."""
    bare = [line.split("#")[0] for line in lines]
    body = [line for line in bare if line.strip() and _NUMBERS.fullmatch(line)]
    try:
        style = style_of(body, stated_decimal(lines), lambda count, _: count == 2)
    except UnclearNumbersError as error:
        raise _no_spectrum(path, str(error).rstrip(".")) from error
    return [
        [plain(cell, style.decimal) for cell in cells(line, style.separator) if cell]
        for line in bare
    ]


_NUMBERS = re.compile(r"[\s\d.,;eEdD+-]*\d[\s\d.,;eEdD+-]*")
_UNITS = re.compile(r"[\[(](.*?)[\])]")
_NO_MATTER = re.compile(r"s|sec\.?|seconds?|t|[-–]|\d+(\.\d+)? ?%", re.IGNORECASE)  # Sa(T), 5 %


def _stated_factor(path: str | PathLike[str], line: str) -> float | None:
    """m/s² in the unit of acceleration that a line above the numbers states, if any."""
    units = _UNITS.findall(line)
    known = [unit for unit in units if canonical_unit(unit)]
    heading = not line.lstrip().startswith("#")  # a remark may have any words in brackets
    rest = [unit.strip() for unit in units if unit not in known]
    other = [unit for unit in rest if not _NO_MATTER.fullmatch(unit)]
    if heading and (other or len(known) > 1):
        raise _no_spectrum(path, f"its heading has the unit {(other or known)[-1]!r}")
    return unit_factor(known[0]) if known else None


def _no_spectrum(path: str | PathLike[str], why: str) -> InputError:
    return InputError(
        f"{str(path)!r} cannot be read as a spectrum: {why}. Give two columns of numbers, period "
        "and acceleration, two rows or more; above them, if you like, a heading with their units: "
        "T [s], Sa [g]. Without one accelerations are in m/s²."
    )
