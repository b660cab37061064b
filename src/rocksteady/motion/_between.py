"""What happens between two samples of an acceleration that is linear there."""

from __future__ import annotations

import numpy as np

from rocksteady.motion._checks import FloatArray


def crossing(a: FloatArray) -> FloatArray:
    """Where in each interval the acceleration passes zero, from 0 to 1; 0 where it does not."""
    opposite = a[:-1] * a[1:] < 0
    rise = np.where(opposite, a[:-1] - a[1:], 1.0)
    return np.where(opposite, a[:-1] / rise, 0.0)


def peak_velocity(a: FloatArray, dt: float) -> float:
    """Largest |velocity| [m/s] under an acceleration ``a`` [m/s²], from rest, also between samples:
    where the acceleration passes zero, the velocity is extreme."""
    v = np.zeros(a.size)
    np.cumsum(dt * (a[:-1] / 2 + a[1:] / 2), out=v[1:])
    positive = a > 0
    crosses = np.flatnonzero((positive[:-1] != positive[1:]) & (a[:-1] != 0) & (a[1:] != 0))
    first, last = a[crosses], a[crosses + 1]
    between = v[crosses] + dt / 2 * first * (first / (first - last))
    return float(max(np.abs(v).max(), np.abs(between).max(initial=0.0)))
