"""The flexible oscillator with all of its contacts: it stands, slides, rocks, slips and flies.

`flexible.py` has it on the ground without slip (ε = 0, no friction), as in the paper's Fig. 7. Here
every edge has its own ε and μ. Its forces are in `column_forces.py`, impacts in
`column_striking.py`. Written for the lean y = |θ| about the lower edge; leaning left is mirrored.
"""

import math
from typing import NamedTuple

from rocksteady.formulations.contract import NOTHING, OVERTURN, REST, TURN, UPLIFT, partway
from rocksteady.formulations.nonsmooth.column_forces import (
    JAMMED,
    Ends,
    bending_on,
    dragged,
    dragged_base,
    edge_of,
    forces,
    friction_limit,
    grip,
    hold_down,
    let_base_go,
    let_go,
    untouched,
)
from rocksteady.formulations.nonsmooth.column_striking import strike
from rocksteady.formulations.nonsmooth.extrapolation import add_ten, make_integrator
from rocksteady.formulations.nonsmooth.flexible import Oscillator, rocking_rate, standing_rate
from rocksteady.formulations.nonsmooth.striking import FLIGHT, GRIP
from rocksteady.numerics.decorators import kernel

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "contact [-]",  # 0 full contact, ±1 on the right or left edge, 2 flight
    "u [m]",  # of the top mass relative to the base's axis, towards +x when upright
    "u_rate [m/s]",
    "slide [m]",  # horizontal way of the lower edge since the start
    "lift [m]",  # height of the lower edge above the ground
    "slide_rate [m/s]",
    "lift_rate [m/s]",
    "slip [-]",  # −1, +1: the contact slips that way (±2: and jams); 0: it sticks
    "work [J]",  # done by the shaking ground since the start
    "loss [J]",  # in impacts, by damping and by friction since the start
    "least_normal [N]",  # smallest normal force on the base so far
)
OSCILLATOR = len(Oscillator._fields)
RIGHT, LEFT, FORWARDS, BACKWARDS = 1, 2, 3, 4  # how standing ends: on an edge, or slipping
STOPPED = 3  # how sliding ends, beside RIGHT and LEFT
TURNED, STRUCK, LYING, LOST = 1, 2, 3, 4  # how leaning on an edge that sticks ends
HALTED, LIFTED, JAMS, LANDED = 4, 5, 6, 7  # and on one that slips, or in the air


class Base(NamedTuple):
    """The body on its whole base, which sticks (slip = 0) or slips."""

    body: Oscillator
    ends: Ends
    slip: float


class Lean(NamedTuple):
    """The body on one edge or in the air."""

    body: Oscillator
    mu: float
    drag: float  # s μ of an edge that slips
    flies: bool
    size: float


# -- what is integrated ------------------------------------------------------------------------


@kernel
def base_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (u, u', ξ, ξ', work of the ground, loss)."""
    body, ends, slip = fixed
    if slip == 0:
        return standing_rate(z, body, a_h, a_v)
    u, rate, _, speed, _, _ = z
    W = body.g + a_v
    A = dragged_base(u, rate, W, slip, body, ends)
    bend = bending_on(u, rate, A, body)
    limit = friction_limit(u, bend, A, W, body, ends)
    work = -a_h * (body.mass * speed + body.mu1 * rate)
    return rate, bend, speed, A - a_h, work, body.damping * rate * rate + slip * limit * speed


@kernel
def base_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as both edges are pressed, and it goes on sticking or slipping."""
    body, ends, slip = fixed
    if slip != 0 and kind >= STOPPED:
        return z[3] * slip if kind == STOPPED else 1.0
    u, rate, W = z[0], z[1], body.g + a_v
    A = a_h if slip == 0 else dragged_base(u, rate, W, slip, body, ends)
    bend = bending_on(u, rate, A, body)
    spare = GRIP * body.mass * body.g
    if kind <= LEFT:
        moment = hold_down(u, bend, A, W, body)
        return (body.mass * W + spare) * body.half + (moment if kind == RIGHT else -moment)
    if ends.mu_right == math.inf:
        return 1.0
    push = body.mass * A + body.mu1 * bend
    limit = friction_limit(u, bend, A, W, body, ends) + spare
    return limit + push if kind == FORWARDS else limit - push


