"""The phases of a rigid block's motion between impacts: on its base, on a corner, in the air.

Rocking on a corner that sticks is Housner's equation, and his step is used for it. A contact ends
where the force that would keep it leaves the friction cone; what follows comes out of the same
complementarity problem as an impact (`lcp.contacts`), with accelerations in the place of velocities.
"""

from __future__ import annotations

import math

from rocksteady.formulations import housner, lcp
from rocksteady.formulations._trig import sincos
from rocksteady.formulations.contract import NOTHING, OVERTURN, REST, TURN, UPLIFT, kernel
from rocksteady.formulations.rocking import LYING, about, overturning_push
from rocksteady.formulations.sliding import (
    LIFTED,
    STOPPED,
    STRUCK,
    TURNED,
    pressure,
    slip_on_base,
    slip_on_corner,
)
from rocksteady.formulations.striking import FLIGHT, corner, lower_corner, matrices, strike

GRIP = 1e-10  # of g: a contact force this far outside its limits is rounding
TURN_IN_FLIGHT = 0.1  # rad: a step in the air turns the block by no more than this
MAX_ITERATIONS = 60
housner_step = housner.ADVANCE


# -- on the base ------------------------------------------------------------------------------------


@kernel
def excess_push(kind, params, ground):  # type: ignore[no-untyped-def]
    """Positive where the ground overcomes: 0, 1 the weight about the right, left corner; 2, 3 the
    friction (it then slips towards +x, −x); 4 the weight altogether."""
    weight, mu = params[0] + ground[1], params[20]
    if kind < 2:
        return overturning_push(1.0 - 2.0 * kind, params, ground)
    if kind < 4:
        return -math.inf if mu == math.inf else (2 * kind - 5) * ground[0] - mu * weight
    return -weight


@kernel
def stand(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Stay on the base until the ground lifts it off or drags it away."""
    used, kind = dt, -1
    for which in range(5):
        push0, push1 = excess_push(which, params, ground0), excess_push(which, params, ground1)
        if push0 > 0:
            used, kind = 0.0, which
            break
        if push1 > 0:
            instant = dt * push0 / (push0 - push1)
            if kind < 0 or instant < used:
                used, kind = instant, which
    if kind < 0:
        return state, dt, NOTHING
    contact, slip = 0.0, 0.0
    if used == 0:  # a sudden push can do several things at once
        contact, slip = start_from_rest(params, ground0)
    if contact == 0 and slip == 0:
        if kind < 2:
            contact = 1.0 - 2.0 * kind
        elif kind < 4:
            slip = 5.0 - 2.0 * kind
        else:
            contact = FLIGHT
    event = NOTHING if contact == 0 else UPLIFT
    return changed(state, contact, slip), used, event


@kernel
def changed(state, contact, slip):  # type: ignore[no-untyped-def]
    """The same position and velocity in another state of contact."""
    theta, omega, _, slide, lift, slide_rate, lift_rate, _, work, loss = state
    return theta, omega, contact, slide, lift, slide_rate, lift_rate, slip, work, loss


@kernel
def start_from_rest(params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a block at rest, from the LCP of its accelerations."""
    side = -math.copysign(1.0, ground[0])
    alpha, R = corner(side, params)
    S, C = sincos(alpha)
    mass, inertia, width, _, mu = params[16:21]
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, True)
    free = -(params[0] + ground[1])
    found = lcp.contacts(n11, n12, n22, t1, t2, tt, free, free, -side * ground[0], mu)
    first, second, tangential = found[3:6]
    if first > 0 and second > 0:
        return FLIGHT, 0.0
    contact = -side if first > 0 else (side if second > 0 else 0.0)
    return contact, (side * math.copysign(1.0, tangential) if tangential != 0 else 0.0)


@kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Slip on the whole base, until it stops, tips over an edge or leaves the ground."""
    _, _, _, way, _, rate, _, slip, work, loss = state
    mass, inertia, width, _, mu = params[16:21]
    alpha, R = corner(slip, params)
    S, C = sincos(alpha)
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, True)
    free = -(params[0] + ground0[1])
    found = lcp.slipping(n11, n12, n22, t1, t2, tt, free, free, 0.0, 1.0, mu)
    first, second, excess = found[3], found[4], found[6]
    if excess > GRIP * params[0]:
        return changed(state, 0.0, 2 * slip), 0.0, NOTHING
    if first > 0 or second > 0:
        if first > 0 and second > 0:
            return changed(state, FLIGHT, 0.0), 0.0, UPLIFT
        return changed(state, -slip if first > 0 else slip, slip), 0.0, UPLIFT
    weight0, weight1 = params[0] + ground0[1], params[0] + ground1[1]
    contact, event, span = 0.0, NOTHING, dt
    if weight1 < 0:  # the ground falls away
        span = dt * weight0 / (weight0 - weight1)
    further, rate, used, stopped, gained, lost = slip_on_base(
        rate, slip, mu, params[0], ground0, ground1, dt, span
    )
    if stopped:
        slip, event = 0.0, REST
    elif weight1 < 0:
        contact, slip, event = FLIGHT, 0.0, UPLIFT
    work, loss = work + mass * gained, loss + mass * lost
    return (0.0, 0.0, contact, way + further, 0.0, rate, 0.0, slip, work, loss), used, event


# -- on a corner ------------------------------------------------------------------------------------


@kernel
def holding(theta, omega, side, params, ground):  # type: ignore[no-untyped-def]
    """(N/m, T/m) at a corner that sticks, T towards the lean."""
    alpha, R = corner(side, params)
    p = about(side, params)[1]
    g = params[0]
    v = side * omega
    S, C = sincos(alpha - side * theta)
    spin = -p * p * ((1 + ground[1] / g) * S + side * ground[0] / g * C)
    normal = g + ground[1] + R * (S * spin - C * v * v)
    return normal, side * ground[0] + R * (C * spin + S * v * v)


@kernel
def margin(theta, omega, side, params, ground):  # type: ignore[no-untyped-def]
    """How far the corner is from letting go [m/s²]: with friction, from the edge of the cone.

    A corner that cannot slip is held by something like a shear key. It leaves the ground only where
    no normal force is left *and* it would really rise without the key; a body that falls over is
    otherwise drawn along by the key for a while (N < 0 close to lying).
    """
    normal, tangential = holding(theta, omega, side, params, ground)
    mu = params[20]
    if mu < math.inf:
        return min(normal, mu * normal - abs(tangential))
    alpha, R = corner(side, params)
    fall = params[0] + ground[1] - R * sincos(alpha - side * theta)[1] * omega * omega
    return max(normal, fall)


@kernel
def partway(ground0, ground1, fraction):  # type: ignore[no-untyped-def]
    return (
        ground0[0] + fraction * (ground1[0] - ground0[0]),
        ground0[1] + fraction * (ground1[1] - ground0[1]),
    )


@kernel
def rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about a corner that sticks, until something happens or the corner lets go."""
    theta, omega, side, way, work, loss = state[0], state[1], state[2], state[3], state[8], state[9]
    before = (theta, omega, side, work, loss)
    start = margin(theta, omega, side, params, ground0)
    if start < -GRIP * params[0]:  # a sudden change: after an impact, or at the first sample
        contact, slip = let_go(state, params, ground0)
        if contact != side or slip != 0:
            return changed(state, contact, slip), 0.0, NOTHING
    after, used, event, ground = before, 0.0, NOTHING, ground0
    low, high, trial = 0.0, math.inf, dt  # where the corner lets go, by bisection
    for _ in range(MAX_ITERATIONS):
        after, used, event = housner_step(
            before, params, ground0, partway(ground0, ground1, trial / dt), trial
        )
        ground = partway(ground0, ground1, used / dt)
        holds = start < 0 or margin(after[0], after[1], side, params, ground) >= 0
        if high == math.inf and holds:
            break
        if holds:
            low = used
        else:
            high = used
            if high - low <= 1e-15 * dt:
                break
        trial = 0.5 * (low + high)
    slip, contact = 0.0, after[2]
    if high < math.inf:
        normal, tangential = holding(after[0], after[1], side, params, ground)
        if normal <= 0:
            contact = FLIGHT
        else:
            slip = -side * math.copysign(1.0, tangential)
    theta, omega, work, loss = after[0], after[1], after[3], after[4]
    return (theta, omega, contact, way, 0.0, 0.0, 0.0, slip, work, loss), used, event


