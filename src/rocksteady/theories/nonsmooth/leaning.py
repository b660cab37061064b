"""A rigid block on one corner, which sticks or slips.

Rocking on a corner that sticks is Housner's equation, and his step is used for it. The corner lets
go where the force that would hold it leaves the friction cone; what follows comes out of the same
complementarity problem as an impact (`contacts.py`), with accelerations for velocities.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import NOTHING, OVERTURN, TURN, partway
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.housner.rocking import ALLOWED, LYING, PER_G, G, about
from rocksteady.theories.nonsmooth.contacts import contacts
from rocksteady.theories.nonsmooth.extrapolation import lowest
from rocksteady.theories.nonsmooth.sliding import (
    LIFTED,
    STOPPED,
    STRUCK,
    TURNED,
    Slipping,
    pressure,
    slip_on_corner,
)
from rocksteady.theories.nonsmooth.striking import (
    CONTACT,
    FLIGHT,
    GRIP,
    changed,
    corner,
    matrices_of,
    rigid,
)

JAMMED = 1e8  # times the force of a corner that is not pushed: where friction is about to jam it
SLIPPING = 5e-12 / housner.TOLERANCE  # of a block's tolerance: to 1e-14 p where a corner slips
MAX_ITERATIONS = 60
housner_step = housner.ADVANCE_TO_TURNS


class Held(NamedTuple):
    """The force at a corner that sticks, per unit mass, and its time derivative."""

    N: float
    T: float  # towards the lean
    N_rate: float
    T_rate: float


@kernel
def holding(theta, omega, side, params, ground, slope):  # type: ignore[no-untyped-def]
    """The force at a corner that sticks while the ground changes by ``slope`` in a second."""
    alpha, R = corner(side, params)
    p = about(side, params).p
    per_g = params[PER_G]
    v = side * omega
    S, C = sincos(alpha - side * theta)
    weight, push = 1 + ground[1] * per_g, side * ground[0] * per_g
    spin = -p * p * (weight * S + push * C)
    steeper = (slope[1] * S + side * slope[0] * C) * per_g + v * (push * S - weight * C)
    twist = -p * p * steeper - v * v * v
    return Held(
        params[G] + ground[1] + R * (S * spin - C * v * v),
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
    mu = rigid(params).mu
    if mu < math.inf:
        return mu * held.N - abs(held.T)
    if held.N >= 0:
        return held.N
    alpha, R = corner(side, params)
    fall = params[G] + ground[1] - R * sincos(alpha - side * theta)[1] * omega * omega
    return max(held.N, fall)


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
    theta, omega, side, way, _, _, _, _, work, loss, least_normal = state
    body, least = rigid(params), -GRIP * params[G]
    before = (theta, omega, side, work, loss)
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
    share = loosest(held0, held, body.mu, used, least) if body.mu < math.inf else 1.0
    if share < 1:
        ground = partway(ground0, ground1, share * used / dt)
        after, used, event = housner_step(before, params, ground0, ground, share * used)
        held = holding(after[0], after[1], side, params, ground, slope)
    slip = 0.0
    theta, omega, contact, work, loss = after
    if margin(held, theta, omega, side, params, ground) < least:
        found = until_it_lets_go(before, params, ground0, ground1, dt, used, after, event)
        (theta, omega, _, work, loss), used, event = found
        ground = partway(ground0, ground1, used / dt)
        contact, slip = let_go(theta, omega, side, params, ground)
    normal = min(least_normal, body.mass * held0.N)
    return (theta, omega, contact, way, 0.0, 0.0, 0.0, slip, work, loss, normal), used, event


@kernel
def until_it_lets_go(before, params, ground0, ground1, dt, used, after, event):  # type: ignore[no-untyped-def]
    """The step up to where the corner lets go, by bisection; it has at the end, ``used`` later."""
    side, least = before[CONTACT], -GRIP * params[G]
    slope = ((ground1[0] - ground0[0]) / dt, (ground1[1] - ground0[1]) / dt)
    low, high = 0.0, used
    for _ in range(MAX_ITERATIONS):
        if high - low <= 1e-15 * dt:
            break
        trial = 0.5 * (low + high)
        ground = partway(ground0, ground1, trial / dt)
        found = housner_step(before, params, ground0, ground, trial)
        theta, omega, _, _, _ = found[0]
        held = holding(theta, omega, side, params, ground, slope)
        if margin(held, theta, omega, side, params, ground) < least:
            (after, used, event), high = found, trial
        else:
            low = trial
    return after, used, event


@kernel
def let_go(theta, omega, side, params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a corner whose holding force is impossible, from the LCP of its
    accelerations."""
    alpha, R = corner(side, params)
    S, C = sincos(alpha - side * theta)
    body = rigid(params)
    matrices = matrices_of(R * S, R * C, body.width, body.mass / body.inertia, False)
    # acceleration of the corner without contact
    normal = -(params[G] + ground[1]) + R * C * omega * omega
    tangential = -side * ground[0] - R * S * omega * omega
    found = contacts(matrices, normal, 1.0, tangential, body.mu, body.mu)
    if found.v1 > 0:
        return FLIGHT, 0.0
    return side, (side * math.copysign(1.0, found.slip) if found.slip != 0 else 0.0)


@kernel
def slip_and_rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about a corner that slips."""
    theta, omega, side, way, _, rate, _, slip, work, loss, least = state
    alpha, R = corner(side, params)
    body = rigid(params)
    y, v, u = side * theta, side * omega, side * rate
    drag = side * slip * body.mu
    fixed = Slipping(alpha, R, body.mass, body.inertia, params[G], drag, 1.0)
    spin, load, share = pressure(y, v, fixed, ground0[1])
    if not 0 <= share < JAMMED:
        return changed(state, side, 2 * slip), 0.0, NOTHING
    if load < -GRIP * params[G]:
        return changed(state, FLIGHT, 0.0), 0.0, NOTHING
    turn = v if v != 0 else (spin if y > 0 else 1.0)
    fixed = Slipping(alpha, R, body.mass, body.inertia, params[G], drag, math.copysign(1.0, turn))
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    z, used, met = slip_on_corner(
        (y, v, u, 0.0, 0.0, 0.0), fixed, there0, there1, dt, dt, SLIPPING * params[ALLOWED]
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
    work, loss, least = work + gained, loss + lost, min(least, body.mass * load)
    theta, omega, rate, way = side * y1, side * v1, side * u1, way + side * further
    return (theta, omega, contact, way, 0.0, rate, 0.0, slip, work, loss, least), used, event
