"""The share of motions that get beyond a limit at each level, with an interval that is honest.

Where every motion is a draw of its own the count is binomial, and the interval of Clopper and
Pearson (1934) is exact. Motions that come in clusters say less than as many draws would: the
interval is then that of an effective number of draws (after Korn and Graubard 1998), between the
number of clusters (fewer where they differ in size) and the number of motions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.numerics.types import Array


@dataclass(frozen=True, eq=False)
class Shares:
    """By level."""

    count: NDArray[np.int64]
    """Motions that got beyond the limit."""
    of: NDArray[np.int64]
    """Motions that gave an answer."""
    share: Array
    low: Array
    high: Array
    draws: Array
    """The effective number of draws that the interval is for; ``of`` where all are independent."""

    @property
    def clustered(self) -> bool:
        """Whether the intervals are of fewer draws than motions."""
        return bool((self.draws < self.of).any())


def shares(
    beyond: NDArray[np.bool_],
    known: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    level: float = LEVEL,
) -> Shares:
    """Shares of ``beyond`` (n, L) among the runs that are ``known``; nan where none is."""
    count, of = (beyond & known).sum(axis=0), known.sum(axis=0)
    with np.errstate(invalid="ignore"):
        share = np.where(of > 0, count / np.maximum(of, 1), np.nan)
    draws = effective_draws(beyond, known, clusters, level)
    low, high = interval(draws * np.nan_to_num(share), draws, level)
    return Shares(count, of, share, low, high, draws)


def effective_draws(
    beyond: NDArray[np.bool_],
    known: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    level: float = LEVEL,
) -> Array:
    """(L,) the motions at each level over the design effect: how many times larger the variance of
    a share is between clusters than between as many independent motions. It is one number, from all
    levels together: near none or all a single level cannot tell. Times (t_{n−1}/t_{C−1})², but at
    most the motions, and at least the clusters: n²/Σn_i², where n motions come in some of n_i
    each."""
    of = known.sum(axis=0).astype(float)
    member = (clusters[None, :] == np.unique(clusters)[:, None]).astype(float)
    size = member @ known  # (C, L)
    groups = (size > 0).sum(axis=0)
    if (size <= 1).all():
        return np.asarray(of)
    share = (beyond & known).sum(axis=0) / np.maximum(of, 1)
    off = member @ (beyond & known) - size * share  # of each cluster from what it would have
    with np.errstate(divide="ignore", invalid="ignore"):
        between = groups / (groups - 1) * (off**2).sum(axis=0) / of**2
        alone = share * (1 - share) / of
        effect = np.nansum(between) / np.nansum(alone)
        tails = (1 + level) / 2
        lost = (student.ppf(tails, of - 1) / student.ppf(tails, groups - 1)) ** 2
        found = of / effect * lost
        alike = np.where(of > 0, of**2 / (size**2).sum(axis=0), 0.0)
    return np.asarray(np.clip(np.where(np.isfinite(found), found, alike), alike, of))
