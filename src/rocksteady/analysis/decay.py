"""How rocking dies out: the swings between impacts, the closed forms for them, and the ratio of
energies r that they tell (D'Altri et al. 2024, Eqs. 3, 7 and 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from rocksteady.analysis.decay_noise import noisy_swings, top_of_three
from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array
from rocksteady.numbers import real, reals
from rocksteady.response import Response, lifted, passages_through_zero, table
from rocksteady.systems import Block, Side

COORDINATE = EVENT_FIELDS.index("coordinate")

DIED_OUT = 0.05  # of θ_0: swings below this no longer count
LOWEST_R, GRID = 0.2, 321  # r is sought from here to 1, first on a grid


def decay(response: Response) -> np.recarray[Any, Any]:
    """Peak, half period and energy ratio of each swing; see :meth:`Response.decay`."""
    if response.formulation.compliant:
        return _soft_decay(response)
    impacts, block = response.impacts, response.rocker
    times = np.concatenate([[0.0], impacts.time])
    theta = np.concatenate([response.theta, response.events[:, COORDINATE]])
    at = np.concatenate([response.time, response.events[:, 0]])
    order = np.argsort(at, kind="stable")
    theta, at = theta[order], at[order]
    lean = np.abs(block.relative(theta))

    edges = np.searchsorted(at, times)
    peaks = np.maximum.reduceat(lean, edges)[:-1]  # without what comes after the last impact
    half_periods = np.diff(times)
    if released_at_rest(response) and len(half_periods):
        half_periods[0] *= 2
    to_left = impacts.omega_before < 0  # turning back from the right corner onto the left one
    inertia_before = np.where(to_left, block.right.inertia, block.left.inertia)
    inertia_after = np.where(to_left, block.left.inertia, block.right.inertia)
    ratio = inertia_after * impacts.omega_after**2 / (inertia_before * impacts.omega_before**2)
    return table(n=np.arange(len(peaks)), peak=peaks, half_period=half_periods, r=ratio)


def _soft_decay(response: Response) -> np.recarray[Any, Any]:
    """Where nothing jumps, r is the ratio of the potential energies at two peaks; nan where that
    does not tell it: the ground moves between them, the swing has not turned when the run ends, or
    one of them is no energy to turn with."""
    asked = response.system, response.states
    resting, in_air = response.formulation.at_rest(*asked), lifted(response.formulation, *asked)
    found = swings(response.time, response.theta, resting, in_air)
    n = len(found.passages)
    if not n:
        empty = np.empty(0)
        return table(n=np.arange(0), peak=empty, half_period=empty, r=empty)
    right, left = response.rocker.right, response.rocker.left
    energy = np.where(found.rightwards, potential(right, found.peaks), potential(left, found.peaks))
    peaks = np.where(found.rightwards, found.peaks / right.alpha, found.peaks / left.alpha)
    none = energy <= 0  # too small a lean, or beyond the balance point and below the start
    told = ~(none[1:] | none[:-1]) & _quiet(response, found)
    ratio = np.where(told, energy[1:] / np.where(none[:-1], 1.0, energy[:-1]), np.nan)
    half_periods = found.half_periods
    if not released_at_rest(response):
        half_periods[0] /= 2
    return table(n=np.arange(n), peak=peaks[:n], half_period=half_periods, r=ratio)


def _quiet(response: Response, found: Swings) -> NDArray[np.bool_]:
    """Whether the ground rests from the peak before each passage to the one after it, and the
    latter is a turning point."""
    shaken = np.concatenate([[0], np.cumsum(np.any(response.ground, axis=0))])
    turned = found.at[1:] < len(response.time) - 1
    return np.asarray((shaken[found.at[1:] + 1] == shaken[found.at[:-1]]) & turned)


def released_at_rest(response: Response) -> bool:
    """Whether it starts leaning, and is let go."""
    return bool(response.omega[0] == 0 and response.theta[0] != 0)


def potential(side: Side, lean: Array) -> Array:
    """Potential energy of a rigid block that leans by ``lean`` [rad] about a corner, over m g:
    the rise of its centre of mass [m]."""
    return np.asarray(2 * side.R * np.sin(side.alpha - lean / 2) * np.sin(lean / 2))


def closed_form_peaks(theta0: float, r: float, n: NDArray[Any]) -> Array:
    """θ_n/α of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(1 - np.sqrt(1 - r**n * (1 - (1 - theta0) ** 2)))


