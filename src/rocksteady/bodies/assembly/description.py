"""Assemblies as plain values: lists, numbers and words, which JSON keeps exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocksteady.bodies.assembly.checks import MOST_STONES, too_many
from rocksteady.bodies.assembly.links import Link, Spring, Tendon, Tie
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.errors import InputError, unknown

LINKS: dict[str, type[Link]] = {"spring": Spring, "tie": Tie, "tendon": Tendon}
OF_STONE = ("name", "density", "thickness", "fixed", "mass", "centre", "inertia")
OF_LINK = ("stones", "points", "stiffness", "pretension", "strength", "name")


# -- written ---------------------------------------------------------------------------------------


def stone_values(stone: Stone) -> dict[str, Any]:
    """A stone by its ``parts``, lists of corners, and its other parameters."""
    values = {name: getattr(stone, name) for name in OF_STONE}
    return {
        "parts": [[list(corner) for corner in part] for part in stone.parts],
        **values,
        "centre": list(stone.centre),
    }


def link_values(link: Link) -> dict[str, Any]:
    """A link by its ``kind`` and its parameters; the strength of one that never breaks is left
    out."""
    values = {name: getattr(link, name) for name in OF_LINK}
    values |= {"stones": list(link.stones), "points": [list(point) for point in link.points]}
    if math.isinf(link.strength):
        del values["strength"]
    kind = next(name for name, type_ in LINKS.items() if type(link) is type_)
    return {"kind": kind, **values}


def friction_values(frictions: Mapping[Any, float]) -> list[list[Any]]:
    """Frictions of joints as [stone, stone, μ]."""
    return [[a, b, value] for (a, b), value in frictions.items()]


# -- read ------------------------------------------------------------------------------------------


def stones_from(values: Any) -> tuple[Stone, ...]:
    """Stones from what `stone_values` makes of them; stones stay as they are."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise InputError("stones must be a list of stones, each with its `parts`.")
    if hasattr(values, "__len__") and len(values) > MOST_STONES:
        raise too_many(len(values))
    return tuple(_stone(i, value) for i, value in enumerate(values, 1))


def _stone(i: int, value: Any) -> Stone:
    if isinstance(value, Stone):
        return value
    given = _known(value, ("parts", *OF_STONE), f"Stone {i}")
    if "parts" not in given:
        raise InputError(f"Stone {i} lacks its `parts`: the outlines of which it consists.")
    name = given.get("name", "")
    if not isinstance(name, str):
        raise InputError(f"Stone {i} has the name {name!r}: it must be a text.")
    return Stone(**given)


def links_from(values: Any) -> tuple[Link, ...]:
    """Links from what `link_values` makes of them; links stay as they are."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise InputError("links must be a list, each with its `kind`, `stones` and `points`.")
    return tuple(_link(i, value) for i, value in enumerate(values, 1))


def _link(i: int, value: Any) -> Link:
    if isinstance(value, Link):
        return value
    given = _known(value, ("kind", *OF_LINK), f"Link {i}")
    kind = given.pop("kind", "")
    if kind not in LINKS:
        raise InputError(f"Link {i} is of the kind {kind!r}: use {', '.join(LINKS)}.")
    lacks = [name for name in ("stones", "points", "stiffness") if name not in given]
    if lacks:
        raise InputError(f"Link {i} lacks its {' and '.join(f'`{name}`' for name in lacks)}.")
    return LINKS[kind](**given)


def frictions_from(values: Any) -> dict[Any, float]:
    """Frictions of joints from [stone, stone, μ], or as a mapping already."""
    if values is None:
        return {}
    if isinstance(values, Mapping):
        return dict(values)
    try:
        return {(a, b): value for a, b, value in values}
    except (TypeError, ValueError):
        raise InputError(
            "joint_friction must be a list of [stone, stone, friction], such as "
            "[['drum 1', 'drum 2', 0.4]]."
        ) from None


def _known(value: Any, names: tuple[str, ...], what: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{what} is {str(value)[:40]!r}: it must have {', '.join(names)}.")
    strange = [name for name in value if name not in names]
    if strange:
        name = str(strange[0])[:40]
        raise InputError(f"{what}: {name!r} {unknown(name, names)}.")
    return dict(value)
