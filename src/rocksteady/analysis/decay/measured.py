"""Measure r in a test: the lean of a real block after its release."""

import math
from dataclasses import dataclass

import numpy as np

from rocksteady.analysis.decay.fit import DecayFit, fit_test
from rocksteady.analysis.decay.model import peaks, quarter_periods
from rocksteady.analysis.decay.swings import differences, measured_swings
from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

MISFIT = 0.1  # residual over motion above which a fit is refused
UNSURE = 0.05  # half width above which r counts as undetermined
OTHER_P = 0.1  # relative difference of p above which it is another block


@dataclass(frozen=True)
class MeasuredR:
    """The ratio of kinetic energies r measured in a history, and its uncertainty."""

    r: float
    error: float
    """e_G (Eq. 8), the combined error of angles and half periods [-]; nan if there is no closed
    form."""
    error_angle: float
    """e_θ (Eq. 7) [-]."""
    error_period: float
    """e_T (Eq. 7) [-]."""
    impacts: int
    """Number of impacts compared."""
    interval: tuple[float, float]
    """90 % confidence interval of r, from the residuals of the fit to a test. For a run, which has
    no noise, the smallest and the largest r of the impacts compared."""
    theta0: float
    """The lean at release [rad]."""
    released: float
    """Time of the release [s]."""
    p: float
    """Frequency parameter [1/s]: fitted to a test; the body's own for a run."""
    offset: float = 0.0
    """Offset of the sensor at the release [rad]: its reading for an upright block."""
    drift: float = 0.0
    """Rate of change of the offset [rad/s]."""


def measure_test(time: Array, theta: Array, block: Block, impacts: int | None) -> MeasuredR:
    _check_range(theta, block)
    fit = fit_test(time, theta, block, impacts)
    _check_fit(fit, block)
    leans = peaks(fit.theta0, fit.r, block.alpha, np.arange(fit.impacts + 1))
    half_periods = 2 * quarter_periods(leans, block.alpha, fit.p)
    released = fit.first - float(half_periods[0]) / 2
    theta0, drift = fit.side * fit.theta0, fit.side * fit.drift
    offset = fit.side * fit.offset + drift * (released - fit.first)

    seen = time > released
    plain = theta[seen] - offset - drift * (time[seen] - released)
    found = measured_swings(  # from the release on, even if the record starts later
        np.concatenate([[0.0], time[seen] - released]), np.concatenate([[theta0], plain])
    )
    n = min(len(leans), len(found.half_periods))
    errors = differences(found, leans[:n], half_periods[:n]) if n > 1 else (math.nan,) * 2
    return MeasuredR(
        r=fit.r,
        error=math.hypot(*errors),
        error_angle=errors[0],
        error_period=errors[1],
        impacts=fit.impacts,
        interval=fit.interval,
        theta0=theta0,
        released=released,
        p=fit.p,
        offset=offset,
        drift=drift,
    )


def _check_range(theta: Array, block: Block) -> None:
    """Check that the lean stays below α to either side, whatever the sensor's zero."""
    reach = float(np.ptp(theta))
    if 0 < reach < 2 * block.alpha:
        return
    if reach > 4 * block.alpha > 2 * math.radians(reach):
        advice = "If these are degrees, give numpy.radians(theta)."
    elif reach > 0:
        advice = "Leave out stray readings and everything after a fall."
    else:
        advice = "Give the lean from before the release until the block is at rest."
    raise InputError(
        f"The lean covers a range of {reach:.4g} rad: the block must be released at a lean "
        f"between 0 and α = {block.alpha:.4g} rad, and not fall. {advice}"
    )


def _check_fit(fit: DecayFit, block: Block) -> None:
    """Refuse a fit that cannot be trusted."""
    if fit.misfit > MISFIT:
        raise InputError(
            f"The best fit, r = {fit.r:.3g}, does not follow the record: the residual is "
            f"{100 * fit.misfit:.0f} % of the motion. Is it a {block.label}, are the units right, "
            "and did it rock undisturbed after one release? Cut off the part before the release, "
            "or compare fewer impacts."
        )
    faster = fit.p / block.p
    if abs(faster - 1) > OTHER_P:
        raise InputError(
            f"The record is not that of a {block.label}: it rocks {faster:.2f} times as fast "
            f"(p = {fit.p:.3g} instead of {block.p:.3g} 1/s). Check height and width, that time is "
            "in s, and the unit of the lean."
        )
    if fit.half_width > UNSURE or fit.r >= 1:
        low, high = fit.interval
        raise InputError(
            f"The record does not determine r: it lies between {low:.3g} and {high:.3g}. Record "
            "for longer, with less noise, or release the block from a larger lean."
        )
