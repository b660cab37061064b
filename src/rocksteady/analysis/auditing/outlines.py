"""Where stones touch, found anew from their outlines: a corner of one on a side of another."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.numerics.types import Array


class Point(NamedTuple):
    """A corner of one part on a side of another."""

    a: int
    """The stone whose corner it is."""
    b: int
    place: Array
    normal: Array
    """Towards a."""
    gap: float


class Outlines:
    """Every convex part of the stones, and where it is in a pose."""

    def __init__(self, assembly: Any) -> None:
        self.assembly = assembly
        self.parts = [
            (i, np.array(part) - stone.centre)
            for i, stone in enumerate(assembly.stones)
            for part in stone.parts
        ]

    def placed(self, pose: Array) -> list[tuple[int, Array]]:
        """(stone, corners) of each part at a pose (stones, 3)."""
        found = []
        for i, corners in self.parts:
            c, s = math.cos(pose[i, 2]), math.sin(pose[i, 2])
            turned = np.stack([c * corners[:, 0] - s * corners[:, 1],
                               s * corners[:, 0] + c * corners[:, 1]], axis=1)  # fmt: skip
            found.append((i, turned + pose[i, :2]))
        return found

    def touching(self, pose: Array, open_by: float, sunk: float = 0.0) -> list[Point]:
        """Points that are open by up to ``open_by`` [m], or sunk: a corner touches the side that it
        is nearest to, and all those in which it is sunk by no more than ``sunk`` [m]."""
        parts = self.placed(pose)
        low = np.array([corners.min(axis=0) for _, corners in parts]) - open_by
        high = np.array([corners.max(axis=0) for _, corners in parts]) + open_by
        meets = (low[:, None] <= high[None]).all(axis=2) & (low[None] <= high[:, None]).all(axis=2)
        found: list[Point] = []
        for one, other in zip(*np.nonzero(meets), strict=True):
            a, b = parts[one][0], parts[other][0]
            fixed = self.assembly.stones[a].fixed and self.assembly.stones[b].fixed
            if a != b and not fixed:
                found += _corners_on(a, parts[one][1], b, parts[other][1], open_by, sunk)
        return found


def _corners_on(
    a: int, corners: Array, b: int, sides: Array, open_by: float, sunk: float
) -> list[Point]:
    """The corners of a part that lie on, or in, the sides of another."""
    along = np.roll(sides, -1, axis=0) - sides
    along = along / np.linalg.norm(along, axis=1)[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    gaps = (corners[:, None] - sides[None]) @ outward.T
    gaps = np.stack([gaps[:, k, k] for k in range(len(sides))], axis=1)
    most = gaps.max(axis=1)[:, None]
    touches = (most <= open_by) & (gaps >= np.minimum(most, -sunk))
    return [
        Point(a, b, corners[i], outward[k], float(most[i, 0]))
        for i, k in zip(*np.nonzero(touches), strict=True)
    ]
