"""Surfaces of many triangles made coarser, to draw them quickly."""

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.types import Array

Index = NDArray[np.int64]

MOST = 60_000  # triangles that are drawn; a finer surface is made coarser


def proper(triangles: Index) -> Index:
    """Those with three different corners."""
    a, b, c = triangles.T
    return np.asarray(triangles[(a != b) & (b != c) & (c != a)])


def coarser(points: Array, triangles: Index) -> tuple[Array, Index]:
    """The surface with at most `MOST` triangles: vertices in one cell of a grid become one."""
    cells = 256.0
    size = np.ptp(points, axis=0).max() or 1.0
    first, kept = points, triangles
    while len(kept) > MOST:
        cell = np.floor((first - first.min(axis=0)) * (cells / size)).astype(np.int64)
        _, member = np.unique(cell, axis=0, return_inverse=True)
        member = member.ravel()
        count = np.bincount(member)
        points = np.stack([np.bincount(member, column) / count for column in first.T], 1)
        kept = np.unique(proper(member[triangles]), axis=0)
        cells *= 0.8
    return points, kept
