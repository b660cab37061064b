"""One step of a rigid block, and what it does on its whole base: stand, or slide.

The other phases of its motion are in `leaning.py` (on a corner), `flight.py` (in the air) and
`striking.py` (an impact, which takes no time). A contact ends where the force that would keep it
leaves the friction cone; what follows comes out of the same complementarity problem as an impact
(`contacts.py`), with accelerations for velocities.
"""

import math

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import NOTHING, REST, UPLIFT
from rocksteady.theories.housner.rocking import G, about, overturning_push
from rocksteady.theories.nonsmooth.contacts import contacts, slipping
from rocksteady.theories.nonsmooth.flight import fly
from rocksteady.theories.nonsmooth.leaning import rock, slip_and_rock
from rocksteady.theories.nonsmooth.sliding import slip_on_base
from rocksteady.theories.nonsmooth.striking import (
    CONTACT,
    FLIGHT,
    GRIP,
    LEAST_NORMAL,
    SLIP,
    changed,
    corner,
    matrices_of,
    rigid,
    strike,
)

TIE = 1e-12  # of an interval: two pushes that come this close come at once; leaving altogether wins


@kernel
def pressed(state, normal):  # type: ignore[no-untyped-def]
    """The same state, once the normal force [N] of a contact has been this."""
    return (*state[:LEAST_NORMAL], min(state[LEAST_NORMAL], normal))


@kernel
def excess_push(kind, params, ground):  # type: ignore[no-untyped-def]
    """Positive where the ground's push overcomes: 0, 1 the weight about the right, left corner;
    2, 3 friction (it then slips towards +x, −x); 4 the weight altogether."""
    weight, mu = params[G] + ground[1], rigid(params).mu
    if kind < 2:
        side = 1.0 - 2.0 * kind
        if weight == 0:  # exactly: rounding must not turn a block that nothing pushes
            return -side * ground[0] * about(side, params).inertia_force
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
        state = pressed(state, rigid(params).mass * (params[G] + ground0[1]))
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
def start_from_rest(params, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of a block at rest, from the LCP of its accelerations."""
    side = -math.copysign(1.0, ground[0])
    alpha, R = corner(side, params)
    S, C = sincos(alpha)
    body = rigid(params)
    matrices = matrices_of(R * S, R * C, body.width, body.mass / body.inertia, True)
    free = -(params[G] + ground[1])
    found = contacts(matrices, free, free, -side * ground[0], body.mu, body.mu)
    first, second = lifting(found, params)
    if first and second:
        return FLIGHT, 0.0
    contact = -side if first else (side if second else 0.0)
    return contact, (side * math.copysign(1.0, found.slip) if found.slip != 0 else 0.0)


@kernel
def lifting(found, params):  # type: ignore[no-untyped-def]
    """Which of the two corners leave the ground, by the accelerations that the LCP found."""
    return found.v1 > GRIP * params[G], found.v2 > GRIP * params[G]


@kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Slip on the whole base, until it stops, tips over an edge or leaves the ground."""
    _, _, _, way, _, rate, _, slip, work, loss, least = state
    body = rigid(params)
    alpha, R = corner(slip, params)
    S, C = sincos(alpha)
    matrices = matrices_of(R * S, R * C, body.width, body.mass / body.inertia, True)
    weight0, weight1 = params[G] + ground0[1], params[G] + ground1[1]
    # with no weight yet, that of the next moment tells whether the base stays flat
    free = -weight0 if abs(weight0) > GRIP * params[G] else -max(weight0, weight1)
    # it slips already, at whatever acceleration: hence the infinite one
    found = slipping(matrices, free, free, math.inf, 1.0, body.mu, body.mu)
    first, second = lifting(found, params)
    if found.excess > GRIP * params[G]:
        return changed(state, 0.0, 2 * slip), 0.0, NOTHING
    if first or second:
        if first and second:
            return changed(state, FLIGHT, 0.0), 0.0, UPLIFT
        return changed(state, -slip if first else slip, slip), 0.0, UPLIFT
    contact, event, span = 0.0, NOTHING, dt
    if weight1 < 0:  # the ground falls away
        span = dt * weight0 / (weight0 - weight1)
    further, rate, used, stopped, gained, lost = slip_on_base(
        rate, slip, body.mu, params[G], ground0, ground1, dt, span
    )
    if stopped:
        slip, event = 0.0, REST
    elif weight1 < 0:
        contact, slip, event = FLIGHT, 0.0, UPLIFT
    mass = body.mass
    work, loss, least = work + mass * gained, loss + mass * lost, min(least, mass * weight0)
    slid = (0.0, 0.0, contact, way + further, 0.0, rate, 0.0, slip, work, loss, least)
    return slid, used, event


# -- the step: which phase it is in ---------------------------------------------------------------


@kernel
def meets_ground(state):  # type: ignore[no-untyped-def]
    """Whether a corner strikes at this very instant."""
    theta, omega, contact, _, lift, _, lift_rate, _, _, _, _ = state
    if contact == FLIGHT:
        return lift == 0 and lift_rate < 0
    return theta == 0 and contact * omega < 0


@kernel
def advance_sticking(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of a block whose contacts never slip."""
    if meets_ground(state):
        return strike(state, params, ground0, ground1, dt)
    if state[CONTACT] == FLIGHT:
        return fly(state, params, ground0, ground1, dt)
    if state[CONTACT] == 0:
        return stand(state, params, ground0, ground1, dt)
    return rock(state, params, ground0, ground1, dt)


@kernel
def advance_slipping(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of a block with Coulomb friction."""
    slip = state[SLIP]
    if slip == 0:
        return advance_sticking(state, params, ground0, ground1, dt)
    if meets_ground(state) or abs(slip) > 1:
        return strike(state, params, ground0, ground1, dt)
    if state[CONTACT] == 0:
        return slide(state, params, ground0, ground1, dt)
    return slip_and_rock(state, params, ground0, ground1, dt)
