"""Fit a freely rocking block to a signal: least squares on the closed form, with intervals.

The fit begins with the first swings and takes in twice as many each time, until swings die out,
disappear in noise, or the record ends. Samples before the release are ignored.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.optimize import least_squares
from scipy.stats import chi2

from rocksteady.analysis.decay.model import quarter_periods
from rocksteady.analysis.decay.noise import noise_of, turning_points
from rocksteady.analysis.decay.spread import variances_of, widened_quantile
from rocksteady.analysis.decay.swings import DIED_OUT, closed_form_peaks
from rocksteady.analysis.rocking_identification.free_signal import (
    ETA,
    FIRST,
    LARGEST_ALPHA,
    SHARE,
    STIFFNESS,
    THETA0,
    Sensor,
    Sides,
    Signal,
    Unknowns,
    fall_time,
)
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

FIRST_SWINGS, MOST_SWINGS = 4, 400
MORE = 2  # swings that are computed beyond the compared ones: it may strike earlier
LEFT_HOLD = 0.03  # of θ_0: until the lean has decreased by this, the block may still be held
STEADY = 4.0  # times the noise: the same
SEEN = 3.0  # times the noise: smaller swings are not visible
COARSE, FINE = 1e-4, 1e-10  # relative change of the sum of squares at which a fit stops
CONSISTENT = 3.0  # standard deviations of the release: nearer to the beginning it is the beginning
MISFIT = 0.1  # residual over motion above which a fit is refused
LAGS, UNLIKELY = 10, 0.01  # of the test whether residuals are independent


@dataclass(frozen=True, eq=False)
class FreeFit:
    """A block fitted to a signal."""

    x: Array
    signal: Signal
    """The part that was compared."""
    swings: int
    side: float
    """+1 or −1: the side of the release."""
    impacts: int
    """Number of impacts compared."""
    noise: float
    """Standard deviation of the residual, in units of the signal."""
    misfit: float
    """Residual without noise over the motion, both as root mean squares [-]."""
    independent: bool
    """Whether the residuals look independent from sample to sample."""
    _jacobian: Array
    _residual: Array

    @property
    def sides(self) -> Sides:
        return Sides.of(self.x, self.signal.unknowns)

    def spread(self, quantities: Any) -> tuple[Array, Array]:
        """(values, covariance) of a vector function of the unknowns, by its derivatives. Residuals
        that are not independent widen it, see `decay.spread`."""
        x, unknowns = self.x, self.signal.unknowns
        step, values = 1e-6 * self.signal.scales(x), np.array(quantities(x))
        rows = np.empty((len(values), len(unknowns.free)))
        for column, i in enumerate(unknowns.free):
            near = x.copy()
            near[i] -= step[i]
            change = values - np.array(quantities(unknowns.complete(near)))
            rows[:, column] = change / step[i]
        size = np.linalg.norm(self._jacobian, axis=0)
        if not (np.isfinite(size).all() and (size > 0).all() and np.isfinite(rows).all()):
            raise np.linalg.LinAlgError("an unknown is at its bound")
        scaled = self._jacobian / size
        inverse = np.linalg.pinv(scaled.T @ scaled)
        covariance = (rows / size) @ inverse @ (rows / size).T
        samples = len(self._residual)
        swing = samples // (self.swings + 1)
        variances = variances_of(self._jacobian, self._residual, swing, rows)
        if self.independent:
            variance = variances[0]
        else:
            wider = widened_quantile(min(swing / samples, 0.25)) / widened_quantile(0.0)
            variance = wider**2 * variances.max(axis=0)
        own = np.sqrt(np.diag(covariance))
        ratio = np.sqrt(variance) / np.where(own > 0, own, 1.0)
        return values, np.asarray(covariance * np.outer(ratio, ratio))


def fit_signal(
    time: Array, values: Array, sensor: Sensor, unknowns: Unknowns, *, look: bool = True
) -> FreeFit:
    """Fit free rocking to a signal [s, unit of the sensor].

    If the release is not known and ``look`` is set, a record that begins where the fit has its
    release is taken to begin with it: then p and α are known better by a factor of two.
    """
    if unknowns.released is not None:
        after = time >= unknowns.released
        time, values = time[after], values[after]
    angle = as_angle(time, values, sensor)
    turns = turning_points(time, angle, noise_of(angle))
    if len(turns) < 4:
        raise _too_few(max(len(turns) - 2, 0))
    side = 1.0 if angle[turns[0]] > angle[turns[1]] else -1.0
    bias = side * float(np.mean(values)) if sensor.kind == "rate" else 0.0
    starts = guesses(time, side * angle, turns, sensor, unknowns, bias)
    if unknowns.released is None:
        signal = _from_release(time, side * values, side * angle, starts[0], sensor, unknowns)
    else:
        signal = Signal(time, side * values, sensor, unknowns, float(starts[0][FIRST]))
    first = min(FIRST_SWINGS, len(turns) - 2)
    fits = (_solve(signal, start, first) for start in starts)
    fit = _all_swings(signal, min(fits, key=lambda fit: fit.cost).x, first, side)
    if unknowns.released is None and look and _begins_with_release(fit, float(time[0])):
        known = replace(unknowns, released=float(time[0]))
        signal = Signal(time, side * values, sensor, known, signal.zero)
        fit = _all_swings(signal, fit.x, fit.swings, side)
    return fit


def _all_swings(signal: Signal, x: Array, swings: int, side: float) -> FreeFit:
    """Fit more and more swings, from a start that fits some."""
    noise, end = noise_of(signal.values), signal.time[-1]
    while True:
        wanted = _visible(x, signal, noise)
        swings = min(2 * swings, wanted)
        x = _solve(signal, x, swings).x
        if swings == wanted or signal.ends(x, swings)[-1] > end:
            break
    x = _solve(signal, x, swings, FINE).x
    ends = signal.ends(x, swings)
    compared = int(np.searchsorted(ends, end, side="right")) - 1
    if compared < 2:
        raise _too_few(compared + 1)
    part = signal.until(ends[-1]).away_from_impacts(x, swings + MORE)
    more = swings + MORE  # with fewer, the derivatives would jump at the end of the last swing
    residual, motion = part.residual(x, more), part.history(x, more)
    rough = max(float(np.mean(residual**2)) - noise**2, 0.0)
    spare = max(len(residual) - len(signal.unknowns.free), 1)
    return FreeFit(
        x=x,
        signal=part,
        swings=swings,
        side=side,
        impacts=compared,
        noise=math.sqrt(float(np.sum(residual**2)) / spare),
        misfit=math.sqrt(rough / float(np.mean(motion**2))),
        independent=_independent(residual),
        _jacobian=part.jacobian(x, more),
        _residual=residual,
    )


def _begins_with_release(fit: FreeFit, begin: float) -> bool:
    """Whether the release that was fitted is the beginning of the record, as far as that can be
    told."""
    unknowns = fit.signal.unknowns
    if fit.misfit > MISFIT:
        return False
    values, covariance = fit.spread(lambda x: [x[FIRST] - fall_time(x, unknowns)])
    return bool(abs(values[0] - begin) <= CONSISTENT * math.sqrt(covariance[0, 0]))


def _too_few(seen: int) -> InputError:
    return InputError(
        f"The record has {seen} visible impact{'s' * (seen != 1)} of free rocking, too few to "
        "identify a block: at least 3 are needed. Give a longer record, with less noise, from one "
        "release on."
    )


def _independent(residual: Array) -> bool:
    """Whether the residuals pass as independent (Ljung and Box 1978)."""
    n = len(residual)
    if n < 4 * LAGS or not np.any(residual):
        return True
    centred = residual - residual.mean()
    lags = np.arange(1, LAGS + 1)
    rho = np.array([centred[lag:] @ centred[:-lag] for lag in lags]) / (centred @ centred)
    portmanteau = n * (n + 2) * float(np.sum(rho**2 / (n - lags)))
    return bool(chi2.sf(portmanteau, LAGS) > UNLIKELY)


def _from_release(
    time: Array, values: Array, lean: Array, start: Array, sensor: Sensor, unknowns: Unknowns
) -> Signal:
    """The signal from where the block has left its hold."""
    before = np.flatnonzero(time < start[FIRST])
    top = float(lean[before].max()) if len(before) else math.inf
    held = top - max(STEADY * noise_of(lean), LEFT_HOLD * start[THETA0])
    still = before[lean[before] > held] if len(before) else before
    first = int(still[-1]) + 1 if len(still) else 0
    return Signal(time[first:], values[first:], sensor, unknowns, float(start[FIRST]))


def _solve(signal: Signal, x: Array, swings: int, tolerance: float = COARSE) -> Any:
    """Fit ``swings`` swings after the first, starting from x."""
    part = signal.until(signal.ends(x, swings)[-1]).away_from_impacts(x, swings + MORE)
    if len(part.time) < len(x) + 3:
        raise InputError(
            f"The record has {len(part.time)} samples in its first {swings + 1} swings, too few to "
            "fit: use a higher sampling rate."
        )
    x = signal.unknowns.complete(x)
    low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
    low[ETA], high[ETA] = 0.2, 1.0
    low[THETA0], high[THETA0] = x[THETA0] / 4, x[THETA0] * 4
    low[STIFFNESS], high[STIFFNESS] = x[STIFFNESS] - 2, x[STIFFNESS] + 2
    low[SHARE], high[SHARE] = max(1e-3, x[THETA0] / 4 / LARGEST_ALPHA), 0.9999
    if signal.unknowns.asymmetric:
        low[7], high[7] = -1.5, 1.5

    free = signal.unknowns.free

    def inside(function: Any) -> Any:
        """MINPACK has no bounds: beyond them the function is flat, so it turns back."""

        def bounded(z: Array) -> Array:
            full = x.copy()
            full[free] = z
            return np.asarray(function(np.clip(full, low, high), swings + MORE))

        return bounded

    found = least_squares(
        inside(part.residual),
        np.clip(x, low, high)[free],
        inside(part.jacobian),
        method="lm",
        x_scale=0.01 * signal.scales(x)[free],
        ftol=tolerance,
        xtol=1e-10,
    )
    best = x.copy()
    best[free] = found.x
    found.x = signal.unknowns.complete(np.clip(best, low, high))
    found.cost = found.cost / len(part.time)
    return found


def _visible(x: Array, signal: Signal, noise: float) -> int:
    """The first swing that is below 5 % of the first, or not visible above the noise."""
    sides = Sides.of(x, signal.unknowns)
    leans = sides.peaks(x[THETA0], x[ETA], MOST_SWINGS)
    size = leans * signal.sensor.scale
    if signal.sensor.kind == "rate":  # the rate at the ends of a swing, ω² = 2p² [cos(α−θ) − cos α]
        alpha, p = sides.of_swings(MOST_SWINGS)
        size = p * np.sqrt(2 * np.maximum(np.cos(alpha - leans) - np.cos(alpha), 0.0))
    faint = (leans < DIED_OUT * leans[0]) | (size < SEEN * noise)
    return max(int(np.argmax(faint)), 2) if faint.any() else MOST_SWINGS - 3


# -- starting values for the fit of free rocking, found from the turning points of the record ------
# How peaks decrease tells η; how fast the swings get shorter as they get smaller tells which share
# θ_0/α of the balance angle the block was released from. Several shares are tried.


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
