"""How often a body falls at a site: its shares against the hazard."""

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.fragilities.curve import Curve, fitted_curve
from rocksteady.analysis.fragilities.shares import shares as shares_by_level
from rocksteady.analysis.hazard.band import RESAMPLES, SAME, Tallies, rate_band, resampled
from rocksteady.analysis.hazard.curve import Hazard
from rocksteady.analysis.hazard.integrals import (
    Panels,
    check_same_measure,
    lognormal_rate,
    node_weights,
    panels,
    shares_at,
)
from rocksteady.analysis.hazard.result import COMES_FROM, Contributions, Risk, Unknown, happens
from rocksteady.analysis.stripes import (
    LIFTS,
    OVERTURNED,
    SOME_RUNS,
    BoolArray,
    Limit,
    Stripes,
    checked_limit,
)
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import checked_seed, positive, real, whole
from rocksteady.numerics.types import Array

BINS, FINE = 20, 10  # contributions: intervals that are shown, and parts of each for the ends
NOTABLE, SPENT = 0.1, 0.01  # parts of the rate: beyond the last level, and left beyond that
JUMP = 1e-12  # relative width of the step at which a motion lifts a body off


class Seen(NamedTuple):
    """Which motions got beyond a limit, at levels between which the share is linear in ln x."""

    nodes: Array
    beyond: BoolArray
    """(n, J)."""
    known: BoolArray
    """(n, J)."""
    clusters: Any

    @property
    def tallies(self) -> Tallies:
        return Tallies.of(self.beyond, self.known, self.clusters)


