"""What is not known of the body, and how much of it matters.

Width, height of the centre of mass, inertia and the loss at impacts are known within tolerances.
Latin hypercube samples of them (`scipy.stats.qmc`) show how far an answer spreads; Sobol indices
(`scipy.stats.sobol_indices`) say which of them it comes from: the first-order index is the share of
the variance that would go if that one were known, the total one what would stay if all others were.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from scipy.stats import qmc

from rocksteady.analysis._levels import MOST_LEVELS
from rocksteady.analysis.fragilities.curve import Curve, fitted_curve
from rocksteady.analysis.fragilities.tolerances import WORDS, bodies_within, tolerated
from rocksteady.analysis.stripes import OVERTURNED, SOME_RUNS, Stripes, stripes_of
from rocksteady.bodies import Block, expect
from rocksteady.ensembles.progress import Progress
from rocksteady.errors import InputError
from rocksteady.numbers import checked_seed, whole
from rocksteady.numerics.types import Array

SAMPLES = 64  # a power of 2, as Sobol sequences want
MOTIONS, LEVELS = 60, 20
RESAMPLES = 400
WIDER = 1.25  # how much lower than the body's own the levels begin
Outcome = Callable[[Stripes], float]


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How far an answer spreads with the body's tolerances, and which of them matters."""

    names: tuple[str, ...]
    ranges: dict[str, str]
    """The tolerances in words."""
    nominal: float
    """The outcome of the body as it was given."""
    sample: Array
    """(n,) outcomes of a Latin hypercube sample of bodies."""
    values: Array
    """(n, d) the parameters of these bodies."""
    first: Array
    """(d,) first-order Sobol indices [-]."""
    total: Array
    """(d,) total Sobol indices [-]."""
    first_interval: Array
    """(2, d) their 90 % intervals, by a bootstrap of the sample."""
    total_interval: Array
    outcome: str
    """What the outcome is, in words."""

    def interval(self, level: float = 0.90) -> tuple[float, float]:
        """Between which outcomes this share of the sample lies."""
        tail = 50 * (1 - level)
        low, high = np.percentile(self.sample, [tail, 100 - tail])
        return float(low), float(high)

    @property
    def order(self) -> list[int]:
        """The parameters, the one that matters most first."""
        return [int(i) for i in np.argsort(-self.total)]

    @property
    def sentence(self) -> str:
        if not np.isfinite(self.total).all():
            return (
                f"In these runs the tolerances did not change {self.outcome}: they are too few to "
                "show what the tolerances do."
            )
        # an estimate from few samples may lie outside of 0 to 1
        part = 100 * np.clip(self.total, 0.0, 1.0)
        low, high = 100 * np.clip(self.total_interval, 0.0, 1.0)
        first, *others = self.order
        name = WORDS.get(self.names[first], self.names[first])
        rest = "".join(f", {WORDS.get(self.names[i], '')} for {part[i]:.0f} %" for i in others)
        return (
            f"{name[0].upper()}{name[1:]} accounts for about {part[first]:.0f} % of the variance "
            f"of {self.outcome} (90 %: {low[first]:.0f} to {high[first]:.0f} %){rest} (total Sobol "
            "indices)."
        )

    def summary(self) -> dict[str, Any]:
        """Plain numbers."""
        low, high = self.interval()
        return {
            "outcome": self.outcome,
            "nominal": self.nominal,
            "low_90": low,
            "high_90": high,
            "tolerances": self.ranges,
            "first_order": dict(zip(self.names, self.first.tolist(), strict=True)),
            "total": dict(zip(self.names, self.total.tolist(), strict=True)),
            "sentence": self.sentence,
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """The indices as bars, and the spread of the outcome."""
        from rocksteady.registry import imported

        return imported("rocksteady.view.fragility:plot_uncertainty")(self, path)


def ln_median(runs: Stripes) -> float:
    """ln of the level at which half of the motions overturn the body; nan where it cannot be
    told."""
    beyond = runs.beyond(OVERTURNED)
    found = fitted_curve(runs.levels, beyond, runs.known, runs.clusters, runs.gate)
    return math.log(found.median) if isinstance(found, Curve) else math.nan


def uncertainty(
    runs: Stripes,
    tolerances: Mapping[str, float | Sequence[float]] | None = None,
    outcome: Outcome = ln_median,
    *,
    words: str | None = None,
    samples: int = SAMPLES,
    motions: int = MOTIONS,
    levels: int = LEVELS,
    seed: int = 0,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Uncertainty:
    """How far an answer spreads with the tolerances of the body, and which of them matters.

    Parameters
    ----------
    runs
        The stripes of the body: its theory, motions, floor and measure are used again.
    tolerances
        By parameter of the block, or ``"eta"``: a number is two standard deviations of a normal
        distribution relative to the value (0.03: ±3 %), a pair the ends of a uniform one. What
        was not given of the block follows from what varies, and a relative tolerance of it is about
        that. By default width 3 %, height of the centre of mass 5 %, inertia 20 % and η within 0.05
        of the body's own.
    outcome
        A function of the `Stripes` of a body: ln of the median to overturn unless given, or the
        logarithm of a yearly rate.
    words
        What the outcome is, for the sentence.
    samples
        Of the Latin hypercube and of the Sobol sequence: a power of 2.
    motions, levels
        So many of the motions and levels, evenly chosen: ``samples``·(parameters + 3) bodies are
        run under them, in one ensemble.
    seed
        Of both samples.

    Examples
    --------
    >>> found = uncertainty(runs)  # doctest: +SKIP
    >>> found.sentence  # doctest: +SKIP
    'The loss at impacts η accounts for about 89 % of the variance of ...'
    """
    expect(runs, Stripes, "uncertainty", SOME_RUNS)
    block = expect(runs.system, Block, "Tolerances of a body")
    spread, ranges, relative = tolerated(block, runs.formulation, tolerances or {})
    names = tuple(spread)
    samples, motions = whole("samples", samples, 2, 2**20), whole("motions", motions, 1, 10**6)
    levels, seed = whole("levels", levels, 2, MOST_LEVELS), checked_seed(seed)
    if samples & (samples - 1):
        raise InputError(f"samples = {samples!r} is not allowed: give a power of 2, such as 64.")
    points = _points(list(spread.values()), samples, seed)
    bodies, how = bodies_within(block, runs.formulation, names, points, relative)
    chosen = np.unique(np.linspace(0, len(runs.motions) - 1, motions).round().astype(int))
    at = np.geomspace(runs.levels[0] / WIDER, runs.levels[-1], levels)
    every = stripes_of(
        bodies,
        [runs.motions[i] for i in chosen],
        how,
        levels=at,
        measure=runs.measure,
        floor=runs.floor,
        clusters=runs.clusters[chosen],
        backend=backend,
        store=store,
        progress=progress,
    )
    found = np.array([outcome(one) for one in every])
    _check(found)
    n, d = samples, len(names)
    nominal, sample, rest = found[0], found[1 : 1 + n], found[1 + n :]
    said = words or (f"ln(median {runs.measure.short})" if outcome is ln_median else "the outcome")
    first, total, first_ends, total_ends = _sobol(
        rest[:n], rest[n : 2 * n], rest[2 * n :].reshape(d, n), list(spread.values())
    )
    return Uncertainty(
        names,
        ranges,
        float(nominal),
        sample,
        points[1 : 1 + n],
        first,
        total,
        first_ends,
        total_ends,
        said,
    )


def _sobol(a: Array, b: Array, ab: Array, spread: list[Any]) -> tuple[Array, Array, Array, Array]:
    """First-order and total indices with their intervals, from outcomes of the samples A, B and of
    A with each column from B."""
    d = len(ab)
    if np.ptp(np.concatenate([a, b])) == 0:
        none = np.full(d, np.nan)
        return none, none, np.full((2, d), np.nan), np.full((2, d), np.nan)
    found = _indices(a, b, ab, spread)
    rng, n = np.random.default_rng(0), len(a)
    drawn = np.array(
        [
            _indices(a[which], b[which], ab[:, which], spread)
            for which in rng.integers(0, n, (RESAMPLES, n))
        ]
    )
    low, high = np.nanpercentile(drawn, [5, 95], axis=0)
    return found[0], found[1], np.array([low[0], high[0]]), np.array([low[1], high[1]])


def _indices(a: Array, b: Array, ab: Array, spread: list[Any]) -> Array:
    """(2, d) first-order and total. SciPy needs two properties or more: one alone stands twice."""
    d = len(ab)
    columns = ab if d > 1 else np.repeat(ab, 2, axis=0)
    values: Any = {"f_A": a[None], "f_B": b[None], "f_AB": columns[:, None, :]}
    with np.errstate(divide="ignore", invalid="ignore"):
        found = stats.sobol_indices(func=values, n=len(a), dists=[*spread, *spread][: len(columns)])
    return np.array([np.ravel(found.first_order)[:d], np.ravel(found.total_order)[:d]])


def _points(spread: Sequence[Any], n: int, seed: int) -> Array:
    """The parameters of all bodies: a nan row for the body itself, the Latin hypercube, A, B, and A
    with each column from B."""
    d = len(spread)
    cube = qmc.LatinHypercube(d, seed=seed).random(n)
    sobol = qmc.Sobol(2 * d, seed=seed).random(n)
    a, b = sobol[:, :d], sobol[:, d:]
    mixed = np.repeat(a[None], d, axis=0)  # (d, n, d)
    for j in range(d):
        mixed[j, :, j] = b[:, j]
    share = np.concatenate([cube, a, b, mixed.reshape(d * n, d)])
    points = np.stack([one.ppf(column) for one, column in zip(spread, share.T, strict=True)], 1)
    return np.concatenate([np.full((1, d), np.nan), points])


def _check(found: Array) -> None:
    lost = int((~np.isfinite(found)).sum())
    if lost:
        raise InputError(
            f"{lost} of {len(found)} bodies have no outcome: some motions must overturn each of "
            "them and some must not. Give more motions, or stripes whose levels go further up."
        )
