"""The convex polygon that a body stands on: its hull, corners, support function and area."""

import math
from collections.abc import Iterable, Sequence

from rocksteady.errors import InputError, warn
from rocksteady.numbers import real

Point = tuple[float, float]
Polygon = tuple[Point, ...]

MOST_CORNERS = 32  # the theory keeps that many
STRAIGHT = 1e-6  # a corner nearer to the line through its neighbours than this share is none


def area(polygon: Sequence[Point]) -> float:
    """Area [m²], positive if its corners run counter-clockwise (shoelace formula)."""
    return math.fsum(_cross(a, b) for a, b in _sides(polygon)) / 2


def centroid(polygon: Sequence[Point]) -> Point:
    """The middle of its area [m]."""
    x0, y0 = polygon[0]
    local = [(x - x0, y - y0) for x, y in polygon]
    size = 3 * math.fsum(_cross(a, b) for a, b in _sides(local))
    x = math.fsum(_cross(a, b) * (a[0] + b[0]) for a, b in _sides(local)) / size
    y = math.fsum(_cross(a, b) * (a[1] + b[1]) for a, b in _sides(local)) / size
    return x0 + x, y0 + y


def support(polygon: Sequence[Point], direction: float) -> float:
    """How far it reaches from the origin in a direction [degrees from x towards y]: the support
    function, max u·c [m]."""
    x, y = unit_vector(direction)
    return max(x * corner[0] + y * corner[1] for corner in polygon)


def unit_vector(direction: float) -> Point:
    """(cos, sin) of a direction in degrees, exact at multiples of 90°."""
    quarter, rest = divmod(direction, 90.0)
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[int(quarter) % 4]


def bearing(x: float, y: float) -> float:
    """The direction of a vector [degrees from x towards y], in [0, 360)."""
    degrees = math.degrees(math.atan2(y, x)) % 360.0
    return 0.0 if degrees == 360.0 else degrees


def edge_distances(polygon: Sequence[Point]) -> list[tuple[float, float]]:
    """Of each edge of a counter-clockwise polygon, its distance from the origin [m], positive where
    the origin lies inside, and the direction of its outward normal [degrees]."""
    found = []
    for (x0, y0), (x1, y1) in _sides(polygon):
        nx, ny = y1 - y0, x0 - x1
        found.append(((nx * x0 + ny * y0) / math.hypot(nx, ny), bearing(nx, ny)))
    return found


def convex_hull(points: Sequence[Point]) -> Polygon:
    """The convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def chain(along: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for point in along:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return tuple(chain(ordered) + chain(ordered[::-1]))


def checked_base(
    corners: Sequence[Sequence[float]], *, silent: float = 0.0, stacklevel: int = 4
) -> Polygon:
    """The base as `checked_outline` has it, with at most 32 corners. A warning says what share of
    its area was lost, where that is more than ``silent``; ``stacklevel`` as of `warn`, from
    here."""
    return simplified(checked_outline(corners), silent=silent, stacklevel=stacklevel)


def checked_outline(corners: Sequence[Sequence[float]]) -> Polygon:
    """The outline of a base as a counter-clockwise convex polygon of plain floats, without corners
    on a straight line; an error if it is none."""
    polygon = _points(corners)
    if len(polygon) < 3:
        raise InputError(
            f"base has {len(polygon)} corners: a polygon needs at least 3; give a round base by "
            "its radius."
        )
    if area(polygon) < 0:  # the order says nothing else: turn it round
        polygon = polygon[::-1]
    polygon = _without_straight(polygon)
    if len(polygon) < 3:
        raise InputError("base has no area: all its corners lie on a line.")
    _refuse_hollow(polygon)
    return polygon


def simplified(
    polygon: Polygon, most: int = MOST_CORNERS, *, silent: float = 0.0, stacklevel: int = 3
) -> Polygon:
    """A convex polygon with at most ``most`` corners: those that change its area least are left
    out, which makes it smaller, and a warning says by how much; none up to the share ``silent``."""
    if len(polygon) <= most:
        return polygon
    kept, n = list(polygon), len(polygon)
    lost = [_turn(kept[i - 1], kept[i], kept[(i + 1) % n]) for i in range(n)]
    while n > most:
        i = lost.index(min(lost))
        del kept[i], lost[i]
        n -= 1
        for k in (i - 1, i % n):  # the neighbours
            lost[k] = _turn(kept[k - 1], kept[k], kept[(k + 1) % n])
    share = 1 - area(kept) / area(polygon)
    if share > silent:
        warn(
            f"The base has {len(polygon)} corners: it stands on {most} of them, an area "
            f"{100 * share:.2g} % smaller; mass, centre of mass and inertia stay those of the "
            "whole body. Give a round base by its radius or diameter.",
            stacklevel=stacklevel,
        )
    return tuple(kept)


def _points(corners: Sequence[Sequence[float]]) -> Polygon:
    try:
        polygon = tuple((real(x), real(y)) for x, y in corners)
    except (TypeError, ValueError):
        raise InputError(
            f"base = {str(corners)[:80]} is no polygon: give the (x, y) of its corners in metres."
        ) from None
    for i, point in enumerate(polygon):
        if not all(map(math.isfinite, point)):
            raise InputError(
                f"base: corner {i} is {str(tuple(corners[i]))[:80]}: both numbers must be finite."
            )
    return polygon


def _without_straight(polygon: Polygon) -> Polygon:
    """Without corners that lie (nearly) on the line through their neighbours, or twice."""
    size = max(math.dist(polygon[0], point) for point in polygon)
    kept, i = list(polygon), 0
    while i < len(kept) > 2:
        a, b, c = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(_turn(a, b, c)) <= STRAIGHT * size * max(math.dist(a, c), STRAIGHT * size):
            del kept[i]
            i = max(i - 1, 0)  # the one before has another neighbour now
        else:
            i += 1
    return tuple(kept)


def _refuse_hollow(polygon: Polygon) -> None:
    """Convex: it turns left at every corner, and once around in all."""
    n, around = len(polygon), 0.0
    for i in range(n):
        a, b, c = polygon[i - 1], polygon[i], polygon[(i + 1) % n]
        turn = _turn(a, b, c)
        if turn <= 0:
            raise InputError(
                f"base is not convex at its corner ({b[0]:g}, {b[1]:g}): a body stands on the "
                "convex hull of what touches the floor. Leave that corner out or, if the outline "
                "crosses itself, give the corners in the order along it."
            )
        ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
        around += math.atan2(turn, ahead)
    if around > 3 * math.pi:
        raise InputError("base crosses itself: give its corners in the order along the outline.")


def _sides(polygon: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle, positive if it runs counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