@kernel
def rock_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', u', u, work of the ground, loss), on an edge that sticks."""
    return rocking_rate(z, fixed.body, a_h, a_v)


@kernel
def rock_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, leaning, does not lie, and its edge sticks."""
    if kind == TURNED:
        return z[1] * fixed.body.turn
    if kind == STRUCK:
        return z[0]
    if kind == LYING:
        return math.pi / 2 - z[0]
    return holding(z, fixed, a_h, a_v)


@kernel
def holding(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """How far the edge is from letting go. One that cannot slip leaves the ground only where no
    normal force is left *and* it would rise by itself, as a block's (`leaning.margin`)."""
    y, v, rate, u, _, _ = z
    body, weight = fixed.body, fixed.body.g + a_v
    edge = edge_of(y, v, u, rate, body)
    T, N = forces(edge, a_h, weight)
    spare = GRIP * body.mass * body.g
    if fixed.mu < math.inf:
        return fixed.mu * N - abs(T) + spare
    if N >= 0:
        return N + spare
    return max(N, (weight - untouched(edge)[1]) * body.mass) + spare


@kernel
def loose_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', u', u, ξ', ξ, η', η, work of the ground, loss), on an edge that
    slips or in the air."""
    y, v, rate, u, along, _, up, _, _, _ = z
    body, mass, weight = fixed.body, fixed.body.mass, fixed.body.g + a_v
    edge = edge_of(y, v, u, rate, body)
    lost = body.damping * rate * rate
    if fixed.flies:
        A, W = untouched(edge)
    else:
        W = weight
        A = dragged(edge, W, fixed.drag)
        lost += fixed.drag * forces(edge, A, W)[1] * along
    spin = edge.f_y - A * edge.x_y - W * edge.z_y
    bend = edge.f_u - A * edge.x_u - W * edge.z_u
    work = -a_h * (mass * along + edge.along_u * rate + edge.along_y * v)
    work -= a_v * (mass * up + edge.up_u * rate + edge.up_y * v)
    return v, spin, bend, rate, A - a_h, along, W - weight, up, work, lost


@kernel
def loose_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, leaning, does not lie, slips, presses, can slip, or
    stays in the air."""
    if kind == TURNED:
        return z[1] * fixed.body.turn
    if kind == STRUCK:
        return z[0]
    if kind == LYING:
        return math.pi / 2 - z[0]
    if fixed.flies:
        return z[7] if kind == LANDED else 1.0
    if kind == HALTED:
        return z[4] * fixed.drag
    if kind == LANDED:
        return 1.0
    body = fixed.body
    edge = edge_of(z[0], z[1], z[3], z[2], body)
    if kind == JAMS:
        return grip(edge, fixed.drag) - JAMMED * edge.c_xx
    if grip(edge, fixed.drag) <= 0:
        return 1.0
    weight = body.g + a_v
    N = forces(edge, dragged(edge, weight, fixed.drag), weight)[1]
    return N + GRIP * body.mass * body.g


@kernel
def off_in_all(best, lower, fixed):  # type: ignore[no-untyped-def]
    """How far two results are apart: in rad and rad/s, of speeds over the size of the body."""
    turning = max(abs(best[0] - lower[0]), abs(best[1] - lower[1]))
    speed = max(abs(best[2] - lower[2]), abs(best[4] - lower[4]), abs(best[6] - lower[6]))
    return max(turning, speed / fixed.size)


base_on = make_integrator(base_rate, base_watch, BACKWARDS)
rock_on = make_integrator(rock_rate, rock_watch, LOST)
move_on = make_integrator(loose_rate, loose_watch, LANDED, add_ten, off_in_all)


# -- the phases --------------------------------------------------------------------------------


