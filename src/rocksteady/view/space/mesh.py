"""The surface of a body as triangles, ready to be drawn."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.view.space.coarsen import Index, coarser, proper
from rocksteady.view.space.raster import creased

ROUND = 96  # corners that a circle is drawn with
SHARP = math.cos(math.radians(35))  # of the angle between two faces: a sharper edge is inked
INKED = 1500  # triangles: a finer surface is a scan, whose edges are noise


class Mesh(NamedTuple):
    """Triangles, their normals by the order of their corners, and the edges to draw as lines."""

    vertices: Array
    """A row (x, y, z) [m] each, from the centre of mass, in the body's axes."""
    triangles: Index
    """Numbers of three vertices each, counter-clockwise from outside."""
    normals: Array
    """(n, 3, 3): at the corners of each triangle; faces that bend little share them."""
    edges: Index
    """Numbers of the two vertices of each sharp edge."""


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
    points, triangles = coarser(points, proper(same.ravel()[triangles]))
    a, b, c = (points[triangles[:, i]] for i in range(3))
    if np.einsum("ij,ij->", a, np.cross(b, c)) < 0:  # six times the volume
        triangles = np.ascontiguousarray(triangles[:, ::-1])
    normal = _normals(points, triangles)
    scan = len(triangles) > INKED
    edges = np.zeros((0, 2), np.int64) if scan else _sharp(triangles, normal)
    order = np.argsort(triangles.ravel(), kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(triangles.ravel(), minlength=len(points))))
    angles = _angles(points[triangles])
    return Mesh(points, triangles, creased(triangles, normal, angles, order, starts, SHARP), edges)


def _normals(vertices: Array, triangles: Index) -> Array:
    """The unit normal of each triangle."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    size = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.where(size > 0, size, 1.0))


def _angles(corners: Array) -> Array:
    """The angles [rad] of triangles (n, 3, 3) at their corners."""
    ahead = np.roll(corners, -1, axis=1) - corners
    back = np.roll(corners, 1, axis=1) - corners
    across = np.linalg.norm(np.cross(ahead, back), axis=2)
    return np.asarray(np.arctan2(across, np.einsum("nki,nki->nk", ahead, back)))


def _triangles(faces: Any) -> Index:
    """Each face as a fan of triangles."""
    given = np.asarray(faces) if not _ragged(faces) else None
    if given is not None and given.ndim == 2 and given.shape[1] == 3:
        return given.astype(np.int64)
    fans = [(face[0], *pair) for face in faces for pair in pairwise(face[1:])]
    return np.asarray(fans, np.int64).reshape(-1, 3)


def _ragged(faces: Any) -> bool:
    return not isinstance(faces, np.ndarray) and len({len(face) for face in faces}) != 1


def _sharp(triangles: Index, normal: Array) -> Index:
    """The edges between two faces that bend much, and those with a face on one side only."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner = np.tile(np.arange(len(triangles)), 3)
    pairs, which, count = np.unique(
        np.sort(sides, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    order = np.argsort(which.ravel(), kind="stable")
    first = np.cumsum(count) - count
    one, two = owner[order][first], owner[order][first + np.minimum(count, 2) - 1]
    bend = np.einsum("ij,ij->i", normal[one], normal[two])
    return np.asarray(pairs[(count == 1) | (bend < SHARP)])
