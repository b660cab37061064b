"""One step of the complex formulation: rest, uplift, the swing, the impact.

An impact is where θ = 0, half a turn of the phase after the last one (Eq. 58). Rest and uplift are
Housner's; the paper has neither.
"""

from rocksteady.numerics.decorators import kernel
from rocksteady.theories.complex.motion import (
    CHI,
    PHASE,
    RATE,
    TRIAL,
    Forces,
    accepted,
    energy_of,
    law_of,
    locate,
    placed,
    upright,
)
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, REST, TURN
from rocksteady.theories.housner import rocking


@kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    _, _, side, _, _, chi, rate, _, _, phase, _, _ = state
    quarter = law_of(params).quarter
    if side == 0:
        return wait(state, params, ground0, ground1, dt)
    if phase == quarter or (chi == 0 and rate < 0):
        return strike(state, params, ground0)
    return swing(state, params, ground0, ground1, dt)


@kernel
def wait(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Stand upright until Housner's uplift; ψ is then 0 or half a turn, and l = 0."""
    standing, used, event = rocking.wait(state[:5], params, ground0, ground1, dt)
    _, _, side, work, loss = standing
    half_turns = 1.0 if side < 0 else 0.0
    psi = 2 * half_turns * law_of(params).quarter
    lifted = (0.0, 0.0, side, work, loss, 0.0, 0.0, psi, half_turns, 0.0, 0.0, state[TRIAL])
    return lifted, used, event


@kernel
def swing(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Move on by one step of the error control's choice, or to what happens within it."""
    _, _, side, work, loss, chi, rate, _, half_turns, phase, l, trial = state
    g, corner, law = params[rocking.G], rocking.about(1.0, params), law_of(params)
    alpha, p, quarter, unit = corner.alpha, corner.p, law.quarter, law.unit
    span, force = p * dt, side / (alpha * g)
    start = (chi, rate, phase)
    forces = Forces(
        l, law.c, law.kappa, alpha, params[rocking.ALLOWED],
        1 + ground0[1] / g,
        (ground1[1] - ground0[1]) / (g * span),
        force * ground0[0],
        force * (ground1[0] - ground0[0]) / span,
    )  # fmt: skip
    h, trial, at = accepted(start, forces, span, trial)
    if not at.error <= 1:
        return state, 0.0, FAILURE
    if rate == 0 and chi == 0 and at.v <= 0:  # it was not lifted after all
        return upright(work, loss, trial), (h / p if h < span else dt), REST
    h, at, event = until_something_happens(start, forces, h, at, quarter)
    x, v, phase = at.x, at.v, at.phase
    work += unit * at.work
    loss += unit * at.loss
    if event == TURN:
        v = 0.0
        if l == 0 and x >= law.rest:
            l = law.l
            loss -= unit * 0.5 * l * l / (x * x)  # the energy of the angular momentum given to it
    elif event == IMPACT:  # arrived at θ = 0: the next call strikes
        event = NOTHING
        if l > 0:
            phase = quarter
        else:
            x, v = 0.0, min(v, -5e-324)
    moved = placed(x, v, phase, half_turns, side, l, work, loss, trial, params)
    used = h / p if h < span else dt
    if event == OVERTURN:  # by χ, whatever the phase has gathered beside its half turns
        return (side * rocking.LYING, *moved[1:]), used, event
    return moved, used, event


@kernel
def until_something_happens(start, forces, h, at, quarter):  # type: ignore[no-untyped-def]
    """Shorten the step to the turning point, impact or fall inside it: (h, where to, event)."""
    rate, l, alpha = start[RATE], forces.l, forces.alpha
    event = NOTHING
    if rate * at.v < 0:
        sooner, there = locate(start, forces, 0.0, RATE, h)
        # Where the force l²/χ³ of the impact turns it back χ has a minimum, but the rotation goes
        # on through zero. A minimum to which the ground has turned it is one of the rotation.
        if rate > 0 or l * l < 0.5 * there.a * there.x**3:
            h, at, event = sooner, there, TURN
    if l > 0 and at.phase >= quarter:
        h, at = locate(start, forces, quarter, PHASE, h)
        event = IMPACT
    elif l == 0 and at.x < 0:
        h, at = locate(start, forces, 0.0, CHI, h)
        event = IMPACT
    elif alpha * at.x >= rocking.LYING:
        h, at = locate(start, forces, rocking.LYING / alpha, CHI, h)
        event = OVERTURN
    return h, at, event


@kernel
def strike(state, params, ground):  # type: ignore[no-untyped-def]
    """Report the impact at θ = 0, or end the motion there if the bounce will be small.

    With l > 0 nothing jumps here: the rates reported before and after are those far from the
    origin on either side, see `far_speed`. With l = 0 it is Housner's impact.
    """
    _, omega, side, work, loss, chi, rate, _, half_turns, _, l, trial = state
    alpha, p, _, eta, _, _ = rocking.about(1.0, params)
    _, _, _, quarter, rest, unit = law_of(params)
    speed = eta * abs(omega) / (alpha * p)
    # By the ground at this instant: should it lift the block later in the interval, it does so
    # from rest, and a block about to be lifted does not bounce without end.
    push = max(
        rocking.overturning_push(1.0, params, ground),
        rocking.overturning_push(-1.0, params, ground),
    )
    if push < 0 and 0.5 * speed * speed <= rest * -push / (alpha * p * p):
        loss += unit * energy_of(chi, rate, l, alpha)
        return upright(work, loss, trial), 0.0, IMPACT
    if l > 0:
        after = placed(chi, rate, -quarter, half_turns + 1, -side, l, work, loss, trial, params)
    else:
        loss += unit * 0.5 * (rate * rate - speed * speed)
        after = placed(0.0, speed, 0.0, half_turns + 1, -side, l, work, loss, trial, params)
    return (0.0, eta * omega, *after[2:]), 0.0, IMPACT


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands upright."""
    return state[2] == 0
