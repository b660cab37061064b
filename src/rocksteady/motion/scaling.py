"""Motions made as strong as asked for: to a peak, a spectral ordinate or a whole spectrum."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion import intensity
from rocksteady.motion._checks import FloatArray, positive
from rocksteady.motion.motion import Motion
from rocksteady.motion.provenance import choice, noted, step
from rocksteady.motion.spectra import response_spectrum


def scale(motion: Motion, factor: float) -> Motion:
    """Acceleration, horizontal and vertical, times ``factor``."""
    return noted(motion, step("scale", factor), motion.scaled(factor))


def scale_to(
    motion: Motion,
    measure: str,
    value: float,
    period: float | None = None,
    damping: float | None = None,
) -> Motion:
    """Scaled so that a measure has a value; the vertical by the same factor.

    ``measure`` is "pga" (``value`` in m/s²), "pgv" (m/s), or "sa" (m/s²): the pseudo-spectral
    acceleration at a ``period`` [s], with ``damping`` 0.05 unless given.
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
        now = intensity.pgv(motion)
    else:
        assert period is not None
        zeta = 0.05 if damping is None else damping
        now = intensity.spectral_acceleration(motion, period, zeta)
    if now == 0:
        raise InputError(f"{motion!r} has {measure} = 0: no factor makes it {value!r}.")
    what = step("scale-to", measure, value, period, damping)
    return noted(motion, what, motion.scaled(value / now))


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
    equally far apart in the logarithm, from ``shortest`` to ``longest`` [s]. The history notes the
    factor, as the target is not part of it.
    """
    T, target = np.asarray(periods, dtype=float), np.asarray(psa, dtype=float)
    if T.ndim != 1 or T.shape != target.shape or T.size < 2 or not (np.diff(T) > 0).all():
        raise InputError(
            f"the target has {T.size} periods and {target.size} values: it needs as many of both, "
            "two or more, the periods rising."
        )
    inside = T[0] <= shortest < longest <= T[-1] and shortest > 0
    if not (inside and np.isfinite(target).all() and (target > 0).all()):
        raise InputError(
            f"a target over {T[0]:g} to {T[-1]:g} s cannot be met from {shortest!r} to {longest!r} "
            "s: the range must lie within it, above zero, and its values must be positive."
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


def read_spectrum(path: str | PathLike[str]) -> tuple[FloatArray, FloatArray]:
    """Periods [s] and accelerations [m/s²] from a text file of two columns (commas or blanks)."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        rows = [line.split("#")[0].replace(",", " ").split() for line in lines]
        table = np.array([[float(word) for word in row] for row in rows if row])
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)!r} cannot be read as a spectrum: {error}.") from error
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 2:
        raise InputError(
            f"{str(path)!r} cannot be read as a spectrum: it needs two columns, period [s] and "
            "acceleration [m/s²], and two rows or more."
        )
    return table[:, 0], table[:, 1]
