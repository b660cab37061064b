"""The phases of a rigid block's motion between impacts: on its base, on a corner (in the air:
`flight.py`).

Rocking on a corner that sticks is Housner's equation, and his step is used for it. A contact ends
where the force that would keep it leaves the friction cone; what follows comes out of the same
complementarity problem as an impact (`contacts.py`), with accelerations for velocities.
"""

from __future__ import annotations

import math

from rocksteady.formulations.contract import NOTHING, OVERTURN, REST, TURN, UPLIFT, partway
from rocksteady.formulations.housner import formulation as housner
from rocksteady.formulations.nonsmooth.contacts import contacts, slipping
from rocksteady.formulations.nonsmooth.extrapolation import lowest
from rocksteady.formulations.nonsmooth.flight import fly
from rocksteady.formulations.nonsmooth.sliding import (
    LIFTED,
    STOPPED,
    STRUCK,
    TURNED,
    pressure,
    slip_on_base,
    slip_on_corner,
)
from rocksteady.formulations.nonsmooth.striking import FLIGHT, GRIP, corner, matrices, strike
from rocksteady.formulations.rocking import LYING, about, overturning_push
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos

TIE = 1e-12  # of an interval: two pushes that come this close come at once; leaving altogether wins
JAMMED = 1e8  # times the force of a corner that is not pushed: where friction is about to jam it
SLIPPING = 5e-12 / housner.TOLERANCE  # of a block's tolerance: to 1e-14 p where a corner slips
MAX_ITERATIONS = 60
housner_step = housner.ADVANCE_TO_TURNS


# -- on the base ---------------------------------------------------------------------------------


@kernel
def excess_push(kind, params, ground):  # type: ignore[no-untyped-def]
    """Positive where the ground overcomes: 0, 1 the weight about the right, left corner; 2, 3 the
    friction (it then slips towards +x, −x); 4 the weight altogether."""
    weight, mu = params[0] + ground[1], params[21]
    if kind < 2:
        side = 1.0 - 2.0 * kind
        if weight == 0:  # exactly: rounding must not turn a block that nothing pushes
            return -side * ground[0] * about(side, params)[5]
        return overturning_push(side, params, ground)
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
            if kind < 0 or instant < used * (1 + TIE):
                used, kind = instant, which
    if used > 0:
        state = pressed(state, params[17] * (params[0] + ground0[1]))
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
    theta, omega, _, slide, lift, slide_rate, lift_rate, _, work, loss, least = state
    return theta, omega, contact, slide, lift, slide_rate, lift_rate, slip, work, loss, least


@kernel
def pressed(state, normal):  # type: ignore[no-untyped-def]
    """The same state, once the normal force [N] of a contact has been this."""
    return (*state[:10], min(state[10], normal))


@kernel
def start_from_rest(params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a block at rest, from the LCP of its accelerations."""
    side = -math.copysign(1.0, ground[0])
    alpha, R = corner(side, params)
    S, C = sincos(alpha)
    mass, inertia, width, _, mu = params[17:22]
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, True)
    free = -(params[0] + ground[1])
    found = contacts(n11, n12, n22, t1, t2, tt, free, free, -side * ground[0], mu)
    first, second = lifting(found, params)
    tangential = found[5]
    if first and second:
        return FLIGHT, 0.0
    contact = -side if first else (side if second else 0.0)
    return contact, (side * math.copysign(1.0, tangential) if tangential != 0 else 0.0)


@kernel
def lifting(found, params):  # type: ignore[no-untyped-def]
    """Which of the two corners leave the ground, by the accelerations that the LCP found."""
    return found[3] > GRIP * params[0], found[4] > GRIP * params[0]


@kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Slip on the whole base, until it stops, tips over an edge or leaves the ground."""
    _, _, _, way, _, rate, _, slip, work, loss, least = state
    mass, inertia, width, _, mu = params[17:22]
    alpha, R = corner(slip, params)
    S, C = sincos(alpha)
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, True)
    weight0, weight1 = params[0] + ground0[1], params[0] + ground1[1]
    # with no weight yet, that of the next moment tells whether the base stays flat
    free = -weight0 if abs(weight0) > GRIP * params[0] else -max(weight0, weight1)
    # it slips already, at whatever acceleration: hence the infinite one
    found = slipping(n11, n12, n22, t1, t2, tt, free, free, math.inf, 1.0, mu)
    first, second = lifting(found, params)
    if found[6] > GRIP * params[0]:
        return changed(state, 0.0, 2 * slip), 0.0, NOTHING
    if first or second:
        if first and second:
            return changed(state, FLIGHT, 0.0), 0.0, UPLIFT
        return changed(state, -slip if first else slip, slip), 0.0, UPLIFT
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
    work, loss, least = work + mass * gained, loss + mass * lost, min(least, mass * weight0)
    slid = (0.0, 0.0, contact, way + further, 0.0, rate, 0.0, slip, work, loss, least)
    return slid, used, event


