"""`rs.analysis.fragility`: how likely a body lifts off, leans or falls, by the strength of shaking.

Shares with exact intervals come first. A lognormal curve is a summary of them: fitted by maximum
likelihood, its band by motion, zero below lift-off; a sentence says where it leaves the shares'
intervals. First falls (IDA) are kept apart under their own name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.fragilities import words
from rocksteady.analysis.fragilities.curve import Curve, Misfit, fitted_curve, misfit
from rocksteady.analysis.fragilities.first_falls import FirstFalls, first_falls
from rocksteady.analysis.fragilities.shares import Shares, shares
from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.analysis.stripes import (
    LIFTS,
    LIMITS,
    OVERTURNED,
    Limit,
    Stripes,
    checked_limit,
    stripes,
)
from rocksteady.bodies import System
from rocksteady.ensembles.labels import Measure
from rocksteady.ensembles.progress import Progress
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.registry import imported
from rocksteady.theories import Formulation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocksteady.analysis.fragilities.measures import MeasureTable
    from rocksteady.analysis.fragilities.two_measures import TwoMeasures

SAME = 1e-9  # relative difference of levels at which motions lift a body off, by rounding


@dataclass(frozen=True, eq=False)
class LimitState:
    """One limit state: its shares, the curve that sums them up, and its first falls."""

    limit: Limit
    words: str
    """ "overturned", "θ/α > 0.5"; "collapsed" for a building."""
    shares: Shares
    """By level, with intervals: read probabilities from these."""
    curve: Curve | None
    """None where no lognormal can be fitted; ``why`` says why."""
    why: str
    misfit: Misfit | None
    first: FirstFalls
    """The same runs as first falls (IDA)."""


@dataclass(frozen=True, eq=False)
class Fragility:
    """Shares, curves and first falls of a body; see `fragility`."""

    stripes: Stripes
    states: dict[Limit, LimitState]
    """By limit, from the first to be reached to the last."""
    level: float
    """Of intervals and bands, such as 0.9."""

    def __getitem__(self, limit: Limit) -> LimitState:
        state = checked_limit(limit)
        if state not in self.states:
            known = ", ".join(repr(one) for one in self.states)
            raise InputError(f"limit = {limit!r} was not asked for: there are {known}.")
        return self.states[state]

    @property
    def main(self) -> LimitState:
        """Overturning; or the last limit, where that was not asked for."""
        return self.states.get(OVERTURNED) or self.states[next(reversed(self.states))]

    @property
    def measure(self) -> Measure:
        return self.stripes.measure

    @cached_property
    def sentences(self) -> list[str]:
        """What was found and what to beware of, in plain English."""
        return words.sentences(self)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return self.sentences[0]

    def summary(self) -> dict[str, Any]:
        """Plain numbers, units in the names."""
        return words.summary(self)

    def table(self) -> list[dict[str, Any]]:
        """A row for each limit and level: share, interval, curve and band."""
        from rocksteady.analysis.fragilities.export import rows

        return rows(self)

    def measures(self, limit: Limit = OVERTURNED) -> MeasureTable:
        """Which measure of the ground says most: efficiency and sufficiency of each."""
        from rocksteady.analysis.fragilities.measures import compare_measures

        return compare_measures(self.stripes, limit)

    def two_measures(self, limit: Limit = OVERTURNED) -> TwoMeasures:
        """Probit in ln PGA and ln(PGV/PGA) together."""
        from rocksteady.analysis.fragilities.two_measures import two_measures

        return two_measures(self.stripes, limit, level=self.level)

    def write(self, path: str | Path, *, name: str | None = None) -> Path:
        """Write a table (.csv: a row for each limit and level), OpenQuake's fragility model (.xml,
        NRML 0.5), or a row for pelicun (a name that ends in pelicun.csv). ``name`` identifies the
        body in the last two."""
        from rocksteady.analysis.fragilities.export import write

        return write(self, path, name)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Shares with intervals, the curve with its band and gate; first falls in a panel of their
        own."""
        return imported("rocksteady.view.fragility:plot_fragility")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Fragility: {self.sentence}>"


