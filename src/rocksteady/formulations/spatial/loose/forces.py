"""Whether a body that sticks can go on sticking: the force at its contacts against the cone.

A force is per unit mass and in the body frame; with impulses in place of forces the same holds for
an impact. On an edge the force along it may be shared between both corners in any way, the rest of
each corner's force is determined.
"""

import math

from rocksteady.formulations.spatial.loose.algebra import (
    about,
    cross,
    dot,
    inverse,
    plus,
    times_vector,
)
from rocksteady.formulations.spatial.loose.layout import (
    MODE,
    MU,
    ON_BASE,
    ON_EDGE,
    PIVOT,
    G,
    ahead,
    corner,
    following,
    ground_vector,
    inertia,
    spin,
    up,
)
from rocksteady.formulations.spatial.loose.sliding import spare_push
from rocksteady.numerics.decorators import fused_kernel, kernel


@kernel
def edge(params, k):  # type: ignore[no-untyped-def]
    """(Unit vector from corner k to the next one, their distance)."""
    way = plus(corner(params, following(params, k)), -1.0, corner(params, k))
    length = math.sqrt(dot(way, way))
    return (way[0] / length, way[1] / length, way[2] / length), length


@fused_kernel
def pulled(state, params, ground):  # type: ignore[no-untyped-def]
    """s: gravity and the ground's acceleration, upwards, in the body frame."""
    z, x = up(state), ahead(state)
    push = ground_vector(ground)
    return plus(plus(plus((0.0, 0.0, 0.0), params[G] + push[2], z), push[0], x), push[1], cross(z, x))


@kernel
def spin_rate(state, params, s):  # type: ignore[no-untyped-def]
    """W' of a body that sticks on a vertex or an edge (equation 1)."""
    k, W = int(state[PIVOT]), spin(state)
    c = corner(params, k)
    d = (-c[0], -c[1], -c[2])
    J = about(inertia(params), d)
    moment = plus(cross(times_vector(J, W), W), -1.0, cross(d, s))
    if state[MODE] == ON_EDGE:
        e, _ = edge(params, k)
        return plus((0.0, 0.0, 0.0), dot(e, moment) / dot(e, times_vector(J, e)), e)
    return times_vector(inverse(J), moment)


@kernel
def sticking_force(state, params, ground):  # type: ignore[no-untyped-def]
    """(Total force, its moment about the pivot that an edge has to bear) on a vertex or an edge."""
    s, W = pulled(state, params, ground), spin(state)
    c = corner(params, int(state[PIVOT]))
    d = (-c[0], -c[1], -c[2])
    rate = spin_rate(state, params, s)
    force = plus(plus(s, 1.0, cross(rate, d)), 1.0, cross(W, cross(W, d)))
    J = about(inertia(params), d)
    moment = plus(plus(times_vector(J, rate), 1.0, cross(W, times_vector(J, W))), 1.0, cross(d, s))
    return force, moment


@fused_kernel
def spare(force, axis, mu):  # type: ignore[no-untyped-def]
    """μ N − T of a force on one corner; ``axis``: upwards."""
    normal = dot(force, axis)
    return mu * normal - math.sqrt(max(dot(force, force) - normal * normal, 0.0))


@fused_kernel
def spare_on_edge(force, moment, e, length, axis, mu):  # type: ignore[no-untyped-def]
    """How much more friction an edge could bear along itself; where a corner pulls or is beyond its
    cone already, what it lacks (negative)."""
    side = cross(axis, e)
    far = cross(moment, e)  # the next corner's force times the length, less its part along e
    far_n, far_t = dot(far, axis) / length, dot(far, side) / length
    near_n, near_t = dot(force, axis) - far_n, dot(force, side) - far_t
    far_spare, near_spare = mu * far_n - abs(far_t), mu * near_n - abs(near_t)
    if far_spare < 0 or near_spare < 0:
        return min(far_spare, near_spare)
    bears = math.sqrt(far_spare * (mu * far_n + abs(far_t)))
    return bears + math.sqrt(near_spare * (mu * near_n + abs(near_t))) - abs(dot(force, e))


@kernel
def margin(state, params, ground):  # type: ignore[no-untyped-def]
    """How much more friction there is than is needed [m/s²]; negative where a body that sticks
    begins to slide, or would have to be pulled down."""
    if state[MODE] == ON_BASE:
        return spare_push(params, ground_vector(ground))
    force, moment = sticking_force(state, params, ground)
    if state[MODE] == ON_EDGE:
        e, length = edge(params, int(state[PIVOT]))
        return spare_on_edge(force, moment, e, length, up(state), params[MU])
    return spare(force, up(state), params[MU])


@kernel
def strike_margin(before, after, params):  # type: ignore[no-untyped-def]
    """The same for the impulse [m/s] of a strike between these two states. Where it comes to rest
    flat only the sum of all impulses is known."""
    old, new = corner(params, int(before[PIVOT])), corner(params, int(after[PIVOT]))
    d = (-new[0], -new[1], -new[2])
    came = cross(old, spin(before))  # W × d, d = −old
    impulse = plus(cross(spin(after), d), -1.0, came)
    if after[MODE] == ON_EDGE:
        e, length = edge(params, int(after[PIVOT]))
        J = inertia(params)
        kept = plus(times_vector(J, spin(before)), 1.0, cross(d, came))
        moment = plus(times_vector(about(J, d), spin(after)), -1.0, kept)
        return spare_on_edge(impulse, moment, e, length, up(before), params[MU])
    return spare(impulse, up(before), params[MU])
