"""Which parts of stones are near each other, and how far apart: for all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.assembly.stone import Stone
from rocksteady.numerics.types import Array

Indices = NDArray[np.int64]

TOUCH = 1e-4
"""Stones nearer than this share of the smaller one's size touch: drawings are rounded."""
AT_ONCE = 2_000_000  # pairs: bounds the memory


class Edges(NamedTuple):
    """All edges of all parts of all stones, one after the other: edge k runs from corner k."""

    start: Array
    end: Array
    """(n, 2) [m]"""
    along: Array
    """(n, 2), unit vectors; the part lies to their left."""
    length: Array
    """(n,) [m]"""
    first: Indices
    """The first edge of each part, and the number of edges at the end."""
    stone: Indices
    """The number of the stone of each part."""
    low: Array
    """Lower left corner of the box around each part [m]."""
    high: Array
    """Upper right corner [m]."""

    @property
    def outward(self) -> Array:
        """Unit normals that point out of the stones."""
        return np.column_stack([self.along[:, 1], -self.along[:, 0]])

    @property
    def size(self) -> Array:
        """The diagonal of the box around each part [m]."""
        return np.asarray(np.hypot(*(self.high - self.low).T))


class Pairs(NamedTuple):
    """Pairs of edges, one of each part, of pairs of parts."""

    one: Indices
    other: Indices
    """The two edges of each pair."""
    rows: Indices
    """Where each edge of the first parts begins, in the pairs."""
    blocks: Indices
    """Where each pair of parts begins, in ``rows``."""


def edges(stones: Sequence[Stone]) -> Edges:
    """The edges of all parts."""
    parts = [(i, part) for i, stone in enumerate(stones) for part in stone.parts]
    counts = np.array([len(part) for _, part in parts], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    start = np.array([corner for _, part in parts for corner in part], dtype=float).reshape(-1, 2)
    following = np.arange(1, len(start) + 1)
    following[first[1:] - 1] = first[:-1]
    end = start[following]
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    low = np.minimum.reduceat(start, first[:-1])
    high = np.maximum.reduceat(start, first[:-1])
    owners = np.array([i for i, _ in parts], dtype=np.int64)
    return Edges(start, end, along / length[:, None], length, first, owners, low, high)


def near_pairs(of: Edges, margin: Array) -> Iterator[tuple[Indices, Indices]]:
    """Pairs of parts of different stones whose boxes, widened by ``margin`` [m], meet: sweep and
    prune along the axis on which they are spread farther."""
    low, high = of.low - margin[:, None], of.high + margin[:, None]
    spread = np.ptp(of.low, axis=0) / np.maximum(np.median(high - low, axis=0), 1e-300)
    axis = int(spread[1] > spread[0])
    order = np.argsort(low[:, axis], kind="stable")
    lows, highs = low[order], high[order]
    last = np.searchsorted(lows[:, axis], highs[:, axis], side="right")
    counts = last - np.arange(1, len(order) + 1)
    for begin, end in _chunks(counts):
        own = counts[begin:end]
        i = np.repeat(np.arange(begin, end), own)
        j = i + 1 + _ranks(own)
        across = 1 - axis
        meets = (lows[i, across] <= highs[j, across]) & (lows[j, across] <= highs[i, across])
        a, b = order[i[meets]], order[j[meets]]
        apart = of.stone[a] != of.stone[b]
        a, b = a[apart], b[apart]
        swap = of.stone[a] > of.stone[b]
        yield np.where(swap, b, a), np.where(swap, a, b)


def edge_pairs(of: Edges, a: Indices, b: Indices) -> Iterator[tuple[Indices, Pairs]]:
    """All pairs of an edge of part ``a`` and one of part ``b``: the places of the pairs of parts,
    and the pairs of their edges."""
    count = np.diff(of.first)
    for begin, end in _chunks(count[a] * count[b]):
        of_a, of_b = a[begin:end], b[begin:end]
        rows_of = count[of_a]
        one = np.repeat(of.first[of_a], rows_of) + _ranks(rows_of)  # each edge of the first part
        columns = np.repeat(count[of_b], rows_of)
        begins = np.repeat(of.first[of_b], rows_of)
        other = np.repeat(begins, columns) + _ranks(columns)
        yield (
            np.arange(begin, end),
            Pairs(np.repeat(one, columns), other, _starts(columns), _starts(rows_of)),
        )


def separations(of: Edges, a: Indices, b: Indices) -> Array:
    """How far apart the convex parts ``a`` and ``b`` are along the normal of an edge of either [m],
    negative by as much as they overlap (separating axes)."""
    found = np.empty(len(a))
    outward = of.outward
    for one, other in ((a, b), (b, a)):
        for places, pairs in edge_pairs(of, one, other):
            step = of.start[pairs.other] - of.start[pairs.one]
            normal = outward[pairs.one]
            ahead = normal[:, 0] * step[:, 0] + normal[:, 1] * step[:, 1]
            nearest = np.minimum.reduceat(ahead, pairs.rows)
            widest = np.maximum.reduceat(nearest, pairs.blocks)
            found[places] = widest if one is a else np.maximum(found[places], widest)
    return found


def touch(of: Edges, a: Indices, b: Indices) -> Array:
    """The distance within which the parts ``a`` and ``b`` touch [m]."""
    size = of.size
    return TOUCH * np.minimum(size[a], size[b])


def _chunks(counts: Indices) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours that together have about `AT_ONCE` pairs."""
    total = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        before = total[begin - 1] if begin else 0
        end = max(int(np.searchsorted(total, before + AT_ONCE, side="right")), begin + 1)
        yield begin, end
        begin = end


def _ranks(counts: Indices) -> Indices:
    """0, 1, … for each count, one after the other."""
    return np.asarray(np.arange(counts.sum()) - np.repeat(_starts(counts), counts))


def _starts(counts: Indices) -> Indices:
    return np.asarray(np.cumsum(counts) - counts)
