"""First falls: the lowest strength at which each motion overturns the body (IDA).

Rocking is not monotone: a motion that overturns a body may let it stand at a larger scale. The
share that falls *at* a level and the share that has fallen *up to* it are two different things, and
the second is never below the first. What is here goes by the name of first falls (incremental
dynamic analysis) and is never drawn in one curve with shares.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rocksteady.numerics.types import Array

FEWEST = 3  # motions from which a scatter is taken


@dataclass(frozen=True, eq=False)
class FirstFalls:
    """Of each motion, between which levels it first got beyond the limit."""

    low: Array
    """(n,) the level before, 0 where it was the first; the last level where it never did."""
    high: Array
    """(n,) the level at which it did; inf where it never did."""
    again: NDArray[np.bool_]
    """(n,) whether it stayed short of the limit again at a larger level."""
    median: float
    """exp of the mean of ln(level); nan where it cannot be told."""
    beta: float
    """Standard deviation of ln(level), n − 1."""

    @property
    def capacities(self) -> Array:
        """(n,) the geometric mean of ``low`` and ``high``; nan where one is not known."""
        inside = (self.low > 0) & np.isfinite(self.high)
        return np.where(inside, np.sqrt(self.low * np.where(inside, self.high, 1.0)), np.nan)

    @property
    def never(self) -> int:
        """Motions that stay short of the limit at every level."""
        return int(np.isinf(self.high).sum())

    @property
    def at_once(self) -> int:
        """Motions beyond it at the first level already."""
        return int((self.low == 0).sum())

    @property
    def stands_again(self) -> int:
        """Motions that got beyond the limit and, at a larger level, did not."""
        return int(self.again.sum())

    def fallen_up_to(self, levels: Array) -> Array:
        """(L,) the share of motions whose first fall lies at or below each level."""
        return np.asarray(np.mean(self.high[:, None] <= levels, axis=0))


def first_falls(levels: Array, beyond: NDArray[np.bool_], known: NDArray[np.bool_]) -> FirstFalls:
    """First falls from runs (n, L). A motion whose runs failed below its first fall is taken as it
    is known: its first fall may be lower."""
    fell = beyond & known
    some = fell.any(axis=1)
    first = np.argmax(fell, axis=1)
    high = np.where(some, levels[first], np.inf)
    before = np.concatenate([[0.0], levels])
    low = np.where(some, before[first], levels[-1])
    later = np.arange(len(levels)) > first[:, None]
    again = some & (known & ~fell & later).any(axis=1)
    median, beta = _lognormal(low, high)
    return FirstFalls(low, high, again, median, beta)


def _lognormal(low: Array, high: Array) -> tuple[float, float]:
    """Median and β: mean and standard deviation of the logarithms; by maximum likelihood where
    some motions are known only to fall below the first level or above the last."""
    inside = (low > 0) & np.isfinite(high)
    if inside.sum() < FEWEST:
        return math.nan, math.nan
    middle = np.log(np.sqrt(low[inside] * high[inside]))
    if inside.all():
        return float(np.exp(middle.mean())), float(middle.std(ddof=1))
    left, right = np.log(high[low == 0]), np.log(low[np.isinf(high)])
    data = stats.CensoredData(uncensored=middle, left=left, right=right)
    mean, spread = stats.norm.fit(data)
    return float(np.exp(mean)), float(spread)
