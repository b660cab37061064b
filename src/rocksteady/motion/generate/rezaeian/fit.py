"""The stochastic model fitted to a record, by the counts of Rezaeian and Der Kiureghian (2008)."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion.generate.rezaeian.envelope import LONGEST, SHORTEST
from rocksteady.motion.generate.stochastic import Parameters, motions_of, seed_sequence
from rocksteady.motion.intensity import arias, arrival
from rocksteady.motion.motion import Motion

SIMULATED = 24  # motions per trial
ROUNDS = 3
DAMPINGS = (0.02, 0.95)


class _Counts(NamedTuple):
    """What zero crossings and extremes of a motion say of its frequencies."""

    frequency: float  # upward zero crossings per second at t45 [Hz]
    rate: float  # and its rate of change [Hz/s]
    odd: float  # positive minima and negative maxima per second [Hz]


def fitted(motion: Motion, seed: int) -> Parameters:
    """See `rocksteady.motion.generate.stochastic.fit`."""
    arias, d5_95, t_mid = _energy(motion)
    record = _counts(motion)
    if not record.frequency > 0:
        raise InputError(
            f"{motion!r} does not go to and fro through zero as its shaking goes on: there is no "
            "frequency to fit. Correct its baseline first."
        )
    highest = 0.24 / motion.dt
    trial = Parameters(arias, d5_95, t_mid, min(max(record.frequency, 0.2), highest), 0.0, 0.3)
    frequency_rate = 0.0
    for _ in range(ROUNDS):
        trial = replace(trial, damping=_damping(trial, record.odd, motion.dt, seed))
        means = _mean_counts(trial, motion.dt, seed)
        frequency = trial.frequency_mid * record.frequency / means.frequency
        frequency_rate += record.rate - means.rate
        trial = replace(
            trial, frequency_mid=min(max(frequency, 0.2), highest), frequency_rate=frequency_rate
        )
    return trial


def _energy(motion: Motion) -> tuple[float, float, float]:
    """Arias intensity [m/s], D5-95 [s] and t45 [s], within what an envelope can follow."""
    if motion.pga == 0:
        raise InputError(f"{motion!r} is all zeros: there is nothing to fit.")
    low, middle, high = (arrival(motion, part) for part in (0.05, 0.45, 0.95))
    d5_95 = high - low
    if middle * SHORTEST > d5_95:
        raise InputError(
            f"{motion!r} is still for most of the {middle:.3g} s before the middle of its shaking, "
            f"which lasts {d5_95:.3g} s: cut the beginning first, with motion.trimmed("
            f"start={max(low - d5_95, 0.0):.3g})."
        )
    # A record that begins with its strongest shaking: a little later, so that q can rise.
    return arias(motion), d5_95, max(middle, d5_95 / LONGEST * (1 + 1e-9))


def _counts(motion: Motion) -> _Counts:
    """Counts between 1 % and 99 % of the energy; the crossings' total follows a parabola."""
    first, middle, last = (arrival(motion, part) for part in (0.01, 0.45, 0.99))
    inside = (motion.time >= first) & (motion.time <= last)
    a, t = motion.accel[inside], motion.time[inside] - middle
    if a.size < 20:
        raise InputError(f"{motion!r} has its energy in {a.size} samples: too few to fit.")
    crossings = np.cumsum((a[:-1] <= 0) & (a[1:] > 0))
    parabola = np.zeros(3)  # whose last entries are left out where they are zero
    found = np.polynomial.Polynomial.fit(t[1:], crossings, 2).convert().coef
    parabola[: found.size] = found
    rise = np.diff(a)
    minimum = (rise[:-1] < 0) & (rise[1:] >= 0) & (a[1:-1] > 0)
    maximum = (rise[:-1] > 0) & (rise[1:] <= 0) & (a[1:-1] < 0)
    odd = (minimum.sum() + maximum.sum()) / (t[-1] - t[0])
    return _Counts(float(parabola[1]), 2 * float(parabola[2]), float(odd))


def _mean_counts(parameters: Parameters, dt: float, seed: int) -> _Counts:
    """Over simulated motions: always the same noise, so that trials differ by their parameters."""
    seeds = seed_sequence(seed).spawn(SIMULATED)
    simulated = [_counts(motion) for motion in motions_of(seeds, parameters, dt)]
    return _Counts(*(float(mean) for mean in np.mean(simulated, axis=0)))


def _damping(trial: Parameters, odd: float, dt: float, seed: int) -> float:
    """The damping that gives ``odd`` odd extremes per second: more for a broader band."""
    low, high = DAMPINGS
    for _ in range(8):
        middle = math.sqrt(low * high)
        if _mean_counts(replace(trial, damping=middle), dt, seed).odd < odd:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)