def fragility(
    system: System | Stripes,
    motions: Motion | Sequence[Motion] | Mapping[str, Motion] | None = None,
    formulation: Formulation | None = None,
    *,
    limits: Limit | Sequence[Limit] | None = None,
    levels: Any = None,
    measure: str | Measure = "pga",
    floor: Floor | None = None,
    clusters: Any = None,
    level: float = LEVEL,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Fragility:
    """How likely a body lifts off, leans or overturns at each strength of the ground's motion.

    Parameters
    ----------
    system
        The body; or its `Stripes`, which have been run already, and nothing is run again.
    motions
        Motions of the ground: about a hundred that suit the site. Each is scaled to each level.
    formulation
        How the body moves; the usual one unless given.
    limits
        Limit states: ``"lifts off"``, ratios θ/α, ``"overturned"``. Lifts off, 0.1, 0.5, 1 and
        overturned unless given.
    levels, measure, floor, clusters, backend, store, progress
        See `rocksteady.analysis.stripes.stripes`.
    level
        Of intervals and bands.

    Returns
    -------
    Fragility
        ``.main`` (overturning) and ``[limit]`` have the shares by level, the curve (median in the
        measure's unit, β) and the first falls; ``.sentences`` say what was found.

    Examples
    --------
    >>> import rocksteady as rs
    >>> shaking = rs.stochastic.Parameters(1.0, 10.0, 6.0, 2.0, -0.05, 0.3)
    >>> found = fragility(rs.Block(height=1.8, width=0.5), rs.stochastic.ensemble(40, 3, shaking),
    ...                   progress=False)
    >>> 0.40 < found.main.curve.median < 0.50  # g
    True
    """
    interval(0, 1, level)  # refuses a level that is none, before the runs
    wanted = None if limits is None else _ordered(limits)
    if isinstance(system, Stripes):
        if motions is not None or formulation is not None or levels is not None:
            raise InputError(
                "Stripes were given, whose runs are made: leave out motions, formulation and "
                "levels, or give the body instead of its stripes."
            )
        runs = system
    else:
        if motions is None:
            raise InputError("There are no motions: give them, or the stripes of a body.")
        runs = stripes(
            system,
            motions,
            formulation,
            levels=levels,
            measure=measure,
            floor=floor,
            clusters=clusters,
            backend=backend,
            store=store,
            progress=progress,
        )
    if wanted is None:
        wanted = [one for one in LIMITS if one != LIFTS or not math.isnan(runs.gate)]
        if not runs.system.rocks:  # a building: it collapses or it does not
            wanted = [OVERTURNED]
    return Fragility(runs, {one: _state(runs, one, level) for one in wanted}, level)


def _ordered(limits: Any) -> list[Limit]:
    """Checked, each once, in the order in which they are reached."""
    several = list(limits) if isinstance(limits, (list, tuple, set, np.ndarray)) else [limits]
    found = dict.fromkeys(checked_limit(one) for one in several)
    if not found:
        raise InputError("There are no limits: give one at least, such as 'overturned'.")
    order = {LIFTS: -math.inf, OVERTURNED: math.inf}
    return sorted(found, key=lambda one: order.get(str(one), one if isinstance(one, float) else 0))


def _state(runs: Stripes, limit: Limit, level: float) -> LimitState:
    beyond, known = runs.beyond(limit), runs.known
    counted = shares(beyond, known, runs.clusters, level)
    found = fitted_curve(runs.levels, beyond, known, runs.clusters, runs.gate, level)
    if limit == LIFTS and runs.gate < math.inf and np.ptp(runs.lifts) <= SAME * runs.gate:
        found = (
            f"Every motion lifts it off at {runs.measure.short} {runs.gate:.3g} "
            f"{runs.measure.unit}: that is a threshold without scatter, not a curve."
        )
    curve = None if isinstance(found, str) else found
    off = None if curve is None else misfit(curve, runs.levels, counted)
    why = found if isinstance(found, str) else ""
    first = first_falls(runs.levels, beyond, known)
    return LimitState(limit, _words(runs, limit), counted, curve, why, off, first)


def _words(runs: Stripes, limit: Limit) -> str:
    if limit == OVERTURNED:
        return str(runs.system.ends)
    return words.limit_words(limit)
