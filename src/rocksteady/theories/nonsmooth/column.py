"""The flexible oscillator with all of its contacts: it stands, slides, rocks, slips and flies.

`flexible.py` has it on the ground without slip (ε = 0, no friction), as in the paper's Fig. 7. Here
every edge has its own ε and μ. Its forces are in `column_forces.py`, its smooth motion in
`column_motion.py`, impacts in `column_striking.py`. Written for the lean y = |θ| about the lower
edge; leaning left is mirrored.
"""

import math

from rocksteady.numerics.decorators import kernel
from rocksteady.theories.contract import NOTHING, OVERTURN, REST, TURN, UPLIFT, partway
from rocksteady.theories.nonsmooth.column_forces import (
    JAMMED,
    OSCILLATOR,
    Ends,
    dragged,
    edge_of,
    forces,
    grip,
    let_base_go,
    let_go,
    untouched,
)
from rocksteady.theories.nonsmooth.column_motion import (
    BACKWARDS,
    HALTED,
    JAMS,
    LANDED,
    LEFT,
    LIFTED,
    LOST,
    LYING,
    RIGHT,
    STOPPED,
    STRUCK,
    TURNED,
    Base,
    Lean,
    base_on,
    base_watch,
    holding,
    move_on,
    rock_on,
)
from rocksteady.theories.nonsmooth.column_striking import strike
from rocksteady.theories.nonsmooth.flexible import Oscillator
from rocksteady.theories.nonsmooth.striking import FLIGHT, GRIP

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
