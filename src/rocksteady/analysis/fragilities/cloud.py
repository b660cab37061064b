"""Cloud analysis with collapse (after Jalayer et al. 2017): records as they are, not scaled.

Of the motions that do not overturn the body, ln D = a + b ln x + σ ε with D = max |θ|/α; whether it
overturns is a logistic regression on ln x. Together

    P(D > d | x) = P(D > d | x, stands)·(1 − P(falls | x)) + P(falls | x).

A body that has not lifted off has D = 0 and no logarithm: motions that leave it at rest are left
out of the regression, and below the gate the probability is zero.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from rocksteady.analysis.draws import cluster_numbers
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.analysis.stripes import OVERTURNED, Limit, checked_limit, lift_levels
from rocksteady.bodies import System
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.checks import checked_floor, named, one_formulation
from rocksteady.ensembles.labels import Measure, measure_named
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import A_MOTION
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.status import Status
from rocksteady.theories import Formulation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWS = 400  # of the bootstrap
FEWEST = 8  # motions that rock the body and leave it standing
PRIOR = 0.25  # of a fall and of a stand, at the lowest level and at the highest: see `_logistic`
ITERATIONS = 60


@dataclass(frozen=True, eq=False)
class Cloud:
    """The fitted cloud; see `cloud`."""

    measure: Measure
    x: Array
    """(n,) the measure of each motion, in its unit."""
    peak: Array
    """(n,) max |θ|/α."""
    fell: NDArray[np.bool_]
    gate: float
    """The level below which none of the motions lifts the body off; 0 where nobody knows."""
    parameters: Array
    """(5,) a, b and σ of the regression; constant and slope of the logistic one."""
    draws: Array
    """(B, 5) the same of bootstrap samples of motions (of clusters of them)."""
    level: float

    def probability(self, x: Array | float, limit: Limit = OVERTURNED) -> Array:
        """P of getting beyond a limit at these levels; zero below the gate."""
        return np.asarray(self._gated(x, limit, self.parameters[None])[0])

    def band(self, x: Array | float, limit: Limit = OVERTURNED) -> tuple[Array, Array]:
        """Its band, by the bootstrap of motions."""
        tail = 50 * (1 - self.level)
        found = self._gated(x, limit, self.draws)
        low, high = np.percentile(found, [tail, 100 - tail], axis=0)
        return low, high

    def _gated(self, x: Array | float, limit: Limit, parameters: Array) -> Array:
        at = np.asarray(x, dtype=float)
        a, b, spread, zero, slope = (column[:, None] for column in parameters.T)
        with np.errstate(divide="ignore"):
            ln = np.log(np.atleast_1d(at))
        falls = expit(zero + slope * ln)
        state = checked_limit(limit)
        if isinstance(state, str):
            if state != OVERTURNED:
                raise InputError("A cloud has no curve for lifting off: ask for θ/α or overturned.")
            found = falls
        else:
            found = ndtr((a + b * ln - math.log(state)) / spread) * (1 - falls) + falls
        found = np.where(np.atleast_1d(at) >= self.gate, found, 0.0)
        return found.reshape(len(parameters), *at.shape)

    @property
    def median(self) -> float:
        """The level at which half of the motions overturn the body, in the measure's unit."""
        zero, slope = self.parameters[3:]
        return math.exp(min(-zero / slope, 700.0)) if slope > 0 else math.nan

    @property
    def sentence(self) -> str:
        fallen, unit = int(self.fell.sum()), self.measure.unit
        text = f"{fallen} of {len(self.x)} motions overturn the body at these strengths"
        if not math.isfinite(self.median):
            return f"{text}, but not those that are stronger by {self.measure.short}: try another."
        return f"{text}; half would at {self.measure.short} {self.median:.3g} {unit} (cloud)."

    def summary(self) -> dict[str, Any]:
        """Plain numbers."""
        a, b, spread, zero, slope = (float(value) for value in self.parameters)
        return {
            "measure": self.measure.short,
            "unit": self.measure.unit,
            "motions": len(self.x),
            "overturned": int(self.fell.sum()),
            f"gate [{self.measure.unit}]": self.gate,
            f"median [{self.measure.unit}]": self.median if math.isfinite(self.median) else None,
            "regression": {"a": a, "b": b, "sigma": spread},
            "logistic": {"constant": zero, "slope": slope},
            "sentence": self.sentence,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """The cloud with its regression, and the fragility of each limit state."""
        draw = imported("rocksteady.view.fragility_measures:plot_cloud")
        return draw(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Cloud: {self.sentence}>"


def cloud(
    system: System,
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    scale: float = 1.0,
    measure: str | Measure = "pga",
    floor: Floor | None = None,
    clusters: Any = None,
    level: float = LEVEL,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Cloud:
    """Fragility from motions as they were recorded, all times one ``scale``: for those who do not
    want to scale each of them. It needs some that overturn the body and a good number that rock it
    without; where a stripe analysis can be made, its shares say more.

    Other arguments as in `rocksteady.analysis.stripes.stripes`.
    """
    given, factor = named(motions, (Motion,), "motions", A_MOTION)[0], positive("scale", scale)
    grounds = tuple(motion.scaled(factor) for motion in given)
    how, by = one_formulation(formulation, (system,)), measure_named(measure)
    x = np.array([by.of(motion) for motion in grounds])
    floor = checked_floor(floor)
    shaken = [motion if floor is None else floor.motion(motion) for motion in grounds]
    data = ensemble(
        system, shaken, how, until="outcome", backend=backend, store=store, progress=progress
    )
    status, peak = (data[name].values[0, :, 0] for name in ("status", "peak"))
    known = status != Status.FAILED
    fell = data["fell"].values[0, :, 0].astype(bool)
    lifts = lift_levels(system, how, tuple(shaken), x, by)
    gate = float(np.min(lifts)) if np.isfinite(lifts).any() else 0.0
    numbers = cluster_numbers(grounds, clusters)
    rocked = known & ~fell & (peak > 0)
    if rocked.sum() < FEWEST or not (fell & known).any():
        raise InputError(
            f"Of {len(grounds)} motions {int(rocked.sum())} rock the body and leave it standing, "
            f"and {int((fell & known).sum())} overturn it: a cloud needs {FEWEST} of the first and "
            "one of the second. Give more or stronger motions, a scale, or use fragility, which "
            "scales them."
        )
    each = _fitted(x, peak, fell, rocked, known, np.ones((1, len(x))))[0]
    counts = _resampled(numbers, DRAWS)
    draws = _fitted(x, peak, fell, rocked, known, counts)
    return Cloud(by, x, peak, fell, gate, each, draws[np.isfinite(draws).all(axis=1)], level)


def _resampled(clusters: NDArray[np.int64], count: int) -> Array:
    """(B, n) how often each motion is drawn when whole clusters are; the same every time."""
    groups = int(clusters.max()) + 1
    drawn = np.random.default_rng(0).multinomial(groups, np.full(groups, 1 / groups), count)
    return drawn[:, clusters].astype(float)


def _fitted(
    x: Array,
    peak: Array,
    fell: NDArray[np.bool_],
    rocked: NDArray[np.bool_],
    known: NDArray[np.bool_],
    weight: Array,
) -> Array:
    """(B, 5) least squares among those that rock and stand, logistic regression among all."""
    ln = np.log(x)
    w = weight * rocked
    total = w.sum(axis=1)
    lean = np.log(np.where(rocked, peak, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        mx, my = w @ ln / total, w @ lean / total
        off = ln - mx[:, None]
        b = (w * off * lean).sum(axis=1) / (w * off**2).sum(axis=1)
        a = my - b * mx
        rest = lean - a[:, None] - b[:, None] * ln
        spread = np.sqrt((w * rest**2).sum(axis=1) / (total - 2))
    zero, slope = _logistic(ln, (fell & known).astype(float), weight * known)
    return np.stack([a, b, spread, zero, slope], axis=1)


def _logistic(ln: Array, y: Array, weight: Array) -> tuple[Array, Array]:
    """Constant and slope by Newton's method. A quarter of a fall and of a stand at either end of
    the levels keeps the slope finite where the data are separated."""
    ends = np.array([ln.min(), ln.max()])
    at = np.concatenate([ln, ends, ends])
    out = np.concatenate([y, np.ones(2), np.zeros(2)])
    w = np.concatenate([weight, np.full((len(weight), 4), PRIOR)], axis=1)
    x = np.stack([np.ones_like(at), at - at.mean()], axis=1)
    c = np.zeros((len(weight), 2))
    for _ in range(ITERATIONS):
        p = expit(c @ x.T)
        score = (w * (out - p)) @ x
        hessian = np.einsum("bn,nk,nl->bkl", w * p * (1 - p), x, x)
        step = np.linalg.solve(hessian + 1e-12 * np.eye(2), score[..., None])[..., 0]
        longest = np.abs(step @ x.T).max(axis=1, keepdims=True)
        c = c + step * np.minimum(1.0, 4 / np.maximum(longest, 1e-300))
        if longest.max() < 1e-10:
            break
    return c[:, 0] - c[:, 1] * at.mean(), c[:, 1]
