"""Columns of drums, and statues on pedestals."""

from collections.abc import Sequence
from typing import Any

from rocksteady.bodies.assembly.generators.common import Material, counted, with_ground
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.bodies.presets import PRESETS
from rocksteady.errors import InputError
from rocksteady.numbers import positive


def drums(
    count: int, height: float, width: float, top_width: float | None, of: Material
) -> tuple[Stone, ...]:
    """Drums of the same height on top of each other, ``height`` in all; their width runs evenly
    from ``width`` at the foot to ``top_width``."""
    count = counted("count", count)
    height, foot = positive("height", height, "m"), positive("width", width, "m")
    top = foot if top_width is None else positive("top_width", top_width, "m")
    level = [height * i / count for i in range(count + 1)]
    half = [(foot + (top - foot) * i / count) / 2 for i in range(count + 1)]
    stones = (
        of.stone(
            (
                (-half[i], level[i]),
                (half[i], level[i]),
                (half[i + 1], level[i + 1]),
                (-half[i + 1], level[i + 1]),
            ),
            f"drum {i + 1}",
        )
        for i in range(count)
    )
    return with_ground(stones)


def pedestal(
    statue: Any, base: Any, of: Material, statue_density: float | None
) -> tuple[Stone, ...]:
    """A statue that stands free on a pedestal that stands free, their bases centred."""
    made_of = of if statue_density is None else of._replace(density=statue_density)
    below = _standing(base, 0.0, "pedestal", of)
    top = max(y for _, y in below.corners)
    return with_ground([below, _standing(statue, top, "statue", made_of)])


def vase_on_plinth(
    height: float, width: float, density: float, mass: float | None
) -> tuple[Stone, ...]:
    """The parts of the preset, each free on what is below it."""
    height, width = positive("height", height, "m"), positive("width", width, "m")
    density = positive("density", density, "kg/m³")
    parts = PRESETS["vase_fixed_on_plinth"].weighed_parts(height, width, density)
    whole = sum(heavy.mass for _, heavy in parts)
    share = 1.0 if mass is None else positive("mass", mass, "kg") / whole
    stones = []
    for name, (points, heavy) in zip(("plinth", "vase"), parts, strict=True):
        mass, inertia = share * heavy.mass, share * heavy.inertia
        outline: Any = points  # concave: the stone divides it
        stones.append(Stone(outline, name=name, mass=mass, centre=heavy.centre, inertia=inertia))
    return with_ground(stones)


def _standing(what: Any, level: float, name: str, of: Material) -> Stone:
    """A block, a (width, height) or an outline, with the middle of its base at (0, level)."""
    if hasattr(what, "height") and hasattr(what, "width"):
        return _block(what, level, name)
    if _is_size(what):
        width, height = (
            positive(f"{name} {n}", v, "m") for n, v in zip(("width", "height"), what, strict=True)
        )
        return of.box(-width / 2, level, width, height, name)
    if not isinstance(what, Sequence) or isinstance(what, str):
        raise InputError(
            f"{name} = {what!r} is not allowed: give its (width, height) [m], a Block, or the "
            "(x, y) of the corners of its outline."
        )
    stone = Stone(what, name=name, **of._asdict())  # type: ignore[arg-type]
    low = min(y for _, y in stone.corners)
    size = max(y for _, y in stone.corners) - low
    feet = [x for x, y in stone.corners if y - low <= 1e-6 * size]
    return stone.moved(-(min(feet) + max(feet)) / 2, level - low)


def _is_size(what: Any) -> bool:
    return (
        isinstance(what, Sequence)
        and not isinstance(what, str)
        and len(what) == 2
        and not any(isinstance(value, Sequence) for value in what)
    )


def _block(block: Any, level: float, name: str) -> Stone:
    """A `Block`, with its own mass, centre and inertia where it has them."""
    width, height = float(block.width), float(block.height)
    mass, inertia = getattr(block, "mass", 0.0), getattr(block, "inertia", 0.0)
    x, y = getattr(block, "offset", 0.0), getattr(block, "com_height", height / 2)
    return Stone.box(
        -width / 2, level, width, height, name=name, mass=mass, inertia=inertia,
        centre=(x, level + y), density=getattr(block, "density", 2000.0),
        thickness=getattr(block, "thickness", 1.0),
    )  # fmt: skip
