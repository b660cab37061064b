"""Divide a polygon into convex parts: ears are cut off, then triangles joined as long as they stay
convex (Hertel and Mehlhorn 1983: at most four times as many parts as necessary)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocksteady.bodies.support import Point, Polygon
from rocksteady.errors import InputError

STRAIGHT = 1e-9  # sine of the turn at a corner that is none

Indices = tuple[int, ...]


def convex_parts(polygon: Polygon) -> tuple[Polygon, ...]:
    """Convex parts of a simple polygon whose corners run counter-clockwise."""
    if all(_turn(*corner) > 0 for corner in _triples(polygon)):
        return (polygon,)
    parts = _joined(polygon, _triangles(polygon))
    return tuple(without_straight(tuple(polygon[i] for i in part)) for part in parts)


def reach(polygon: Sequence[Point]) -> float:
    """The diagonal of the box around it [m]."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys))


def outside(point: Point, polygon: Polygon) -> float:
    """How far a point is from a convex polygon whose corners run counter-clockwise [m]; 0 in it."""
    sides = list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))
    if all(_turn(a, b, point) >= 0 for a, b in sides):
        return 0.0
    return min(_from_side(point, a, b) for a, b in sides)


def _from_side(point: Point, a: Point, b: Point) -> float:
    along = b[0] - a[0], b[1] - a[1]
    share = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1]
    share = min(max(share / (along[0] ** 2 + along[1] ** 2), 0.0), 1.0)
    return math.dist(point, (a[0] + share * along[0], a[1] + share * along[1]))


def without_straight(polygon: Polygon) -> Polygon:
    """Without corners at which it goes straight on."""
    kept, i = list(polygon), 0
    while i < len(kept) > 2:
        a, b, c = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(_turn(a, b, c)) <= STRAIGHT * math.dist(a, b) * math.dist(b, c):
            del kept[i]
            i = max(i - 1, 0)
        else:
            i += 1
    return tuple(kept)


def _triangles(polygon: Polygon) -> list[Indices]:
    """Ears: triangles of three neighbouring corners that contain no other corner."""
    rest, found = list(range(len(polygon))), []
    while len(rest) > 3:
        best = _ear(polygon, rest)
        found.append((rest[best - 1], rest[best], rest[(best + 1) % len(rest)]))
        del rest[best]
    return [*found, tuple(rest)]


def _ear(polygon: Polygon, rest: list[int]) -> int:
    n = len(rest)
    hollow = [
        rest[k]
        for k in range(n)
        if _turn(polygon[rest[k - 1]], polygon[rest[k]], polygon[rest[(k + 1) % n]]) <= 0
    ]
    for k in range(n):
        i, j, m = rest[k - 1], rest[k], rest[(k + 1) % n]
        a, b, c = polygon[i], polygon[j], polygon[m]
        sharp = _turn(a, b, c) > STRAIGHT * math.dist(a, b) * math.dist(b, c)
        if sharp and not any(h not in (i, j, m) and _inside(polygon[h], a, b, c) for h in hollow):
            return k
    raise InputError(
        "The outline could not be divided into convex parts: give these as a list of outlines."
    )


def _inside(p: Point, a: Point, b: Point, c: Point) -> bool:
    return _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0


def _joined(polygon: Polygon, parts: list[Indices]) -> list[Indices]:
    """Join neighbours across each diagonal where the result is convex."""
    owner = {side: part for part in parts for side in _sides(part)}
    for side in [side for part in parts for side in _sides(part) if side[0] < side[1]]:
        one, other = owner[side], owner.get(side[::-1])
        if other is None:
            continue
        whole = _across(one, other, side)
        if all(
            _turn(polygon[a], polygon[b], polygon[c]) >= 0
            for a, b, c in _triples(whole)
            if b in side
        ):
            del owner[side], owner[side[::-1]]
            owner |= dict.fromkeys((s for s in _sides(whole)), whole)
    return list(dict.fromkeys(owner.values()))


def _across(one: Indices, other: Indices, side: tuple[int, int]) -> Indices:
    """Two parts as one, without their common side u → v of the first."""
    u, v = side
    i, j = one.index(v), other.index(u)
    return one[i:] + one[:i] + (other[j:] + other[:j])[1:-1]


def _sides(part: Indices) -> list[tuple[int, int]]:
    return list(zip(part, part[1:] + part[:1], strict=True))


def _triples(part: tuple) -> list[tuple]:  # type: ignore[type-arg]
    return list(zip(part[-1:] + part[:-1], part, part[1:] + part[:1], strict=True))


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle, positive if it runs counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
