"""What is wrong with an assembly as a whole: names, supports, overlaps, stones that float."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies.assembly.checks import MOST_STONES, in_words, too_many
from rocksteady.bodies.assembly.convex import outside
from rocksteady.bodies.assembly.links import Link
from rocksteady.bodies.assembly.nearness import (
    TOUCH,
    Edges,
    Indices,
    edges,
    near_pairs,
    separations,
    touch,
)
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.bodies.support import Point
from rocksteady.errors import InputError
from rocksteady.numbers import finite

LONGEST_NAME = 60
MOST_FRICTION = 1e6
SHOWN = 3  # stones named in a message
BESIDE = 0.2  # of a stone's reach: so far from an outline with chords a link may end, on the arc

Pair = tuple[str | int, str | int]


def checked_stones(stones: Any) -> tuple[Stone, ...]:
    """The stones, each with a name of its own: its number unless given."""
    if isinstance(stones, Stone) or not isinstance(stones, Iterable):
        raise InputError("stones must be a list of stones: rs.Assembly([rs.Stone.box(…), …]).")
    if isinstance(stones, Sized) and len(stones) > MOST_STONES:
        raise too_many(len(stones))
    found = []
    for i, stone in enumerate(stones, 1):
        if not isinstance(stone, Stone):
            raise InputError(
                f"Stone {i} is a {type(stone).__name__}: give an rs.Stone, such as "
                "rs.Stone.box(x, y, width, height)."
            )
        found.append(stone if stone.name else stone.named(str(i)))
    if not found:
        raise InputError("An assembly needs at least one stone.")
    if len(found) > MOST_STONES:
        raise too_many(len(found))
    _check_names(found)
    return tuple(found)


def _check_names(stones: Sequence[Stone]) -> None:
    numbers: dict[str, int] = {}
    for i, stone in enumerate(stones, 1):
        name = stone.name
        if len(name) > LONGEST_NAME or not name.isprintable() or set("[]") & set(name):
            raise InputError(
                f"Stone {i} has the name {name[:70]!r}: a name has at most {LONGEST_NAME} "
                "printable characters and no brackets."
            )
        if name in numbers:
            raise InputError(
                f"Stones {numbers[name]} and {i} have the same name, {name!r}: give each its own."
            )
        numbers[name] = i


def checked_friction(name: str, given: Any) -> float:
    """Coulomb's coefficient, or an error: a finite number from 0 to ``MOST_FRICTION``."""
    value = finite(name, given, minimum=0.0)
    if value > MOST_FRICTION:
        raise InputError(
            f"{name} = {value:g} is not allowed: it must not be above {MOST_FRICTION:g}. Stones do "
            "not slide with much less."
        )
    return value


def checked_frictions(given: Any, numbers: Mapping[str, int]) -> dict[Pair, float]:
    """Coulomb's coefficients of some joints, by the names or numbers of their stones."""
    if not isinstance(given, Mapping):
        raise InputError(
            "joint_friction must be a mapping: {('drum 1', 'drum 2'): 0.4} for one joint."
        )
    found: dict[Pair, float] = {}
    for pair, value in given.items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise InputError(
                f"joint_friction names {pair!r}: give the names of two stones, "
                "('drum 1', 'drum 2')."
            )
        a, b = (number_of(stone, numbers, "joint_friction") for stone in pair)
        if a == b:
            raise InputError(f"joint_friction names the stone {pair[0]!r} twice: give two stones.")
        found[pair[0], pair[1]] = checked_friction(
            f"friction between {pair[0]!r} and {pair[1]!r}", value
        )
    return found


def checked_links(
    links: Any, stones: Sequence[Stone], numbers: Mapping[str, int]
) -> tuple[Link, ...]:
    """The links, each between stones that exist."""
    if isinstance(links, Link) or not isinstance(links, Iterable):
        raise InputError("links must be a list: links=[rs.Tie(…)].")
    found = tuple(links)
    for i, link in enumerate(found, 1):
        if not isinstance(link, Link):
            raise InputError(
                f"Link {i} is {str(link)[:40]!r}: give an rs.Spring, rs.Tie or rs.Tendon."
            )
        for stone, point in zip(link.stones, link.points, strict=True):
            number = number_of(stone, numbers, f"Link {link.name or i}")
            _refuse_loose(stones[number], point, f"Link {link.name or i}")
    return found


def _refuse_loose(stone: Stone, point: Point, who: str) -> None:
    """Refuse a link that ends beside its stone. One to a fixed stone may end anywhere: all that is
    fixed moves with the ground."""
    away = 0.0 if stone.fixed else min(outside(point, part) for part in stone.parts)
    if away > BESIDE * stone.reach:
        raise InputError(
            f"{who} ends at ({point[0]:.6g}, {point[1]:.6g}) m, {in_words(away)} from stone "
            f"{stone.name!r}: give a point on it, in the coordinates of the corners."
        )


