"""Starting values for the fit of free rocking, found from the turning points of the record.

How peaks decrease tells η; how fast the swings get shorter as they get smaller tells which share
θ_0/α of the balance angle the block was released from. Several shares are tried.
"""

import math
from typing import Any

import numpy as np
from scipy.integrate import cumulative_trapezoid

from rocksteady.analysis.decay.model import quarter_periods
from rocksteady.analysis.decay.swings import closed_form_peaks
from rocksteady.analysis.rocking_identification.free_signal import LARGEST_ALPHA, Sensor, Unknowns
from rocksteady.numerics.types import Array

TRIED_SHARES = (0.06, 0.15, 0.3, 0.45, 0.6, 0.72, 0.82, 0.9, 0.96)
TRIED_ETA = (0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.88, 0.91, 0.94, 0.96, 0.98, 0.995)
GUESSED_FROM = 12  # turning points
BEST = 3  # of the guesses, which are fitted


def as_angle(time: Array, values: Array, sensor: Sensor) -> Array:
    """About the lean [rad], up to an offset and a drift: a rate is summed up."""
    if sensor.kind == "rate":
        return np.asarray(cumulative_trapezoid(values - np.mean(values), time, initial=0))
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
    """(misfit, [η, θ_0, offset, slope, p]) of the peaks and periods for a share θ_0/α. For a
    slender block, peaks are proportional to θ_0: of each η tried, the rest is linear."""
    n = np.arange(len(heights))
    since, swing = when - when[0], abs(heights[0] - heights[1])
    best, chosen = math.inf, [0.9, swing / 2, heights[0] - swing / 2, 0.0]
    for eta in TRIED_ETA:
        decay = (1 - 2 * (n % 2)) * closed_form_peaks(share, eta**2, n) / share
        columns = [decay, np.ones_like(decay), since][: 3 if len(heights) > 4 else 2]
        found = np.linalg.lstsq(np.stack(columns, axis=1), heights, rcond=None)[0]
        wrong = float(np.mean((np.stack(columns, axis=1) @ found - heights) ** 2)) / swing**2
        if found[0] > 0 and wrong < best:
            best, chosen = wrong, [eta, *found.tolist(), 0.0][:4]
    eta, theta0 = chosen[:2]
    leans = theta0 / share * closed_form_peaks(share, eta**2, n)
    quarters = quarter_periods(leans, min(theta0 / share, LARGEST_ALPHA), 1.0)
    spans = (quarters[1:] + quarters[:-1])[1:]  # the first span may include holding
    waits = np.diff(when)[1:]
    p = float(spans @ spans / (spans @ waits))
    late = (spans / p - waits) / waits.mean()
    return float(best + np.mean(late**2)), [*chosen, p]
