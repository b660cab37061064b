"""Round arches between fixed abutments or on buttresses."""

import math
from typing import NamedTuple

from rocksteady.bodies.assembly.generators.common import Material, counted, with_ground
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.bodies.support import Point
from rocksteady.errors import InputError
from rocksteady.numbers import positive, real

WIDEST = 300.0  # degrees: beyond it the abutments meet


class Ring(NamedTuple):
    """A circular ring: radii of its inner and outer face [m] and half the angle it embraces."""

    inner: float
    outer: float
    half: float
    """[rad] from the crown to a springing."""

    def at(self, radius: float, angle: float) -> Point:
        """A point at an angle from the crown towards +x; y = 0 is the springing of the inner
        face."""
        return (
            radius * math.sin(angle),
            radius * math.cos(angle) - self.inner * math.cos(self.half),
        )


def ring_of(
    ring: float, span: float | None, rise: float | None, radius: float | None, embrace: float | None
) -> Ring:
    """From the clear span and rise, or from the radius of the middle line and the embrace."""
    ring = positive("ring", ring, "m")
    by_span, by_radius = (span, rise) != (None, None), (radius, embrace) != (None, None)
    if by_span and (by_radius or span is None or rise is None):
        raise InputError(
            "Give an arch either by its clear `span` and `rise` [m], or by the `radius` of its "
            "middle line [m] and the angle it embraces, `embrace` [degrees]."
        )
    if by_span:
        half_span, rise = positive("span", span, "m") / 2, positive("rise", rise, "m")  # type: ignore[arg-type]
        inner = (half_span**2 + rise**2) / (2 * rise)
        return Ring(inner, inner + ring, _half(2 * math.atan2(half_span, inner - rise)))
    middle = 1.0 if radius is None else positive("radius", radius, "m")
    if ring >= 2 * middle:
        raise InputError(
            f"ring = {ring:g} m is too thick for a radius of {middle:g} m: it must be below twice "
            "the radius of the middle line."
        )
    angle = real(180.0 if embrace is None else embrace)
    if not 0.0 < angle < WIDEST:
        raise InputError(
            f"embrace = {embrace!r} degrees is not allowed: it must lie between 0 and {WIDEST:g}."
        )
    return Ring(middle - ring / 2, middle + ring / 2, math.radians(angle) / 2)


def _half(embrace: float) -> float:
    if embrace >= math.radians(WIDEST):
        raise InputError(
            f"The arch would embrace {math.degrees(embrace):.0f}°: at most {WIDEST:g}° are "
            "allowed. Lower the `rise`."
        )
    return embrace / 2


def voussoirs(count: int, of: Ring, sectors: bool, made_of: Material) -> list[Stone]:
    """Equal voussoirs from the left springing to the right one, drawn with straight chords."""
    count = counted("voussoirs", count, most=10_000)
    step = 2 * of.half / count
    if step >= math.pi / 2:
        raise InputError(
            f"voussoirs = {count} is too few for an arch that embraces "
            f"{math.degrees(2 * of.half):g}°: each may have less than 90°."
        )
    stones = []
    for i in range(count):
        left, right = -of.half + i * step, -of.half + (i + 1) * step
        outline = (
            of.at(of.outer, left),
            of.at(of.inner, left),
            of.at(of.inner, right),
            of.at(of.outer, right),
        )
        name = f"voussoir {i + 1}"
        stones.append(
            _sector(outline, name, of, (left + right) / 2, step, made_of)
            if sectors
            else made_of.stone(outline, name)
        )
    return stones


def _sector(
    outline: tuple[Point, ...], name: str, of: Ring, middle: float, step: float, made_of: Material
) -> Stone:
    """A voussoir with the mass, centre and inertia of the sector of the ring."""
    inner, outer = of.inner, of.outer
    area = step * (outer**2 - inner**2) / 2
    lever = 2 * (outer**3 - inner**3) / (3 * (outer**2 - inner**2))
    lever *= math.sin(step / 2) / (step / 2)
    polar = step * (outer**4 - inner**4) / 4 - area * lever**2
    weight = made_of.density * made_of.thickness
    return Stone(
        (outline,),
        name=name,
        mass=weight * area,
        centre=of.at(lever, middle),
        inertia=weight * polar,
        **made_of._asdict(),
    )


def arch(count: int, of: Ring, sectors: bool, made_of: Material) -> tuple[Stone, ...]:
    """Between fixed abutments, wider than the ring so that nothing slides off them."""
    stones = voussoirs(count, of, sectors, made_of)
    left = _abutment(of, -1.0, "left abutment")
    right = _abutment(of, 1.0, "right abutment")
    ground, *rest = with_ground([left, *stones, right])
    return ground, *rest


def _abutment(of: Ring, side: float, name: str) -> Stone:
    deep = of.outer - of.inner
    near, far_out = max(of.inner / 2, of.inner - deep / 2), of.outer + deep / 2
    ends = [of.at(near, side * of.half), of.at(far_out, side * of.half)]
    away = (side * math.cos(of.half) * deep, -math.sin(of.half) * deep)
    far = [(x + away[0], y + away[1]) for x, y in reversed(ends)]
    return Stone(((*ends, *far),), name=name, fixed=True)


def buttressed(
    count: int,
    of: Ring,
    width: float,
    height: float,
    courses: int,
    sectors: bool,
    made_of: Material,
) -> tuple[Stone, ...]:
    """On two free-standing buttresses of ``courses`` stones each, ``height`` from the ground to the
    springing."""
    width, height = positive("width", width, "m"), positive("height", height, "m")
    courses = counted("courses", courses, most=10_000)
    x, y = of.at(of.inner, of.half)
    out, up = of.at(of.outer, of.half)
    if of.half > math.pi / 2 + 1e-12:
        raise InputError("A buttressed arch embraces at most 180°: lower its `rise` or `embrace`.")
    if width <= out - x:
        raise InputError(
            f"width = {width:g} m is too small for the buttresses: the ring of the arch takes "
            f"{out - x:g} m of it."
        )
    course, far = height / courses, x + width
    stones = voussoirs(count, of, sectors, made_of)
    for side, name in ((-1.0, "left"), (1.0, "right")):
        for i in range(courses - 1):
            low = y - height + i * course
            corner = min(side * x, side * far)
            stones.append(made_of.box(corner, low, width, course, f"{name} buttress {i + 1}"))
        below = y - course
        top = ((x, below), (far, below), (far, up), (out, up), (x, y))
        outline = top if side > 0 else tuple((-a, b) for a, b in reversed(top))
        stones.append(made_of.stone(outline, f"{name} buttress {courses}"))
    return with_ground(stone.moved(0.0, height - y) for stone in stones)
