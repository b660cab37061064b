"""Starting values for the fit of free rocking, found from the turning points of the record.

How peaks decrease tells η; how fast the swings get shorter as they get smaller tells which share
θ_0/α of the balance angle the block was released from. Several shares are tried.
"""

import math
from typing import Any

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.optimize import least_squares

from rocksteady.analysis.decay.model import peaks, quarter_periods
from rocksteady.analysis.rocking_identification.free_signal import (
    LARGEST_ALPHA,
    Sensor,
    Unknowns,
)
from rocksteady.numerics.types import Array

TRIED_SHARES = (0.06, 0.15, 0.3, 0.45, 0.6, 0.72, 0.82, 0.9, 0.96)
TRIED_ETA = (0.75, 0.9, 0.97)
GUESSED_FROM = 12  # turning points
BEST = 3  # of the guesses, which are fitted


def as_angle(time: Array, values: Array, sensor: Sensor) -> Array:
    """About the lean [rad], up to an offset and a drift: a rate is summed up."""
    if sensor.kind == "rate":
        return np.asarray(cumulative_trapezoid(values - np.mean(values), time, initial=0.0))
    return values / sensor.scale


def guesses(
    time: Array, lean: Array, turns: Any, sensor: Sensor, unknowns: Unknowns, bias: float
) -> list[Array]:
    """The most promising starting values; ``bias`` is what was subtracted from a rate."""
    turns = turns[:GUESSED_FROM]
    if len(turns) > 3:
        turns = turns[:-1]  # the record may end before the last turning point
    when, heights = time[turns], lean[turns]
    found = []
    for share in TRIED_SHARES:
        misfit, x = _with_share(when, heights, share)
        eta, theta0, offset, slope, p = x
        alpha = min(theta0 / share, LARGEST_ALPHA)
        quarter = float(quarter_periods(np.array([theta0]), alpha, p)[0])
        second = float(quarter_periods(np.array([abs(heights[1] - offset)]), alpha, p)[0])
        first = when[1] - second if np.isfinite(second) else when[0] + quarter
        zero, drift = offset * sensor.scale, slope * sensor.scale
        if sensor.kind == "rate":
            zero, drift = bias + slope, 0.0
        stiffness = math.log(p**2 * alpha)
        start = [eta, theta0, first, zero, drift, stiffness, theta0 / alpha]
        found.append((misfit, np.array(start + [0.0] * (unknowns.count - 7))))
    found.sort(key=lambda each: each[0])
    return [x for _, x in found[:BEST]]


def _with_share(when: Array, heights: Array, share: float) -> tuple[float, list[float]]:
    """(misfit, [η, θ_0, offset, slope, p]) of the peaks and periods for a share θ_0/α."""
    n = np.arange(len(heights))
    sides = 1 - 2 * (n % 2)
    since = when - when[0]
    sloping = len(heights) > 4
    swing = abs(heights[0] - heights[1])

    def decay(x: Array) -> Array:
        return peaks(x[1], x[0] ** 2, min(x[1] / share, LARGEST_ALPHA), n)

    def wrong(x: Array) -> Array:
        line = x[2] + x[3] * since * sloping
        return np.asarray(sides * decay(x) + line - heights) / swing

    fits = []
    for eta in TRIED_ETA:
        theta0 = swing / (1 + eta**2)
        low = [0.2, 0.05 * swing, -np.inf, -np.inf]
        high = [1.0, 3.0 * swing, np.inf, np.inf]
        start = [eta, theta0, heights[0] - theta0, 0.0]
        scale = [0.1, swing, swing, swing / since[-1]]
        fits.append(least_squares(wrong, start, bounds=(low, high), x_scale=scale, max_nfev=60))
    best = min(fits, key=lambda fit: fit.cost)
    eta, theta0, offset, slope = best.x.tolist()
    leans = np.maximum(decay(best.x), 1e-6 * theta0)
    quarters = quarter_periods(leans, min(theta0 / share, LARGEST_ALPHA), 1.0)
    spans = (quarters[1:] + quarters[:-1])[1:]  # the first span may include holding
    waits = np.diff(when)[1:]
    p = float(spans @ spans / (spans @ waits))
    late = (spans / p - waits) / waits.mean()
    return float(np.mean(best.fun**2) + np.mean(late**2)), [eta, theta0, offset, slope, p]
