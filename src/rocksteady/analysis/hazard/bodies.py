"""What a body needs to be changed, and a body fixed to a plinth."""

import dataclasses
from typing import Any

from rocksteady.bodies import Block, System, expect
from rocksteady.bodies.system import block_of
from rocksteady.errors import InputError, what_it_is
from rocksteady.numbers import positive

SHAPE = ("height", "width", "com_height", "mass", "inertia")  # what a body must have


def check_shape(body: Any) -> None:
    """Refuse a body that has no width and no centre of mass of its own to change."""
    if not isinstance(body, System):
        expect(body, Block, "A measure against falling")
    names = {field.name for field in dataclasses.fields(type(body))}
    lacks = [name for name in SHAPE if name not in names]
    if lacks:
        kind = what_it_is(body)
        raise InputError(
            f"{kind[0].upper()}{kind[1:]} has no {lacks[0]} that could be changed: give a Block."
            f"{block_of(body)}"
        )


def plinth_height(body: Any) -> float:
    """Of a plinth that suits it [m]: 0.2 m, under small bodies a fifth of their height."""
    return float(min(0.2, 0.2 * body.height))


def on_plinth(
    body: Any,
    width: float,
    height: float = 0.2,
    density: float | None = None,
    thickness: float | None = None,
) -> Any:
    """Body and plinth as one, the plinth fixed under the middle of the base.

    ``width`` and ``height`` of the plinth [m], its density [kg/m³] and depth [m]: unless given,
    those of the body, its mass spread over the box around it. Inertia by Steiner's theorem.

    Examples
    --------
    >>> import rocksteady as rs
    >>> both = on_plinth(rs.Block(height=1.8, width=0.5, mass=450), 0.7, 0.8, 2600, 0.618)
    >>> round(both.com_height, 4), round(both.alpha, 4)
    (0.8334, 0.3976)
    """
    width, height = positive("width", width, "m"), positive("height", height, "m")
    if density is None:
        density = body.mass / (body.height * body.width * body.thickness)
    if thickness is None:
        thickness = body.thickness
    mass = positive("density", density) * width * height * positive("thickness", thickness)
    inertia = mass * (width**2 + height**2) / 12
    total = body.mass + mass
    rise = height + body.com_height
    com_height = (body.mass * rise + mass * height / 2) / total
    offset = body.mass * body.offset / total
    # about the common centre of mass, both ways: the body's own may stand to one side
    inertia += mass * ((com_height - height / 2) ** 2 + offset**2)
    inertia += body.inertia
    inertia += body.mass * ((rise - com_height) ** 2 + (body.offset - offset) ** 2)
    return dataclasses.replace(
        body,
        height=body.height + height,
        width=width,
        com_height=com_height,
        offset=offset,
        mass=total,
        inertia=inertia,
    )
