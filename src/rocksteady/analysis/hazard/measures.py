"""What width, plinth, centre of mass or anchor halves the yearly rate?

All bodies run under the same motions in one ensemble, so that they can be compared; the band of the
answer comes from drawing the motions again for all bodies at once.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.hazard.band import FEW, SAME, rate_band, resampled, resampled_rates
from rocksteady.analysis.hazard.bodies import check_shape, on_plinth, plinth_height
from rocksteady.analysis.hazard.curve import Hazard
from rocksteady.analysis.hazard.integrals import node_weights
from rocksteady.analysis.hazard.measured import Anchor, Measured, Measures
from rocksteady.analysis.hazard.result import Risk
from rocksteady.analysis.hazard.risks import risk, seen_at
from rocksteady.analysis.hazard.words import rounded
from rocksteady.analysis.stripes import OVERTURNED, Limit, Stripes, stripes_of
from rocksteady.ensembles.labels import PGA
from rocksteady.errors import InputError
from rocksteady.numbers import number_row, real
from rocksteady.numerics.types import Array

__all__ = ["Anchor", "Measured", "Measures", "measures"]

RESAMPLES = 1000
NARROWEST, WIDEST, LOWEST = 1.0, 1.6, 0.6  # of the body's own width and centre of mass
COUNT, FEWER = 9, 6  # widths; other sizes


class Kind(NamedTuple):
    """What is changed."""

    what: str
    """ "width"."""
    title: str
    axis: str
    unit: str
    makes: Any
    """The body with a value."""
    smaller_is_better: bool = False


# -- the runs --------------------------------------------------------------------------------------


def measures(
    body: Any,
    motions: Any,
    hazard: Hazard,
    formulation: Any = None,
    *,
    tries: Sequence[str] | Mapping[str, Any] = ("width", "com_height", "plinth"),
    factor: float = 0.5,
    plinth: Mapping[str, float] | None = None,
    limit: Limit = OVERTURNED,
    years: float = 50.0,
    level: float = 0.90,
    levels: Any = None,
    floor: Any = None,
    clusters: Any = None,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: Any = True,
    seed: int = 0,
) -> Measures:
    """Which width, centre of mass or plinth halves the yearly rate at which a block falls.

    Parameters
    ----------
    body
        A rigid block.
    motions, formulation, levels, floor, clusters, backend, store, progress
        As in :func:`rocksteady.analysis.stripes.stripes`; the measure is the hazard's.
    hazard
        The site's.
    tries
        What to change: ``"width"`` (of the whole body), ``"com_height"``, ``"plinth"`` (the width
        of a plinth fixed under it); or a table of values for each [m]. A mass or inertia that was
        given to the body stays, else they follow from its sizes. By default nine widths up to
        1.6 times the body's, six heights of the centre of mass down to 0.6 times, and six plinths
        up to twice its width.
    factor
        What the rate is to be multiplied by.
    plinth
        Its ``height`` (0.2 m unless given, less under bodies below 1 m), ``density`` [kg/m³] and
        ``thickness`` [m].
    limit, years, level, seed
        As in :func:`rocksteady.analysis.hazard.risk`.
    """
    check_shape(body)
    if not 0 < real(factor) < 1:
        raise InputError(f"factor = {factor!r} is not allowed: give a number between 0 and 1.")
    kinds = _kinds(body, dict(plinth or {}))
    values = _values(body, tries, kinds)
    made = {name: [kinds[name].makes(value) for value in tried] for name, tried in values.items()}
    bodies = dict.fromkeys([body, *(one for many in made.values() for one in many)])
    runs = stripes_of(
        list(bodies),
        motions,
        formulation,
        levels=levels,
        measure=hazard.measure,
        floor=floor,
        clusters=clusters,
        backend=backend,
        store=store,
        progress=progress,
    )
    of = dict(zip(bodies, runs, strict=True))
    how: dict[str, Any] = {"limit": limit, "years": years, "level": level, "seed": seed}
    base = risk(of[body], hazard, **how)
    found = [
        _measured(kinds[name], tried, [of[one] for one in made[name]], base, factor, seed)
        for name, tried in values.items()
    ]
    return Measures(base, float(factor), tuple(found), _anchor(base, factor))


def _kinds(body: Any, plinth: dict[str, float]) -> dict[str, Kind]:
    height = plinth.setdefault("height", plinth_height(body))
    high = f"{rounded(height)} m high"
    changed = partial(dataclasses.replace, body)
    plinths, heavy = partial(on_plinth, body, **plinth), "height of the centre of mass"
    return {
        "width": Kind("width", "The body wider", "width", "m", lambda to: changed(width=to)),
        "com_height": Kind(
            heavy, "Its centre of mass lower", heavy, "m", lambda to: changed(com_height=to), True
        ),
        "plinth": Kind(
            f"fixed plinth of the same density, {high}, with a width",
            f"Fixed to a plinth, {high}",
            "width of the plinth",
            "m",
            plinths,
        ),
    }


def _values(body: Any, tries: Any, kinds: Mapping[str, Kind]) -> dict[str, Array]:
    """What to try, from the smallest change on."""
    usual = {
        "width": np.linspace(NARROWEST, WIDEST, COUNT) * body.width,
        "com_height": np.linspace(NARROWEST, LOWEST, FEWER) * body.com_height,
        "plinth": np.linspace(NARROWEST, 2.0, FEWER) * body.width,
    }
    given = tries if isinstance(tries, Mapping) else dict.fromkeys(tries)
    found = {}
    for name, values in given.items():
        if name not in kinds:
            raise InputError(f"{name!r} cannot be tried: there are {', '.join(kinds)}.")
        row = usual[name] if values is None else number_row(name, values, "m")
        if len(row) < 2 or not (row > 0).all():
            raise InputError(f"{name} = {values!r}: give two or more sizes above zero, in metres.")
        found[name] = np.unique(row)[:: -1 if kinds[name].smaller_is_better else 1]
    return found


# -- which value does it ---------------------------------------------------------------------------


def _measured(
    kind: Kind, values: Array, runs: Sequence[Stripes], base: Risk, factor: float, seed: int
) -> Measured:
    hazard, limit = base.hazard, base.limit
    seen = [seen_at(one, limit) for one in (base.stripes, *runs)]
    tallies = [one.tallies for one in seen]
    weights = [node_weights(hazard, one.nodes) for one in seen]
    drawn = resampled(tallies[0], RESAMPLES, seed)
    every = np.array(
        [resampled_rates(each, w, drawn) for each, w in zip(tallies, weights, strict=True)]
    )
    pairs = list(zip(tallies[1:], weights[1:], strict=True))
    rates = np.array([float(np.nan_to_num(each.shares) @ w) for each, w in pairs])
    bands = np.array([rate_band(each, w, drawn, base.level) for each, w in pairs]).T
    told = tallies[0].alike(weights[0]) >= FEW - SAME  # else resamples are too much alike
    ends = _ends(kind, values, every, factor, base.level) if told else (math.nan, math.nan)
    return Measured(
        kind.what,
        kind.title,
        kind.axis,
        kind.unit,
        values,
        rates,
        bands,
        factor * base.rate,
        value_reaching(values, rates, factor * base.rate) if base.rate > 0 else math.nan,
        ends,
    )


def _ends(
    kind: Kind, values: Array, every: Array, factor: float, level: float
) -> tuple[float, float]:
    """Between which values the goal is reached, by the resampled rates of the body as it is and
    with each value."""
    reached = np.array(
        [value_reaching(values, each[1:], factor * each[0]) for each in every.T if each[0] > 0]
    )
    outward = -math.inf if kind.smaller_is_better else math.inf  # where a resample never gets there
    spread = np.where(np.isnan(reached), outward, reached)
    if not len(spread):
        return math.nan, math.nan
    low, high = np.quantile(spread, [(1 - level) / 2, (1 + level) / 2], method="nearest")
    return float(low), float(high)


def value_reaching(values: Array, rates: Array, wanted: float) -> float:
    """The first value at which rates, smoothed so that they nowhere rise, are down to the wanted
    one: straight in the logarithm of the rate between two values; nan where none is."""
    even = falling(rates)
    down = np.flatnonzero(even <= wanted)
    if not len(down):
        return math.nan
    i = int(down[0])
    if i == 0 or even[i] == 0:
        return float(values[i])
    part = math.log(even[i - 1] / wanted) / math.log(even[i - 1] / even[i])
    return float(values[i - 1] + part * (values[i] - values[i - 1]))


def falling(rates: Array) -> Array:
    """The nearest rates that nowhere rise (least squares; neighbours that rise are averaged)."""
    groups: list[list[float]] = []  # mean, count
    for rate in rates:
        groups.append([float(rate), 1.0])
        while len(groups) > 1 and groups[-1][0] > groups[-2][0]:
            (mean, count), (before, n) = groups.pop(), groups.pop()
            groups.append([(mean * count + before * n) / (count + n), count + n])
    return np.concatenate([np.full(int(count), mean) for mean, count in groups])


# -- an anchor -------------------------------------------------------------------------------------


def _anchor(base: Risk, factor: float) -> Anchor | None:
    """By statics: F = m (a h − g b)/d with the tie at the other edge, d = the width, and a the
    level above which that part of the rate lies, on a floor times the median ratio of the floor's
    peak acceleration to the ground's. By PGA only."""
    runs, body = base.stripes, base.stripes.system
    vertical = any(motion.vertical is not None for motion in runs.motions)
    if base.hazard.measure != PGA or vertical or base.rate == 0:
        return None
    level = _level_above(base, factor)
    if level is None:
        return None
    ratio = _amplification(runs)
    a, side = level * ratio * PGA.si, getattr(body, "weak_side")  # noqa: B009 - only blocks come here
    pull = body.mass * (a * body.com_height - body.g * side.b) / body.width  # type: ignore[attr-defined]
    return Anchor(level, float(pull), ratio) if pull > 0 else None


def _amplification(runs: Stripes) -> float:
    """Peak acceleration of the floor over that of the ground, the median of the motions; 1 on the
    ground."""
    if runs.floor is None:
        return 1.0
    return float(np.median([runs.floor.motion(motion).pga / motion.pga for motion in runs.motions]))


def _level_above(base: Risk, factor: float) -> float | None:
    """The level above which this part of the rate lies; None where it is beyond the curve."""
    parts = base.contributions
    above = parts.beyond + np.append(np.cumsum(parts.rates[::-1])[::-1], 0.0)
    wanted = factor * base.rate
    if wanted < above[-1] or len(parts.rates) < 2:
        return None
    return float(np.exp(np.interp(-wanted, -above, np.log(parts.edges))))
