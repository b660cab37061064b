"""Probit in two measures of the ground: ln PGA and ln(PGV/PGA).

P = Φ(c0 + c1 ln PGA + c2 ln(PGV/PGA)). Where c2/c1 is 1 only the velocity counts, where it is 0
only the acceleration: between the two lies how large the body is (Purvance et al. 2008 use such a
pair for balanced rocks).
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from rocksteady.analysis.fragilities import probit
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.analysis.stripes import OVERTURNED, SOME_RUNS, Limit, Stripes, limit_words
from rocksteady.bodies.system import expect
from rocksteady.ensembles.labels import PGA, PGV
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure


NEARLY_ONE = 0.85  # weight from which velocity is said to tell nearly all


@dataclass(frozen=True, eq=False)
class TwoMeasures:
    """The fitted surface."""

    stripes: Stripes
    """The runs that it was fitted to."""
    limit: Limit
    coefficients: Array
    """(3,) of 1, ln PGA [g] and ln(PGV/PGA) [s]."""
    covariance: Array
    """(3, 3) theirs, by cluster."""
    gate: float
    """PGA [g] below which nothing lifts off; 0 where nobody knows."""
    draws: int
    level: float
    log_loss: float
    """−ln likelihood per run [-]."""

    @property
    def weight(self) -> float:
        """c2/c1: 1 where only PGV counts, 0 where only PGA does."""
        return float(self.coefficients[2] / self.coefficients[1])

    @property
    def weight_interval(self) -> tuple[float, float]:
        """Its interval, by the delta method."""
        _, one, two = self.coefficients
        slope = np.array([0.0, -two / one**2, 1 / one])
        spread = math.sqrt(max(float(slope @ self.covariance @ slope), 0.0))
        half = probit.quantile(self.level, self.draws) * spread
        return self.weight - half, self.weight + half

    def probability(self, pga: Array | float, pgv: Array | float) -> Array:
        """P at PGA [g] and PGV [m/s]; zero below the gate."""
        a, v = np.broadcast_arrays(np.asarray(pga, dtype=float), np.asarray(pgv, dtype=float))
        c = self.coefficients
        with np.errstate(divide="ignore", invalid="ignore"):
            eta = c[0] + c[1] * np.log(a) + c[2] * np.log(v / (a * PGA.si))
        return np.where(a >= self.gate, ndtr(np.nan_to_num(eta, nan=-np.inf)), 0.0)

    @property
    def sentence(self) -> str:
        low, high = self.weight_interval
        span = f" ({100 * self.level:.0f} %: {low:.2f} to {high:.2f})" if low < high else ""
        what = "velocity and acceleration both count"
        if self.weight > NEARLY_ONE or low <= 1 <= high:
            what = "once it lifts off, the peak velocity tells nearly all that the two can"
        elif self.weight < 1 - NEARLY_ONE:
            what = "the peak acceleration tells nearly all that the two can"
        return f"The weight of ln(PGV/PGA) beside ln PGA is {self.weight:.2f}{span}: {what}."

    def summary(self) -> dict[str, Any]:
        """Plain numbers."""
        low, high = self.weight_interval
        finite = math.isfinite(low + high)
        return {
            "limit": limit_words(self.limit),
            "constant": float(self.coefficients[0]),
            "ln PGA [g]": float(self.coefficients[1]),
            "ln(PGV/PGA) [s]": float(self.coefficients[2]),
            "weight": self.weight,
            "weight_interval": [low, high] if finite else None,
            "gate [g]": self.gate,
            "log_loss_per_run": self.log_loss,
            "sentence": self.sentence,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Each run over PGA and PGV, and where 10, 50 and 90 % get beyond the limit."""
        draw = imported("rocksteady.view.fragility_measures:plot_two_measures")
        return draw(self, path)  # type: ignore[no-any-return]


def two_measures(runs: Stripes, limit: Limit = OVERTURNED, *, level: float = LEVEL) -> TwoMeasures:
    """Fit the surface to all runs at or above lift-off, whatever measure the stripes are in."""
    expect(runs, Stripes, "two_measures", SOME_RUNS)
    pga = values_of_runs(runs, [PGA.of(motion) for motion in runs.motions], 1.0)
    ratio = np.log([PGV.of(motion) / (PGA.of(motion) * PGA.si) for motion in runs.motions])
    if np.ptp(ratio) < 1e-9:
        raise InputError(
            "All motions have the same PGV/PGA: two measures say no more than one. Give motions of "
            "different frequency content."
        )
    x = np.stack([np.ones_like(pga), np.log(pga), np.broadcast_to(ratio[:, None], pga.shape)], -1)
    y = runs.beyond(limit).astype(float)
    lifting = runs.levels >= np.where(np.isnan(runs.lifts), 0.0, runs.lifts)[:, None]
    used = (runs.known & lifting).astype(float)
    found = probit.fit(x.reshape(-1, 3), y.ravel(), used.ravel())
    if not found.converged:
        raise InputError(
            f"The runs do not tell how likely {limit!r} is: at some combination of PGA and PGV/PGA "
            "all motions get there and elsewhere none does, or none does at all. Give more motions "
            "or other levels."
        )
    numbers = np.unique(runs.clusters, return_inverse=True)[1]
    covariance = probit.sandwich(found, x, y, used, numbers)
    loss = probit.log_loss(found, x.reshape(-1, 3), y.ravel(), used.ravel())
    slopes = runs.formulation.lift_off(runs.system)
    upwards = any(motion.vertical is not None for motion in runs.motions)
    own = slopes is not None and not upwards and runs.floor is None
    g = getattr(runs.system, "g", math.nan)
    gate = min(slopes) * g / PGA.si if own and slopes is not None else 0.0
    return TwoMeasures(runs, limit, found.coefficients, covariance, gate, runs.draws, level, loss)


def values_of_runs(runs: Stripes, at_one: Array | list[float], power: float) -> Array:
    """(n, L) a measure of each run, from what it is for each motion as it was given."""
    own = np.array([runs.measure.of(motion) for motion in runs.motions])
    scales = (runs.levels / own[:, None]) ** (1 / runs.measure.power)
    return np.asarray(np.asarray(at_one)[:, None] * scales**power)
