"""One step of a rigid block: which phase of its motion it is in.

`standing.py`: on the whole base; `leaning.py`: on a corner; `flight.py`: in the air; `striking.py`:
an impact, which takes no time.
"""

from __future__ import annotations

from rocksteady.formulations.nonsmooth.flight import fly
from rocksteady.formulations.nonsmooth.leaning import rock, slip_and_rock
from rocksteady.formulations.nonsmooth.standing import slide, stand
from rocksteady.formulations.nonsmooth.striking import CONTACT, FLIGHT, SLIP, strike
from rocksteady.numerics.decorators import kernel


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
