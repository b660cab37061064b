"""Whether a body that sticks can go on sticking: the force at its contacts against the cone.

A force is per unit mass and in the body frame; with impulses in place of forces the same holds for
an impact. On an edge the force along it may be shared between both corners in any way; the rest of
each corner's force is determined. On the whole base see `sliding.py`.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.triples import (
    about_point,
    add_cross,
    apply,
    cross,
    dot,
    inverse,
    scale,
    subtract,
)
from rocksteady.theories.spatial.loose.parts import corner, next_corner, push_of
from rocksteady.theories.spatial.loose.sliding import spare_push
from rocksteady.theories.spatial.pivots import ALLOWED, FRICTION, INERTIA, G
from rocksteady.theories.spatial.series import acceleration, pull_of
from rocksteady.theories.spatial.state import AHEAD, EDGE, MODE, PIVOT, PLACE, REST, SPIN, UP


@kernel
def edge(params, k):  # type: ignore[no-untyped-def]
    """(Unit vector from corner k to the next one, their distance)."""
    way = subtract(corner(params, next_corner(params, k)), corner(params, k))
    length = math.sqrt(dot(way, way))
    return scale(1 / length, way), length


@kernel
def sticking_force(state, params, ground):  # type: ignore[no-untyped-def]
    """(Total force, moment of the forces about corner k) of a body that sticks on corner k, or on
    the edge that begins there."""
    k, spin = int(state[PIVOT]), state[SPIN:PLACE]
    pull = pull_of(state[UP:AHEAD], state[AHEAD:SPIN], params[G], ground)
    d = scale(-1.0, corner(params, k))
    J = about_point(params[INERTIA:ALLOWED], d)
    if state[MODE] == EDGE:
        e, _ = edge(params, k)
        turning = -dot(e, add_cross(cross(spin, apply(J, spin)), d, pull))
        rate = scale(turning / dot(e, apply(J, e)), e)
    else:
        rate = acceleration(spin, pull, d, J, inverse(J))
    force = add_cross(add_cross(pull, rate, d), spin, cross(spin, d))
    moment = add_cross(add_cross(apply(J, rate), spin, apply(J, spin)), d, pull)
    return force, moment


@fused_kernel
def spare(force, up, mu):  # type: ignore[no-untyped-def]
    """μ N − T of the force on one corner."""
    normal = dot(force, up)
    return mu * normal - math.sqrt(max(dot(force, force) - normal * normal, 0.0))


@fused_kernel
def spare_on_edge(force, moment, e, length, up, mu):  # type: ignore[no-untyped-def]
    """How much more friction an edge could bear along itself; where a corner pulls or is beyond its
    cone already, what it lacks (negative)."""
    side = cross(up, e)
    far = cross(moment, e)  # the next corner's force times the length, less its part along e
    far_n, far_t = dot(far, up) / length, abs(dot(far, side)) / length
    near_n, near_t = dot(force, up) - far_n, abs(dot(subtract(force, scale(1 / length, far)), side))
    least = min(mu * far_n - far_t, mu * near_n - near_t)
    if least < 0:
        return least
    bears = math.sqrt((mu * far_n - far_t) * (mu * far_n + far_t))
    return bears + math.sqrt((mu * near_n - near_t) * (mu * near_n + near_t)) - abs(dot(force, e))


@kernel
def margin(state, params, ground):  # type: ignore[no-untyped-def]
    """How much more friction there is than is needed [m/s²]; negative where a body that sticks
    begins to slide, or would have to be pulled down."""
    mu, up = params[FRICTION], state[UP:AHEAD]
    if state[MODE] == REST:
        return spare_push(params, push_of(ground))
    force, moment = sticking_force(state, params, ground)
    if state[MODE] == EDGE:
        e, length = edge(params, int(state[PIVOT]))
        return spare_on_edge(force, moment, e, length, up, mu)
    return spare(force, up, mu)


@kernel
def strike_margin(before, after, params):  # type: ignore[no-untyped-def]
    """The same for the impulse [m/s] of an impact between these two states. Where it comes to rest
    flat only the sum of all impulses is known."""
    mu, up, J = params[FRICTION], before[UP:AHEAD], params[INERTIA:ALLOWED]
    came = cross(corner(params, int(before[PIVOT])), before[SPIN:PLACE])  # W × d, d = −c
    d = scale(-1.0, corner(params, int(after[PIVOT])))
    impulse = subtract(cross(after[SPIN:PLACE], d), came)
    if after[MODE] == EDGE:
        e, length = edge(params, int(after[PIVOT]))
        moment = add_cross(apply(J, subtract(after[SPIN:PLACE], before[SPIN:PLACE])), d, impulse)
        return spare_on_edge(impulse, moment, e, length, up, mu)
    return spare(impulse, up, mu)
