"""Turn the triangles of a scan into closed surfaces that enclose a volume: weld, orient, cap."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rocksteady.bodies.meshes.files import used_only
from rocksteady.numerics.types import Array

Faces = NDArray[np.int64]
LEVELS = 2**21 - 1  # vertices nearer than the size over this are one
DEBRIS = 1e-4  # a piece with a smaller share of the volume is not part of the body


class Hole(NamedTuple):
    """A gap in the surface, closed by triangles to the middle of its rim."""

    centre: Array
    area: float
    """Of the cap."""
    rim: NDArray[np.int64]
    """Numbers of the vertices along it."""


class Surface(NamedTuple):
    """A closed surface, counter-clockwise seen from outside."""

    vertices: Array
    faces: Faces
    holes: tuple[Hole, ...]
    doubled: int
    """Faces that were there twice, left out."""
    flipped: int
    """Faces whose direction was repaired."""
    dropped: int
    """Pieces too small to matter, left out."""
    pieces: int
    orientable: bool


def closed(vertices: Array, faces: Faces) -> Surface:
    """The closed surface through these triangles."""
    vertices, faces, doubled = welded(vertices, faces)
    faces, flipped, orientable = oriented(faces, len(vertices))
    faces, outward, dropped, pieces = _outward(vertices, faces)
    vertices, faces = used_only(vertices, faces)
    vertices, caps, holes = capped(vertices, faces)
    whole = np.concatenate([faces, caps])
    flipped = min(flipped + outward, len(faces))
    return Surface(vertices, whole, holes, doubled, flipped, dropped, pieces, orientable)


def welded(vertices: Array, faces: Faces) -> tuple[Array, Faces, int]:
    """Vertices at one place as one; without triangles that have no area then, or are there twice,
    whose number is also returned."""
    low = vertices.min(axis=0)
    size = float((vertices - low).max()) or 1.0
    grid = np.rint((vertices - low) * (LEVELS / size)).astype(np.int64)
    key = (grid[:, 0] << 42) | (grid[:, 1] << 21) | grid[:, 2]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    faces = which[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    kept = _once(faces)
    return vertices[first], faces[kept], len(faces) - len(kept)


def _once(faces: Faces) -> NDArray[np.int64]:
    """The numbers of different faces: the same corners in the same direction are the same face."""
    start = np.argmin(faces, axis=1)
    a, b, c = (faces[np.arange(len(faces)), (start + i) % 3] for i in range(3))
    order = np.lexsort((c, b, a))
    a, b, c = a[order], b[order], c[order]
    new = np.ones(len(faces), dtype=bool)
    new[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1]) | (c[1:] != c[:-1])
    return np.sort(order[new])


def _edges(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """From and to of the directed edges: those of all faces' first sides, second, third."""
    return faces[:, [0, 1, 2]].T.ravel(), faces[:, [1, 2, 0]].T.ravel()


def oriented(faces: Faces, vertices: int) -> tuple[Faces, int, bool]:
    """Neighbours run the same way around. Returns the faces, how many were turned and whether
    that is possible at all (a Möbius strip has no outside).

    Of the graph with each face as it is and reversed, neighbours that agree join equals and those
    that do not join opposites: each connected part is a consistent choice.
    """
    n = len(faces)
    start, end = _edges(faces)
    key = np.minimum(start, end) * vertices + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    _, begin, count = np.unique(key[order], return_index=True, return_counts=True)
    pairs = begin[count == 2]
    one, other = order[pairs], order[pairs + 1]
    disagree = start[one] == start[other]
    if not disagree.any():
        return faces, 0, True
    i, j = one % n, other % n
    k = np.where(disagree, j + n, j)
    l = np.where(disagree, j, j + n)
    rows, columns = np.concatenate([i, i + n]), np.concatenate([k, l])
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), (2 * n, 2 * n))
    _, label = connected_components(graph, directed=False)
    kept, reverse = label[:n], label[n:]
    pair = np.minimum(kept, reverse)  # the piece that a face belongs to
    turned = kept != pair
    often = np.bincount(pair, weights=turned) * 2 > np.bincount(pair)
    turned ^= often[pair]  # turn the fewer ones
    result = np.where(turned[:, None], faces[:, ::-1], faces)
    return result, int(turned.sum()), bool((kept != reverse).all())


