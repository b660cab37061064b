"""Fit free rocking to a measured lean, with a confidence interval for r.

The unknowns are r, the lean at release, the time of the first impact, the frequency parameter p,
and the sensor's offset and steady drift. They are fitted together to the samples by least squares:
first to the first two swings, then to twice as many, and so on until the swings die out, disappear
in noise, or the record ends. Samples before the release are ignored.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.optimize import least_squares

from rocksteady.analysis.decay.model import lean_history, peaks, swing_times
from rocksteady.analysis.decay.noise import noise_of, turning_points
from rocksteady.analysis.decay.spread import half_width
from rocksteady.analysis.decay.swings import DIED_OUT
from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

R, THETA0, FIRST, OFFSET, DRIFT, P = range(6)  # indices of the unknowns
LOWEST_R, HIGHEST_LEAN = 0.05, 0.9999  # the second in units of α
TRIED_R = (0.5, 0.7, 0.85, 0.95)
GUESSED_FROM = 12  # peaks
FIRST_SWINGS, MOST_SWINGS = 2, 400
LEFT_HOLD = 0.03  # of θ_0: until the lean has decreased by this, the block may still be held
STEADY = 4.0  # times the noise: the same
SEEN = 3.0  # times the noise: smaller swings are not visible
ENOUGH_SAMPLES = 2500  # if a record has more, they are averaged
COARSE, FINE = 1e-3, 1e-9  # relative change of the sum of squares at which a fit stops
STEP = 1e-6  # of each unknown's scale, for derivatives


@dataclass(frozen=True)
class DecayFit:
    """Free rocking fitted to a test; leans are positive towards the side of the release."""

    r: float
    theta0: float
    """The lean at release [rad]."""
    first: float
    """Time of the first impact [s]."""
    offset: float
    """Offset of the sensor at that time [rad]."""
    drift: float
    """Drift of the sensor [rad/s]."""
    p: float
    """Frequency parameter [1/s]."""
    side: float
    """+1 or −1: the side of the release."""
    impacts: int
    """Number of impacts compared: the swing after each is complete."""
    half_width: float
    """Half width of the 90 % interval of r."""
    misfit: float
    """Residual without noise over the rocking motion, both as root mean squares [-]."""

    @property
    def interval(self) -> tuple[float, float]:
        """90 % confidence interval of r."""
        return max(self.r - self.half_width, 0.0), min(self.r + self.half_width, 1.0)


@dataclass(frozen=True)
class _Record:
    """A test from its release on, positive towards the side of the release."""

    time: Array
    lean: Array
    alpha: float
    zero: float
    """The time to which the offset refers [s]."""

    def model(self, x: Array, swings: int) -> Array:
        leans = peaks(x[THETA0], x[R], self.alpha, np.arange(swings + 1))
        return lean_history(self.time, leans, x[FIRST], self.alpha, x[P])

    def residual(self, x: Array, swings: int) -> Array:
        baseline = x[OFFSET] + x[DRIFT] * (self.time - self.zero)
        return np.asarray(self.model(x, swings) + baseline - self.lean)

    def jacobian(self, x: Array, swings: int) -> Array:
        rows = np.empty((6, len(self.time)))
        rows[OFFSET], rows[DRIFT] = 1.0, self.time - self.zero
        here, step = self.model(x, swings), STEP * scales(x, self.alpha)
        for i in (R, THETA0, FIRST, P):
            near = x.copy()
            near[i] -= step[i]  # downwards: r and θ_0 may be at their upper bounds
            rows[i] = (here - self.model(near, swings)) / step[i]
        return rows.T

    def until(self, end: float) -> Self:
        n = int(np.searchsorted(self.time, end))
        return replace(self, time=self.time[:n], lean=self.lean[:n])

    def thinned(self, end: float) -> Self:
        """Average groups of samples so that at most ENOUGH_SAMPLES are left until ``end`` [s];
        groups across a gap in the record are left out."""
        each = int(np.searchsorted(self.time, end)) // ENOUGH_SAMPLES
        if each < 2:
            return self
        n = len(self.time) // each * each
        times, leans = self.time[:n].reshape(-1, each), self.lean[:n].reshape(-1, each)
        spans = np.ptp(times, axis=1)
        whole = spans < 2 * np.median(spans)
        time, lean = times[whole].mean(axis=1), leans[whole].mean(axis=1)
        return replace(self, time=time, lean=lean)


def scales(x: Array, alpha: float) -> Array:
    """Typical size of each unknown."""
    return np.array([1.0, alpha, 1 / x[P], alpha, 0.1 * alpha * x[P], x[P]])


def fit_test(time: Array, theta: Array, block: Block, impacts: int | None = None) -> DecayFit:
    """Fit free rocking of ``block`` to a measured lean θ(t) [s, rad]."""
    noise, alpha = noise_of(theta), block.alpha
    turns = turning_points(time, theta, noise)
    if len(turns) < 3:
        raise too_few(max(len(turns) - 2, 0), impacts, 0)
    side = 1.0 if theta[turns[0]] > theta[turns[1]] else -1.0
    lean = side * theta
    guesses = _guesses(time, lean, turns, block)
    record = _from_release(time, lean, guesses[0], alpha, noise).thinned(time[turns[-1]])
    x = min((_solve(record, guess, FIRST_SWINGS) for guess in guesses), key=lambda f: f.cost).x
    swings = FIRST_SWINGS
    while True:
        wanted = impacts or _visible(x, alpha, noise)
        swings = min(2 * swings, wanted)
        x = _solve(record, x, swings).x
        if swings == wanted or _ends(x, alpha, swings)[-1] > time[-1]:
            break
    x = _solve(record, x, swings, FINE).x
    ends = _ends(x, alpha, swings)
    compared = int(np.searchsorted(ends, time[-1], side="right")) - 1
    if impacts is not None:  # swings below the noise do not count
        compared = min(compared, _visible(x, alpha, noise, least=0.0))
    if compared < (impacts or 1):
        raise too_few(compared + 1, impacts, compared)
    part = record.until(ends[-1])
    wrong = part.residual(x, swings)
    rocking = part.model(x, swings)
    rough = max(float(np.mean(wrong**2)) - noise_of(part.lean) ** 2, 0.0)
    misfit = math.sqrt(rough / float(np.mean(rocking**2)))
    width = half_width(part.jacobian(x, swings), wrong, len(part.time) // (swings + 1), R)
    x[OFFSET] += x[DRIFT] * (x[FIRST] - record.zero)
    r, theta0, first, offset, drift, p = x.tolist()
    return DecayFit(r, theta0, first, offset, drift, p, side, compared, width, misfit)


def _guesses(time: Array, lean: Array, turns: Any, block: Block) -> list[Array]:
    """Starting values: with the offset at which the peaks fit a decay, and without offset."""
    alpha, heights = block.alpha, lean[turns[:GUESSED_FROM]]
    if len(turns) > 3 and len(turns) <= GUESSED_FROM:
        heights = heights[:-1]  # the record may end before the turning point
    n = np.arange(len(heights))
    sides = 1 - 2 * (n % 2)
    most = HIGHEST_LEAN * alpha

    def wrong(x: Array) -> Array:
        return np.asarray(sides * peaks(x[1], x[0], alpha, n) + x[2] - heights)

    fits = []
    for r in TRIED_R:
        start = min((heights[0] - heights[1]) / (1 + math.sqrt(r)), 0.98 * alpha)
        bounds = [LOWEST_R, 1e-3 * start, -np.inf], [1.0, most, np.inf]
        x0 = [r, start, heights[0] - start]
        fits.append(
            least_squares(wrong, x0, bounds=bounds, x_scale=[0.1, 0.1 * alpha, 0.1 * alpha])
        )
    r, theta0, offset = min(fits, key=lambda fit: fit.cost).x
    starts: list[tuple[float, float, float]] = [(r, theta0, offset)]
    if 0 < heights[0] < most:
        energies = np.cos(alpha - np.abs(heights[:2])) - math.cos(alpha)
        kept = energies[1] / energies[0] if abs(heights[1]) < alpha else 1.0
        starts.append((min(max(kept, LOWEST_R), 1.0), heights[0], 0.0))
    return [
        np.array([r, theta0, _passes(time, lean - offset, *turns[:2]), offset, 0.0, block.p])
        for r, theta0, offset in starts
    ]


def _passes(time: Array, lean: Array, above: int, below: int) -> float:
    """When the lean first decreases through zero; with noise, the middle of several passages."""
    falling = lean[above : below + 1]
    last = above + int(np.max(np.flatnonzero(falling > 0), initial=0))
    first = above + int(np.min(np.flatnonzero(falling <= 0), initial=len(falling) - 1))
    return float(time[last] + time[first]) / 2


def _from_release(time: Array, lean: Array, guess: Array, alpha: float, noise: float) -> _Record:
    held = guess[THETA0] + guess[OFFSET] - max(STEADY * noise, LEFT_HOLD * guess[THETA0])
    before = np.flatnonzero((time < guess[FIRST]) & (lean > held))
    first = before[-1] + 1 if len(before) else 0
    return _Record(time[first:], lean[first:], alpha, guess[FIRST])


def _solve(record: _Record, x: Array, swings: int, tolerance: float = COARSE) -> Any:
    """Fit ``swings`` swings after the first, starting from x."""
    alpha = record.alpha
    part = record.until(_ends(x, alpha, swings)[-1])
    if len(part.time) < len(x):
        raise InputError(
            f"The record has {len(part.time)} samples in its first {swings + 1} swings, too few to "
            "fit: use a higher sampling rate."
        )
    low = np.array([LOWEST_R, 1e-3 * alpha, -np.inf, -np.inf, -np.inf, x[P] / 2])
    high = np.array([1.0, HIGHEST_LEAN * alpha, np.inf, np.inf, np.inf, x[P] * 2])

    def inside(function: Any) -> Any:
        """MINPACK has no bounds: beyond them the function is flat, so it turns back."""
        return lambda x: function(np.clip(x, low, high), swings + 2)  # it may strike earlier

    found = least_squares(
        inside(part.residual),
        np.clip(x, low, high),
        inside(part.jacobian),
        method="lm",
        x_scale=0.01 * scales(x, alpha),
        ftol=tolerance,
        xtol=1e-9,
    )
    found.x = np.clip(found.x, low, high)
    return found


def _ends(x: Array, alpha: float, swings: int) -> Array:
    """When each swing ends."""
    leans = peaks(x[THETA0], x[R], alpha, np.arange(swings + 1))
    return swing_times(leans, x[FIRST], alpha, x[P])[1]


def _visible(x: Array, alpha: float, noise: float, least: float = DIED_OUT) -> int:
    """The first swing that is below ``least`` of the first, or not visible above the noise."""
    leans = peaks(x[THETA0], x[R], alpha, np.arange(MOST_SWINGS))
    faint = leans < max(least * leans[0], SEEN * noise)
    return max(int(np.argmax(faint)), 1) if faint.any() else MOST_SWINGS


def too_few(seen: int, impacts: int | None, most: int, whole: bool = False) -> InputError:
    """The error for a history that is too short; ``whole`` if it must last until swings die out."""
    wanted = f" over {impacts} impacts" if impacts else ""
    wanted = " until its swings die out to 5 %" if whole and impacts is None else wanted
    fewer = f", or impacts={most}, the most that can be compared" if most > 0 else ""
    return InputError(
        f"The history has {seen} impact{'s' * (seen != 1)}, too few to measure r{wanted}: give a "
        f"longer one{fewer}."
    )
