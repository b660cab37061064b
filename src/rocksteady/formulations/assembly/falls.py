"""Which stones fell, and when."""

from __future__ import annotations

import numpy as np

from rocksteady.formulations.assembly.state import TOPPLED
from rocksteady.numerics.types import Array
from rocksteady.systems.assembly import Assembly, Stone


def first_falls(assembly: Assembly, time: Array, poses: Array) -> list[tuple[str, float]]:
    """Name and time [s] of every stone that fell, the first one first: it dropped by half of its
    thinner side, or toppled. ``poses`` (times, stones, 3) are those of `BlockDynamics.poses`."""
    found = []
    for i, stone in enumerate(assembly.stones):
        if stone.fixed:
            continue
        dropped = poses[:, i, 1] - stone.centre[1] < -0.5 * _thinner(stone)
        fell = dropped | (np.abs(poses[:, i, 2]) > TOPPLED)
        if fell.any():
            found.append((stone.name, float(time[int(np.argmax(fell))])))
    return sorted(found, key=lambda one: one[1])


def _thinner(stone: Stone) -> float:
    """The smaller of width and height [m]."""
    xs, ys = zip(*stone.corners, strict=True)
    return float(min(max(xs) - min(xs), max(ys) - min(ys)))
