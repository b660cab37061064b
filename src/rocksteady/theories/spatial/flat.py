"""The whole base strikes the ground after the body has turned about an edge.

The usual outcome: the edge across takes it all, one of the two at the corner that is farthest away.
With W⁺ = λ r along that edge, d from its first corner to the centre of mass, and v⁻ the velocity of
that,

    λ = r·(J W⁻ + d × v⁻)/(r·J_j r),   r·J_j r = r·J r + d² r² − (d·r)²

(`strike.py`). The body goes on over that edge if λ > 0 and its two corners push: with the impulse
p = W⁺ × d − v⁻, the second one pushes by −M·(z × r)/r², M = J (W⁺ − W⁻) + d × p.

It then bounces over this edge and the other in turn, ever faster: each time it keeps the same part
of its speed, so the sum of all bounces is known, and whether it is down for good within a time.

Without branches, for bodies side by side (`landing.py`) and single ones alike.
"""

from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import inner_fused_kernel, spliced_fused_kernel
from rocksteady.numerics.triples import add_cross, apply, cross, dot, level_dot, subtract
from rocksteady.theories.spatial.pivots import (
    ALLOWED,
    CORNERS,
    COUNT,
    HEIGHT,
    INERTIA,
    MASS,
    G,
    following,
    make_corner,
    make_farthest,
    preceding,
)
from rocksteady.theories.spatial.series import levelled, pull_of
from rocksteady.theories.spatial.state import LEVEL, moved
from rocksteady.theories.spatial.strike import DEAD, ROUNDING


class Hinge(NamedTuple):
    """An edge as an axis."""

    d: Any
    """From its first corner to the centre of mass [m]."""
    r: Any
    """(x, y) to its second one [m]."""
    inertia: Any
    """r·J_j r, per unit mass [m⁴]."""


@inner_fused_kernel
def hinge_of(here, there, height, inertia):  # type: ignore[no-untyped-def]
    """The edge between two corners (x, y)."""
    d = -here[0], -here[1], height
    r = there[0] - here[0], there[1] - here[1]
    along, square = level_dot(d, r), level_dot(r, r)
    own = level_dot(apply(inertia, (r[0], r[1], 0.0)), r)
    return Hinge(d, r, own + (dot(d, d) * square - along * along))


class Blow(NamedTuple):
    """The body just before an impact of its base."""

    spin: Any
    speed: Any
    """v⁻."""
    own: Any
    """J W⁻."""


@inner_fused_kernel
def blow_about(hinge, rate, inertia):  # type: ignore[no-untyped-def]
    """Of a body that turns about an edge with ``rate`` times r."""
    spin = rate * hinge.r[0], rate * hinge.r[1], 0.0
    return Blow(spin, cross(spin, hinge.d), apply(inertia, spin))


@inner_fused_kernel
def taken(blow, hinge, inertia):  # type: ignore[no-untyped-def]
    """(λ, whether the body goes on over this edge)."""
    d, (x, y) = hinge.d, hinge.r
    moment = add_cross(blow.own, d, blow.speed)
    rate = level_dot(moment, hinge.r) / hinge.inertia
    spin = rate * x, rate * y, 0.0
    impulse = subtract(cross(spin, d), blow.speed)
    moment = add_cross(apply(inertia, subtract(spin, blow.spin)), d, impulse)
    second = (moment[0] * y - moment[1] * x) / (x * x + y * y)
    first = impulse[2] - second
    pushes = min(first, second) >= -ROUNDING * (abs(first) + abs(second))
    return rate, (rate > 0.0) & pushes


@inner_fused_kernel
def pressed(hinge, pull):  # type: ignore[no-untyped-def]
    """The acceleration of λ that presses a level body down about an edge."""
    return level_dot(cross(hinge.d, pull), hinge.r) / hinge.inertia


class Bounce(NamedTuple):
    """The body after the impact."""

    edge: Any
    corners: Any
    """(x, y) of four of its corners: the edge's two, the one after them, the one before."""
    spin: Any
    ahead: Any
    place: Any
    energy: Any
    left: Any
    """Before and after it [J]."""
    goes_on: Any
    """Whether the usual edge has taken it, and there is motion left."""
    settles: Any
    """Whether it is down for good within the time, under the pull of now."""


@cache
def make_bounce(size: int) -> Any:
    """Build the impact of a body with at most ``size`` corners."""
    corner, farthest = make_corner(CORNERS, size), make_farthest(size)

    @spliced_fused_kernel
    def bounce(params, k, ahead, spin, place, ground, dt):  # type: ignore[no-untyped-def]
        """From edge k; the ground is that of now, and ``dt`` the time in which it may settle."""
        count, height, inertia, g = (
            params[COUNT],
            params[HEIGHT],
            params[INERTIA:ALLOWED],
            params[G],
        )
        was = hinge_of(corner(params, k), corner(params, following(k, count)), height, inertia)
        ahead, (x, y) = levelled(ahead), was.r
        rate = level_dot(spin, was.r) / (x * x + y * y)
        blow = blow_about(was, rate, inertia)

        middle = farthest(params, (-y, x))[1]
        before, after = preceding(middle, count), following(middle, count)
        ends = corner(params, preceding(before, count)), corner(params, following(after, count))
        three = corner(params, before), corner(params, middle), corner(params, after)
        one = hinge_of(three[0], three[1], height, inertia)
        other = hinge_of(three[1], three[2], height, inertia)
        (kept, takes), (other_kept, other_takes) = (
            taken(blow, one, inertia),
            taken(blow, other, inertia),
        )
        edge, hinge = (before, one) if takes else (middle, other)
        corners = (*three, ends[0]) if takes else (three[1], three[2], ends[1], three[0])
        kept = kept if takes else other_kept
        half = 0.5 * params[MASS]
        energy, left = half * (rate * rate * was.inertia), half * (kept * kept * hinge.inertia)
        goes_on = (takes | other_takes) & (left >= DEAD * (params[MASS] * (g * height)))

        # if it bounces back to where it came from, and so on
        pull = pull_of(LEVEL, ahead, g, ground)
        blow = blow_about(hinge, -kept, inertia)
        back, takes_back = taken(blow, was, inertia)
        down, down_there = pressed(hinge, pull), pressed(was, pull)
        bounces = 4.0 * (kept / down + back / down_there)
        settles = (down > 0.0) & (down_there > 0.0) & takes_back
        settles = settles & (bounces <= (1.0 + back / rate) * dt)  # rate < 0

        spin = kept * hinge.r[0], kept * hinge.r[1], 0.0
        place = moved(place, LEVEL, ahead, subtract(was.d, hinge.d))
        return Bounce(edge, corners, spin, ahead, place, energy, left, goes_on, settles)

    return bounce