@kernel
def let_go(state, params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a corner whose holding force is impossible, from the LCP of its
    accelerations."""
    theta, omega, side = state[:3]
    alpha, R = corner(side, params)
    S, C = sincos(alpha - side * theta)
    mass, inertia, width, _, mu = params[16:21]
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, False)
    # acceleration of the corner without contact
    normal = -(params[0] + ground[1]) + R * C * omega * omega
    tangential = -side * ground[0] - R * S * omega * omega
    found = lcp.contacts(n11, n12, n22, t1, t2, tt, normal, 1.0, tangential, mu)
    if found[3] > 0:
        return FLIGHT, 0.0
    return side, (side * math.copysign(1.0, found[5]) if found[5] != 0 else 0.0)


@kernel
def slip_and_rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about a corner that slips."""
    theta, omega, side, way, _, rate, _, slip, work, loss = state
    alpha, R = corner(side, params)
    mass, inertia, _, _, mu = params[16:21]
    y, v, u = side * theta, side * omega, side * rate
    drag = side * slip * mu
    fixed = (alpha, R, mass, inertia, params[0], drag, 1.0)
    spin, load, share = pressure(y, v, fixed, ground0[1])
    if share < 0:
        return changed(state, side, 2 * slip), 0.0, NOTHING
    if load < -GRIP * params[0]:
        return changed(state, FLIGHT, 0.0), 0.0, NOTHING
    turn = v if v != 0 else (spin if y > 0 else 1.0)
    fixed = (alpha, R, mass, inertia, params[0], drag, math.copysign(1.0, turn))
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    z, used, met = slip_on_corner(
        (y, v, u, 0.0, 0.0, 0.0), fixed, there0, there1, dt, dt, params[1]
    )
    y1, v1, u1, further, gained, lost = z
    contact, event = side, NOTHING
    if met == TURNED:
        v1, event = 0.0, TURN
    elif met == STOPPED:
        u1, slip = 0.0, 0.0
    elif met == LIFTED:
        contact, slip = FLIGHT, 0.0
    elif met == STRUCK:
        y1, v1 = 0.0, min(v1, -5e-324)
    elif met != 0:
        y1, event = LYING, OVERTURN
    work, loss = work + gained, loss + lost
    return (
        (
            side * y1,
            side * v1,
            contact,
            way + side * further,
            0.0,
            side * u1,
            0.0,
            slip,
            work,
            loss,
        ),
        used,
        event,
    )


# -- in the air -------------------------------------------------------------------------------------


@kernel
def gap(motion, t):  # type: ignore[no-untyped-def]
    """Height of the lower corner after the time t, its rate and acceleration."""
    lift, vy, fall, jerk, lean, v, R = motion  # lean: α − y
    rise = t * (vy + t * (fall / 2 + t * jerk / 6))
    half = 0.5 * v * t
    middle = sincos(lean - half)[0]
    turn = 2 * R * middle * sincos(half)[0]  # R cos(α − y) gained, without cancellation
    S, C = sincos(lean - v * t)
    rate = vy + t * (fall + t * jerk / 2) - R * S * v
    return lift + rise - turn, rate, fall + jerk * t + R * C * v * v


@kernel
def passage(motion, order, falling, low, high):  # type: ignore[no-untyped-def]
    """Where the gap (order 0) or its rate (order 1) passes zero between `low` and `high`."""
    t = 0.5 * (low + high)
    for _ in range(MAX_ITERATIONS):
        at = gap(motion, t)
        if (at[order] > 0) == falling:
            low = t
        else:
            high = t
        newton = t - at[order] / at[order + 1]
        if not low <= newton <= high:
            newton = 0.5 * (low + high)
        if abs(newton - t) <= 4e-16 * high:
            return newton
        t = newton
    return t


@kernel
def landing(motion, span):  # type: ignore[no-untyped-def]
    """When the lower corner closes, or infinity if not within `span`."""
    rate = gap(motion, 0.0)[1]
    end, rate_end, _ = gap(motion, span)
    if end < 0:
        if motion[0] > 0 and rate <= 0:
            return passage(motion, 0, True, 0.0, span)
        if rate > 0:
            return passage(motion, 0, True, passage(motion, 1, True, 0.0, span), span)
        top = span  # it has just left the ground without any velocity
        for _ in range(MAX_ITERATIONS):
            top *= 0.5
            if gap(motion, top)[0] > 0:
                return passage(motion, 0, True, top, 2 * top)
        return 0.0
    if rate < 0 < rate_end:
        lowest = passage(motion, 1, False, 0.0, span)
        if gap(motion, lowest)[0] < 0:
            return passage(motion, 0, True, 0.0, lowest)
    return math.inf


@kernel
def fly(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Free fall, relative to the ground, until the lower corner lands. The rotation is uniform."""
    theta, omega, _, way, lift, rate, lift_rate, _, work, loss = state
    side = lower_corner(theta, omega, rate)
    alpha, R = corner(side, params)
    g, mass, width = params[0], params[16], params[18]
    y, v = side * theta, side * omega
    S, C = sincos(alpha - y)
    vx, vy = side * rate + R * C * v, lift_rate + R * S * v
    pull, pull_rate = -side * ground0[0], -side * (ground1[0] - ground0[0]) / dt
    fall, jerk = -(g + ground0[1]), -(ground1[1] - ground0[1]) / dt
    motion = (lift, vy, fall, jerk, alpha - y, v, R)

    span = min(dt, TURN_IN_FLIGHT / max(abs(v), 1e-300))
    upright = v < 0 and y + v * span <= 0
    if upright:
        span = -y / v
    event = NOTHING
    if y + v * span >= LYING:
        span, event = (LYING - y) / v, OVERTURN
    lands = landing(motion, span)
    if lands <= span:
        span, event, upright = lands, NOTHING, upright and lands == span
    y1 = 0.0 if upright else y + v * span
    S1, C1 = sincos(alpha - y1)
    vx1 = vx + span * (pull + span * pull_rate / 2)
    vy1 = vy + span * (fall + span * jerk / 2)
    rise = span * (vy + span * (fall / 2 + span * jerk / 6))
    further = span * (vx + span * (pull / 2 + span * pull_rate / 6)) + R * (S1 - S)
    work += mass * (0.5 * (vx1 * vx1 - vx * vx) + 0.5 * (vy1 * vy1 - vy * vy) + g * rise)
    lift, lift_rate, _ = gap(motion, span)
    lift = max(lift, 0.0)
    if lands <= span:
        lift, lift_rate = 0.0, min(lift_rate, -5e-324)
    elif upright:  # from now on the other corner is the lower one
        lift_rate += width * v
    theta, rate = side * y1, side * (vx1 - R * C1 * v)
    way += side * further
    return (theta, omega, FLIGHT, way, lift, rate, lift_rate, 0.0, work, loss), span, event


@kernel
def meets_ground(state):  # type: ignore[no-untyped-def]
    """Whether a corner strikes at this very instant."""
    if state[2] == FLIGHT:
        return state[4] == 0 and state[6] < 0
    return state[0] == 0 and state[2] * state[1] < 0


@kernel
def advance_sticking(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of a block whose contacts never slip."""
    if meets_ground(state):
        return strike(state, params, ground0, ground1, dt)
    if state[2] == FLIGHT:
        return fly(state, params, ground0, ground1, dt)
    if state[2] == 0:
        return stand(state, params, ground0, ground1, dt)
    return rock(state, params, ground0, ground1, dt)


@kernel
def advance_slipping(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of a block with Coulomb friction."""
    slip = state[7]
    if slip == 0:
        return advance_sticking(state, params, ground0, ground1, dt)
    if meets_ground(state) or abs(slip) > 1:
        return strike(state, params, ground0, ground1, dt)
    if state[2] == 0:
        return slide(state, params, ground0, ground1, dt)
    return slip_and_rock(state, params, ground0, ground1, dt)
