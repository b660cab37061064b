"""Where stones face each other at the start, and where their springs sit.

A joint is a pair of edges of two stones that face each other over some length and touch at one end
of it at least: a stone may be let go while it leans. Both edges have springs over that length, each
with half of the joint's stiffness, that press on the other edge: so a corner that slides over the
end of a face still stands on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.bodies.assembly.nearness import TOUCH, Edges, edge_pairs, edges, near_pairs
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.bodies import Assembly

OPPOSED = -0.87  # cosine of the angle between facing edges: 30 degrees
SHORT = 1e-6  # an overlap below this share of the shorter edge is a corner on a corner
FEWEST = 4  # intervals between the springs of a joint


class Face(NamedTuple):
    """An edge of stone ``a`` over which it faces stone ``b``."""

    a: int
    b: int
    """Numbers of the stones in ``Assembly.stones``."""
    points: Array
    """Where its springs sit (n, 2) [m]."""
    weights: Array
    """Length of the joint that each of them stands for [m], by the trapezoid rule."""
    begin: Array
    """Where the edge of ``b`` begins [m]."""
    normal: Array
    """Unit normal of the edge of ``b``, outwards."""
    length: float
    """Of the edge of ``b`` [m]."""


def faces(assembly: Assembly, spacing: float) -> list[Face]:
    """Both faces of every joint, in pairs."""
    of = edges(assembly.stones)
    found: list[Face] = []
    for a, b in near_pairs(of, TOUCH * of.size):
        for _, (one, other, _, _) in edge_pairs(of, a, b):
            along = np.einsum("ij,ij->i", of.along[one], of.along[other])
            for i, j in zip(one[along < OPPOSED], other[along < OPPOSED], strict=True):
                found += _pair(assembly, of, int(i), int(j), spacing)
    return found


def _pair(assembly: Assembly, of: Edges, i: int, j: int, spacing: float) -> list[Face]:
    """The two faces of edges i and j; none where they do not touch."""
    part = np.searchsorted(of.first, [i, j], side="right") - 1
    a, b = (int(of.stone[k]) for k in part)
    if a == b or (assembly.stones[a].fixed and assembly.stones[b].fixed):
        return []
    close = TOUCH * float(min(of.size[part[0]], of.size[part[1]]))
    ends = [_overlap(of, i, j), _overlap(of, j, i)]
    shortest = min(of.length[i], of.length[j])
    if min(high - low for low, high in ends) <= SHORT * shortest:
        return []
    gaps = (_points(of, i, ends[0], [0.0, 1.0]) - of.start[j]) @ of.outward[j]
    if abs(gaps).min() > close or gaps.min() < -close:
        return []
    intervals = max(FEWEST, round(min(ends[0][1] - ends[0][0], 1e6) / spacing))
    shares = np.linspace(0.0, 1.0, intervals + 1)
    return [
        _face(of, which, where, over, shares)
        for which, where, over in (((a, b), (i, j), ends[0]), ((b, a), (j, i), ends[1]))
    ]


def _overlap(of: Edges, i: int, j: int) -> tuple[float, float]:
    """From where to where on edge i [m] it faces edge j."""
    along = of.along[i]
    run = along @ of.along[j]  # nearly −1
    places = [((corner - of.start[i]) @ of.along[j]) / run for corner in (of.end[j], of.start[j])]
    return max(0.0, float(places[0])), min(float(of.length[i]), float(places[1]))


def _points(of: Edges, i: int, over: tuple[float, float], shares: Array | list[float]) -> Array:
    at = over[0] + (over[1] - over[0]) * np.asarray(shares)
    return np.asarray(of.start[i] + at[:, None] * of.along[i])


def _face(
    of: Edges, which: tuple[int, int], where: tuple[int, int], over: tuple[float, float],
    shares: Array,
) -> Face:  # fmt: skip
    i, j = where
    weights = np.full(len(shares), (over[1] - over[0]) / (len(shares) - 1))
    weights[[0, -1]] /= 2
    return Face(
        *which, _points(of, i, over, shares), weights, of.start[j], of.outward[j],
        float(of.length[j]),
    )  # fmt: skip