# -- on a corner ---------------------------------------------------------------------------------


@kernel
def holding(theta, omega, side, params, ground, slope):  # type: ignore[no-untyped-def]
    """(N/m, T/m) at a corner that sticks, T towards the lean, and their time derivatives while the
    ground changes by ``slope`` in a second."""
    alpha, R = corner(side, params)
    p = about(side, params)[1]
    per_g = params[14]
    v = side * omega
    S, C = sincos(alpha - side * theta)
    weight, push = 1 + ground[1] * per_g, side * ground[0] * per_g
    spin = -p * p * (weight * S + push * C)
    steeper = (slope[1] * S + side * slope[0] * C) * per_g + v * (push * S - weight * C)
    twist = -p * p * steeper - v * v * v
    return (
        params[0] + ground[1] + R * (S * spin - C * v * v),
        side * ground[0] + R * (C * spin + S * v * v),
        slope[1] + R * (S * twist - 3 * C * v * spin),
        side * slope[0] + R * (C * twist + 3 * S * v * spin),
    )


@kernel
def margin(held, theta, omega, side, params, ground):  # type: ignore[no-untyped-def]
    """How far the corner is from letting go [m/s²]: with friction, from the edge of the cone.

    A corner that cannot slip is held by something like a shear key. It leaves the ground only where
    no normal force is left *and* it would really rise without the key; a body that falls over is
    otherwise drawn along by the key for a while (N < 0 close to lying).
    """
    normal, tangential = held[:2]
    mu = params[21]
    if mu < math.inf:
        return mu * normal - abs(tangential)
    if normal >= 0:
        return normal
    alpha, R = corner(side, params)
    fall = params[0] + ground[1] - R * sincos(alpha - side * theta)[1] * omega * omega
    return max(normal, fall)


@kernel
def loosest(held0, held1, mu, span, least):  # type: ignore[no-untyped-def]
    """The part of a step after which the force at a corner is furthest outside its cone, though it
    may be inside at both ends; 1 where it is never outside by more than ``least``."""
    N0, T0, N0_rate, T0_rate = held0
    N1, T1, N1_rate, T1_rate = held1
    share = 1.0
    for way in (1.0, -1.0):
        fall, rise = span * (mu * N0_rate + way * T0_rate), span * (mu * N1_rate + way * T1_rate)
        if fall < 0 < rise:
            t, depth = lowest(mu * N0 + way * T0, mu * N1 + way * T1, fall, rise)
            if depth < least:
                share = min(share, t)
    return share


