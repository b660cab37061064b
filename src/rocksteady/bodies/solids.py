"""Volume, centre and inertia of homogeneous solids that stand on z = 0, in closed form."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from rocksteady.bodies.support import Point, Polygon, area
from rocksteady.numbers import positive

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]


class Solid(NamedTuple):
    """The moments of a solid of density 1."""

    volume: float
    """[m³], or its mass [kg] once multiplied by a density."""
    centre: Vector
    """Centre of mass [m]."""
    inertia: Matrix
    """About the centre of mass [m⁵], or [kg m²]."""

    def times(self, density: float) -> "Solid":
        """The same solid with this density."""
        inertia = matrix([[density * value for value in row] for row in self.inertia])
        return Solid(density * self.volume, self.centre, inertia)


def prism(polygon: Polygon, height: float, taper: float = 1.0) -> Solid:
    """An upright prism over a counter-clockwise polygon, whose sections shrink linearly around
    their centre to ``taper`` times the base. Areas, first and second moments of the base are
    integrals along its outline (Green)."""
    # Moments about the middle of its outline: no digits are lost far from the origin, and what is
    # symmetric stays so to the last bit.
    x0, y0 = ((min(v) + max(v)) / 2 for v in zip(*polygon, strict=True))
    A = area(polygon)
    sx = sy = sxx = syy = sxy = 0.0
    local = [(x - x0, y - y0) for x, y in polygon]
    for (ax, ay), (bx, by) in zip(local, [*local[1:], local[0]], strict=True):
        cross = ax * by - bx * ay
        sx += cross * (ax + bx) / 6
        sy += cross * (ay + by) / 6
        sxx += cross * (ax * ax + ax * bx + bx * bx) / 12
        syy += cross * (ay * ay + ay * by + by * by) / 12
        sxy += cross * (2 * (ax * ay + bx * by) + ax * by + bx * ay) / 24
    cx, cy = sx / A, sy / A
    t = taper  # the size of a section is s(z), from 1 to t; ratios of ∫ zⁿ s² dz are exact for 1
    level = height * ((1 + t + t * t) / 3)  # ∫ s² dz
    z = height * ((1 + 2 * t + 3 * t * t) / (4 * (1 + t + t * t)))
    second = height**3 * ((1 + 3 * t + 6 * t * t) / 30)  # ∫ z² s² dz
    fourth = height * ((1 + t + t * t + t**3 + t**4) / 5)  # ∫ s⁴ dz
    xx, yy, xy = (fourth * v for v in (sxx - A * cx * cx, syy - A * cy * cy, sxy - A * cx * cy))
    zz = A * (second - level * z * z)
    product = 0.0 - xy  # no negative zero
    inertia = ((yy + zz, product, 0.0), (product, xx + zz, 0.0), (0.0, 0.0, xx + yy))
    return Solid(A * level, (x0 + cx, y0 + cy, z), inertia)


def frustum(bottom: float, top: float, height: float) -> Solid:
    """A cone cut off parallel to its base, of radius ``bottom`` below and ``top`` above; a cylinder
    where they are the same, a cone where ``top`` is zero."""
    a, b = bottom, top
    V = math.pi * height * (a * a + a * b + b * b) / 3
    second = math.pi * height**3 * (a * a + 3 * a * b + 6 * b * b) / 30  # ∫ z² dV
    spin = math.pi * height * (a**4 + a**3 * b + a * a * b * b + a * b**3 + b**4) / 10
    z = height * ((a * a + 2 * a * b + 3 * b * b) / (4 * (a * a + a * b + b * b)))
    across = spin / 2 + second - V * z * z
    return Solid(V, (0.0, 0.0, z), ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, spin)))


def joined(parts: Sequence[Solid]) -> Solid:
    """Several solids as one (Steiner, Huygens)."""
    total = math.fsum(part.volume for part in parts)
    cx, cy, cz = (math.fsum(p.volume * p.centre[i] for p in parts) / total for i in range(3))
    moved = [
        shifted(p.inertia, p.volume, (p.centre[0] - cx, p.centre[1] - cy, p.centre[2] - cz))
        for p in parts
    ]
    inertia = matrix([[math.fsum(m[i][j] for m in moved) for j in range(3)] for i in range(3)])
    return Solid(total, (cx, cy, cz), inertia)


def shifted(inertia: Matrix, mass: float, d: Vector) -> Matrix:
    """Inertia about a point that lies at −d from the centre of mass: J + m (d·d 1 − d dᵀ)."""
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    return matrix(
        [
            [inertia[i][j] + mass * ((square if i == j else 0.0) - d[i] * d[j]) for j in range(3)]
            for i in range(3)
        ]
    )


def turned(inertia: Matrix, cosine: float, sine: float) -> Matrix:
    """Inertia of the solid turned about z: T J Tᵀ."""
    T = ((cosine, -sine, 0.0), (sine, cosine, 0.0), (0.0, 0.0, 1.0))
    half = [[sum(T[i][k] * inertia[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    full = [[sum(half[i][k] * T[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
    return matrix([[(full[i][j] + full[j][i]) / 2 for j in range(3)] for i in range(3)])


def weighed(solid: Solid, density: float, mass: float | None) -> Solid:
    """A solid of density 1 with its ``mass`` [kg], or the mass from its ``density`` [kg/m³]."""
    if mass is None:
        return solid.times(positive("density", density, "kg/m³"))
    return solid.times(positive("mass", mass, "kg") / solid.volume)


def matrix(rows: Sequence[Sequence[float]]) -> Matrix:
    """Plain tuples of floats."""
    a, b, c = ((float(x), float(y), float(z)) for x, y, z in rows)
    return a, b, c


# -- what films draw: vertices, and the numbers of the vertices of each face ---------------------


class Shape(NamedTuple):
    """A surface of flat faces. Faces have three or more corners, counter-clockwise from outside."""

    vertices: tuple[Vector, ...]
    """[m], in the axes of the base."""
    faces: tuple[tuple[int, ...], ...]

    def moved(self, x: float, y: float, z: float) -> "Shape":
        return Shape(tuple((a + x, b + y, c + z) for a, b, c in self.vertices), self.faces)

    def turned(self, cosine: float, sine: float) -> "Shape":
        """Turned about z."""
        points = ((cosine * x - sine * y, sine * x + cosine * y, z) for x, y, z in self.vertices)
        return Shape(tuple(points), self.faces)


AROUND = 48  # corners of a circle that is drawn


def scaled(polygon: Polygon, centre: Vector, share: float) -> Polygon:
    """The polygon shrunk around a point."""
    x, y, _ = centre
    return tuple((x + share * (a - x), y + share * (b - y)) for a, b in polygon)


def prism_shape(polygon: Sequence[Point], height: float, top: Sequence[Point] = ()) -> Shape:
    """The surface of a prism, or between two polygons with as many corners."""
    n = len(polygon)
    low = tuple((x, y, 0.0) for x, y in polygon)
    high = tuple((x, y, height) for x, y in top or polygon)
    sides = tuple((i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n))
    return Shape(low + high, (tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides))


def frustum_shape(bottom: float, top: float, height: float) -> Shape:
    """The surface of a frustum with a polygon in place of the circle."""
    rim = circle(1.0, AROUND)
    low, high = (tuple((r * x, r * y) for x, y in rim) for r in (bottom, top))
    if top > 0:
        return prism_shape(low, height, high)
    n = len(low)
    vertices = (*((x, y, 0.0) for x, y in low), (0.0, 0.0, height))
    return Shape(vertices, (tuple(range(n))[::-1], *((i, (i + 1) % n, n) for i in range(n))))


def joined_shape(parts: Sequence[Shape]) -> Shape:
    vertices: list[Vector] = []
    faces: list[tuple[int, ...]] = []
    for part in parts:
        faces += (tuple(len(vertices) + i for i in face) for face in part.faces)
        vertices += part.vertices
    return Shape(tuple(vertices), tuple(faces))


def circle(radius: float, count: int) -> Polygon:
    """The corners of a regular polygon on a circle, the first on x."""
    angles = (2 * math.pi * i / count for i in range(count))
    return tuple((radius * math.cos(a), radius * math.sin(a)) for a in angles)
