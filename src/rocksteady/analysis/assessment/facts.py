"""The body in numbers, each with its unit and where it comes from."""

import math
from typing import NamedTuple

from rocksteady.bodies import Block
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs.assessment import ObjectSpec


class Fact(NamedTuple):
    """One number of the report."""

    words: str
    value: str
    unit: str
    origin: str


_GIVEN = {
    "height": ("height", "m"),
    "width": ("width of the base", "m"),
    "com_height": ("height of the centre of mass", "m"),
    "offset": ("centre of mass, from the middle of the base", "m"),
    "mass": ("mass", "kg"),
    "inertia": ("moment of inertia about the centre of mass", "kg m²"),
}


def facts(said: ObjectSpec, block: Block) -> list[Fact]:
    """What was given or assumed, and what follows from it."""
    found = [
        Fact(words, f"{getattr(block, name):.4g}", unit, _origin(said, name))
        for name, (words, unit) in _GIVEN.items()
        if name != "offset" or block.offset
    ]
    side, computed = block.weak_side, "computed"
    degrees = math.degrees(side.alpha)
    found += [
        Fact("distance R from the edge to the centre of mass", f"{side.R:.4g}", "m", computed),
        Fact("angle α at which it balances", f"{side.alpha:.4g}", "rad", f"= {degrees:.1f}°"),
        Fact("frequency parameter p", f"{side.p:.4g}", "rad/s", computed),
        Fact("acceleration under it that lifts it off", f"{lift_off(block):.4g}", "g", "g tan α"),
    ]  # fmt: skip
    return found


def lift_off(block: Block) -> float:
    """g tan α of the weak side [g]."""
    return math.tan(block.alpha) * block.g / GRAVITY_UNIT


def _origin(said: ObjectSpec, name: str) -> str:
    if said.p is not None:
        return "the box with the given p and α"
    if name == "mass" and "mass" not in said.given:
        return f"from {said.build().density:.4g} kg/m³, {said.origin('density')}"
    return said.origin(name)
