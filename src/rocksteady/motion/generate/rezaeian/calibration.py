"""The envelope for which motions have the asked measures after the high-pass, on average.

A single motion reaches 5, 45 and 95 % of its own energy early or late, and not evenly so: with few
independent cycles in it, the mean of these times over many motions is not the time at which the
mean energy reaches them. Trial motions from a fixed seed tell by how much (`MeanShift`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.motion.generate.rezaeian.envelope import (
    MARKS,
    STEEPEST,
    WIDEST,
    Envelope,
    fitted_envelope,
)
from rocksteady.motion.generate.rezaeian.filtered_noise import (
    Expected,
    Train,
    driven_panels,
    expected_of,
    sums_of,
    train_of,
)
from rocksteady.motion.generate.rezaeian.high_pass import arrivals, high_pass
from rocksteady.numerics.panels import WIDE
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.motion.generate.stochastic import Parameters

ROUNDS = 15
CLOSE = 1e-3  # of D5-95 and t_mid: less than the means of a thousand motions tell
PULSES = 20  # in the shorter of D5-95 and t_mid: their expected values are right to 5e-4
LOWEST_ARIAS = 0.985  # of the asked one, as `intensity.arias` measures it
BROAD = 6.0  # ζ·f times the shorter of D5-95 and t_mid: above, the shift is less than 1 % of it
CYCLES = 8.0  # in this shorter time: what more of them change is not seen
PER_CYCLE, PER_TIME = 6, 25  # time steps in a cycle, and in this shorter time
MOST = 2000  # time steps: what is quick beyond them has many cycles
TRIALS = (512, 4096)  # the fewer the longer a motion is,
WORK = 1e8  # as each takes the square of its length
LOG_ENDED = -math.log(1e-5)  # of a trial's pulse, against its beginning


class Calibrated(NamedTuple):
    """What all motions with the same parameters share, at each time step; and what they are like
    on average."""

    train: Train  # the filter's pulses
    modulation: Array  # q/sqrt(Σ h²) [m/s²]
    strongest: float  # the largest q [m/s²]
    d5_95: float  # the mean over motions [s]
    t_mid: float  # ditto
    rounds: int  # that it took


@lru_cache(maxsize=8)
def calibrated(
    parameters: Parameters, size: int, dt: float, corner: float, trials: bool = True
) -> Calibrated:
    """The envelope, for motions of ``size`` samples and a high-pass at ``corner`` [rad/s].

    The high-pass takes energy away, and more where the filter's frequency is low: mostly late in a
    motion, which shortens it. And the mean arrival of energy is not the arrival of the mean energy
    (`mean_shift`; without ``trials`` this is left out). The envelope's duration and middle are
    changed in proportion until both are compensated.
    """
    time = dt * np.arange(size, dtype=np.float64)
    omega = 2 * math.pi * parameters.frequency(time, dt)
    train = train_of(omega, parameters.damping, dt)
    sums = sums_of(train)
    shift = mean_shift(parameters, corner, dt, float(time[-1])) if trials else None
    stride = max(1, int(min(parameters.d5_95, parameters.t_mid) / (PULSES * dt)))
    energy = parameters.envelope().energy
    d5_95, t_mid = parameters.d5_95, parameters.t_mid
    rounds, far = 0, math.inf
    while far > CLOSE and rounds < ROUNDS:
        envelope = fitted_envelope(energy, d5_95, t_mid)
        q = envelope.at(time)
        expected = expected_of(train, q, sums, corner, dt, stride)
        points = np.interp(MARKS * expected.arrived[-1], expected.arrived, time)
        if shift is not None:
            points += shift.under(envelope)
        low, middle, high = points
        longer, later = parameters.d5_95 / (high - low), parameters.t_mid / middle
        rounds, far = rounds + 1, max(abs(longer - 1), abs(later - 1))
        t_mid *= later
        d5_95 = t_mid * min(max(d5_95 * longer / t_mid, STEEPEST), WIDEST)
    q *= math.sqrt(energy / _energy(expected))
    return Calibrated(
        train, q / sums.deviation, float(q.max()), float(high - low), float(middle), rounds
    )


def _energy(expected: Expected) -> float:
    """∫E[z̈²] dt [m²/s³], between two ways to integrate it.

    Halfway between the sum of squared samples (the model's, and what most programs take) and the
    integral over the lines between them (what `intensity.arias` takes), which is smaller by
    (1 − ρ)/3 with ρ the correlation of neighbouring samples: 2 % at 5 Hz and dt = 0.01 s. Both are
    then right to half of that; where that is much, `intensity.arias` counts.
    """
    return float(expected.arrived[-1]) * min((1 + expected.samples) / 2, 1 / LOWEST_ARIAS)


def mean_shift(
    parameters: Parameters, corner: float, dt: float, duration: float
) -> MeanShift | None:
    """The shift for motions of this ``duration`` [s] and time step, or None for broad bands."""
    ends = np.array([parameters.envelope().quantile(part) for part in MARKS])
    frequency = parameters.frequency(ends, dt)
    short = min(parameters.d5_95, parameters.t_mid)
    if parameters.damping * frequency.min() * short > BROAD:
        return None
    slower = min(1.0, CYCLES / (frequency.min() * short))
    end = min(duration, 1.2 * parameters.envelope().quantile(1 - 1e-4) + 2 / corner)
    step = min(1 / (PER_CYCLE * slower * float(frequency.max())), short / PER_TIME)
    step = max(step, dt, end / MOST)
    return MeanShift(parameters, corner, dt, slower, step * np.arange(math.ceil(end / step) + 1.0))


class MeanShift:
    """Trial motions, to be modulated by one envelope and another.

    Where they would have more cycles than tell, they are made ``slower`` and have the same
    bandwidth ζω, on which the fluctuation of the energy depends.
    """

    def __init__(
        self, parameters: Parameters, corner: float, dt: float, slower: float, time: Array
    ) -> None:
        self.time, self.dt, self.corner = time, float(time[1]), corner * slower
        omega = 2 * math.pi * slower * parameters.frequency(time, dt)
        damping = parameters.damping / slower
        self.trials = min(max(TRIALS[0], int(WORK / time.size**2)), TRIALS[1])
        noise = _trial_noise()[: time.size * self.trials].reshape(time.size, self.trials)
        train = train_of(omega, damping, self.dt)
        self.deviation = sums_of(train).deviation
        self.panels = driven_panels(train, noise, LOG_ENDED)

    def under(self, envelope: Envelope) -> Array:
        """The mean of the trials' t5, t45 and t95, less those of their mean energy [s].

        Both have nearly the same sampling error, so that little of it is left in the difference.
        """
        q = envelope.at(self.time) / self.deviation
        mean, energy = np.zeros((q.size, WIDE)), np.empty((q.size, WIDE))
        found, f = np.empty((self.trials, MARKS.size)), high_pass(self.corner, self.dt)
        arrivals(self.panels, q, f, MARKS, energy, mean, found)
        total = mean.sum(axis=1)
        of_mean = np.interp(MARKS * total[-1], total, np.arange(q.size))
        shift: Array = self.dt * (found.mean(axis=0) - of_mean)
        return shift


@lru_cache(maxsize=1)
def _trial_noise() -> Array:
    """The noise of all trials, 8 MiB: whatever their number and length, they begin with it."""
    most = max(MOST + 2, math.isqrt(int(WORK // TRIALS[1]))) * TRIALS[0]
    return np.random.Generator(np.random.PCG64(0)).standard_normal(most)
