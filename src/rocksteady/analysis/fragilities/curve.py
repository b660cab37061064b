"""The lognormal curve of a limit state, its band, and where it does not describe the shares."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from rocksteady.analysis.fragilities import probit
from rocksteady.analysis.fragilities.shares import Shares
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.numerics.types import Array

FAR = 1e3  # a median so far outside the levels is none


@dataclass(frozen=True, eq=False)
class Curve:
    """P(x) = Φ(ln(x/median)/β) from the gate on, and zero below it."""

    median: float
    """The level at which half of the motions get beyond the limit, in the measure's unit."""
    beta: float
    """Standard deviation of ln x [-]."""
    gate: float
    """The level below which no motion lifts the body off; 0 where nobody knows."""
    coefficients: Array
    """(2,) a and b of Φ(a + b ln x): b = 1/β, a = −ln(median)/β."""
    covariance: Array
    """(2, 2) theirs, by cluster; nan where there are too few clusters."""
    draws: int
    """Clusters."""
    level: float
    """Of the bands."""
    log_loss: float
    """−ln likelihood per run [-]."""

    def probability(self, x: Array | float) -> Array:
        """P at these levels; zero below the gate."""
        at = np.asarray(x, dtype=float)
        return np.where(at >= self.gate, ndtr(self._predictor(at)), 0.0)

    def band(self, x: Array | float) -> tuple[Array, Array]:
        """Low and high end of P at these levels, pointwise; zero below the gate."""
        at = np.asarray(x, dtype=float)
        eta, spread = self._predictor(at), self._spread(at)
        half = probit.quantile(self.level, self.draws) * spread
        open_ = at >= self.gate
        return np.where(open_, ndtr(eta - half), 0.0), np.where(open_, ndtr(eta + half), 0.0)

    @property
    def median_interval(self) -> tuple[float, float]:
        """The interval of the median, by the delta method."""
        a, b = self.coefficients
        slope = np.array([-1 / b, a / b**2])  # of ln(median) = −a/b
        return self._interval(math.log(self.median), slope)

    @property
    def beta_interval(self) -> tuple[float, float]:
        """The interval of β, by the delta method on ln β."""
        return self._interval(math.log(self.beta), np.array([0.0, -1 / self.coefficients[1]]))

    def _interval(self, value: float, slope: Array) -> tuple[float, float]:
        spread = math.sqrt(max(float(slope @ self.covariance @ slope), 0.0))
        half = probit.quantile(self.level, self.draws) * spread
        return math.exp(value - half), math.exp(value + half)

    def _predictor(self, x: Array) -> Array:
        a, b = self.coefficients
        with np.errstate(divide="ignore"):
            return np.asarray(a + b * np.log(x))

    def _spread(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            row = np.stack([np.ones_like(x), np.log(x)], axis=-1)
        with np.errstate(invalid="ignore"):
            variance = np.einsum("...k,kl,...l->...", row, self.covariance, row)
            return np.asarray(np.sqrt(variance))


def fitted_curve(
    levels: Array,
    beyond: NDArray[np.bool_],
    known: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    gate: float = 0.0,
    level: float = LEVEL,
) -> Curve | str:
    """The curve by maximum likelihood over the levels from the gate on, with the covariance by
    cluster; or a sentence that says why there is none."""
    gate = gate if math.isfinite(gate) else 0.0
    used = levels >= gate
    used &= known.any(axis=0)
    at, weight = levels[used], known[:, used].astype(float)
    y = (beyond & known)[:, used].astype(float)
    count, of = y.sum(axis=0), weight.sum(axis=0)
    if (levels < gate).all():
        return (
            f"Every level lies below {gate:.3g}, where the first motion lifts it off: give higher "
            "levels for a curve."
        )
    why = _no_curve(at, count, of)
    if why:
        return why
    x = np.stack([np.ones(len(at)), np.log(at)], axis=-1)
    found = probit.fit(x, count / of, of)
    a, b = found.coefficients
    if not found.converged:
        return _separated(at, count, of)
    if b <= 0:
        return "The share does not grow with the measure, so no lognormal curve describes it."
    if not at[0] / FAR < math.exp(min(-a / b, 700.0)) < at[-1] * FAR:
        return "The share hardly grows with the measure, so no lognormal curve describes it."
    numbers = np.unique(clusters, return_inverse=True)[1]
    covariance = probit.sandwich(found, x, y, weight, numbers)
    loss = probit.log_loss(found, x, count / of, of)
    draws = int(numbers.max()) + 1
    return Curve(
        math.exp(-a / b), float(1 / b), gate, found.coefficients, covariance, draws, level, loss
    )


def _no_curve(at: Array, count: Array, of: Array) -> str:
    """Why the counts have no curve, if they have none."""
    if not len(at):
        return "No run at or above the level of lift-off gave an answer: there is nothing to fit."
    if not count.any():
        return f"No motion gets there up to {at[-1]:.3g}: give higher levels for a curve."
    if (count == of).all():
        return f"Every motion gets there from {at[0]:.3g} on: give lower levels for a curve."
    mixed = (count > 0) & (count < of)
    if not mixed.any() or (mixed.sum() == 1 and _steps(count, of)):
        return _separated(at, count, of)
    return ""


def _steps(count: Array, of: Array) -> bool:
    """Whether the share goes from none to all, with at most one level between."""
    share = count / of
    return bool((np.diff(share) >= 0).all() and share[0] == 0 and share[-1] == 1)


def _separated(at: Array, count: Array, of: Array) -> str:
    none, every = at[count == 0], at[count == of]
    low = f"{none.max():.3g}" if len(none) else f"below {at[0]:.3g}"
    high = f"{every.min():.3g}" if len(every) else f"above {at[-1]:.3g}"
    return (
        f"The share goes from none at {low} to all at {high} with hardly a level between: the "
        "scatter cannot be told. Give levels that are closer together there."
    )


# -- misfit -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Misfit:
    """Where a curve leaves the intervals of the shares."""

    levels: Array
    """Those at which it does."""
    of: int
    """Levels in all, from the gate on."""
    largest: float
    """The largest difference between curve and share, at any level [-]."""
    at: float
    """Where that is."""


def misfit(curve: Curve, levels: Array, found: Shares) -> Misfit:
    """Compare a curve with the shares, from the gate on."""
    used = (levels >= curve.gate) & (found.of > 0)
    p = curve.probability(levels)
    out = used & ((p < found.low) | (p > found.high))
    difference = np.where(used, np.abs(p - found.share), -1.0)
    worst = int(np.argmax(difference))
    return Misfit(levels[out], int(used.sum()), float(difference[worst]), float(levels[worst]))
