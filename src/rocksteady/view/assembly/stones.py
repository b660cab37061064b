"""Stones as they are painted: where their corners are for given poses, and a calm palette."""

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly
from rocksteady.numerics.types import Array
from rocksteady.view.film_body import EDGE

TINTS = ("#CFC4B2", "#D8CFC0", "#C6BAA6", "#D3C6B0", "#CBC3B6", "#DDD4C6")
FIXED, HATCH = "#E6E0D5", "#A79C8A"
GOLDEN = 0.6180339887498949  # neighbours in the list get tints far apart
SEAM = 1e-9  # of a stone's reach: edges of two parts nearer than this are one


class Corners:
    """The corners of some of an assembly's stones, ready to be moved all at once."""

    def __init__(self, assembly: Assembly, which: NDArray[np.intp]) -> None:
        rings, owners = [], []
        for i in which:
            stone = assembly.stones[i]
            for part in stone.parts:
                ring = np.array([*part, part[0]], float) - stone.centre
                rings.append(ring)
                owners.append(np.full(len(ring), i))
        self.sizes = [len(ring) for ring in rings]
        self.local = np.concatenate(rings) if rings else np.zeros((0, 2))
        self.owner = np.concatenate(owners) if owners else np.zeros(0, np.intp)

    def at(self, poses: Array) -> Array:
        """The corners (..., rows, 2) [m] for poses (..., stones, 3); each part ends with its first
        corner."""
        return moved(self.local, np.asarray(poses)[..., self.owner, :])


def moved(local: Array, poses: Array) -> Array:
    """Points (..., 2) given from the centres of their stones, with the stones at ``poses``."""
    c, s = np.cos(poses[..., 2]), np.sin(poses[..., 2])
    x, y = local[..., 0], local[..., 1]
    return np.stack([poses[..., 0] + c * x - s * y, poses[..., 1] + s * x + c * y], axis=-1)


def start_poses(assembly: Assembly) -> Array:
    """The poses (stones, 3) at the start: the centres of mass [m], unturned."""
    return np.array([(*stone.centre, 0.0) for stone in assembly.stones]).reshape(-1, 3)


def magnified(assembly: Assembly, poses: Array, factor: float) -> Array:
    """Poses with displacements and rotations since the start multiplied."""
    start = start_poses(assembly)
    return np.asarray(start + factor * (poses - start))


def moving(assembly: Assembly) -> NDArray[np.intp]:
    """The numbers of the stones that move."""
    return np.array([i for i, stone in enumerate(assembly.stones) if not stone.fixed], np.intp)


def fixed(assembly: Assembly) -> NDArray[np.intp]:
    """The numbers of the stones that move with the ground."""
    return np.array([i for i, stone in enumerate(assembly.stones) if stone.fixed], np.intp)


def box_of(assembly: Assembly) -> tuple[Array, Array]:
    """The lower left and the upper right corner of the box around the stones that move [m]."""
    stones = [stone for stone in assembly.stones if not stone.fixed] or list(assembly.stones)
    corners = np.array([corner for stone in stones for corner in stone.corners])
    return corners.min(axis=0), corners.max(axis=0)


def size_of(assembly: Assembly) -> float:
    """The larger side of that box [m]."""
    low, high = box_of(assembly)
    return float((high - low).max())


def tint(number: int) -> str:
    """The colour of a stone."""
    return TINTS[int(len(TINTS) * (GOLDEN * number % 1.0))]


class Painted:
    """Stones on axes, all of one kind. The paths are views of one array of corners: to move the
    stones is to overwrite it, without a loop in Python."""

    def __init__(
        self,
        axes: Any,
        assembly: Assembly,
        which: NDArray[np.intp],
        *,
        face: str | None = None,
        edge: str = EDGE,
        lw: float = 0.7,
        **look: Any,
    ) -> None:
        self.corners = Corners(assembly, which)
        self.vertices = self.corners.at(start_poses(assembly))
        starts = np.cumsum([0, *self.corners.sizes])
        paths = [
            Path(self.vertices[a:b], [Path.MOVETO, *[Path.LINETO] * (b - a - 2), Path.CLOSEPOLY])
            for a, b in pairwise(starts)
        ]
        owners = self.corners.owner[starts[:-1]]
        faces = [face or tint(i) for i in owners]
        # parts of one stone have no line between them: the rim of the whole is drawn instead
        parts = [len(assembly.stones[i].parts) for i in owners]
        edges = [edge if n == 1 else face for n, face in zip(parts, faces, strict=True)]
        widths = [lw if n == 1 else 0.3 for n in parts]
        self.fill = PathCollection(
            paths, facecolors=faces, edgecolors=edges, linewidths=widths, joinstyle="round", **look
        )
        axes.add_collection(self.fill, autolim=False)
        self.artists: list[Any] = [self.fill]
        self.rims = [rim for i in which for rim in _rims(assembly, int(i))]
        if self.rims:
            rim = {"colors": edge, "linewidths": lw, "capstyle": "round"}
            self.outline = LineCollection([], **rim, zorder=look.get("zorder", 1))
            axes.add_collection(self.outline, autolim=False)
            self.artists.append(self.outline)
        self.place(start_poses(assembly))

    def place(self, poses: Array) -> None:
        """Move the stones to these poses (stones, 3)."""
        self.vertices[:] = self.corners.at(poses)
        if self.rims:
            self.outline.set_segments([moved(ends, poses[i]) for i, ends in self.rims])


def _rims(assembly: Assembly, number: int) -> list[tuple[int, Array]]:
    """The edges of a stone of several parts that are edges of the whole: those along which two
    parts meet are left out."""
    stone = assembly.stones[number]
    if len(stone.parts) == 1:
        return []
    rings = [np.array([*part, part[0]]) - stone.centre for part in stone.parts]
    edges = [(k, a, b) for k, ring in enumerate(rings) for a, b in pairwise(ring)]
    found = []
    for k, a, b in edges:
        covered = [
            span for j, c, d in edges if j != k and (span := _shared(a, b, c, d, stone.reach))
        ]
        found += [(number, np.array([a + low * (b - a), a + high * (b - a)]))
                  for low, high in _uncovered(covered)]  # fmt: skip
    return found


def _shared(a: Array, b: Array, c: Array, d: Array, reach: float) -> tuple[float, float] | None:
    """Which part of the edge from a to b, as fractions of it, the edge from c to d covers."""
    along = b - a
    length = float(np.hypot(*along))
    aside = np.array([-along[1], along[0]]) / length
    if max(abs(float(aside @ (c - a))), abs(float(aside @ (d - a)))) > SEAM * reach:
        return None
    low, high = sorted(float(along @ (end - a)) / length**2 for end in (c, d))
    low, high = max(low, 0.0), min(high, 1.0)
    return (low, high) if high - low > SEAM else None


def _uncovered(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """What remains of [0, 1] without these spans."""
    free, at = [], 0.0
    for low, high in sorted(spans):
        if low > at + SEAM:
            free.append((at, low))
        at = max(at, high)
    return [*free, (at, 1.0)] if at < 1 - SEAM else free
