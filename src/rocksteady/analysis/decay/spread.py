"""Confidence interval of a fitted value, from the residuals of the fit.

Residuals are rarely independent from sample to sample: sensors are filtered, and no block rocks
exactly as the theory says. The variance of a value is estimated in three ways (independent samples;
noise with the observed correlation; products of neighbouring residuals within a swing), and the
largest is used. The quantile is widened because the last two are estimated from few independent
pieces (Kiefer & Vogelsang 2005, Econometric Theory 21, Table 1, Bartlett kernel).
"""

import math

import numpy as np

from rocksteady.numerics.types import Array

KNOWN_TO = 2e-4  # of r: effect of half a per cent error in the block's α


def half_width(jacobian: Array, residual: Array, swing: int, which: int) -> float:
    """Half the 90 % interval of a fitted value, from the derivatives and residuals of all samples;
    ``swing`` is the mean number of samples in a swing."""
    direction = np.eye(jacobian.shape[1])[which : which + 1]
    variances = variances_of(jacobian, residual, swing, direction)[:, 0]
    longest = _longest(swing, len(residual))
    half = widened_quantile(longest / len(residual)) * math.sqrt(float(variances.max()))
    return float(max(half, KNOWN_TO))


def variances_of(jacobian: Array, residual: Array, swing: int, directions: Array) -> Array:
    """The variance of combinations of the fitted values, a row of ``directions`` each, estimated in
    three ways: a row each for independent, correlated and clustered residuals."""
    samples, unknowns = jacobian.shape
    size = np.linalg.norm(jacobian, axis=0)
    if not (np.isfinite(size) & (size > 0)).all():
        return np.full((3, len(directions)), math.inf)  # the residual does not depend on one
    scaled = jacobian / size
    inverse = np.linalg.pinv(scaled.T @ scaled)
    longest = _longest(swing, samples)
    spare = samples / max(samples - unknowns, 1)
    lags = _products(residual, 2 * longest) / samples
    found = np.empty((3, len(directions)))
    for i, direction in enumerate(directions):
        # change of the value per change of a sample
        weights = scaled @ (inverse @ (direction / size))
        found[0, i] = float(np.mean(residual**2) * (weights @ weights))
        found[1, i] = _tapered(_products(weights, 2 * longest) * lags)
        found[2, i] = _tapered(_products(weights * residual, longest))
    return np.asarray(spare * found)


def widened_quantile(share: float) -> float:
    """That of a 90 % interval whose variance is estimated with lags up to this share of it."""
    return 1.6449 + 2.1859 * share + 0.3142 * share**2 - 0.3427 * share**3


def _longest(swing: int, samples: int) -> int:
    return max(min(swing, samples // 4), 1)


def _products(values: Array, longest: int) -> Array:
    """Autocovariance sums for the lags 0 to ``longest``."""
    longest = min(longest, len(values) - 1)
    return np.array([values[lag:] @ values[: len(values) - lag] for lag in range(longest + 1)])


def _tapered(sums: Array) -> float:
    """Sum over all positive and negative lags with Bartlett weights."""
    weights = 1 - np.arange(len(sums)) / len(sums)
    return float(sums[0] + 2 * np.sum((weights * sums)[1:]))
