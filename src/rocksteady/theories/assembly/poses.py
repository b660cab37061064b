"""Where the stones of an assembly are, for every theory that moves them."""

from __future__ import annotations

import numpy as np

from rocksteady.bodies import Assembly
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array


def all_poses(assembly: Assembly, moving: Array) -> Array:
    """x, y of the centre of mass [m] and rotation [rad] of every stone, fixed ones included
    (..., stones, 3), from those of the stones that move, one after the other (..., 3n)."""
    found = np.zeros((*moving.shape[:-1], len(assembly.stones), 3))
    for i, stone in enumerate(assembly.stones):
        found[..., i, :2] = stone.centre
    places = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    found[..., places, :] = moving.reshape(*moving.shape[:-1], len(places), 3)
    return found


def refuse_initial(x0: float, v0: float) -> None:
    """Stones start where they are: no other initial value is taken."""
    if x0 or v0:
        raise InputError(
            f"An initial value of {x0!r} and a rate of {v0!r} were given, but an assembly "
            "starts where its stones are: move or turn them, stone.moved(x, y) or "
            "stone.turned(angle)."
        )
