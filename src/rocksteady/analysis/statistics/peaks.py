"""Are largest rotations that were predicted distributed as those that were seen?

Kolmogorov and Smirnov's statistic is the largest gap D between the two distributions. Its usual
p-value is for independent samples. Where both are of the same motions, value by value, they are
alike for that reason alone, and that p-value is too large. Then the gap is compared with what it is
when seen and predicted change places at random, motion by motion: if the theory is right, what was
seen is one more draw of what it predicts, and this p-value is exact whatever the distributions are.
"""

import math
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.draws import label_numbers
from rocksteady.analysis.shares.interval import LEVEL, checked_level
from rocksteady.analysis.statistics.distributions import (
    ABSCISSAE,
    OVERTURNED,
    Band,
    confidence_band,
    distribution,
    sample_of,
    share_inside,
)
from rocksteady.errors import InputError
from rocksteady.numbers import reals, yes_or_no
from rocksteady.numerics.types import Array

DOUBT = 0.05  # the p-value below which agreement is rejected
BLIND = 0.5  # a gap that must be larger than this to be noticed: such samples tell nothing
SWAPS = 4999  # random swaps; all of them where these are fewer
AT_ONCE = 4_000_000  # numbers in memory
MOST_PLACES = 400  # at which the distributions of swapped samples are compared


