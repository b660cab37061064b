"""What would halve the chance that it falls. Round sizes near the one that `measures` finds are run
as bodies of their own, and the first that really halves the rate is told."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rocksteady.analysis.hazard import risk
from rocksteady.analysis.hazard.bodies import on_plinth, plinth_height
from rocksteady.analysis.hazard.measured import Measured, Measures
from rocksteady.analysis.stripes import Stripes, stripes_of
from rocksteady.bodies import Block, expect
from rocksteady.studio.asking.shares import share_of

TRIES, STEP = 4, 0.025  # round sizes from the one found on, and their distance over it
Make = Callable[[Any, float], Any]
_CHANGED: tuple[tuple[str, str, Make], ...] = (
    ("plinth", "Fixed to a plinth", lambda body, w: on_plinth(body, w, plinth_height(body))),
    ("width", "The body wider", lambda body, w: replace(body, width=w)),
    ("centre", "Its centre of mass lower", lambda body, z: replace(body, com_height=z)),
)


def helps(found: Measures, pga: float) -> list[dict[str, Any]]:
    """A card for each thing that was tried, and one for an anchor."""
    cards = []
    for key, title, make in _CHANGED:
        for one in found.tried:
            if one.title.startswith(title):
                card = _card(key, one, found) | _halving(one, found, make, pga)
                cards.append(card | _beside(card, found))
    return cards if found.anchor is None else [*cards, _anchor(found)]


def _card(key: str, one: Measured, found: Measures) -> dict[str, Any]:
    """What was tried; ``best``: the least part of the rate that any of it leaves."""
    body: Any = found.base.stripes.system
    return {
        "key": key,
        "now": {"centre": body.com_height}.get(key, body.width),
        "first": float(one.values[0]),
        "last": float(one.values[-1]),
        "best": float(one.rates.min() / found.base.rate) if found.base.rate else math.nan,
        "sentence": one.sentence(found.factor, found.base.level),
    }


def _beside(card: dict[str, Any], found: Measures) -> dict[str, Any]:
    """What else belongs to it: the height of the plinth [m]; the ballast [kg] at the level of the
    base that lowers the centre so far, from m z = (m + ballast) z'."""
    body: Any = found.base.stripes.system
    if card["key"] == "plinth":
        return {"plinth_height": plinth_height(body)}
    if card["key"] == "centre" and card["value"] is not None:
        return {"ballast": body.mass * (card["now"] / card["value"] - 1), "mass": body.mass}
    return {}


# -- round sizes, run again ------------------------------------------------------------------------


def _halving(one: Measured, found: Measures, make: Make, pga: float) -> dict[str, Any]:
    """A round ``value``, the part of the rate that is ``left`` with it, how many then fall at the
    strength of the place. The last size that was tried where none of them quite halves the rate;
    nothing where the curve says that none can."""
    if math.isnan(one.reaches):
        return {"value": None}
    sizes = round_sizes(one.reaches, bool(one.values[-1] < one.values[0]))
    bodies = [make(found.base.stripes.system, size) for size in sizes]
    rates = [_rate(runs, found) for runs in _run(bodies, found, found.base.stripes.levels)]
    wanted = found.factor * found.base.rate
    i = next((i for i, rate in enumerate(rates) if rate <= wanted), len(rates) - 1)
    count = share_of(_run([bodies[i]], found, [pga])[0])
    return {
        "value": sizes[i],
        "left": rates[i] / found.base.rate,
        "count": count.count,
        "of": count.of,
        "share": count.share,
    }


def round_sizes(size: float, downwards: bool) -> list[float]:
    """Some round sizes [m] from one on, some 2 % apart: 0.49, 0.50, 0.51, 0.52 from 0.486 on."""
    largest = STEP * size
    tenth = 10.0 ** math.floor(math.log10(largest))
    step = max(part * tenth for part in (1, 2, 5) if part * tenth <= largest)
    first = math.floor(size / step) if downwards else math.ceil(size / step)
    ways = -1 if downwards else 1
    return [float(f"{(first + ways * i) * step:.6g}") for i in range(TRIES) if first + ways * i > 0]


def _run(bodies: Sequence[Block], found: Measures, levels: Any) -> list[Stripes]:
    """The bodies under the motions of the measures."""
    runs = found.base.stripes
    return stripes_of(
        bodies,
        runs.motions,
        runs.formulation,
        levels=levels,
        measure=runs.measure,
        floor=runs.floor,
        clusters=runs.clusters,
        progress=False,
    )


def _rate(runs: Stripes, found: Measures) -> float:
    """Yearly rate at which it falls [1/year]."""
    return risk(runs, found.base.hazard, years=found.base.years).rate


# -- an anchor -------------------------------------------------------------------------------------


def _anchor(found: Measures) -> dict[str, Any]:
    """F = m (a z − g b)/w by statics, and what goes into it."""
    anchor, body = found.anchor, expect(found.base.stripes.system, Block, "An anchor")
    assert anchor is not None
    return {
        "key": "anchor",
        "pull": anchor.pull,
        "holds_to": anchor.holds_to,
        "amplification": anchor.amplification,
        "mass": body.mass,
        "com_height": body.com_height,
        "b": body.weak_side.b,
        "width": body.width,
        "g": body.g,
        "sentence": anchor.sentence(found.factor),
    }
