"""The time step that gives a wanted loss, and the loss that a time step gave (D'Altri et al. 2024).

The law itself is `time_step`. Here r is read from a history of free rocking: its swings are
compared with the closed forms of the slender block (Eq. 3 of the paper), and r is the value for
which the global error e_G (Eqs. 7 and 8) is smallest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from rocksteady.analysis.decay import closed_form_half_periods, closed_form_peaks
from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array
from rocksteady.formulations.dissipation import time_step
from rocksteady.response import Response
from rocksteady.systems import Block

__all__ = ["MeasuredR", "Swings", "decay_error", "measure_r", "swings", "time_step"]

DIED_OUT = 0.05  # of θ_0: swings below this no longer count
LOWEST_R, GRID = 0.2, 321  # r is sought from here to 1, first on a grid


@dataclass(frozen=True, eq=False)
class Swings:
    """Free rocking as a row of swings; number 0 is the one before the first impact."""

    passages: Array
    """When θ passes zero [s]: the impacts."""
    peaks: Array
    """Largest |θ| of each swing [rad]; the last one may not have reached its own yet."""
    half_periods: Array
    """Length of each swing [s]; of swing 0, twice the time to the first impact."""


@dataclass(frozen=True)
class MeasuredR:
    """The ratio of kinetic energies r that fits a history best, and how well it does."""

    r: float
    error: float
    """e_G (Eq. 8): that of the angles and that of the half periods together [-]."""
    error_angle: float
    """e_θ (Eq. 7) [-]."""
    error_period: float
    """e_T (Eq. 7) [-]."""
    impacts: int
    """How many were compared."""


def swings(time: Array, theta: Array) -> Swings:
    """The swings of a history θ(t) [rad] that starts at rest, leaning.

    Between two samples θ is taken as straight where it passes zero, and as a parabola through
    three samples where it turns.
    """
    time, theta = np.asarray(time, dtype=float), np.asarray(theta, dtype=float)
    if time.shape != theta.shape or time.ndim != 1 or len(time) < 3:
        raise InputError(
            f"time and theta of shapes {time.shape} and {theta.shape} are not a history: give two "
            "arrays of the same length, three samples at least."
        )
    side = np.where(theta >= 0, 1, -1)
    before = np.flatnonzero(side[1:] != side[:-1])
    share = theta[before] / (theta[before] - theta[before + 1])
    passages = time[before] + share * (time[before + 1] - time[before])
    first = np.concatenate([[0], before + 1])
    last = np.concatenate([before + 1, [len(theta)]])
    lean = np.abs(theta)
    peaks = np.array([_peak(lean, i, j) for i, j in zip(first, last, strict=True)])
    half_periods = np.diff(passages, prepend=2 * time[0] - passages[:1])
    return Swings(passages, peaks, half_periods)


def _peak(lean: Array, first: int, last: int) -> float:
    """The largest of ``lean[first:last]``, between samples where it can be."""
    i = first + int(np.argmax(lean[first:last]))
    if i in (0, len(lean) - 1):
        return float(lean[i])
    a, b, c = (float(value) for value in lean[i - 1 : i + 2])
    bend = 2 * b - a - c
    # the neighbour across zero belongs to another parabola
    inside = first < i < last - 1 and bend > 0
    return b + (a - c) ** 2 / (8 * bend) if inside else b


def measure_r(
    history: Response | tuple[Array, Array],
    block: Block | None = None,
    *,
    impacts: int | None = None,
) -> MeasuredR:
    """The ratio of kinetic energies r at impacts that explains a history of free rocking best.

    Parameters
    ----------
    history
        A response released at rest from ``theta0``, or its ``(time, theta)`` [s, rad].
    block
        The block, where ``history`` is not a response.
    impacts
        Compare so many impacts. Unless given: all until the closed form's swings fall below 5 % of
        the first, which depends on r itself.
    """
    if isinstance(history, Response):
        time, theta, block = history.time, history.theta, history.system
    else:
        time, theta = history
    if block is None:
        raise InputError("measure_r needs the block: measure_r((time, theta), block).")
    if not block.symmetric:
        raise InputError(
            "r is measured against closed forms for symmetric blocks only; this one has "
            f"offset = {block.offset!r} m."
        )
    if not 0 < abs(theta[0]) < block.alpha:
        raise InputError(
            f"The history starts at θ = {theta[0]:.4g} rad: it must be let go leaning, between 0 "
            f"and α = {block.alpha:.4g} rad. Simulate with theta0=block.alpha / 2."
        )
    found = swings(time, theta)
    grid = np.linspace(LOWEST_R, 1.0, GRID)
    errors = [math.hypot(*decay_error(found, block, r, impacts)) for r in grid]
    best = int(np.argmin(errors))
    # a slower decay would need more swings than the history has: its minimum may lie there
    cut_short = best + 1 < GRID and not math.isfinite(errors[best + 1])
    if cut_short or not math.isfinite(errors[best]):
        wanted = "until its swings die out to 5 %" if impacts is None else f"over {impacts} impacts"
        raise InputError(
            f"The history has {len(found.passages)} impacts, too few to measure r {wanted}: "
            "simulate longer (duration=), or give fewer impacts=."
        )
    # the number of impacts compared may change with r, and e_G jumps there: refine with it fixed
    n = _last(grid[best], found, block, impacts)
    fine = minimize_scalar(
        lambda r: math.hypot(*decay_error(found, block, r, n)),
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]),
        method="bounded",
        options={"xatol": 1e-8},
    )
    e_theta, e_period = decay_error(found, block, float(fine.x), n)
    return MeasuredR(float(fine.x), math.hypot(e_theta, e_period), e_theta, e_period, n)


def _last(r: float, found: Swings, block: Block, impacts: int | None) -> int:
    """The last swing N that counts."""
    if impacts is not None:
        if impacts < 1:
            raise InputError(f"impacts = {impacts!r} is not allowed: give 1 or more.")
        return impacts
    if r >= 1:
        return len(found.peaks)  # it never dies out: more than there are
    released = found.peaks[0] / block.alpha
    # θ_n = 1 − sqrt(1 − rⁿ [1 − (1 − θ_0)²]) < 0.05 θ_0, solved for n
    share = (1 - (1 - DIED_OUT * released) ** 2) / (1 - (1 - released) ** 2)
    return math.floor(math.log(share) / math.log(r)) + 1


def decay_error(
    found: Swings, block: Block, r: float, impacts: int | None = None
) -> tuple[float, float]:
    """(e_θ, e_T) of Eq. 7: root mean square difference of peaks and half periods from the closed
    form's for ``r``, in units of the first; infinite where the history has too few impacts."""
    last = _last(r, found, block, impacts)
    if last >= len(found.half_periods):
        return math.inf, math.inf
    n = np.arange(last + 1)
    released = found.peaks[0] / block.alpha
    peaks = closed_form_peaks(released, r, n)
    periods = closed_form_half_periods(released, r, block.p, n)
    e_theta = float(np.sum((peaks - found.peaks[: last + 1] / block.alpha) ** 2))
    e_period = float(np.sum((periods - found.half_periods[: last + 1]) ** 2))
    return (
        math.sqrt(e_theta / last) / float(peaks[0]),
        math.sqrt(e_period / last) / float(periods[0]),
    )
