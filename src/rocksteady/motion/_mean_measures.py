"""The envelope for which motions have the asked measures after the high-pass, on average."""

from __future__ import annotations

import math

import numpy as np

from rocksteady.motion._checks import FloatArray
from rocksteady.motion._envelope import ENDS, LONGEST, MIDDLE, SHORTEST, Envelope, fitted_envelope
from rocksteady.motion._filtered_noise import kept_by_high_pass

CORRECTIONS = 2


def calibrated(
    asked: Envelope, sums: FloatArray, omega: FloatArray, damping: float, corner: float, dt: float
) -> FloatArray:
    """q at each time step, so that ∫E[z̈²] dt has the energy, D5-95 and t45 of ``asked``.

    The high-pass takes energy away, and more where the filter's frequency is low: mostly late in a
    motion, which shortens it. ``sums`` are sqrt(Σ h²), ``omega`` [rad/s] the filter's frequency at
    each time step, ``corner`` [rad/s] that of the high-pass.
    """
    time = dt * np.arange(omega.size, dtype=np.float64)
    low, middle, high = (asked.quantile(p) for p in (ENDS[0], MIDDLE, ENDS[1]))
    wanted = d5_95, t_mid = high - low, middle
    for _ in range(CORRECTIONS):
        q = fitted_envelope(asked.energy, d5_95, t_mid).at(time)
        kept, in_all = kept_by_high_pass(q / sums, omega, damping, corner, dt)
        low, middle, high = _points(kept * q**2, dt)
        t_mid *= wanted[1] / middle
        ratio = d5_95 * wanted[0] / (high - low) / t_mid
        d5_95 = t_mid * min(max(ratio, SHORTEST), LONGEST)
    q = fitted_envelope(asked.energy, d5_95, t_mid).at(time)
    return q * math.sqrt(asked.energy / (in_all * dt * math.fsum(q**2)))


def _points(expected: FloatArray, dt: float) -> FloatArray:
    """When 5, 45 and 95 % of the sum of a mean square have arrived [s]."""
    arrived = np.concatenate([[0.0], np.cumsum((expected[1:] + expected[:-1]) / 2)])
    marks = np.array([ENDS[0], MIDDLE, ENDS[1]]) * arrived[-1]
    points: FloatArray = np.interp(marks, arrived, np.arange(arrived.size) * dt)
    return points