@dataclass(frozen=True, eq=False)
class Peaks:
    """Samples of max |θ|/α, what was seen and what was predicted; see `compare_peaks`."""

    observed: Array
    """(n,)"""
    draws: Array
    """(n, draws) predicted; (m, 1) where it is not of the same motions."""
    clusters: NDArray[np.int64] | None
    """(n,) the motion of each; None where seen and predicted are not of the same motions."""
    level: float = LEVEL

    @property
    def predicted(self) -> Array:
        """All predicted values as one sample."""
        return self.draws.ravel()

    @property
    def paired(self) -> bool:
        """Whether seen and predicted are of the same motions."""
        return self.clusters is not None

    @cached_property
    def gap(self) -> float:
        """D [-]: the largest difference of the two distributions (SciPy's `ks_2samp`)."""
        return float(self._test.statistic)

    @cached_property
    def p_value(self) -> float:
        """Of D, if the samples were independent (SciPy's `ks_2samp`)."""
        return float(self._test.pvalue)

    @cached_property
    def _test(self) -> Any:
        from scipy.stats import ks_2samp

        with warnings.catch_warnings():  # it says when it takes the asymptotic distribution instead
            warnings.simplefilter("ignore", RuntimeWarning)
            return ks_2samp(self.observed, self.predicted)

    @property
    def paired_p_value(self) -> float | None:
        """Of D, when seen and predicted change places at random under each motion; None where they
        are not of the same motions."""
        return None if self._swapped is None else self._swapped[0]

    @cached_property
    def _swapped(self) -> tuple[float, float] | None:
        if self.clusters is None:
            return None
        return _by_swaps(self.observed, self.draws, self.clusters)

    @property
    def chance(self) -> float:
        """The p-value that decides: by swaps where the samples are of the same motions."""
        return self.p_value if self.paired_p_value is None else self.paired_p_value

    @property
    def rejected(self) -> bool:
        """Whether chance alone would hardly make such a gap (p below 0.05)."""
        return self.chance < DOUBT

    @property
    def noticeable(self) -> float:
        """The gap [-] above which p would have been below 0.05: that of 5 % of the swaps; of
        independent samples by the asymptotic distribution of D."""
        if self._swapped is not None:
            return self._swapped[1]
        n, m = len(self.observed), len(self.predicted)
        return math.sqrt(-math.log(DOUBT / 2) / 2 * (n + m) / (n * m))

    @property
    def bands(self) -> tuple[Band, Band]:
        """Pointwise bands of the distributions behind what was seen and what was predicted."""
        samples = self.observed, self.predicted
        observed, predicted = (confidence_band(each, ABSCISSAE, self.level) for each in samples)
        return observed, predicted

    @property
    def inside(self) -> float:
        """Share of the abscissae at which the prediction lies inside the band of what was seen. (No
        test: right theories are often outside somewhere.)"""
        return share_inside(self.predicted, self.bands[0])

    @property
    def widest_at(self) -> float:
        """max |θ|/α at which the gap is largest."""
        at = np.unique(np.concatenate([self.observed, self.predicted]))
        gaps = np.abs(distribution(self.observed, at) - distribution(self.predicted, at))
        return float(at[gaps.argmax()])

    def summary(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        return {
            "observed": len(self.observed),
            "predicted": len(self.predicted),
            "median observed [-]": float(np.median(self.observed)),
            "median predicted [-]": float(np.median(self.predicted)),
            "gap D [-]": self.gap,
            "p, samples independent": self.p_value,
            "p, by swaps": self.paired_p_value,
            "noticeable gap [-]": self.noticeable,
            "inside the band [-]": self.inside,
            "level": self.level,
            "rejected": self.rejected,
        }

    @property
    def sentences(self) -> list[str]:
        """The verdict, and what it rests on."""
        how = "by swaps" if self.paired else "by Kolmogorov and Smirnov"
        where = "where it overturns" if self.widest_at >= OVERTURNED else f"at {self.widest_at:.2g}"
        gap = f"the largest gap is {self.gap:.2f}, {where} (p = {self.chance:.2g} {how})"
        if self.rejected:
            at = np.array([self.widest_at])
            less = distribution(self.predicted, at) < distribution(self.observed, at)
            way = "too far" if less else "not far enough"
            verdict = f"The distributions of the largest rotation differ: {gap}. It leans {way}."
        elif self.noticeable > BLIND:
            verdict = (
                f"Too few to tell: {gap}, and only one above {self.noticeable:.2f} would have been "
                "noticed."
            )
        else:
            verdict = (
                f"The distributions of the largest rotation agree as far as {len(self.observed)} "
                f"values can tell: {gap}; one above {self.noticeable:.2f} would have been noticed."
            )
        band = (
            f"The prediction lies inside the {100 * self.level:.0f} % band of what was seen at "
            f"{100 * self.inside:.0f} % of the abscissae."
        )
        return [verdict, band]


def compare_peaks(
    observed: Any,
    predicted: Any,
    *,
    paired: bool | None = None,
    clusters: Any = None,
    level: float = LEVEL,
) -> Peaks:
    """Whether largest rotations that were predicted are distributed as those that were seen.

    Parameters
    ----------
    observed, predicted
        max |θ|/α [-], `OVERTURNED` = 1.5 where the body overturned. If there are several
        predictions of each test, they are the columns of ``predicted``.
    paired
        Whether both are of the same motions in the same order. Unless given: if there are as many.
    clusters
        For pairs: the motion of each, if some have the same. They change places together.
    level
        Of the bands.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> found = compare_peaks(rng.uniform(size=200), rng.uniform(size=200) ** 2, paired=False)
    >>> found.rejected
    True
    """
    level = checked_level(level)
    seen = sample_of(observed)
    try:
        said = np.atleast_1d(reals(predicted))
    except (TypeError, ValueError) as error:
        raise InputError(f"predicted must be numbers: {error}.") from error
    said = sample_of(said.ravel()).reshape(len(said), -1)
    same = len(seen) == len(said) if paired is None else yes_or_no("paired", paired)
    if not same:
        return Peaks(seen, said.reshape(-1, 1), None, level)
    if len(seen) != len(said):
        raise InputError(
            f"There are {len(seen)} observed and {len(said)} predicted values: pairs need as many "
            "of each. Otherwise give paired=False."
        )
    numbers = np.arange(len(seen))
    if clusters is not None:
        label_numbers("clusters", clusters, len(seen), "pairs")
        numbers = np.unique(clusters, return_inverse=True)[1]
    return Peaks(seen, said, np.asarray(numbers), level)


def _by_swaps(
    observed: Array, draws: Array, clusters: NDArray[np.int64], seed: int = 0
) -> tuple[float, float]:
    """The share of exchanges, motion by motion, of what was seen with one of the draws, after which
    the gap is not smaller than it is; and the gap [-] that 5 % of them exceed."""
    every = np.column_stack([observed, draws])
    at = np.unique(every)
    if len(at) > MOST_PLACES:  # their quantiles, the ends among them
        at = at[np.linspace(0, len(at) - 1, MOST_PLACES).round().astype(int)]
    motions, choices = int(clusters.max()) + 1, every.shape[1]
    below = np.zeros((motions, choices, len(at)))  # how many of a motion's values are at most x
    np.add.at(below, clusters, every[:, :, None] <= at)
    expected = below.sum(axis=(0, 1)) / choices
    if choices**motions <= SWAPS + 1:
        numbers = np.arange(choices**motions)[:, None]
        chosen = numbers // choices ** np.arange(motions) % choices
    else:
        drawn = np.random.default_rng(seed).integers(0, choices, size=(SWAPS, motions))
        chosen = np.vstack([np.zeros((1, motions), dtype=int), drawn])  # as it is counts, too
    gaps = [
        np.abs(below[np.arange(motions), some].sum(axis=1) - expected).max(axis=1)
        for some in np.array_split(chosen, -(-len(chosen) * motions * len(at) // AT_ONCE))
    ]
    seen = np.abs(below[:, 0].sum(axis=0) - expected).max()
    every_gap = np.concatenate(gaps)
    # These are of n times the distance from the mean of all, to which the choice itself belongs.
    rare = float(np.quantile(every_gap, 1 - DOUBT)) * choices / (choices - 1) / len(observed)
    return float(np.mean(every_gap >= seen - 1e-9)), rare
