"""Where stones meet at the start: the common segments of facing edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.bodies.assembly.nearness import TOUCH, Edges, Indices, edge_pairs, edges, near_pairs
from rocksteady.bodies.support import Point
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.bodies.assembly.assembly import Assembly

SHORT = 1e-6  # an overlap below this share of the shorter edge is a corner on a corner


class Joint(NamedTuple):
    """The common segment of two facing edges of two stones."""

    a: int
    b: int
    """The numbers of the two stones in ``Assembly.stones``, a < b."""
    ends: tuple[Point, Point]
    """Its ends [m], in the direction of the tangent (−n_y, n_x)."""
    normal: Point
    """Unit vector from b to a."""
    friction: float
    """Coulomb's coefficient μ."""

    @property
    def length(self) -> float:
        """[m]"""
        return math.dist(*self.ends)

    @property
    def tangent(self) -> Point:
        """Unit vector along it, from its first end to its second."""
        return -self.normal[1], self.normal[0]


def joints(assembly: Assembly) -> tuple[Joint, ...]:
    """All joints but those between fixed stones, ordered by the numbers of their stones. A pair may
    have several, as a stone in the corner of an L-shaped one has."""
    of = edges(assembly.stones)
    found = [
        _facing(of, one, other)
        for a, b in near_pairs(of, TOUCH * of.size)
        for _, (one, other, _, _) in edge_pairs(of, a, b)
    ]
    kept = [np.concatenate(column) for column in zip(*found, strict=True)]
    if not kept:
        return ()
    stones, ends, normals = kept
    order = np.lexsort((ends[:, 0, 1], ends[:, 0, 0], stones[:, 1], stones[:, 0]))
    rows = zip(stones[order].tolist(), ends[order].tolist(), normals[order].tolist(), strict=True)
    made: list[Joint] = []
    for (a, b), (first, second), normal in rows:
        if assembly.stones[a].fixed and assembly.stones[b].fixed:
            continue
        joint = Joint(
            a, b, (tuple(first), tuple(second)), tuple(normal), assembly.friction_between(a, b)
        )
        _add(made, joint)
    return tuple(made)


def _facing(of: Edges, one: Indices, other: Indices) -> tuple[Array, Array, Array]:
    """Stones, ends and normals of the pairs of edges that face each other along a segment."""
    opposed = np.einsum("ij,ij->i", of.along[one], of.along[other]) < -0.9
    one, other = one[opposed], other[opposed]
    size = of.size
    part = np.repeat(np.arange(len(of.stone)), np.diff(of.first))
    close = TOUCH * np.minimum(size[part[one]], size[part[other]])
    along, normal, origin = of.along[other], of.outward[other], of.start[other]
    step = of.start[one] - origin
    turn = of.along[one]
    s = np.einsum("ij,ij->i", along, step)  # where the edge of the first stone begins
    run = np.einsum("ij,ij->i", along, turn)  # nearly −1
    low = np.maximum(0.0, s + run * of.length[one])
    high = np.minimum(of.length[other], s)
    shortest = np.minimum(of.length[one], of.length[other])
    gap = np.einsum("ij,ij->i", normal, step)
    rise = np.einsum("ij,ij->i", normal, turn) / run
    at_low, at_high = gap + rise * (low - s), gap + rise * (high - s)
    meets = high - low > SHORT * shortest
    meets &= np.maximum(np.abs(at_low), np.abs(at_high)) <= close
    i, j = one[meets], other[meets]
    first = np.where((low[meets] > 0.0)[:, None], of.end[i], of.start[j])  # corners, exactly
    second = np.where((high[meets] < of.length[j])[:, None], of.start[i], of.end[j])
    ends = np.stack([first, second], axis=1)
    return np.column_stack([of.stone[part[i]], of.stone[part[j]]]), ends, normal[meets]


def _add(made: list[Joint], joint: Joint) -> None:
    """Append a joint, or lengthen the one that it continues: a straight edge of a stone that was
    divided into convex parts is one."""
    for k in range(len(made) - 1, -1, -1):
        before = made[k]
        if (before.a, before.b) != (joint.a, joint.b):
            break
        near = TOUCH * min(before.length, joint.length)
        straight = math.dist(before.normal, joint.normal) < TOUCH
        if straight and math.dist(before.ends[1], joint.ends[0]) < near:
            made[k] = before._replace(ends=(before.ends[0], joint.ends[1]))
            return
        if straight and math.dist(before.ends[0], joint.ends[1]) < near:
            made[k] = before._replace(ends=(joint.ends[0], before.ends[1]))
            return
    made.append(joint)
