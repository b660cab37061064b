"""The gamma-shaped time envelope of a stochastic motion, fitted to energy and duration."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rocksteady.numerics.types import Array

# D5-95/t_mid: below, a needle late in a long motion; above, α2 < 1: the shaking begins at its peak.
SHORTEST, LONGEST = 0.1, 4.9
STEEPEST, WIDEST = 0.04, 11.0  # the same of an envelope that makes good for other effects
MARKS = np.array([0.05, 0.45, 0.95])  # of the Arias intensity


@dataclass(frozen=True)
class Envelope:
    """q(t) = α1 t^(α2−1) e^(−α3 t): the standard deviation of the acceleration [m/s²].

    q² is ``energy`` [m²/s³] times a gamma density of ``shape`` 2α2 − 1 [-] and ``rate`` 2α3 [1/s].
    """

    energy: float
    shape: float
    rate: float

    @property
    def alpha(self) -> tuple[float, float, float]:
        """α1, α2, α3."""
        return math.exp(self._log_alpha1), (self.shape + 1) / 2, self.rate / 2

    @property
    def _log_alpha1(self) -> float:
        gamma = self.shape * math.log(self.rate) - math.lgamma(self.shape)
        return (math.log(self.energy) + gamma) / 2

    def at(self, time: Array) -> Array:
        """q at ``time`` ≥ 0 [s]."""
        q, begun = np.zeros_like(time), time > 0
        t = time[begun]
        # In logarithms: t^(α2−1) alone overflows where α2 is large.
        q[begun] = np.exp(self._log_alpha1 + (self.shape - 1) / 2 * np.log(t) - self.rate / 2 * t)
        return q

    def quantile(self, fraction: float) -> float:
        """When ``fraction`` of the energy has arrived [s]."""
        return _standard_quantile(self.shape, fraction) / self.rate


@lru_cache(maxsize=256)
def fitted_envelope(energy: float, d5_95: float, t_mid: float) -> Envelope:
    """The envelope with ∫q² dt = ``energy`` [m²/s³] and this D5-95 and t45 [s].

    D5-95/t45 depends on the shape alone, and falls as it grows.
    """
    from scipy.optimize import brentq
    from scipy.special import gammaincinv

    asked = d5_95 / t_mid

    def excess(log_shape: float) -> float:
        low, middle, high = gammaincinv(math.exp(log_shape), MARKS).tolist()
        return float((high - low) / middle - asked)

    log_shapes, ratios = _ratios()
    n = min(max(int(np.searchsorted(-ratios, -asked)), 1), ratios.size - 1)
    log_shape = brentq(excess, log_shapes[n - 1], log_shapes[n], xtol=1e-13)
    # Ten digits: what a root finder leaves behind them differs from machine to machine.
    shape = float(f"{math.exp(log_shape):.10g}")
    return Envelope(energy, shape, float(f"{_standard_quantile(shape, MARKS[1]) / t_mid:.10g}"))


@lru_cache(maxsize=1)
def _ratios() -> tuple[Array, Array]:
    """Logarithms of shapes, and D5-95/t45 of each: between which two a shape is to be sought."""
    from scipy.special import gammaincinv

    log_shapes = np.linspace(math.log(0.4), math.log(1e4), 400)
    low, middle, high = gammaincinv(np.exp(log_shapes), MARKS[:, None])
    return log_shapes, (high - low) / middle


def _standard_quantile(shape: float, fraction: float) -> float:
    from scipy.special import gammaincinv

    return float(gammaincinv(shape, fraction))
