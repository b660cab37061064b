"""Probit regression by maximum likelihood, and its covariance when runs are not independent.

P(y = 1 | x) = Φ(x·c). The likelihood is concave, so Fisher's scoring finds its maximum wherever it
begins. Stripes use the same motions at every level: the runs of one motion are alike, and the
covariance that takes each run for a draw of its own is far too small. The sandwich adds up the
scores of each motion (or cluster of motions) first,

    V = H⁻¹ (Σ_i s_i s_iᵀ) H⁻¹ · n/(n − 2),   quantiles of Student's t with n − 2,

and so assumes nothing about how the runs of one motion depend on each other.

Everything here works on many samples at a time: leading axes are repetitions.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr
from scipy.stats import t as student

from rocksteady.numerics.types import Array

ITERATIONS = 100
CLOSE = 1e-11  # of the linear predictor
FARTHEST = 8.0  # of the linear predictor: a larger one says that the data are separated
_LOG_ROOT = 0.5 * np.log(2 * np.pi)


class Probit(NamedTuple):
    """Fitted coefficients, of one sample or of many."""

    coefficients: Array
    """(..., k)"""
    bread: Array
    """(..., k, k) H⁻¹, the inverse of the negative Hessian."""
    converged: NDArray[np.bool_]
    """(...) False where there is no maximum: the data are separated."""


def fit(x: Array, y: Array, weight: Array) -> Probit:
    """Maximum likelihood. ``x`` (..., N, k) the regressors, a 1 for the constant among them; ``y``
    (..., N) outcomes or shares of ``weight`` (..., N) runs."""
    x, y, weight = np.broadcast_arrays(x, y[..., None], weight[..., None])
    y, weight = y[..., 0], weight[..., 0]
    coefficients = np.zeros((*x.shape[:-2], x.shape[-1]))
    # the columns are scaled, so that one tolerance and one bound on a step serve all
    size = np.maximum(np.sqrt(np.mean(x**2, axis=-2, keepdims=True)), 1e-300)
    scaled = x / size
    converged = np.zeros(x.shape[:-2], dtype=bool)
    for _ in range(ITERATIONS):
        eta = _times(scaled, coefficients)
        up, down = _ratios(eta)
        score = _sum(scaled, weight * (y * up - (1 - y) * down))
        information = _outer(scaled, weight * up * down)
        step = _solved(information, score)
        change = np.abs(_times(scaled, step)).max(axis=-1)
        far = np.where(change > 2, 2 / np.maximum(change, 1e-300), 1.0)
        coefficients = coefficients + np.where(converged, 0.0, far)[..., None] * step
        converged = converged | (change < CLOSE)
        if converged.all():
            break
    eta = _times(scaled, coefficients)
    hessian = _outer(scaled, weight * _curvature(eta, y))
    unit = size[..., 0, :]
    bread = _inverse(hessian) / (unit[..., :, None] * unit[..., None, :])
    inner = np.where(weight > 0, np.abs(eta), np.inf).min(axis=-1)
    return Probit(coefficients / unit, bread, converged & (inner < FARTHEST))


def sandwich(
    fitted: Probit, x: Array, y: Array, weight: Array, clusters: NDArray[np.integer[Any]]
) -> Array:
    """(..., k, k) the covariance by cluster. ``x`` (..., n, N, k) or (N, k), ``y`` and ``weight``
    (..., n, N) by motion; ``clusters`` (n,) numbers from 0 on."""
    eta = np.sum(fitted.coefficients[..., None, None, :] * x, axis=-1)
    up, down = _ratios(eta)
    scores = np.einsum("...ij,...ijk->...ik", weight * (y * up - (1 - y) * down), _as(x, y))
    count = int(clusters.max()) + 1
    if count < scores.shape[-2]:
        member = clusters[None, :] == np.arange(count)[:, None]
        scores = np.einsum("ci,...ik->...ck", member.astype(float), scores)
    meat = np.einsum("...ck,...cl->...kl", scores, scores)
    if count <= 2:
        return np.full_like(meat, np.nan)
    return np.asarray(fitted.bread @ meat @ fitted.bread * (count / (count - 2)))


def quantile(level: float, draws: int) -> float:
    """Student's t for a two-sided band of this level, n − 2 degrees of freedom."""
    return float(student.ppf((1 + level) / 2, draws - 2)) if draws > 2 else np.nan


def log_loss(fitted: Probit, x: Array, y: Array, weight: Array) -> float:
    """−ln likelihood per run."""
    eta = _times(x, fitted.coefficients)
    loss = y * log_ndtr(eta) + (1 - y) * log_ndtr(-eta)
    return float(-np.sum(weight * loss) / np.sum(weight))


def _as(x: Array, y: Array) -> Array:
    return np.broadcast_to(x, (*y.shape, x.shape[-1]))


def _times(x: Array, c: Array) -> Array:
    return np.asarray(np.einsum("...nk,...k->...n", x, c))


def _sum(x: Array, u: Array) -> Array:
    return np.asarray(np.einsum("...n,...nk->...k", u, x))


def _outer(x: Array, w: Array) -> Array:
    return np.asarray(np.einsum("...n,...nk,...nl->...kl", w, x, x))


def _ratios(eta: Array) -> tuple[Array, Array]:
    """φ/Φ(η) and φ/Φ(−η), also far out."""
    log_density = -0.5 * eta**2 - _LOG_ROOT
    return np.exp(log_density - log_ndtr(eta)), np.exp(log_density - log_ndtr(-eta))


def _curvature(eta: Array, y: Array) -> Array:
    """−∂² ln likelihood/∂η² of one run."""
    up, down = _ratios(eta)
    return np.asarray(y * up * (up + eta) + (1 - y) * down * (down - eta))


def _solved(matrix: Array, vector: Array) -> Array:
    return np.asarray((_inverse(matrix) @ vector[..., None])[..., 0])


def _inverse(matrix: Array) -> Array:
    """The inverse; of a singular one the pseudo-inverse, which moves nothing where nothing is
    known."""
    return np.asarray(np.linalg.pinv(matrix, rcond=1e-13, hermitian=True))
