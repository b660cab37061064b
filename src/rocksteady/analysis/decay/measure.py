"""Decay of rocking: the swings between impacts and the ratio of energies r
(D'Altri et al. 2024, Eqs. 3, 7 and 8)."""

import math
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from rocksteady.analysis.decay.fit import too_few
from rocksteady.analysis.decay.impacts import largest_leans, released_at_rest, rigid_decay
from rocksteady.analysis.decay.measured import MeasuredR, measure_test
from rocksteady.analysis.decay.swings import (
    DIED_OUT,
    Swings,
    check_shapes,
    comparable,
    decay_error,
    last_swing,
    potential,
    swings,
)
from rocksteady.bodies import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import reals, whole
from rocksteady.numerics.types import Array
from rocksteady.response import A_RUN, Response, table

LOWEST_R, GRID = 0.2, 321  # range and grid of the search for r


def decay(response: Response) -> np.recarray[Any, Any]:
    """Peak, half period and energy ratio of each swing; see :meth:`rocksteady.Response.decay`."""
    expect(response, Response, "decay", A_RUN)
    if response.formulation.compliant:
        return _soft_decay(response)
    return rigid_decay(response)


def _soft_decay(response: Response) -> np.recarray[Any, Any]:
    """On a soft bed r is the ratio of the potential energies at two peaks. It is nan if the ground
    moves between them, the run ends before the turning point, or an energy is not positive."""
    found = swings(response.time, response.theta, _impacts_before_rest(response))
    n = len(found.passages)
    if not n:
        empty = np.empty(0)
        return table(n=np.arange(0), peak=empty, half_period=empty, r=empty)
    right, left = response.rocker.right, response.rocker.left
    energy = np.where(found.rightwards, potential(right, found.peaks), potential(left, found.peaks))
    peaks = np.where(found.rightwards, found.peaks / right.alpha, found.peaks / left.alpha)
    none = energy <= 0  # lean too small, or so large that the block is lower than upright
    known = ~(none[1:] | none[:-1]) & _quiet(response, found)
    ratio = np.where(known, energy[1:] / np.where(none[:-1], 1.0, energy[:-1]), np.nan)
    half_periods = found.half_periods
    if not released_at_rest(response):
        half_periods[0] /= 2
    return table(n=np.arange(n), peak=peaks[:n], half_period=half_periods, r=ratio)


def _impacts_before_rest(response: Response) -> Array:
    """Times of the impacts [s] before the body counts as at rest."""
    resting = response.formulation.at_rest(response.system, response.states)
    hits = response.impacts.time
    after = np.searchsorted(response.time, hits)
    return np.asarray(hits[~(resting[after] | resting[after - 1])])


def _quiet(response: Response, found: Swings) -> NDArray[np.bool_]:
    """Whether the ground is still between the peaks before and after each passage, and the second
    is a turning point."""
    shaken = np.concatenate([[0], np.cumsum(np.any(response.ground, axis=0))])
    turned = found.at[1:] < len(response.time) - 1
    return np.asarray((shaken[found.at[1:] + 1] == shaken[found.at[:-1]]) & turned)


# -- r from a history ----------------------------------------------------------------------------


def measure_r(
    history: Response | tuple[Array, Array],
    block: Block | None = None,
    *,
    impacts: int | None = None,
) -> MeasuredR:
    """Measure r, the ratio of kinetic energies at impacts, from a history of free rocking.

    For a test, the rocking of a rigid block is fitted, together with the time and lean of its
    release and the offset and steady drift of the sensor. The record may start while the block is
    tilted or held, and may have noise, missing samples and an early end; swings below the noise are
    ignored. A fit that does not follow the record is refused.

    For a run with rigid contact r is the geometric mean over its impacts, see
    :meth:`rocksteady.Response.decay`. For the complex potential, whose impacts take a little
    time, the mean is
    over the energies from peak to peak. On a soft bed it is the r whose closed forms (D'Altri et
    al. 2024) come nearest to the swings.

    Parameters
    ----------
    history
        A response released at rest from ``theta0``, or the ``(time, theta)`` [s, rad] of a test.
    block
        The block, if ``history`` is not a response.
    impacts
        Number of impacts to compare. By default all until swings fall below 5 % of the first, or
        all of a test that ends earlier. (A simulation can be made longer, a test cannot.)
    """
    impacts = None if impacts is None else whole("impacts", impacts)
    if isinstance(history, Response):
        return _measure_run(history, impacts)
    time, theta = _given(history)
    block = expect(block, Block, "measure_r", ": measure_r((time, theta), block)")
    _check_symmetric(block)
    return measure_test(time, theta, block, impacts)


