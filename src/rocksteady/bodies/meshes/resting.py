"""How a scanned body stands: which way is up, and the polygon that touches the floor."""

import math
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from rocksteady.bodies.meshes.surface import Faces
from rocksteady.bodies.support import Polygon, area, convex_hull, edge_distances
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

UP = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1),
      "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}  # fmt: skip
RESTS = 1e-5  # of the size: what a body rests on, to the rounding of a file
LEAST_BASE = 0.02  # of the body's outline from above: a smaller base is a point it balances on
LEAST_SLOPE = 0.05  # tan α: nobody leaves a thing on a base that lets it go at 3°
FLAT = 0.25  # share of the base that a flat underside fills
WIDE, FEET = 0.3, 0.002  # shares of the outline and of the base: it stands on feet
TILTED = math.cos(math.radians(20.0))  # a scan that was not set level
TRIED = 200  # faces of the convex hull
LOOKED_AT = 12  # of them closely


class Footing(NamedTuple):
    """A way to stand."""

    up: Array
    """Unit vector in the axes of the file."""
    base: Polygon
    """Hull of what touches the floor, in the axes across ``up``."""
    share: float
    """Area of the base over that of the body's outline from above."""
    flat: float
    """Share of the base where the surface lies on the floor."""
    margin: float
    """Least distance of the centre of mass from an edge of the base; negative if it falls over."""

    slope: float
    """That distance over the height of the centre of mass."""

    @property
    def alpha(self) -> float:
        """The tilt [rad] from which it does not come back in its weakest direction."""
        return math.atan(self.slope)

    @property
    def steady(self) -> bool:
        """Whether it is likely that somebody put it like that."""
        return self.slope >= LEAST_SLOPE and self.share >= LEAST_BASE


def upright(up: Array) -> Array:
    """The rotation that turns ``up`` to z on the shortest way."""
    x, y, z = up
    if z < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    v = np.array([[0.0, 0.0, -x], [0.0, 0.0, -y], [x, y, 0.0]])
    return np.asarray(np.eye(3) + v + v @ v / (1 + z))


def footing(up: Array, vertices: Array, faces: Faces, centre: Array, tolerance: float) -> Footing:
    """How it stands with this direction up."""
    turned = vertices @ upright(up).T
    height = turned[:, 2] - turned[:, 2].min()
    touching = turned[height <= tolerance, :2]
    base = _hull(touching)
    outline = _hull(turned[:, :2])
    if len(base) < 3:
        return Footing(up, base, 0.0, 0.0, -math.inf, -math.inf)
    size = area(base)
    down = faces[(height[faces] <= tolerance).all(axis=1)]
    a, b, c = (turned[down[:, i], :2] for i in range(3))
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    flat = float(np.maximum(uy * vx - ux * vy, 0.0).sum()) / 2 / size  # what looks down
    x, y, z = upright(up) @ centre
    margin = min(d for d, _ in edge_distances([(p - x, q - y) for p, q in base]))
    return Footing(up, base, size / area(outline), flat, margin, margin / (z - turned[:, 2].min()))


def found_footing(vertices: Array, faces: Faces, centre: Array, tolerance: float) -> Footing:
    """The way it stands: as in the file if that has a base, else on the best flat face."""
    given = footing(np.array([0.0, 0.0, 1.0]), vertices, faces, centre, tolerance)
    if given.steady and given.flat >= FLAT:
        return given
    ways = _candidates(vertices, centre, tolerance)
    tried = [footing(up, vertices, faces, centre, tolerance) for up in ways]
    flat = [one for one in tried if one.steady and one.flat >= FLAT]
    level = [one for one in flat if one.up[2] >= TILTED]
    on_feet = [given] if given.steady and given.share >= WIDE and given.flat >= FEET else []
    upside_down = [one for one in flat if one.up[2] <= -TILTED]
    at_points = [given] if given.steady and not flat else []
    for choice in (level, on_feet, upside_down, at_points, flat):
        if choice:
            return max(choice, key=lambda one: area(one.base))
    raise InputError(
        "no flat face that it could stand on was found: it is round or its underside is rough. "
        + rest_advice(resting(given.up, vertices, faces, centre))
        + ' Or say which way is up if it was read on its side, such as up="y"'
    )


def resting(up: Array, vertices: Array, faces: Faces, centre: Array) -> Footing | None:
    """How it comes to rest with about this direction up: on the face of its convex hull that is
    turned down most, of those that its centre of mass is above. None if it has no such face."""
    try:
        hull = ConvexHull(vertices)
    except QhullError:
        return None
    near = RESTS * float(np.ptp(vertices, axis=0).max())
    corners, none = vertices[hull.vertices], np.zeros((0, 3), dtype=np.int64)
    ups = np.unique(-hull.equations[:, :3].round(9), axis=0) + 0.0
    for one in ups[np.argsort(-(ups @ up), kind="stable")]:
        direction = one / np.linalg.norm(one)
        if footing(direction, corners, none, centre, near).margin > 0:
            return footing(direction, vertices, faces, centre, near)
    return None


def rest_advice(rest: Footing | None) -> str:
    """How to let it stand on what it really touches the floor with."""
    if rest is None:
        return "It has no face that its centre of mass is above."
    return (
        f'up="rest" sets it on the {len(rest.base)} points that it comes to rest on, from which '
        f"it falls beyond {rest.alpha:.3g} rad."
    )


def _candidates(vertices: Array, centre: Array, tolerance: float) -> list[Array]:
    """Directions that are up if it stands on a face of its convex hull, the largest bases first.
    The hull has few of the vertices and tells quickly where it cannot stand."""
    try:
        hull = ConvexHull(vertices)
    except QhullError:
        return []
    a, b, c = (vertices[hull.simplices[:, i]] for i in range(3))
    sizes = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    normals = hull.equations[:, :3]
    grid, which = np.unique(np.rint(normals * 100), axis=0, return_inverse=True)
    total = np.bincount(which.ravel(), sizes, minlength=len(grid))
    mean = np.array([np.bincount(which.ravel(), sizes * normals[:, i]) for i in range(3)]).T
    best = np.argsort(-total)[:TRIED]
    ups = -mean[best] / np.linalg.norm(mean[best], axis=1)[:, None]
    corners, none = vertices[hull.vertices], np.zeros((0, 3), dtype=np.int64)
    tried = [footing(up + 0.0, corners, none, centre, tolerance) for up in ups]
    steady = sorted((one for one in tried if one.steady), key=lambda one: -area(one.base))
    return [one.up for one in steady[:LOOKED_AT]]


def _hull(points: Array) -> Polygon:
    """Of many points; those inside are left out first."""
    if len(points) > 64:
        try:
            points = points[ConvexHull(points).vertices]
        except QhullError:  # all on a line
            return ()
    return convex_hull([(x, y) for x, y in points.tolist()])
