"""The surface of a body as triangles, ready to be drawn."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

Index = NDArray[np.int64]

ROUND = 96  # corners that a circle is drawn with
SHARP = math.cos(math.radians(35))  # of the angle between two faces: a sharper edge is inked
MOST = 6000  # triangles that are drawn; a finer surface is made coarser
INKED = 1500  # triangles: a finer surface is a scan, whose edges are noise


class Mesh(NamedTuple):
    """Triangles, their normals by the order of their corners, and the edges to draw as lines."""

    vertices: Array
    """A row (x, y, z) [m] each, from the centre of mass, in the body's axes."""
    triangles: Index
    """Numbers of three vertices each, counter-clockwise from outside."""
    edges: Index
    """Numbers of the two vertices of each sharp edge."""
    beside: Index
    """Numbers of the two triangles on the sides of each sharp edge."""
    closed: bool
    """Whether it has an inside: then what faces away is not seen."""


def mesh_of(body: Any) -> Mesh:
    """The surface of a body: its own shape, or the prism over its base."""
    shape = getattr(body, "shape", None)
    vertices, faces = shape if shape is not None else prism(outline_of(body), body.height)
    return mesh_from(np.asarray(vertices, float) - np.asarray(body.centre, float), faces)


def outline_of(body: Any) -> Array:
    """The corners (x, y) [m] of the base; of a round one, points on its rim."""
    if body.radius is None:
        return np.asarray(body.base, float)
    angle = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
    return float(body.radius) * np.stack([np.cos(angle), np.sin(angle)], 1)


def prism(outline: ArrayLike, height: float) -> tuple[Array, list[tuple[int, ...]]]:
    """Vertices and faces of the prism over an ``outline`` (x, y), counter-clockwise [m]."""
    base = np.asarray(outline, float)
    n = len(base)
    vertices = np.column_stack([np.tile(base, (2, 1)), np.repeat([0.0, height], n)])
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    return vertices, [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides]


def mesh_from(vertices: ArrayLike, faces: Any) -> Mesh:
    """A mesh from vertices (x, y, z) [m] and faces, each the numbers of three or more of them."""
    points = np.asarray(vertices, float)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise InputError("The vertices of a shape must be rows of three finite numbers (x, y, z).")
    triangles = _triangles(faces)
    if not len(triangles) or triangles.min() < 0 or triangles.max() >= len(points):
        raise InputError(
            f"The faces of a shape must be numbers of its vertices, 0 to {len(points) - 1}, three "
            "or more for each face."
        )
    points, same = np.unique(points, axis=0, return_inverse=True)  # an STL repeats its vertices
    triangles = _proper(same.ravel()[triangles])
    points, triangles = _coarser(points, triangles)
    a, b, c = (points[triangles[:, i]] for i in range(3))
    if np.einsum("ij,ij->", a, np.cross(b, c)) < 0:  # six times the volume
        triangles = triangles[:, ::-1]
    edges, beside, closed = _edges(points, triangles)
    return Mesh(points, triangles, edges, beside, closed)


def normals(vertices: Array, triangles: Index) -> Array:
    """The unit normal of each triangle."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    size = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.where(size > 0, size, 1.0))


def _triangles(faces: Any) -> Index:
    """Each face as a fan of triangles."""
    given = np.asarray(faces) if not _ragged(faces) else None
    if given is not None and given.ndim == 2 and given.shape[1] == 3:
        return given.astype(np.int64)
    fans = [(face[0], *pair) for face in faces for pair in pairwise(face[1:])]
    return np.asarray(fans, np.int64).reshape(-1, 3)


def _ragged(faces: Any) -> bool:
    return not isinstance(faces, np.ndarray) and len({len(face) for face in faces}) != 1


def _proper(triangles: Index) -> Index:
    """Those with three different corners."""
    a, b, c = triangles.T
    return np.asarray(triangles[(a != b) & (b != c) & (c != a)])


def _coarser(points: Array, triangles: Index) -> tuple[Array, Index]:
    """The surface with at most `MOST` triangles: vertices in one cell of a grid become one."""
    cells = 128.0
    size = np.ptp(points, axis=0).max() or 1.0
    first, kept = points, triangles
    while len(kept) > MOST:
        cell = np.floor((first - first.min(axis=0)) * (cells / size)).astype(np.int64)
        _, member = np.unique(cell, axis=0, return_inverse=True)
        member = member.ravel()
        count = np.bincount(member)
        points = np.stack([np.bincount(member, column) / count for column in first.T], 1)
        kept = np.unique(_proper(member[triangles]), axis=0)
        cells *= 0.8
    return points, kept


def _edges(points: Array, triangles: Index) -> tuple[Index, Index, bool]:
    """The sharp edges, the triangles on both sides of each, and whether every edge has two."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner = np.tile(np.arange(len(triangles)), 3)
    pairs, which, count = np.unique(
        np.sort(sides, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    closed = bool((count == 2).all())
    none = np.zeros((0, 2), np.int64)
    if len(triangles) > INKED:
        return none, none, closed
    order = np.argsort(which.ravel(), kind="stable")
    start = np.cumsum(count) - count
    beside = np.stack([owner[order][start], owner[order][start + np.minimum(count, 2) - 1]], 1)
    normal = normals(points, triangles)
    bend = np.einsum("ij,ij->i", normal[beside[:, 0]], normal[beside[:, 1]])
    inked = (count == 1) | (bend < SHARP)
    return pairs[inked], beside[inked], closed
