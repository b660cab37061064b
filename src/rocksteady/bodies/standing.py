"""The geometry of a body that stands on a flat base, seen from above."""

import math
from functools import cached_property
from typing import Any

import numpy as np

from rocksteady.bodies import body_values
from rocksteady.bodies.block import Block
from rocksteady.bodies.solids import Matrix, Vector
from rocksteady.bodies.support import Polygon, bearing, edge_distances, support, unit_vector
from rocksteady.bodies.system import Coordinate, System
from rocksteady.errors import InputError
from rocksteady.numbers import finite
from rocksteady.numerics.types import Array

ROUND = 1e-9  # relative difference of inertias that count as the same
TIE = 1e-9  # relative difference of limits that count as the same


class Standing(System):
    """A body in space on a convex polygon or a circle; directions in degrees from x towards y."""

    coordinate = Coordinate(
        "lean", "-", "θ", "α", "largest tilt over the tilt that overturns in that direction", "ω"
    )
    rocks = True
    spatial = True
    as_block = "body.block(direction)"
    filmed = True
    named_by = ("height", "base_x", "base_y")
    tabulated = ("base_x", "base_y", "alpha", "p", "weakest")
    words = body_values.WORDS
    files = ("mesh",)

    mass: float
    inertia: Matrix
    centre: Vector
    height: float
    base: Polygon
    radius: float | None
    g: float

    # -- geometry ---------------------------------------------------------------------------------

    @cached_property
    def corners(self) -> Array:
        """Corners of the base from the point below the centre of mass, (n, 2) [m]; none of a round
        base."""
        return np.array(self._seen_from_centre, dtype=float).reshape(-1, 2)

    @property
    def _seen_from_centre(self) -> Polygon:
        x, y, _ = self.centre
        return tuple((a - x, b - y) for a, b in self.base)

    def reach(self, direction: float) -> float:
        """Distance from the centre of mass to where the base ends in a direction [degrees from x
        towards y], seen along the floor [m]."""
        direction = finite("direction", direction, "degrees")
        if self.radius is None:
            return support(self._seen_from_centre, direction)
        u = unit_vector(direction)
        return self.radius - u[0] * self.centre[0] - u[1] * self.centre[1]

    def extent(self, direction: float) -> float:
        """Full width of the base in a direction [degrees from x towards y], in m."""
        direction = finite("direction", direction, "degrees")
        return self.reach(direction) + self.reach(direction + 180.0)

    @property
    def base_x(self) -> float:
        """Full width of the base along x [m]."""
        return self.extent(0.0)

    @property
    def base_y(self) -> float:
        """Full width of the base along y [m]."""
        return self.extent(90.0)

    @property
    def _reaches(self) -> list[tuple[float, float]]:
        """Where the base is nearest to the centre of mass: distances [m] and directions [°]."""
        if self.radius is None:
            return edge_distances(self._seen_from_centre)
        x, y, _ = self.centre
        return [(self.radius - math.hypot(x, y), bearing(x, y))]

    def limit(self, direction: float) -> float:
        """The tilt α at which gravity no longer pulls it back when it leans in a direction [degrees
        from x towards y]: tan α is the reach of the base over the height of the centre [rad]."""
        return math.atan2(self.reach(direction), self.centre[2])

    @cached_property
    def weakest(self) -> float:
        """The direction in which the limit is smallest [degrees from x towards y]; of several the
        first."""
        least = min(distance for distance, _ in self._reaches)
        return min(d for distance, d in self._reaches if distance <= least * (1 + TIE))

    def block(self, direction: float) -> Block:
        """What the body is in the vertical plane through its centre of mass along a direction
        [degrees from x towards y]: a planar block that rocks about the ends of the base. ``right``
        is the given direction."""
        direction = finite("direction", direction, "degrees")
        ahead, behind = self.reach(direction), self.reach(direction + 180.0)
        x, y = unit_vector(direction)
        across = (-y, x)  # the axis it turns about
        inertia = sum(across[i] * self.inertia[i][j] * across[j] for i in (0, 1) for j in (0, 1))
        width, thickness = ahead + behind, self.extent(direction + 90.0)
        return Block(
            height=self.height,
            width=width,
            density=self.mass / (self.height * width * thickness),
            thickness=thickness,
            offset=(behind - ahead) / 2,
            com_height=self.centre[2],
            mass=self.mass,
            inertia=inertia,
            g=self.g,
        )

    @cached_property
    def weak_block(self) -> Block:
        """The block in the weakest direction."""
        return self.block(self.weakest)

    @property
    def alpha(self) -> float:
        """Slenderness angle in the weakest direction [rad]."""
        return self.weak_block.right.alpha

    @property
    def p(self) -> float:
        """Frequency parameter sqrt(m g R / I) in the weakest direction [rad/s]."""
        return self.weak_block.right.p

    @property
    def R(self) -> float:
        """Distance from the edge in the weakest direction to the centre of mass [m]."""
        return self.weak_block.right.R

    @property
    def axisymmetric(self) -> bool:
        """Whether it is the same in all directions: a round base, the centre of mass above its
        middle, and one moment of inertia across the axis."""
        if self.radius is None:
            return False
        J, (x, y, _) = self.inertia, self.centre
        skew = max(abs(J[0][0] - J[1][1]), abs(J[0][1]), abs(J[0][2]), abs(J[1][2]))
        return math.hypot(x, y) <= ROUND * self.radius and skew <= ROUND * max(J[0][0], J[2][2])

    # -- as the columns of a table -----------------------------------------------------------------

    @classmethod
    def stored_names(cls) -> tuple[str, ...]:
        own = (name for name in super().stored_names() if name not in body_values.FIELDS)
        return (*body_values.STORED, *own)

    def stored(self, name: str) -> float | str:
        if name == "outline":
            return body_values.outline(self)
        if name == "base_radius":
            return math.nan if self.radius is None else self.radius
        kind, _, axes = name.partition("_")
        if kind in ("inertia", "centre") and name in body_values.STORED:
            value: Any = getattr(self, kind)
            for axis in axes:
                value = value["xyz".index(axis)]
            return float(value)
        value = super().stored(name)
        return value if isinstance(value, str) else float(value)

    # -- what all bodies declare ------------------------------------------------------------------

    @property
    def label(self) -> str:
        """In words: "1.8 × 0.45 × 0.6 m body"."""
        if self.radius is not None:
            return f"{self.height:.4g} × ⌀{2 * self.radius:.4g} m body"
        return f"{self.height:.4g} × {self.base_x:.4g} × {self.base_y:.4g} m body"

    @property
    def limits(self) -> tuple[float, float]:
        """(1, 1): the lean is already measured by the limit in its direction."""
        return 1.0, 1.0

    @property
    def free_rate(self) -> float:
        """p [rad/s]."""
        return self.p

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        return " × ".join(f"{values[name]:.4g}" for name in Standing.named_by) + " m"

    def balance_angle(self, lean: float, direction: float = 0.0) -> float:
        return self.limit(direction if lean >= 0 else direction + 180.0)

    def check_start(self, value: float) -> None:
        if abs(value) >= math.pi / 2:
            raise InputError(
                f"theta0 = {value!r} rad means that the body lies on its side: the tilt must be "
                "less than π/2. Angles are in radians."
            )