def _outward(vertices: Array, faces: Faces) -> tuple[Faces, int, int, int]:
    """Every piece encloses a positive volume, save a cavity within another; crumbs are left out.
    Returns the faces, how many were turned, and how many pieces were left out and kept."""
    start, end = _edges(faces)
    graph = coo_array((np.ones(len(start), dtype=np.int8), (start, end)), (len(vertices),) * 2)
    _, of_vertex = connected_components(graph, directed=False)
    _, piece = np.unique(of_vertex[faces[:, 0]], return_inverse=True)
    count = int(piece.max()) + 1
    middle = np.array([np.bincount(piece, vertices[faces].mean(axis=1)[:, i]) for i in range(3)])
    middle = (middle / np.bincount(piece)).T  # of each piece: open ones are judged from there
    a, b, c = (vertices[faces[:, i]] - middle[piece] for i in range(3))
    volume = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c)) / 6)
    size = np.abs(volume)
    keep = size > DEBRIS * size.max()
    if not keep.any():
        return faces, 0, 0, count
    low = np.full((count, 3), np.inf)
    high = np.full((count, 3), -np.inf)
    for i in range(3):
        np.minimum.at(low, piece, vertices[faces[:, i]])
        np.maximum.at(high, piece, vertices[faces[:, i]])
    turn = np.zeros(count, dtype=bool)
    if volume[np.argmax(size)] < 0:  # the file is inside out
        volume, turn = -volume, ~turn
    for one in np.flatnonzero(keep & (volume < 0)):
        around = (low < low[one]).all(axis=1) & (high > high[one]).all(axis=1)
        if not (around & keep & (volume > 0)).any():  # else it is a cavity within another piece
            turn[one] = ~turn[one]
    faces, piece = faces[keep[piece]], piece[keep[piece]]
    turned = turn[piece]
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    return faces, int(turned.sum()), int((~keep).sum()), int(keep.sum())


def capped(vertices: Array, faces: Faces) -> tuple[Array, Faces, tuple[Hole, ...]]:
    """Triangles from each edge that has a face on one side only to the middle of its hole's rim."""
    start, end = _edges(faces)
    n = len(vertices)
    key = np.minimum(start, end) * n + np.maximum(start, end)
    edges, which = np.unique(key, return_inverse=True)
    net = np.bincount(which, np.where(start < end, 1.0, -1.0)).astype(np.int64)
    open_ = np.flatnonzero(net)
    if not len(open_):
        return vertices, np.zeros((0, 3), dtype=np.int64), ()
    low, high = np.divmod(edges[open_], n)
    times, forward = np.abs(net[open_]), net[open_] > 0
    a = np.repeat(np.where(forward, low, high), times)
    b = np.repeat(np.where(forward, high, low), times)
    graph = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), (n, n))
    _, of_vertex = connected_components(graph, directed=False)
    _, hole = np.unique(of_vertex[a], return_inverse=True)
    lengths = np.linalg.norm(vertices[b] - vertices[a], axis=1)
    total = np.bincount(hole, lengths)
    half = (vertices[a] + vertices[b]) * (lengths / 2)[:, None]
    centres = np.array([np.bincount(hole, half[:, i]) / total for i in range(3)]).T
    caps = np.stack([b, a, n + hole], axis=1)
    cross = np.cross(vertices[a] - centres[hole], vertices[b] - centres[hole])
    vector = np.array([np.bincount(hole, cross[:, i]) / 2 for i in range(3)]).T
    areas = np.linalg.norm(vector, axis=1)
    order = np.argsort(hole, kind="stable")
    rims = np.split(a[order], np.cumsum(np.bincount(hole))[:-1])
    holes = tuple(map(Hole, centres, areas.tolist(), rims))
    return np.concatenate([vertices, centres]), caps, holes