def _check_symmetric(block: Block) -> None:
    if not block.symmetric:
        raise InputError(
            "r is measured against closed forms for symmetric blocks only; this one has "
            f"offset = {block.offset!r} m."
        )


def _given(history: Any) -> tuple[Array, Array]:
    """Time [s] and θ [rad] as given, checked."""
    try:
        time, theta = history
        time, theta = reals(time), reals(theta)
    except (TypeError, ValueError) as error:
        what = repr(history)[:60] if isinstance(history, (str, PathLike)) else "The history"
        raise InputError(
            f"{what} is neither a response nor (time, theta): give the result of rs.simulate, or "
            "two arrays, time [s] and θ [rad]. `rocksteady calibrate measure` reads a file."
        ) from error
    check_shapes(time, theta)
    if not np.isfinite(theta).all() or not (np.diff(time) > 0).all():
        raise InputError(
            "The history has gaps or goes back in time: give finite numbers, increasing times [s]."
        )
    return time, theta


# -- runs ------------------------------------------------------------------------------------------


def _measure_run(run: Response, impacts: int | None) -> MeasuredR:
    body, theta0 = run.rocker, float(run.theta[0])
    if not 0 < abs(theta0) < body.alpha:
        raise InputError(
            f"The history starts at θ = {theta0:.4g} rad: it must be released at a lean "
            f"between 0 and α = {body.alpha:.4g} rad. Start at the release; simulate with "
            "theta0=block.alpha / 2."
        )
    if not run.formulation.compliant:
        return _measure_rigid_impacts(run, impacts)
    body = expect(body, Block, "measure_r on a soft bed")
    _check_symmetric(body)
    found = swings(run.time, run.theta)
    r, last = _best_closed_form(found, body, impacts)
    energy = potential(body.right, found.peaks[: last + 1])
    kept = energy[1:] / energy[:-1]
    interval = min(r, float(kept.min())), max(r, float(kept.max()))
    errors = decay_error(found, body, r, last)
    return MeasuredR(r, math.hypot(*errors), *errors, last, interval, theta0, 0.0, body.p)


def _measure_rigid_impacts(run: Response, impacts: int | None) -> MeasuredR:
    """The mean r of the computed impacts."""
    body, kept = run.rocker, decay(run)
    most = max(len(kept) - 1, 0)
    clear = np.flatnonzero(kept.peak >= DIED_OUT * abs(run.theta[0]) / body.alpha)
    last = impacts or (int(clear[-1]) + 1 if len(clear) else 1)
    if last > most:
        raise too_few(len(kept), impacts, most, whole=True)
    each = _from_peak_to_peak(run)[:last] if run.formulation.gradual else kept.r[:last]
    with np.errstate(divide="ignore"):
        r = float(np.exp(np.mean(np.log(np.maximum(each, 0.0)))))
    interval = min(r, float(each.min())), max(r, float(each.max()))
    errors = math.nan, math.nan
    if body is body.rigid() and body.symmetric and r > 0:
        none = np.empty(0)
        found = Swings(none, kept.peak * body.alpha, kept.half_period, none > 0, none.astype(int))
        errors = decay_error(found, body.rigid(), r, last)
    theta0 = float(run.theta[0])
    return MeasuredR(r, math.hypot(*errors), *errors, last, interval, theta0, 0.0, body.p)


def _from_peak_to_peak(run: Response) -> Array:
    """The ratio of the energies at successive largest leans."""
    energy = np.interp(largest_leans(run)[1], run.time, run.energy)
    return energy[1:] / energy[:-1]


def _best_closed_form(found: Swings, block: Block, impacts: int | None) -> tuple[float, int]:
    """The r with the smallest e_G, and the number of impacts compared."""
    grid = np.linspace(LOWEST_R, 1.0, GRID)
    errors = [math.hypot(*decay_error(found, block, r, impacts)) for r in grid]
    best = int(np.argmin(errors))
    # a slower decay needs more swings than the history has: the minimum may lie there
    cut_short = best + 1 < GRID and not math.isfinite(errors[best + 1])
    if cut_short or not math.isfinite(errors[best]):
        raise too_few(len(found.passages), impacts, comparable(found), whole=True)
    # e_G jumps where the number of impacts compared changes with r: refine with it fixed
    last = last_swing(grid[best], found, block, impacts)
    fine = minimize_scalar(
        lambda r: math.hypot(*decay_error(found, block, r, last)),
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]),
        method="bounded",
        options={"xatol": 1e-8},
    )
    return float(fine.x), last
