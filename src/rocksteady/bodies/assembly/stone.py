"""One rigid stone of an assembly: convex polygons, mass, centre and inertia."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from rocksteady.bodies.assembly.checks import checked_parts, refuse_outside
from rocksteady.bodies.given import derived, shown, was_given
from rocksteady.bodies.support import Point, Polygon, convex_hull
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive

STONE = 2000.0  # kg/m³, of a wall of natural stone


class Section(NamedTuple):
    """Area [m²], centre [m] and polar second moment about the centre [m⁴]."""

    area: float
    centre: Point
    polar: float


@dataclass(frozen=True, repr=False)
class Stone:
    """A rigid stone in a vertical plane, where it stands at the start. What you leave out follows
    from its outline, density and thickness, also in a changed stone (``dataclasses.replace``).

    Parameters
    ----------
    parts
        Its outline, the (x, y) of its corners [m], y upwards. A concave stone is a list of convex
        outlines, or one concave outline, which is divided.
    name
        What tables and messages call it; its number in the assembly unless given.
    density
        Density [kg/m³].
    thickness
        Thickness [m] across the plane.
    fixed
        Whether it moves with the ground: a foundation, an abutment.
    mass, centre, inertia
        Mass [kg], centre of mass (x, y) [m] and moment of inertia about it [kg m²], where they are
        not those of the homogeneous outline: a voussoir drawn with straight chords weighs as the
        sector it is.
    """

    parts: tuple[Polygon, ...]
    name: str = ""
    density: float = STONE
    thickness: float = 1.0
    fixed: bool = False
    mass: float = derived(lambda stone: stone.density * stone.thickness * stone.section.area)
    centre: Point = derived(lambda stone: stone.section.centre)  # noqa: RUF009  (not shared)
    inertia: float = derived(lambda stone: stone.mass * stone.section.polar / stone.section.area)

    def __post_init__(self) -> None:
        if not isinstance(self.fixed, (bool, np.bool_)):
            raise InputError(
                f"Stone {self.name!r} has fixed = {self.fixed!r}: give True if it moves with the "
                "ground, or False."
            )
        self._keep(parts=checked_parts(self.parts, self.name), fixed=bool(self.fixed))
        own = f" of stone {self.name!r}" if self.name else ""
        self._keep(
            density=positive(f"density{own}", self.density, "kg/m³"),
            thickness=positive(f"thickness{own}", self.thickness, "m"),
        )
        for name, unit in (("mass", "kg"), ("inertia", "kg m²")):
            value = positive(f"{name}{own}", getattr(self, name), unit)
            if was_given(self, name):
                self._keep(**{name: value})
        if was_given(self, "centre"):
            self._keep(centre=_point(self.centre, own))
        if not self.fixed:
            refuse_outside(self.centre, self.parts, self.name)

    def __repr__(self) -> str:
        return shown(self)

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def box(cls, x: float, y: float, width: float, height: float, **options: Any) -> Self:
        """A rectangle whose lower left corner is at (x, y) [m]."""
        right, top = x + positive("width", width, "m"), y + positive("height", height, "m")
        return cls((((x, y), (right, y), (right, top), (x, top)),), **options)

    @cached_property
    def section(self) -> Section:
        """Of all its parts together."""
        return joined([section(part) for part in self.parts])

    @cached_property
    def corners(self) -> Polygon:
        """The corners of all its parts [m]."""
        return tuple(corner for part in self.parts for corner in part)

    @property
    def reach(self) -> float:
        """The distance of its farthest corner from its centre of mass [m]."""
        return max(math.dist(self.centre, corner) for corner in self.corners)

    @cached_property
    def least_width(self) -> float:
        """The distance of the closest two parallel lines between which it fits [m]: the thickness
        of a bar, however it is turned."""
        hull = convex_hull(self.corners)
        return min(
            max(tx * (y - y0) - ty * (x - x0) for x, y in hull)
            for (x0, y0), (tx, ty) in zip(hull, _directions(hull), strict=True)
        )

    def moved(self, x: float = 0.0, y: float = 0.0) -> Self:
        """The stone shifted by (x, y) [m]."""
        x, y = finite("x", x, "m"), finite("y", y, "m")
        return self._placed(lambda p: (p[0] + x, p[1] + y))

    def turned(self, angle: float, about: Sequence[float] | None = None) -> Self:
        """The stone turned counter-clockwise by ``angle`` [rad] about a point [m], its centre of
        mass unless given."""
        angle = finite("angle", angle, "rad")
        px, py = self.centre if about is None else about
        c, s = math.cos(angle), math.sin(angle)
        return self._placed(
            lambda p: (
                px + c * (p[0] - px) - s * (p[1] - py),
                py + s * (p[0] - px) + c * (p[1] - py),
            )
        )

    def mirrored(self) -> Self:
        """Its mirror image about the line x = 0."""
        backwards = tuple(part[::-1] for part in self.parts)
        return self._placed(lambda p: (-p[0], p[1]), backwards)

    def named(self, name: str) -> Self:
        """The stone with this name."""
        return self._kept(self.section.centre, name=name)

    def _placed(self, place: Any, parts: tuple[Polygon, ...] | None = None) -> Self:
        parts = tuple(tuple(map(place, part)) for part in parts or self.parts)
        given = {"centre": place(self.centre)} if was_given(self, "centre") else {}
        return self._kept(place(self.section.centre), parts=parts, **given)

    def _kept(self, middle: Point, **changes: Any) -> Self:
        """With changes that keep its area and second moment to the last bit."""
        changed = replace(self, **changes)
        vars(changed)["section"] = self.section._replace(centre=middle)
        return changed


def _directions(polygon: Polygon) -> list[Point]:
    """Unit vectors along the edges of a polygon."""
    ends = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    sides = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in ends]
    return [(x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in sides]


def _point(given: Any, own: str) -> Point:
    """A centre of mass that was given."""
    try:
        x, y = given
    except (TypeError, ValueError):
        raise InputError(
            f"centre{own} = {str(given)[:60]} is not allowed: give the (x, y) of the centre of "
            "mass [m]."
        ) from None
    return finite(f"centre{own}", x, "m"), finite(f"centre{own}", y, "m")


def section(polygon: Polygon) -> Section:
    """Of one polygon whose corners run counter-clockwise, by the shoelace formulas."""
    x0, y0 = polygon[0]
    local = [(x - x0, y - y0) for x, y in polygon]
    sides = list(zip(local, local[1:] + local[:1], strict=True))
    cross = [a[0] * b[1] - a[1] * b[0] for a, b in sides]
    area = math.fsum(cross) / 2
    pairs = list(zip(cross, sides, strict=True))
    cx = math.fsum(k * (a[0] + b[0]) for k, (a, b) in pairs) / (6 * area)
    cy = math.fsum(k * (a[1] + b[1]) for k, (a, b) in pairs) / (6 * area)
    about_corner = math.fsum(
        k * (a[0] * a[0] + a[0] * b[0] + b[0] * b[0] + a[1] * a[1] + a[1] * b[1] + b[1] * b[1])
        for k, (a, b) in pairs
    )
    polar = about_corner / 12 - area * (cx * cx + cy * cy)
    return Section(area, (x0 + cx, y0 + cy), polar)


def joined(parts: Sequence[Section]) -> Section:
    """Of several parts that move as one (Steiner)."""
    area = math.fsum(part.area for part in parts)
    x = math.fsum(part.area * part.centre[0] for part in parts) / area
    y = math.fsum(part.area * part.centre[1] for part in parts) / area
    polar = math.fsum(p.polar + p.area * math.dist(p.centre, (x, y)) ** 2 for p in parts)
    return Section(area, (x, y), polar)
