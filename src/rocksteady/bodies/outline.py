"""A closed outline, such as one traced over a photograph: its area, centre, second moments and
base, and the mass and inertia of a body that has it."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies.outline_checks import corners_of, refuse_crossing
from rocksteady.bodies.support import Point, Polygon
from rocksteady.errors import InputError, warn
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

TOLERANCE = 0.02  # share of the height within which a corner traced by hand touches the floor
THIN = 1e-6  # an outline with less than this share of the area of the box around it has none
ROUNDING = 1e-9  # an offset below this share of the width is rounding
# Gauss' points and weights on [0, 1]: exact for polynomials of degree 5 along an edge
_PLACES = np.array([0.5 - math.sqrt(0.15), 0.5, 0.5 + math.sqrt(0.15)])
_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0

OPTIONS = ("section", "tolerance")
"""What files may say of an outline beside the sizes and the mass of the body."""
SECTIONS = {"flat": 0.0, "round": math.pi, "square": 4.0}
"""What a body is across the picture, and the area of a round or square section over the square of
its half-width: a flat one has the same thickness everywhere."""


class Heavy(NamedTuple):
    """What a homogeneous body with an outline weighs."""

    mass: float
    """[kg]"""
    centre: Point
    """Centre of mass [m], in the axes of the outline."""
    inertia: float
    """About the centre of mass, in the plane of the picture [kg m²]."""


class Outline:
    """A simple polygon in a vertical plane, x to the right and y up [m].

    ``points`` are its corners in the order along it, in either sense; the first need not be
    repeated. Those within ``tolerance`` [m] of the lowest one touch the floor: 2 % of the height
    unless given.
    """

    def __init__(self, points: Sequence[Sequence[float]], tolerance: float | None = None) -> None:
        corners = corners_of(points)
        refuse_crossing(corners)
        self.tolerance = (
            TOLERANCE * float(np.ptp(corners[:, 1]))
            if tolerance is None
            else finite("tolerance", tolerance, "m", minimum=0.0)
        )
        turns_left = _moment(corners - corners[0], 0, 0) > 0
        self._corners = corners if turns_left else corners[::-1]
        size = np.ptp(corners, axis=0)
        if not self.area > THIN * size[0] * size[1]:
            raise InputError(
                "The outline has no area: its corners lie on a line. Trace it around the object."
            )

    @property
    def points(self) -> Polygon:
        """The corners, counter-clockwise."""
        return tuple((float(x), float(y)) for x, y in self._corners)

    @cached_property
    def area(self) -> float:
        """[m²]"""
        return _moment(self._about(self._middle), 0, 0)

    @cached_property
    def centre(self) -> Point:
        """The middle of its area [m]."""
        x0, y0 = self._middle
        local = self._about(self._middle)
        return x0 + _moment(local, 1, 0) / self.area, y0 + _moment(local, 0, 1) / self.area

    @cached_property
    def second(self) -> tuple[float, float, float]:
        """∫x² dA, ∫y² dA and ∫xy dA about the centre [m⁴]."""
        local = self._about(self.centre)
        return _moment(local, 2, 0), _moment(local, 0, 2), _moment(local, 1, 1)

    @property
    def floor(self) -> float:
        """Height of the lowest corner in the axes of the outline [m]."""
        return float(self._corners[:, 1].min())

    @property
    def height(self) -> float:
        """Full height [m]."""
        return float(np.ptp(self._corners[:, 1]))

    @property
    def breadth(self) -> float:
        """Full width, not only that of the base [m]."""
        return float(np.ptp(self._corners[:, 0]))

    @cached_property
    def base(self) -> tuple[float, float]:
        """The ends of what touches the floor, left and right [m]."""
        left, right = self._touching(self.tolerance)
        if not right - left > THIN * self.breadth:
            raise InputError(
                "The outline touches the floor at one point only: a body needs a base to stand on. "
                f"Corners within {self.tolerance:.3g} m of the lowest one touch the floor: trace "
                "both ends of the base, or turn the picture level."
            )
        return left, right

    def _touching(self, tolerance: float) -> tuple[float, float]:
        low = self._corners[self._corners[:, 1] <= self.floor + tolerance, 0]
        return float(low.min()), float(low.max())

    @property
    def width(self) -> float:
        """Of the base [m]."""
        return self.base[1] - self.base[0]

    @property
    def enlargement(self) -> str:
        """How much its tolerance makes the base wider than the usual one does, as a sentence; empty
        if it does not."""
        left, right = self._touching(TOLERANCE * self.height)
        if self.width <= (right - left) * (1 + ROUNDING):
            return ""
        return (
            f"tolerance = {self.tolerance:g} m makes the base {self.width:.3g} m wide, so that the "
            f"body seems safer: with the usual {100 * TOLERANCE:g} % of its height the base is "
            f"{right - left:.3g} m wide."
        )

    @property
    def standing(self) -> Polygon:
        """The corners from the middle of the base [m]."""
        x0, y0 = sum(self.base) / 2, self.floor
        return tuple((float(x) - x0, float(y) - y0) for x, y in self._corners)

    def weighed(
        self,
        *,
        density: float = 2600.0,
        thickness: float = 1.0,
        mass: float | None = None,
        section: str = "flat",
    ) -> Heavy:
        """Mass, centre and inertia of a homogeneous body with this outline.

        It has the same ``thickness`` [m] everywhere, or sections that are round or square, as deep
        as wide, around the vertical axis through the middle of its base; what juts out on one side
        only then counts half.
        """
        if section not in SECTIONS:
            raise InputError(f"section = {section!r} is not known: use {', '.join(SECTIONS)}.")
        density = positive("density", density, "kg/m³")
        solid = self._flat(thickness) if section == "flat" else self._deep(section)
        if mass is not None:
            density = positive("mass", mass, "kg") / solid.mass
        return Heavy(density * solid.mass, solid.centre, density * solid.inertia)

    def _flat(self, thickness: float) -> Heavy:
        depth = positive("thickness", thickness, "m")
        xx, yy, _ = self.second
        return Heavy(depth * self.area, self.centre, depth * (xx + yy))

    def _deep(self, section: str) -> Heavy:
        """With k x² the area of a section of half-width x, dV = 2 k x dx dy over one half of the
        outline, and ∫ x² over the section is k x⁴/4 if it is round, k x⁴/3 if it is square."""
        k, fourth = SECTIONS[section], {"round": 1.0, "square": 4 / 3}[section]
        x0, y0 = sum(self.base) / 2, self.floor
        local = self._about((x0, y0))
        halves = [_right_of_axis(local), _right_of_axis(local * (-1.0, 1.0))[::-1]]

        def mean(i: int, j: int) -> float:
            return sum(_moment(half, i, j) for half in halves if len(half)) / 2

        volume = 2 * k * mean(1, 0)
        z = 2 * k * mean(1, 1) / volume
        vertical = 2 * k * mean(1, 2) - volume * z * z
        return Heavy(volume, (x0, y0 + z), k * fourth * mean(3, 0) + vertical)

    @property
    def _middle(self) -> Point:
        """Of the box around it: moments about it lose no digits far from the origin."""
        low, high = self._corners.min(axis=0), self._corners.max(axis=0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2

    def _about(self, origin: Point) -> Array:
        return np.asarray(self._corners - np.array(origin))


def block_values(
    points: Any,
    *,
    height: float | None = None,
    scale: float | None = None,
    tolerance: float | None = None,
    **heavy: Any,
) -> dict[str, Any]:
    """The parameters of the block with this outline: see `Block.from_outline`."""
    outline = Outline(scaled(points, height, scale), tolerance)
    weighed = outline.weighed(**heavy)
    left, right = outline.base
    if outline.enlargement:
        warn(outline.enlargement, stacklevel=3)
    offset = weighed.centre[0] - (left + right) / 2
    if not left < weighed.centre[0] < right:
        beyond = abs(offset) - outline.width / 2
        side = "right" if offset > 0 else "left"
        raise InputError(
            f"The centre of the outline lies {beyond:.3g} m to the {side} of its base, which is "
            f"{outline.width:.3g} m wide: such a body falls without an earthquake. Check that both "
            "ends of the base are traced and that the picture is level; corners within "
            f"{outline.tolerance:.3g} m of the lowest one touch the floor."
        )
    return {
        "height": outline.height,
        "width": outline.width,
        "offset": 0.0 if abs(offset) < ROUNDING * outline.width else offset,
        "com_height": weighed.centre[1] - outline.floor,
        "mass": weighed.mass,
        "inertia": weighed.inertia,
    }


def scaled(points: Any, height: float | None, scale: float | None) -> Any:
    """The points in metres: multiplied by ``scale``, or so that the full height is ``height``."""
    if height is not None and scale is not None:
        raise InputError(
            "`height` and `scale` were both given: an outline takes its size from one of them."
        )
    if height is None and scale is None:
        return points
    corners = corners_of(points)
    if scale is None:
        tall = float(np.ptp(corners[:, 1]))
        if not tall > 0:
            raise InputError("The outline has no height: its corners lie on a level line.")
        scale = positive("height", height, "m") / tall  # type: ignore[arg-type]
    return corners * positive("scale", scale, "m")


# -- integrals over the area, as integrals along the outline (Green) -------------------------------


def _moment(corners: Array, i: int, j: int) -> float:
    """∫ xⁱ yʲ dA = ∮ xⁱ⁺¹/(i+1) yʲ dy for i + j ≤ 3, exact but for rounding; positive if the
    corners run counter-clockwise."""
    ahead = np.roll(corners, -1, axis=0) - corners
    x, y = (corners[:, [axis]] + ahead[:, [axis]] * _PLACES for axis in (0, 1))
    along = (x ** (i + 1) / (i + 1) * y**j) @ _WEIGHTS
    return math.fsum(along * ahead[:, 1])


def _right_of_axis(corners: Array) -> Array:
    """The part with x ≥ 0. Where it is in several pieces, sides along the axis join them, to which
    no moment is due."""
    kept: list[Array] = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if a[0] >= 0:
            kept.append(a)
        if a[0] * b[0] < 0:
            y = a[1] + (b[1] - a[1]) * (a[0] / (a[0] - b[0]))
            kept.append(np.array([0.0, y]))
    return np.array(kept).reshape(-1, 2)
