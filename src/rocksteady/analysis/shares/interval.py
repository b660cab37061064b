"""The exact interval of a share (Clopper and Pearson 1934)."""

from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.numerics.types import Array

LEVEL = 0.90


def checked_level(level: Any) -> float:
    """The ``level`` of intervals, or an error."""
    if not 0 < real(level) < 1:
        raise InputError(f"level = {level!r} is not allowed: give a share between 0 and 1.")
    return float(level)


def interval(count: Any, n: Any, level: float = LEVEL) -> Array:
    """Low and high end of the share where ``count`` of ``n`` were found; NaN where n is 0.

    The count is binomial whatever the share is, so the interval is exact. ``count`` and ``n`` may
    be arrays: the result has a row of low ends and a row of high ends. They need not be whole: an
    effective number of draws is not.
    """
    from scipy.stats import beta

    tail = (1 - checked_level(level)) / 2
    count, n = np.broadcast_arrays(np.asarray(count, dtype=float), np.asarray(n, dtype=float))
    # with none found, or all, one end is known; the ones only keep beta from being asked there
    some, others = np.where(count > 0, count, 1.0), np.where(count < n, n - count, 1.0)
    low = np.where(count > 0, beta.ppf(tail, some, n - count + 1), 0.0)
    high = np.where(count < n, beta.ppf(1 - tail, count + 1, others), 1.0)
    return np.where(n > 0, np.stack([low, high]), np.nan)