def risk(
    source: Any,
    hazard: Hazard,
    *,
    limit: Limit = OVERTURNED,
    years: float = 50.0,
    level: float = 0.90,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Risk:
    """The yearly rate at which a body gets beyond a limit state at a site, and the probability in
    so many years.

    The shares of the motions that get it there are taken as linear in the logarithm of the level
    and zero up to lift-off; against a hazard curve that is straight in logarithms the integral is
    exact. No curve is fitted to them.

    Parameters
    ----------
    source
        `Stripes`, or a `Fragility`, which has them; its lognormal curve is then compared.
    hazard
        A `Hazard` of the measure that the stripes are scaled by.
    limit
        "lifts off", a ratio θ/α such as 0.5, or "overturned".
    years
        The time for which the probability is asked [years].
    level
        Confidence of the band. It is found by drawing the motions again, by cluster.
    resamples, seed
        How often, and from which random numbers; the same numbers give the same band.

    Examples
    --------
    >>> import rocksteady as rs
    >>> statue = rs.Block(height=1.8, width=0.5)
    >>> motions = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.4, 0.8, 1.2, 1.6)]
    >>> runs = rs.analysis.stripes.stripes(statue, motions, levels=12, progress=False)
    >>> site = rs.analysis.hazard.Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    >>> found = rs.analysis.risk(runs, site)
    >>> found.band[0] < found.rate < found.band[1]
    True
    """
    runs: Stripes = getattr(source, "stripes", source)
    if not hasattr(runs, "beyond"):
        raise InputError(
            f"risk needs the runs of a body at a number of levels, not {source!r}: give what "
            "rs.analysis.stripes.stripes or rs.analysis.fragility returns."
        )
    if not 0 < real(level) < 1:
        raise InputError(f"level = {level!r} is not allowed: give a share between 0 and 1.")
    years = positive("years", years, "years")
    expect(hazard, Hazard, "A risk", ", the hazard curve of a site")
    check_same_measure(hazard, runs.measure, runs.measure.column)
    state = checked_limit(limit)
    seen = seen_at(runs, state)
    tallies, weights = seen.tallies, node_weights(hazard, seen.nodes)
    shares = np.nan_to_num(tallies.shares)
    drawn = resampled(tallies, whole("resamples", resamples, 1, 10**6), checked_seed(seed))
    curve = _curve(runs, state, float(level))
    return Risk(
        stripes=runs,
        hazard=hazard,
        limit=state,
        years=years,
        level=float(level),
        rate=float(shares @ weights),
        band=_band(runs, state, tallies, weights, drawn, float(level)),
        nodes=seen.nodes,
        shares=shares,
        intervals=_intervals(seen, runs.gate, float(level)),
        contributions=_contributions(hazard, seen.nodes, shares),
        unknowns=tuple(_unknowns(hazard, runs, state, seen.nodes, shares)),
        fallen=tallies.fallen,
        curve=curve,
        lognormal=rate_by(curve, hazard),
    )


def yearly_rate(runs: Stripes, hazard: Hazard, limit: Limit = OVERTURNED) -> float:
    """The rate alone [1/year], as `risk` finds it: for comparing many bodies."""
    expect(runs, Stripes, "yearly_rate", SOME_RUNS)
    check_same_measure(hazard, runs.measure, runs.measure.column)
    seen = seen_at(runs, checked_limit(limit))
    return float(np.nan_to_num(seen.tallies.shares) @ node_weights(hazard, seen.nodes))


def seen_at(runs: Stripes, limit: Limit) -> Seen:
    """The runs at their levels above lift-off, where the share is zero; levels without any answer
    are left out. Whether a motion lifts the body off is known at every level, not only at these."""
    if limit == LIFTS:
        runs.beyond(limit)  # an error where the theory has no threshold
        steps = np.unique(runs.lifts[np.isfinite(runs.lifts)])
        nodes = np.unique(np.concatenate([steps * (1 - JUMP), steps]))
        if not len(nodes):
            nodes = runs.levels[-1:]
        beyond = nodes >= runs.lifts[:, None]
        return Seen(nodes, beyond, np.ones_like(beyond), runs.clusters)
    gate, beyond = runs.gate, runs.beyond(limit)
    use = runs.known.any(axis=0)
    if not use.any():
        raise InputError("No run gave an answer: there is nothing to find a rate from.")
    nodes, known = runs.levels, runs.known
    if 0 < gate < math.inf:
        use = use & (runs.levels > gate)
        nodes = np.append(gate, nodes[use])
        none = np.zeros((len(beyond), 1), dtype=bool)
        return Seen(
            nodes,
            np.hstack([none, beyond[:, use]]),
            np.hstack([~none, known[:, use]]),
            runs.clusters,
        )
    return Seen(nodes[use], beyond[:, use], known[:, use], runs.clusters)


def _band(
    runs: Stripes, limit: Limit, tallies: Tallies, weights: Array, drawn: Array, level: float
) -> tuple[float, float]:
    """Of the rate [1/year]; none where every motion lifts the body off at the same level, or
    never."""
    if limit == LIFTS and (runs.gate == math.inf or np.ptp(runs.lifts) <= SAME * runs.gate):
        rate = float(np.nan_to_num(tallies.shares) @ weights)
        return rate, rate
    return rate_band(tallies, weights, drawn, level)


def _curve(runs: Stripes, limit: Limit, level: float) -> Curve | None:
    """The lognormal curve of the shares from lift-off on; None where they do not allow one."""
    if limit == LIFTS:
        return None  # known exactly
    found = fitted_curve(
        runs.levels, runs.beyond(limit), runs.known, runs.clusters, runs.gate, level
    )
    return None if isinstance(found, str) else found


def rate_by(curve: Curve | None, hazard: Hazard) -> float | None:
    """The yearly rate by a lognormal curve [1/year]."""
    if curve is None:
        return None
    return lognormal_rate(hazard, curve.median, curve.beta, curve.gate).rate


def _intervals(seen: Seen, gate: float, level: float) -> Array:
    found = shares_by_level(seen.beyond, seen.known, seen.clusters, level)
    ends = np.stack([found.low, found.high])
    ends[:, (seen.nodes <= gate) & ~seen.beyond.any(axis=0)] = 0.0  # none falls there, for sure
    return ends


# -- where it comes from --------------------------------------------------------------------------


def _contributions(hazard: Hazard, nodes: Array, shares: Array) -> Contributions:
    """By intervals of levels at equal ratios, from where P begins to where all that is known of
    it, or the hazard, ends."""
    last = shares[-1] * float(hazard.rate(nodes[-1])) if hazard.continued else 0.0
    if last > NOTABLE * _rate(hazard, nodes, shares):  # the hazard goes on, and so does the share
        farther = hazard.level(float(hazard.rate(nodes[-1])) * SPENT)
        nodes, shares = np.append(nodes, farther), np.append(shares, shares[-1])
    whole = panels(hazard, nodes)
    if len(whole.x) < 2:
        alone = float(whole.contributions(nodes, shares)[-1])
        edges = nodes[[0, 0]] if not len(whole.x) else whole.x[[0, 0]]
        return Contributions(edges, np.zeros(1), alone, float(edges[0]), math.inf)
    fine = np.geomspace(whole.x[0], whole.x[-1], BINS * FINE + 1)
    fine[[0, -1]] = whole.x[[0, -1]]
    parts: Panels = panels(hazard, nodes, fine)
    each = parts.contributions(nodes, shares)
    below = np.append(0.0, np.cumsum(each[:-1]))[np.searchsorted(parts.x, fine)]
    total = float(each.sum())
    return Contributions(
        fine[::FINE],
        np.diff(below[::FINE]),
        float(each[-1]),
        *(_level_below(share * total, below, fine) for share in (
            (1 - COMES_FROM) / 2, (1 + COMES_FROM) / 2)),
    )  # fmt: skip


def _level_below(wanted: float, below: Array, at: Array) -> float:
    """The level below which so much of the rate lies."""
    if wanted <= 0:
        return math.nan
    if wanted > below[-1]:
        return math.inf
    return float(np.exp(np.interp(wanted, below, np.log(at))))


# -- what is not in it ----------------------------------------------------------------------------


def _unknowns(
    hazard: Hazard, runs: Stripes, limit: Limit, nodes: Array, shares: Array
) -> list[Unknown]:
    """Where the hazard curve begins too late or ends too early, and where the body's levels do."""
    rate = _rate(hazard, nodes, shares)
    found = []
    first, last = hazard.levels[0], hazard.levels[-1]
    measure = hazard.measure.short
    if not hazard.continued and nodes[0] < first and shares_at(first, nodes, shares) > 0:
        more = _rate(hazard.reaching(low=nodes[0]), nodes, shares) - rate
        found.append(
            Unknown(
                f"The hazard curve begins at {measure} {hazard.told(first)}, above the "
                f"{hazard.told(nodes[0])} from which on it can lift off, and weaker shaking is not "
                "counted",
                more,
                None,
            )
        )
    if not hazard.continued and last < nodes[-1]:
        at_end = float(shares_at(last, nodes, shares))
        more = _rate(hazard.reaching(high=nodes[-1]), nodes, shares) - rate
        found.append(
            Unknown(
                f"The hazard curve ends at {measure} {hazard.told(last)}, and all stronger shaking "
                f"({hazard.rates[-1]:.2g} a year) counts as shaking of that level, at which it "
                f"{happens(limit)} under {100 * at_end:.0f} % of the motions",
                more,
                float(hazard.rates[-1]) * (1 - at_end),
            )
        )
    found += _beyond_the_levels(hazard, runs, limit, nodes, shares)
    return found


def _beyond_the_levels(
    hazard: Hazard, runs: Stripes, limit: Limit, nodes: Array, shares: Array
) -> list[Unknown]:
    """The body was run neither below its first level nor above its last one."""
    if limit == LIFTS:
        return []  # known at every level
    found, measure = [], hazard.measure.short
    top = max(float(nodes[-1]), float(runs.levels[-1]))
    if (hazard.continued or top < hazard.levels[-1]) and shares[-1] < 1:
        found.append(
            Unknown(
                f"The body was run up to {measure} {hazard.told(runs.levels[-1])}, and the share "
                f"there, {100 * shares[-1]:.0f} %, is held beyond",
                None,
                float(hazard.rate(top)) * (1 - float(shares[-1])),
            )
        )
    if math.isnan(runs.gate) and shares[0] > 0:
        low = nodes[0]
        weaker = None
        if not hazard.continued and low > hazard.levels[0]:
            end = min(low, hazard.levels[-1])
            weaker = float(shares[0]) * float(hazard.rates[0] - hazard.rate(end))
        if hazard.continued or weaker is not None:
            found.append(
                Unknown(
                    f"The body was run from {measure} {hazard.told(low)} on, where "
                    f"{100 * shares[0]:.0f} % already get there; weaker shaking is not counted",
                    None,
                    weaker,
                )
            )
    return found


def _rate(hazard: Hazard, nodes: Array, shares: Array) -> float:
    return float(node_weights(hazard, nodes) @ shares)
