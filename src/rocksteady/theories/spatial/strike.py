"""Impacts: corners strike the ground and stick, and the others that touch it do not sink.

The velocity v⁻ = W⁻ × d of the centre of mass changes by the impulses at the corners. If only
corner j takes one, momentum about it is kept, and if the edge j takes it all, momentum about that
edge (docs/formulations/spatial.md):

    J_j W⁺ = J W⁻ + d_j × v⁻,      W⁺ = r (r·(J W⁻ + d_j × v⁻))/(r·J_j r),

and W⁺ = 0 if the base lands as a whole. A solution is consistent if the impulses push and no corner
that touches the ground sinks. Corners are tried first, then edges, then rest. With a lean only the
corner that lands and the one that carried the body so far touch. Flat all corners do, and it can
happen that two solutions are consistent, or none: then the edge is taken over which no corner sinks
and whose corners pull least. After a turn about an edge it is mostly the edge across that takes it,
which is tried before all others (`flat.py`).
"""

from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import add_cross, apply, cross, dot, level_dot, subtract
from rocksteady.theories.spatial.edge import presses
from rocksteady.theories.spatial.pivots import COUNT, following, make_pivot
from rocksteady.theories.spatial.series import acceleration, rise
from rocksteady.theories.spatial.state import EDGE, REST, VERTEX

STILL = (0.0, 0.0, 0.0)
TINY = 1e-300
ROUNDING = 1e-12  # of the impulses: an edge whose corners pull by less than that takes the blow
DEAD = 1e-12  # of g h: a level body with less energy than that, and tilt, is at rest
LOW = 1e-9  # of h: a corner that would rise less than that after an impact stays down


class Blow(NamedTuple):
    """The body just before an impact."""

    up: tuple[float, float, float]
    spin: tuple[float, float, float]
    speed: tuple[float, float, float]
    """v⁻ of the centre of mass [m/s], in the body's axes."""
    own: tuple[float, float, float]
    """J W⁻ about the centre of mass, per unit mass."""


@inner_fused_kernel
def on_corner(blow, about):  # type: ignore[no-untyped-def]
    """(W⁺, whether the impulse pushes) if only the corner ``about`` takes an impulse."""
    spin = apply(about.P, add_cross(blow.own, about.d, blow.speed))
    impulse = subtract(cross(spin, about.d), blow.speed)
    return spin, dot(blow.up, impulse) >= 0.0


@fused_kernel
def on_edge(blow, about, inertia):  # type: ignore[no-untyped-def]
    """(W⁺, the smaller of both impulses over their sum) if the edge ``about`` takes it all."""
    spin = apply(about.P, add_cross(blow.own, about.d, blow.speed))
    impulse = subtract(cross(spin, about.d), blow.speed)
    moment = add_cross(apply(inertia, subtract(spin, blow.spin)), about.d, impulse)
    first, second = presses(blow.up, moment, dot(blow.up, impulse), about.r)
    return spin, min(first, second) / max(abs(first) + abs(second), TINY)


@inner_fused_kernel
def sinks(up, spin, r):  # type: ignore[no-untyped-def]
    """Whether a point of the base at r = (x, y) from the pivot moves down."""
    return level_dot(cross(up, spin), r) < 0.0


@inner_fused_kernel
def stays_down(up, spin, pull, about, r, height):  # type: ignore[no-untyped-def]
    """Whether a corner at r that has just struck will rise so little that it counts as down."""
    spin_rate = acceleration(spin, pull, about.d, about.J, about.P)
    speed, gain = rise(up, spin, spin_rate, r)
    return (gain < 0.0) & (speed * speed < -2.0 * LOW * height * gain)


@cache
def make_strike(size: int) -> Any:
    """Build the two impacts of a body with at most ``size`` corners, each
    ``(mode after it, corner, W⁺)``."""
    pivot_of, any_pivot = make_pivot(size), make_pivot(size, inner=True)

    @fused_kernel
    def leaning(params, blow, inertia, k, lands, pull, height):  # type: ignore[no-untyped-def]
        """The corner ``lands``, a neighbour of k, strikes while the body leans on corner k."""
        about = pivot_of(params, VERTEX, lands)
        next_one = lands == following(k, params[COUNT])
        back = about.other if next_one else about.one  # to corner k
        spin, pushes = on_corner(blow, about)
        leaves = pushes and not sinks(blow.up, spin, back)
        if leaves and not stays_down(blow.up, spin, pull, about, back, height):
            return VERTEX, lands, spin
        first = k if next_one else lands
        return EDGE, first, on_edge(blow, pivot_of(params, EDGE, first), inertia)[0]

    @fused_kernel
    def flat(params, blow, inertia, pull, height):  # type: ignore[no-untyped-def]
        """All corners strike at once."""
        count = params[COUNT]
        for j in range(int(count)):
            about = any_pivot(params, VERTEX, float(j))
            spin, pushes = on_corner(blow, about)
            down = sinks(blow.up, spin, about.one) or sinks(blow.up, spin, about.other)
            if pushes and not down:
                one = stays_down(blow.up, spin, pull, about, about.one, height)
                other = stays_down(blow.up, spin, pull, about, about.other, height)
                if not (one or other):
                    return VERTEX, float(j), spin
        mode, edge, after, best = REST, 0.0, STILL, -2.0
        for j in range(int(count)):
            about = any_pivot(params, EDGE, float(j))
            spin, push = on_edge(blow, about, inertia)
            if spin != STILL and not sinks(blow.up, spin, about.one) and push > best:
                mode, edge, after, best = EDGE, float(j), spin, push
            if best >= -ROUNDING:
                break
        return mode, edge, after

    return leaning, flat


@inner_fused_kernel
def blow_of(up, spin, pivot, inertia):  # type: ignore[no-untyped-def]
    return Blow(up, spin, cross(spin, pivot.d), apply(inertia, spin))
