"""Outlines of stones: convex, counter-clockwise, or a sentence that says what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from rocksteady.bodies.assembly.convex import convex_parts, outside, reach, without_straight
from rocksteady.bodies.outline_checks import FAR, MOST_CORNERS, corners_of, refuse_crossing
from rocksteady.bodies.support import Point, Polygon, area, convex_hull
from rocksteady.errors import InputError
from rocksteady.numbers import real

MOST_STONES = 100_000
THIN = 1e-8  # less than this share of the area of the box around it is none
IN_PLACE = (
    0.2  # of a stone's size: a sector of 120° drawn with chords has its centre so far outside
)
ROUNDING = 1e-9  # parts of a stone may overlap by this share of its size


def too_many(count: int) -> InputError:
    """For more stones than an assembly may have."""
    return InputError(
        f"{count} stones are too many: an assembly has at most {MOST_STONES}. Take a part of it."
    )


def checked_parts(parts: Any, name: str) -> tuple[Polygon, ...]:
    """Convex parts, each counter-clockwise, of the outline or outlines given."""
    try:
        outlines = _outlines(parts)
        found = tuple(part for outline in outlines for part in _divided(outline))
        if len(outlines) > 1:
            _refuse_overlapping(found)
    except InputError as error:
        text = str(error)
        stone = f"Stone {name!r}" if name else "A stone"
        raise InputError(f"{stone}: {text[:1].lower()}{text[1:]}") from None
    return found


def refuse_outside(centre: Point, parts: Sequence[Polygon], name: str) -> None:
    """Refuse a centre of mass where no body of this outline can have it; between the parts of a
    concave one it can."""
    corners = [corner for part in parts for corner in part]
    away = outside(centre, parts[0] if len(parts) == 1 else convex_hull(corners))
    if away > IN_PLACE * reach(corners):
        stone = f"Stone {name!r}" if name else "A stone"
        raise InputError(
            f"{stone} has its centre of mass at ({centre[0]:.6g}, {centre[1]:.6g}) m, "
            f"{in_words(away)} outside of its outline: give it in the coordinates of the corners."
        )


def in_words(length: float) -> str:
    """A length [m] with its unit: "12 mm", "1.2 m"."""
    return f"{length:.3g} m" if length >= 1 else f"{1e3 * length:.3g} mm"


def _outlines(parts: Any) -> list[Any]:
    """The outlines, of which there may be only one."""
    if isinstance(parts, (str, bytes)) or not hasattr(parts, "__len__"):
        raise InputError(
            f"Its outline is {str(parts)[:60]!r}: give the (x, y) of its corners [m], such as "
            "[(0, 0), (1, 0), (1, 0.5), (0, 0.5)]."
        )
    if not len(parts):
        raise InputError("The outline has no corners: it needs at least 3.")
    try:
        single = not hasattr(parts[0][0], "__len__")
    except (TypeError, IndexError, KeyError):
        single = True  # checked as an outline
    return [parts] if single else list(parts)


def _divided(outline: Any) -> Sequence[Polygon]:
    """Convex parts of one outline."""
    quick = _convex(outline)
    if quick:
        return (quick,)
    corners = corners_of(outline)
    refuse_crossing(corners)
    polygon = tuple((float(x), float(y)) for x, y in corners)
    if area(polygon) < 0:
        polygon = polygon[::-1]
    polygon = without_straight(polygon)
    if len(polygon) < 3 or area(polygon) <= THIN * reach(polygon) ** 2:
        raise InputError("The outline has no area: its corners lie on a line.")
    return convex_parts(polygon)


def _convex(outline: Any) -> Polygon:
    """The outline if it is plainly convex and fine, as nearly all are, else nothing: in plain
    Python, since assemblies have thousands."""
    try:
        polygon = tuple((real(x), real(y)) for x, y in outline)
    except (TypeError, ValueError):
        return ()
    n = len(polygon)
    if not 3 <= n <= MOST_CORNERS or not all(abs(x) <= FAR and abs(y) <= FAR for x, y in polygon):
        return ()
    if area(polygon) < 0:
        polygon = polygon[::-1]
    around = 0.0
    for (ax, ay), (bx, by), (cx, cy) in _corners(polygon):
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        turn, ahead = ux * vy - uy * vx, ux * vx + uy * vy
        if turn <= 1e-6 * abs(ahead):  # nearly straight, or to the right, or a repeated corner
            return ()
        around += math.atan2(turn, ahead)
    thin = area(polygon) <= THIN * reach(polygon) ** 2
    return () if thin or around > 3 * math.pi else polygon


def _corners(polygon: Polygon) -> Iterator[tuple[Any, Any, Any]]:
    return zip(polygon[-1:] + polygon[:-1], polygon, polygon[1:] + polygon[:1], strict=True)


def _refuse_overlapping(parts: Sequence[Polygon]) -> None:
    """Refuse parts of one stone that overlap: the overlap would weigh twice."""
    size = max(reach(part) for part in parts)
    for (i, one), (j, other) in combinations(enumerate(parts, 1), 2):
        apart = max(_apart(one, other), _apart(other, one))
        if apart < -ROUNDING * size:
            raise InputError(
                f"Its parts {i} and {j} overlap by {-apart:.3g} m: what is in both would weigh "
                "twice. Cut one of them."
            )


def _apart(one: Polygon, other: Polygon) -> float:
    """The largest distance of ``other`` from an edge of ``one`` [m]; negative where it is
    behind."""
    widest = -math.inf
    for (ax, ay), (bx, by) in zip(one, one[1:] + one[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length, (ax - bx) / length
        widest = max(widest, min(nx * (x - ax) + ny * (y - ay) for x, y in other))
    return widest
