"""The body on one of its corners, or on one of its edges.

The base is a convex polygon with its corners counter-clockwise, numbered from 0. Edge k runs from
corner k to the next. A corner is c = (x, y, −h) from the centre of mass; d = −c points back to it.
"""

from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import about_point, apply, dot, inverse
from rocksteady.theories.spatial.state import EDGE

# Where the parameters stand: g [m/s²], mass [kg], height of the centre of mass [m], inertia about
# it per unit mass [m²] (6 numbers), the error allowed in a step, the number of corners, coefficient
# of friction and of restitution (for a body that may slide); x and y of the centre of mass in the
# body's own axes [m]; then x and y of the corners from there [m].
G, MASS, HEIGHT, INERTIA, ALLOWED, COUNT, FRICTION, RESTITUTION, CENTRE, CORNERS = (
    0, 1, 2, 3, 9, 10, 11, 12, 13, 15,
)  # fmt: skip
SIZES = (4, 8, 16, 32)
"""Numbers of corners that steps are compiled for; a body with fewer repeats its last one."""


class Pivot(NamedTuple):
    """The body about the corner or edge on which it turns; all in the body's axes, per unit mass.

    The acceleration is W' = P (−W × J W − d × s), with s the pull of gravity and ground.
    """

    d: tuple[float, float, float]
    """From the corner to the centre of mass [m]."""
    J: tuple[float, float, float, float, float, float]
    """Inertia about the corner [m²]."""
    P: tuple[float, float, float, float, float, float]
    """J⁻¹ on a corner; r rᵀ/(r·J r) on an edge along r."""
    r: tuple[float, float]
    """(x, y) to the next corner: along the edge, if it is on one."""
    one: tuple[float, float]
    other: tuple[float, float]
    """(x, y) from the corner to the two that touch the ground next: its neighbours, or those next
    to the edge."""


@cache
def make_corner(first: int, count: int) -> Any:
    """Build the choice of one corner out of ``count``, 4 or twice or four times that …, in
    parameters whose corners begin at ``first``. Without branches: the threads of a GPU stay
    together."""
    if count == 4:
        last = first + 8

        @inner_fused_kernel
        def one_of_four(params, k):  # type: ignore[no-untyped-def]
            ax, ay, bx, by, cx, cy, dx, dy = params[first:last]
            low, high = (ax, ay) if k < 1.0 else (bx, by), (cx, cy) if k < 3.0 else (dx, dy)
            return low if k < 2.0 else high

        return one_of_four
    half = count // 2
    low, high = make_corner(first, half), make_corner(first + 2 * half, half)

    @inner_fused_kernel
    def corner(params, k):  # type: ignore[no-untyped-def]
        a, b = low(params, k), high(params, k - half)
        return a if k < half else b

    return corner


@cache
def make_farthest(count: int, number: int = 0) -> Any:
    """Build the choice of the corner that lies farthest in a direction, out of so many from corner
    ``number`` on: (how far, its number). Without branches."""
    if count == 4:
        first, last = CORNERS + 2 * number, CORNERS + 2 * number + 8

        @inner_fused_kernel
        def farthest_of_four(params, towards):  # type: ignore[no-untyped-def]
            ax, ay, bx, by, cx, cy, dx, dy = params[first:last]
            (x, y), k = towards, float(number)
            a, b = ax * x + ay * y, bx * x + by * y
            c, d = cx * x + cy * y, dx * x + dy * y
            low, high = (a, k) if a >= b else (b, k + 1.0), (c, k + 2.0) if c >= d else (d, k + 3.0)
            return low if low[0] >= high[0] else high

        return farthest_of_four
    half = count // 2
    low, high = make_farthest(half, number), make_farthest(half, number + half)

    @inner_fused_kernel
    def farthest(params, towards):  # type: ignore[no-untyped-def]
        a, b = low(params, towards), high(params, towards)
        return a if a[0] >= b[0] else b  # the first of several: a body may repeat its last corner

    return farthest


@inner_fused_kernel
def following(k, count):  # type: ignore[no-untyped-def]
    """The number of the next corner."""
    return k + 1.0 if k + 1.0 < count else 0.0


@inner_fused_kernel
def preceding(k, count):  # type: ignore[no-untyped-def]
    """The number of the corner before."""
    return k - 1.0 if k > 0.0 else count - 1.0


@cache
def make_pivot(size: int, *, inner: bool = False) -> Any:
    """Build ``(params, mode, k) -> Pivot`` for bodies with at most ``size`` corners; ``inner`` to
    be inlined where it is called."""
    corner = make_corner(CORNERS, size)

    def pivot(params, mode, k):  # type: ignore[no-untyped-def]
        count = params[COUNT]
        after = following(k, count)
        here, there = corner(params, k), corner(params, after)
        ahead, behind = corner(params, following(after, count)), corner(params, preceding(k, count))
        on_edge = mode == EDGE
        one = ahead if on_edge else there
        d = -here[0], -here[1], params[HEIGHT]
        J = about_point(params[INERTIA:ALLOWED], d)
        r = there[0] - here[0], there[1] - here[1]
        Jr = apply(J, (r[0], r[1], 0.0))
        along = 1.0 / (r[0] * Jr[0] + r[1] * Jr[1])
        edge = along * r[0] * r[0], along * r[1] * r[1], 0.0, along * r[0] * r[1], 0.0, 0.0
        P = edge if on_edge else inverse(J)
        one = one[0] - here[0], one[1] - here[1]
        return Pivot(d, J, P, r, one, (behind[0] - here[0], behind[1] - here[1]))

    return inner_fused_kernel(pivot) if inner else fused_kernel(pivot)


@inner_fused_kernel
def energy_of(up, spin, pivot, g):  # type: ignore[no-untyped-def]
    """Energy per unit mass [m²/s²], zero at rest."""
    # γ·d − h without cancellation: 1 − γ₃ = (γ₁² + γ₂²)/(1 + γ₃)
    d = pivot.d
    lift = up[0] * d[0] + up[1] * d[1] - d[2] * (up[0] * up[0] + up[1] * up[1]) / (1.0 + up[2])
    return 0.5 * dot(spin, apply(pivot.J, spin)) + g * lift


PREPARED = 19  # numbers of a corner; an edge has fewer (`planar.py`)


@inner_fused_kernel
def numbers_of(pivot):  # type: ignore[no-untyped-def]
    """The numbers of a corner one after the other."""
    d, J, P, _, one, other = pivot
    return (*d, *J, *P, *one, *other)


@inner_fused_kernel
def prepared_pivot(params):  # type: ignore[no-untyped-def]
    """The corner again, from parameters that end with what was prepared."""
    d, J, P = params[-19:-16], params[-16:-10], params[-10:-4]
    return Pivot(d, J, P, params[-4:-2], params[-4:-2], params[-2:])


@inner_fused_kernel
def without_prepared(params):  # type: ignore[no-untyped-def]
    """The parameters alone, as the careful step has them: its functions are compiled for these."""
    return params[:-19]
