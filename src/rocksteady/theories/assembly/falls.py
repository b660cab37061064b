"""Which stones fell, and when."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.numerics.types import Array
from rocksteady.theories.assembly.state import TOPPLED
from rocksteady.theories.assembly.workspace import DROPPED


def first_falls(assembly: Assembly, time: Array, poses: Array) -> list[tuple[str, float]]:
    """Name and time [s] of every stone that fell, the first one first: see
    `has_fallen`. ``poses`` (times, stones, 3) are those of `BlockDynamics.poses`."""
    found = []
    for i, stone in enumerate(assembly.stones):
        if stone.fixed:
            continue
        fell = has_fallen(stone, poses[:, i])
        if fell.any():
            found.append((stone.name, float(time[int(np.argmax(fell))])))
    return sorted(found, key=lambda one: one[1])


def has_fallen(stone: Stone, poses: Array) -> NDArray[np.bool_]:
    """Whether its centre is lower than at the start by more than half of its least width, or it has
    turned by more than 1 rad, at each of its poses (..., 3): the rule by which a run ends."""
    dropped = stone.centre[1] - poses[..., 1] > DROPPED * stone.least_width
    return np.asarray(dropped | (np.abs(poses[..., 2]) > TOPPLED))
