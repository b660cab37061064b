"""The envelope for which motions have the asked measures after the high-pass, on average."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.motion.generate.rezaeian.envelope import MARKS, STEEPEST, WIDEST, fitted_envelope
from rocksteady.motion.generate.rezaeian.filtered_noise import Expected, expected_energy, pulse_sums
from rocksteady.motion.generate.rezaeian.mean_shift import mean_shift
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.motion.generate.stochastic import Parameters

ROUNDS = 15
CLOSE = 1e-3  # of D5-95 and t_mid: less than the means of a thousand motions tell
PULSES = 50  # in the shorter of D5-95 and t_mid, when the expected energy is asked for
LOWEST_ARIAS = 0.985  # of the asked one, as `intensity.arias` measures it


class Calibrated(NamedTuple):
    """What all motions with the same parameters share, at each time step; and what they are like
    on average."""

    omega: Array  # of the filter [rad/s]
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
    (`_mean_shift`; without ``trials`` this is left out). The envelope's duration and middle are
    changed in proportion until both are compensated.
    """
    time = dt * np.arange(size, dtype=np.float64)
    omega = 2 * math.pi * parameters.frequency(time, dt)
    sums = pulse_sums(omega, parameters.damping, dt)
    shift = mean_shift(parameters, corner, dt, float(time[-1])) if trials else None
    stride = max(1, int(min(parameters.d5_95, parameters.t_mid) / (PULSES * dt)))
    energy = parameters.envelope().energy
    d5_95, t_mid = parameters.d5_95, parameters.t_mid
    rounds, far = 0, math.inf
    while far > CLOSE and rounds < ROUNDS:
        envelope = fitted_envelope(energy, d5_95, t_mid)
        q = envelope.at(time)
        expected = expected_energy(q, sums, omega, parameters.damping, corner, dt, stride)
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
        omega, q / sums.deviation, float(q.max()), float(high - low), float(middle), rounds
    )


def _energy(expected: Expected) -> float:
    """∫E[z̈²] dt [m²/s³], between two ways to integrate it.

    Halfway between the sum of squared samples (the model's, and what most programs take) and the
    integral over the lines between them (what `intensity.arias` takes), which is smaller by
    (1 − ρ)/3 with ρ the correlation of neighbouring samples: 2 % at 5 Hz and dt = 0.01 s. Both are
    then right to half of that; where that is much, `intensity.arias` counts.
    """
    return float(expected.arrived[-1]) * min((1 + expected.samples) / 2, 1 / LOWEST_ARIAS)