def number_of(stone: Any, numbers: Mapping[str, int], who: str = "") -> int:
    """The place of a stone, from its name or place."""
    if isinstance(stone, str) and stone in numbers:
        return numbers[stone]
    whole = isinstance(stone, (int, np.integer)) and not isinstance(stone, bool)
    if whole and 0 <= stone < len(numbers):
        return int(stone)
    names = ", ".join(list(numbers)[:SHOWN]) + (", …" if len(numbers) > SHOWN else "")
    before = f"{who} names" if who else "There is no"
    after = ", which does not exist" if who else ""
    raise InputError(
        f"{before} stone {stone!r}{after}: there are {len(numbers)} stones ({names}), by name or "
        f"from 0 to {len(numbers) - 1}."
    )


# -- where they stand ------------------------------------------------------------------------------


class Near(NamedTuple):
    """Pairs of parts that are near each other."""

    of: Edges
    a: Indices
    b: Indices
    apart: np.ndarray[Any, np.dtype[np.float64]]
    """[m], negative where they overlap."""


def refuse_misplaced(
    stones: Sequence[Stone], links: Sequence[Link], numbers: Mapping[str, int], floating: bool
) -> None:
    """Refuse stones that overlap, and those that nothing holds unless that is wanted."""
    near = _near(stones)
    _refuse_overlaps(stones, near)
    if floating:
        return
    if not any(stone.fixed for stone in stones):
        raise InputError(
            "No stone is fixed: nothing would hold the others. Give the one they stand on "
            "fixed=True, or allow free flight with floating=True."
        )
    _refuse_floating(stones, near, links, numbers)


def _near(stones: Sequence[Stone]) -> Near:
    of = edges(stones)
    found = list(near_pairs(of, TOUCH * of.size))
    a = np.concatenate([pair[0] for pair in found])
    b = np.concatenate([pair[1] for pair in found])
    return Near(of, a, b, separations(of, a, b))


def _refuse_overlaps(stones: Sequence[Stone], near: Near) -> None:
    fixed = np.array([stone.fixed for stone in stones])
    i, j = near.of.stone[near.a], near.of.stone[near.b]
    wrong = (near.apart < -touch(near.of, near.a, near.b)) & ~(fixed[i] & fixed[j])
    if not wrong.any():
        return
    worst = int(np.argmin(np.where(wrong, near.apart, 0.0)))
    pairs = len(set(zip(i[wrong].tolist(), j[wrong].tolist(), strict=True)))
    others = f" Pairs that overlap: {pairs}." if pairs > 1 else ""
    raise InputError(
        f"Stones {stones[i[worst]].name!r} and {stones[j[worst]].name!r} overlap by "
        f"{in_words(-near.apart[worst])}: move or cut one of them.{others}"
    )


def _refuse_floating(
    stones: Sequence[Stone], near: Near, links: Sequence[Link], numbers: Mapping[str, int]
) -> None:
    """Every stone must be joined to a fixed one, by contact or links."""
    groups = list(range(len(stones)))

    def group(i: int) -> int:
        while groups[i] != i:
            groups[i] = groups[groups[i]]
            i = groups[i]
        return i

    touching = near.apart <= touch(near.of, near.a, near.b)
    i, j = near.of.stone[near.a[touching]].tolist(), near.of.stone[near.b[touching]].tolist()
    for one, other in zip(i, j, strict=True):
        groups[group(one)] = group(other)
    for link in links:
        places = [number_of(stone, numbers) for stone in link.stones]
        for one, other in pairwise(places):
            groups[group(one)] = group(other)
    held = {group(k) for k, stone in enumerate(stones) if stone.fixed}
    lost = [k for k in range(len(stones)) if group(k) not in held]
    if lost:
        raise InputError(_floats(stones, lost, near.of))


def _floats(stones: Sequence[Stone], lost: list[int], of: Edges) -> str:
    advice = "Move it, tie it with a link, or allow free flight with floating=True."
    if len(lost) == 1:
        below = _below(stones, lost[0], of)
        return f"Stone {stones[lost[0]].name!r} floats: it touches no other stone{below}. {advice}"
    names = ", ".join(repr(stones[k].name) for k in lost[:SHOWN])
    more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    lowest = min(lost, key=lambda k: min(y for _, y in stones[k].corners))
    below = _below(stones, lowest, of).replace("it)", f"{stones[lowest].name!r})")
    return (
        f"Stones {names}{more} float: they touch nothing that is fixed{below}. "
        f"{advice.replace(' it', ' them')}"
    )


def _below(stones: Sequence[Stone], lost: int, of: Edges) -> str:
    """How far the lowest one is above the box around the next stone below it, in words."""
    own = of.stone == lost
    low, high = of.low[own].min(axis=0), of.high[own].max(axis=0)
    under = ~own & (of.low[:, 0] < high[0]) & (of.high[:, 0] > low[0]) & (of.high[:, 1] <= low[1])
    if not under.any():
        return ""
    nearest = int(np.argmax(np.where(under, of.high[:, 1], -np.inf)))
    gap = low[1] - of.high[nearest, 1]
    return f" ({stones[of.stone[nearest]].name!r} lies {in_words(gap)} below it)"