@kernel
def rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about a corner that sticks, until something happens or the corner lets go."""
    theta, omega, side, way, work, loss = state[0], state[1], state[2], state[3], state[8], state[9]
    before, mu, least = (theta, omega, side, work, loss), params[21], -GRIP * params[0]
    slope = ((ground1[0] - ground0[0]) / dt, (ground1[1] - ground0[1]) / dt)
    held0 = holding(theta, omega, side, params, ground0, slope)
    if margin(held0, theta, omega, side, params, ground0) < least:
        # a sudden change: after an impact, or at the first sample
        contact, slip = let_go(theta, omega, side, params, ground0)
        if contact != side or slip != 0:
            return changed(state, contact, slip), 0.0, NOTHING
    after, used, event = housner_step(before, params, ground0, ground1, dt)
    ground = partway(ground0, ground1, used / dt)
    held = holding(after[0], after[1], side, params, ground, slope)
    share = loosest(held0, held, mu, used, least) if mu < math.inf else 1.0
    if share < 1:
        ground = partway(ground0, ground1, share * used / dt)
        after, used, event = housner_step(before, params, ground0, ground, share * used)
        held = holding(after[0], after[1], side, params, ground, slope)
    contact, slip = after[2], 0.0
    if margin(held, after[0], after[1], side, params, ground) < least:
        low, high = 0.0, used  # where the corner lets go, by bisection
        for _ in range(MAX_ITERATIONS):
            if high - low <= 1e-15 * dt:
                break
            trial = 0.5 * (low + high)
            ground = partway(ground0, ground1, trial / dt)
            found = housner_step(before, params, ground0, ground, trial)
            held = holding(found[0][0], found[0][1], side, params, ground, slope)
            if margin(held, found[0][0], found[0][1], side, params, ground) < least:
                (after, used, event), high = found, trial
            else:
                low = trial
        ground = partway(ground0, ground1, used / dt)
        contact, slip = let_go(after[0], after[1], side, params, ground)
    theta, omega, work, loss = after[0], after[1], after[3], after[4]
    normal = min(state[10], params[17] * held0[0])
    return (theta, omega, contact, way, 0.0, 0.0, 0.0, slip, work, loss, normal), used, event


@kernel
def let_go(theta, omega, side, params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a corner whose holding force is impossible, from the LCP of its
    accelerations."""
    alpha, R = corner(side, params)
    S, C = sincos(alpha - side * theta)
    mass, inertia, width, _, mu = params[17:22]
    n11, n12, n22, t1, t2, tt = matrices(R * S, R * C, width, mass / inertia, False)
    # acceleration of the corner without contact
    normal = -(params[0] + ground[1]) + R * C * omega * omega
    tangential = -side * ground[0] - R * S * omega * omega
    found = contacts(n11, n12, n22, t1, t2, tt, normal, 1.0, tangential, mu)
    if found[3] > 0:
        return FLIGHT, 0.0
    return side, (side * math.copysign(1.0, found[5]) if found[5] != 0 else 0.0)


@kernel
def slip_and_rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about a corner that slips."""
    theta, omega, side, way, _, rate, _, slip, work, loss, least = state
    alpha, R = corner(side, params)
    mass, inertia, _, _, mu = params[17:22]
    y, v, u = side * theta, side * omega, side * rate
    drag = side * slip * mu
    fixed = (alpha, R, mass, inertia, params[0], drag, 1.0)
    spin, load, share = pressure(y, v, fixed, ground0[1])
    if not 0 <= share < JAMMED:
        return changed(state, side, 2 * slip), 0.0, NOTHING
    if load < -GRIP * params[0]:
        return changed(state, FLIGHT, 0.0), 0.0, NOTHING
    turn = v if v != 0 else (spin if y > 0 else 1.0)
    fixed = (alpha, R, mass, inertia, params[0], drag, math.copysign(1.0, turn))
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    z, used, met = slip_on_corner(
        (y, v, u, 0.0, 0.0, 0.0), fixed, there0, there1, dt, dt, SLIPPING * params[1]
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
    work, loss, least = work + gained, loss + lost, min(least, mass * load)
    theta, omega, rate, way = side * y1, side * v1, side * u1, way + side * further
    return (theta, omega, contact, way, 0.0, rate, 0.0, slip, work, loss, least), used, event


# -- the step -----------------------------------------------------------------------------------


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
