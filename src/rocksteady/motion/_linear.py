"""Accelerations that are linear between samples: zero crossings, peak velocity, resampling."""

from functools import lru_cache

import numpy as np

from rocksteady.numerics.types import Array


def crossing(a: Array) -> Array:
    """Where in each interval the acceleration passes zero, from 0 to 1; 0 where it does not."""
    opposite = a[:-1] * a[1:] < 0
    rise = np.where(opposite, a[:-1] - a[1:], 1.0)
    return np.where(opposite, a[:-1] / rise, 0.0)


def peak_velocity(a: Array, dt: float) -> float:
    """Largest |velocity| [m/s] under an acceleration ``a`` [m/s²], from rest, also between samples:
    where the acceleration passes zero, the velocity is extreme."""
    v = np.zeros(a.size)
    np.cumsum(dt * (a[:-1] / 2 + a[1:] / 2), out=v[1:])
    positive = a > 0
    crosses = np.flatnonzero((positive[:-1] != positive[1:]) & (a[:-1] != 0) & (a[1:] != 0))
    first, last = a[crosses], a[crosses + 1]
    between = v[crosses] + dt / 2 * first * (first / (first - last))
    return float(max(np.abs(v).max(), np.abs(between).max(initial=0.0)))


def resample(a: Array, ratio: float, size: int) -> Array:
    """``size`` samples of ``a``, ``ratio`` old steps apart; zero after its end.

    For ``ratio`` > 1, frequencies that the new step cannot carry are filtered out first.
    """
    if ratio > 1:
        places = np.arange(size) * float(_snapped(ratio))
        a = _low_passed(a, 0.8 / ratio)
    else:  # k·(1/n) is not always k/n: divide, so that the old samples come back unchanged
        places = np.arange(size) / _snapped(1 / ratio)
    end = a.size - 1
    if abs(places[-1] - end) < 1e-9 * end:
        places[-1] = end
    samples: Array = np.interp(places, np.arange(a.size), a, right=0.0)
    return samples


def _snapped(ratio: float) -> float:
    """``ratio``, as a whole number if it is one except for rounding."""
    nearest = round(ratio)
    return nearest if abs(ratio - nearest) < 1e-9 * ratio else ratio


def _low_passed(a: Array, corner: float) -> Array:
    """``a`` without frequencies above ``corner`` (as a fraction of the Nyquist frequency).

    Butterworth of order 8, forwards and backwards: no phase shift, gain 1 at zero frequency.
    """
    from scipy.signal import sosfiltfilt

    settling = min(a.size - 1, round(20 / corner))  # samples until the ends are forgotten
    filtered: Array = sosfiltfilt(_butterworth(corner), a, padlen=settling)
    return filtered


@lru_cache(maxsize=1024)
def _butterworth(corner: float) -> Array:
    """Designed once for each corner: that takes longer than to filter a record."""
    from scipy.signal import butter

    sections: Array = butter(8, corner, output="sos")
    return sections