def closed_form_half_periods(theta0: float, r: float, p: float, n: NDArray[Any]) -> Array:
    """T_n/2 [s] of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(2 / p * np.arctanh(np.sqrt(r**n * (1 - (1 - theta0) ** 2))))


# -- r from a history ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Swings:
    """Free rocking as a row of swings; number 0 is the one before the first impact."""

    passages: Array
    """When θ passes zero [s]: the impacts."""
    peaks: Array
    """Largest |θ| of each swing [rad]; the last one may not have reached its own yet."""
    half_periods: Array
    """Length of each swing [s]; of swing 0, twice the time to the first impact."""
    rightwards: NDArray[np.bool_]
    """Whether it leans to the right where it leans most."""
    at: NDArray[np.intp]
    """The sample at which it leans most."""


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


def swings(
    time: Array,
    theta: Array,
    resting: NDArray[np.bool_] | None = None,
    lifted: NDArray[np.bool_] | None = None,
) -> Swings:
    """The swings of a history θ(t) [rad] that starts at rest, leaning.

    Between two samples θ is taken as straight where it passes zero, and as a parabola through
    three samples where it turns. Where it is known which samples are ``resting`` and in which a
    corner is ``lifted``, only impacts end a swing.
    """
    time, theta = np.asarray(time, dtype=float), np.asarray(theta, dtype=float)
    _check_shapes(time, theta)
    passages, _, before = passages_through_zero(time, theta, theta, resting, lifted)
    first = np.concatenate([[0], before + 1])
    last = np.concatenate([before + 1, [len(theta)]])
    lean = np.abs(theta)
    parts = list(zip(first, last, strict=True))
    largest = [i + int(np.argmax(lean[i:j])) for i, j in parts]
    peaks = np.array([top_of_three(lean, i, *part) for i, part in zip(largest, parts, strict=True)])
    at = np.array(largest, dtype=np.intp)
    return Swings(passages, peaks, _half_periods(time, passages), theta[at] > 0, at)


def measured_swings(time: Array, theta: Array) -> Swings:
    """The swings of a test, whose θ(t) [rad] has noise: see :mod:`.decay_noise`."""
    passages, peaks, at = noisy_swings(time, theta)
    return Swings(passages, peaks, _half_periods(time, passages), theta[at] > 0, at)


def _check_shapes(time: Array, theta: Array) -> None:
    if time.shape != theta.shape or time.ndim != 1 or len(time) < 3:
        raise InputError(
            f"time and theta of shapes {time.shape} and {theta.shape} are not a history: give two "
            "arrays of the same length, three samples at least."
        )


def _half_periods(time: Array, passages: Array) -> Array:
    """Of swing 0, twice the time to the first impact."""
    return np.diff(passages, prepend=2 * time[0] - passages[:1])


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
        A response released at rest from ``theta0``, or the ``(time, theta)`` [s, rad] of a test,
        which may have noise: swings that do not stand out from it are left out.
    block
        The block, where ``history`` is not a response.
    impacts
        Compare so many impacts. Unless given: all until the closed form's swings fall below 5 % of
        the first, which depends on r itself; of a test that ends before, all it has. (A simulation
        can be made longer, a test cannot.)
    """
    test = not isinstance(history, Response)
    if isinstance(history, Response):
        block = history.system if isinstance(history.system, Block) else None
        time, theta = history.time, history.states[:, 0]
    else:
        time, theta = _given(history)
    if not isinstance(block, Block):
        raise InputError("measure_r needs a Block: measure_r((time, theta), block).")
    if not block.symmetric:
        raise InputError(
            "r is measured against closed forms for symmetric blocks only; this one has "
            f"offset = {block.offset!r} m."
        )
    if impacts is not None and not (real(impacts) >= 1 and real(impacts).is_integer()):
        raise InputError(f"impacts = {impacts!r} is not allowed: give a whole number, 1 or more.")
    found = (measured_swings if test else swings)(time, theta)
    if not 0 < abs(theta[0]) < block.alpha:
        degrees = test and math.radians(abs(theta[0])) < block.alpha < abs(theta[0])
        advice = (
            "If these are degrees, give numpy.radians(theta)."
            if degrees
            else "Begin where it is let go; simulate with theta0=block.alpha / 2."
        )
        raise InputError(
            f"The history starts at θ = {theta[0]:.4g} rad: it must be let go leaning, between 0 "
            f"and α = {block.alpha:.4g} rad. {advice}"
        )
    if impacts is None and test and not dies_out(found):
        impacts = comparable(found) or None
    grid = np.linspace(LOWEST_R, 1.0, GRID)
    errors = [math.hypot(*decay_error(found, block, r, impacts)) for r in grid]
    best = int(np.argmin(errors))
    # a slower decay would need more swings than the history has: its minimum may lie there
    cut_short = best + 1 < GRID and not math.isfinite(errors[best + 1])
    if cut_short or not math.isfinite(errors[best]):
        if test and impacts is None and comparable(found):  # the last swings are lost in noise
            return measure_r((time, theta), block, impacts=comparable(found))
        wanted = "until its swings die out to 5 %" if impacts is None else f"over {impacts} impacts"
        most = comparable(found)
        fewer = f", or impacts={most}, the most that can be compared" if most else ""
        raise InputError(
            f"The history has {len(found.passages)} impacts, too few to measure r {wanted}: give a "
            f"longer one{fewer}."
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


def _given(history: Any) -> tuple[Array, Array]:
    """Time [s] and θ [rad] as they were given."""
    try:
        time, theta = history
        time, theta = reals(time), reals(theta)
    except (TypeError, ValueError) as error:
        what = repr(history)[:60] if isinstance(history, (str, PathLike)) else "The history"
        raise InputError(
            f"{what} is no response and no (time, theta): give what rs.simulate returns, or two "
            "arrays of numbers, time [s] and θ [rad]. rocksteady calibrate measure reads a file."
        ) from error
    _check_shapes(time, theta)
    if not np.isfinite(theta).all() or not (np.diff(time) > 0).all():
        raise InputError(
            "The history has gaps or goes back in time: give finite numbers only, time [s] growing."
        )
    return time, theta


def _last(r: float, found: Swings, block: Block, impacts: int | None) -> int:
    """The last swing N that counts."""
    if impacts is not None:
        return int(impacts)
    if r >= 1:
        return len(found.peaks)  # it never dies out: more than there are
    released = found.peaks[0] / block.alpha
    # θ_n = 1 − sqrt(1 − rⁿ [1 − (1 − θ_0)²]) < 0.05 θ_0, solved for n
    share = (1 - (1 - DIED_OUT * released) ** 2) / (1 - (1 - released) ** 2)
    return math.floor(math.log(share) / math.log(r)) + 1


def comparable(found: Swings) -> int:
    """How many impacts can be compared: the swing after the last one may not be over."""
    return max(len(found.passages) - 1, 0)


def dies_out(found: Swings) -> bool:
    """Whether the history goes on until its swings, and not only the last, no longer count."""
    return bool(found.peaks[max(comparable(found) - 1, 0)] < DIED_OUT * found.peaks[0])


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