@kernel
def changed(state, contact, slip):  # type: ignore[no-untyped-def]
    """The same position and velocity in another state of contact."""
    return (*state[:2], contact, *state[3:9], slip, *state[10:])


@kernel
def on_base(state, body, ends, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Stand or slide on the whole base, until an edge or the base lets go, or it stops."""
    _, _, _, u, rate, way, _, speed, _, slip, work, loss, least = state
    fixed = Base(body, ends, slip)
    z = (u, rate, way, speed, 0.0, 0.0)
    for kind in range(RIGHT, (LEFT if slip != 0 else BACKWARDS) + 1):
        if base_watch(kind, z, fixed, ground0[0], ground0[1]) < 0:
            contact, slip = leave_base(u, rate, slip, body, ends, ground0, kind)
            return changed(state, contact, slip), 0.0, (UPLIFT if contact != 0 else NOTHING)
    least = min(least, body.mass * (body.g + ground0[1]))
    z, used, met = base_on(z, fixed, ground0, ground1, dt, min(dt, body.longest), body.tolerance)
    contact, event = 0.0, NOTHING
    u, rate, way, speed, gained, lost = z
    if slip != 0 and met == STOPPED:
        slip, speed, event = 0.0, 0.0, REST
    elif met != 0:
        there = partway(ground0, ground1, used / dt)
        contact, slip = leave_base(u, rate, slip, body, ends, there, met)
        event = UPLIFT if contact != 0 else NOTHING
    stood = (0.0, 0.0, contact, u, rate, way, 0.0, speed, 0.0, slip)
    return (*stood, work + gained, loss + lost, least), used, event


@kernel
def leave_base(u, rate, slip, body, ends, ground, kind):  # type: ignore[no-untyped-def]
    """(contact, slip) of a base whose forces are impossible."""
    if slip == 0:
        return let_base_go(u, rate, body, ends, ground, kind)
    if body.g + ground[1] <= 0:
        return FLIGHT, 0.0
    return 3.0 - 2.0 * kind, slip


@kernel
def turning_way(y, v, spin):  # type: ignore[no-untyped-def]
    """±1: the sense in which it turns."""
    return math.copysign(1.0, v if v != 0 else (spin if y > 0 else 1.0))


@kernel
def rock(state, body, ends, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about an edge that sticks, until something happens or the edge lets go."""
    theta, omega, side, bent, bent_rate, way, _, _, _, _, work, loss, least = state
    mu = ends.mu_right if side > 0 else ends.mu_left
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    y, v, rate, u = side * theta, side * omega, side * bent_rate, side * bent
    z = (y, v, rate, u, 0.0, 0.0)
    edge, weight = edge_of(y, v, u, rate, body), body.g + there0[1]
    spin = edge.f_y - there0[0] * edge.x_y - weight * edge.z_y
    turn = turning_way(y, v, spin)
    fixed = Lean(Oscillator(*body[:-1], turn), mu, 0.0, False, ends.size)  # type: ignore[call-arg]
    if holding(z, fixed, there0[0], there0[1]) < 0:  # a sudden change
        contact, slip = let_go(y, v, u, rate, side, body, mu, there0)
        if contact != side or slip != 0:
            return changed(state, contact, slip), 0.0, NOTHING
    least = min(least, forces(edge, there0[0], weight)[1])
    span = min(dt, body.longest)
    z, used, met = rock_on(z, fixed, there0, there1, dt, span, body.tolerance)
    y, v, rate, u, gained, lost = z
    contact, slip, event = side, 0.0, NOTHING
    if met == TURNED:
        v, event = 0.0, TURN
    elif met == STRUCK:
        y, v = 0.0, min(v, -5e-324)
    elif met == LYING:
        y, event = math.pi / 2, OVERTURN
    elif met == LOST:
        there = partway(there0, there1, used / dt)
        contact, slip = let_go(y, v, u, rate, side, body, mu, there)
    leant = (side * y, side * v, contact, side * u, side * rate, way, 0.0, 0.0, 0.0, slip)
    return (*leant, work + gained, loss + lost, least), used, event


@kernel
def lower_edge(theta, omega, u, rate, body):  # type: ignore[no-untyped-def]
    """The edge of a body in the air that is nearer to the ground, or is going to be."""
    if theta != 0 or omega != 0:
        return math.copysign(1.0, theta if theta != 0 else omega)
    edge = edge_of(0.0, 0.0, u, rate, body)
    A, W = untouched(edge)
    return math.copysign(1.0, edge.f_y - A * edge.x_y - W * edge.z_y)


@kernel
def move(state, side, body, ends, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about an edge that slips, or fly."""
    theta, omega, contact, bent, bent_rate, way, lift, slide, rise, slip, work, loss, least = state
    y, v, rate, u = side * theta, side * omega, side * bent_rate, side * bent
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    flies = contact == FLIGHT
    drag = 0.0 if flies else side * slip * (ends.mu_right if side > 0 else ends.mu_left)
    edge, weight = edge_of(y, v, u, rate, body), body.g + there0[1]
    A, W = untouched(edge)
    normal = 0.0
    if not flies:
        if grip(edge, drag) <= JAMMED * edge.c_xx:
            return changed(state, side, 2 * slip), 0.0, NOTHING
        A, W = dragged(edge, weight, drag), weight
        normal = forces(edge, A, W)[1]
        if normal < -GRIP * body.mass * body.g:
            return changed(state, FLIGHT, 0.0), 0.0, NOTHING
    turn = turning_way(y, v, edge.f_y - A * edge.x_y - W * edge.z_y)
    fixed = Lean(Oscillator(*body[:-1], turn), 0.0, drag, flies, ends.size)  # type: ignore[call-arg]
    z = (y, v, rate, u, side * slide, 0.0, rise, lift, 0.0, 0.0)
    span = min(dt, body.longest)
    if flies and lift == 0 and rise > 0 and weight > W:  # about when a hop ends
        span = min(span, 3 * rise / (weight - W))
    z, used, met = move_on(z, fixed, there0, there1, dt, span, body.tolerance)
    y, v, rate, u, along, further, up, above, gained, lost = z
    event, above = NOTHING, max(above, 0.0)
    if met == TURNED:
        v, event = 0.0, TURN
    elif met == STRUCK:
        y, v = 0.0, min(v, -5e-324)
        up += 2 * body.half * v if flies else 0.0  # from now on the other edge is the lower one
    elif met == LYING:
        y, event = math.pi / 2, OVERTURN
    elif met == HALTED:
        along, slip = 0.0, 0.0
    elif met == LIFTED:
        contact, slip = FLIGHT, 0.0
    elif met == LANDED:
        above, up = 0.0, min(up, -5e-324)
    if not flies:
        above = up = 0.0
    least, way = min(least, normal), way + side * further
    if met == JAMS:
        slip *= 2
    went = (side * y, side * v, contact, side * u, side * rate, way, above, side * along, up, slip)
    return (*went, work + gained, loss + lost, least), used, event


@kernel
def meets_ground(state):  # type: ignore[no-untyped-def]
    """Whether an edge strikes at this very instant."""
    theta, omega, contact, lift, rise = state[0], state[1], state[2], state[6], state[8]
    if contact == FLIGHT:
        return lift == 0 and rise < 0
    return (theta == 0 and contact * omega < 0) or abs(state[9]) > 1


@kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of the flexible oscillator with all of its contacts."""
    body, ends = Oscillator(*params[:OSCILLATOR]), Ends(*params[OSCILLATOR:])
    contact = state[2]
    side = contact
    if contact == FLIGHT:
        side = lower_edge(state[0], state[1], state[3], state[4], body)
    if meets_ground(state):
        return strike(state, side, body, ends)
    if contact == 0:
        return on_base(state, body, ends, ground0, ground1, dt)
    if contact != FLIGHT and state[9] == 0:
        return rock(state, body, ends, ground0, ground1, dt)
    return move(state, side, body, ends, ground0, ground1, dt)
