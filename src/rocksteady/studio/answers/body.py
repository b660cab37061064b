"""A body: what follows from its sizes, and what a picture of it needs."""

from pathlib import Path
from typing import Any

from rocksteady.bodies import Rocker, System, expect, fields_of
from rocksteady.bodies.block import Block
from rocksteady.bodies.support import Polygon
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs import BodySpec


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    spec = BodySpec.checked(request)
    return about_body(spec.build(folder), spec.outline)


def about_body(body: System, outline: Polygon = ()) -> dict[str, Any]:
    """In numbers: those that it was made of, and those that follow. ``outline``: see
    `BodySpec.outline`."""
    about: dict[str, Any] = {
        "kind": type(body).__name__,
        "label": body.label,
        "spatial": body.spatial,
        "filmed": body.filmed,
        "rocks": body.rocks,
        "values": {name: value for name, value in fields_of(body).items() if plain(value)},
    }
    if body.spatial:
        about |= _in_space(body)
    elif body.rocks:
        rocker = expect(body, Rocker, "A picture from the side")
        about |= _rocking(rocker) | {
            "barrier": rocker.barrier,
            "stem": None if rocker.stem is None else rocker.stem._asdict(),
            "side": _side(rocker.rigid()) | {"outline": outline or None},
        }
    return about


def plain(value: Any) -> bool:
    """Whether a parameter is one number or word."""
    return isinstance(value, (int, float, str))


def _rocking(body: Any) -> dict[str, float]:
    """α [rad], p [rad/s], R [m]."""
    return {"alpha": body.alpha, "p": body.p, "R": body.R}


def _side(block: Block) -> dict[str, Any]:
    """What is seen from the side: sizes [m] and mass [kg], how far it may lean [rad], and the
    acceleration of the ground that lifts it off [g]."""
    pull = block.g / GRAVITY_UNIT
    return {
        "height": block.height,
        "width": block.width,
        "centre": [block.offset, block.com_height],
        "mass": block.mass,
        "inertia": block.inertia,
        "limits": block.limits,
        "eta": [block.eta_to_left, block.eta_to_right],
        "lifts_at": [pull * side.b / block.com_height for side in (block.right, block.left)],
        "p": [block.right.p, block.left.p],
        "R": [block.right.R, block.left.R],
    }


def _in_space(body: Any) -> dict[str, Any]:
    shape = body.shape
    weakest = body.weakest
    block = body.block(weakest)
    return {
        "alpha": body.alpha,
        "p": body.p,
        "weakest": weakest,
        "barrier": block.barrier,
        "side": _side(block),
        "space": {
            "base": body.base,
            "radius": body.radius,
            "centre": body.centre,
            "height": body.height,
            "mass": body.mass,
            "vertices": None if shape is None else shape[0],
            "faces": None if shape is None else shape[1],
        },
    }
