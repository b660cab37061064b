"""The step of a loose body: flat, it slides on its base; else it takes Moreau's steps."""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.scratch import scratch
from rocksteady.numerics.triples import add, add_scaled, apply, dot, inverse, scale, subtract
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN
from rocksteady.theories.contract import REST as RESTS
from rocksteady.theories.spatial.loose.contacts import TABLE, solve, velocity_at
from rocksteady.theories.spatial.loose.moreau import LONGEST, moreau, reach_of, until_touch
from rocksteady.theories.spatial.loose.parts import (
    corner,
    corners,
    in_body_frame,
    in_ground_frame,
    push_of,
    turned_matrix,
)
from rocksteady.theories.spatial.loose.settling import (
    NO_MOTION,
    body_of,
    energy_of,
    is_flat,
    laid_flat,
    lies_flat,
    loose_state,
    sticks_again,
    written,
)
from rocksteady.theories.spatial.loose.sliding import between, slide_flat, stays_down
from rocksteady.theories.spatial.pivots import (
    ALLOWED,
    FRICTION,
    HEIGHT,
    INERTIA,
    MASS,
    RESTITUTION,
    G,
)
from rocksteady.theories.spatial.state import LEVEL, LOSS, MORE, REST, WORK

TOUCHING = 4.0  # of what a body falls in a step: corners below strike together
STRAIGHT = (1.0, 0.0)  # cosine and sine of no turn about the body's axis
FAST = 2.0  # of what gravity adds in a step: a corner that comes down faster strikes


@kernel
def substep(dt):  # type: ignore[no-untyped-def]
    """The usual time step in an interval; what is close to the ground and fast is measured by it,
    also in what is left of an interval, however short."""
    return dt / math.ceil(dt / LONGEST - 1e-9) if dt > LONGEST else LONGEST


@kernel
def strikes(body, params, step):  # type: ignore[no-untyped-def]
    """Whether a corner touches the ground and comes down fast."""
    axes, place, velocity, spin = body
    turn, reach = in_ground_frame(axes, spin), TOUCHING * reach_of(params, step)
    for k in range(corners(params)):
        r = in_ground_frame(axes, corner(params, k))
        falls = -velocity_at((velocity, turn), r)[2]
        if place[2] + r[2] <= reach and falls > FAST * params[G] * step:
            return True
    return False


@fused_kernel
def share_of(before, plastic, bounced, J):  # type: ignore[no-untyped-def]
    """How far from the plastic impact to the one with restitution the body may go without a gain
    of energy (0 to 1); each: (velocity, angular velocity), J: inertia in the same axes. Newton's
    law of restitution and Coulomb's of friction together can gain some."""
    v, w = subtract(bounced[0], plastic[0]), subtract(bounced[1], plastic[1])
    a = dot(v, v) + dot(w, apply(J, w))
    b = dot(v, plastic[0]) + dot(w, apply(J, plastic[1]))
    had = dot(before[0], before[0]) + dot(before[1], apply(J, before[1]))
    spare = had - dot(plastic[0], plastic[0]) - dot(plastic[1], apply(J, plastic[1]))
    if a + 2 * b <= spare:
        return 1.0
    return max((math.sqrt(b * b + a * max(spare, 0.0)) - b) / a, 0.0)


@kernel
def struck(body, params, step):  # type: ignore[no-untyped-def]
    """The body after an impact of all corners that touch the ground."""
    axes, place, velocity, spin = body
    mobility = turned_matrix(axes, inverse(params[INERTIA:ALLOWED]))
    moves = velocity, in_ground_frame(axes, spin)
    where = axes, mobility, place[2], TOUCHING * reach_of(params, step)
    after = solve(moves, moves, where, params, scratch(TABLE))[0]
    if params[RESTITUTION] > 0:
        plastic = solve(moves, (NO_MOTION, NO_MOTION), where, params, scratch(TABLE))[0]
        J = turned_matrix(axes, params[INERTIA:ALLOWED])
        share = share_of(moves, plastic, after, J)
        velocity = add_scaled(plastic[0], share, subtract(after[0], plastic[0]))
        turn = add_scaled(plastic[1], share, subtract(after[1], plastic[1]))
        after = velocity, turn
    return axes, place, after[0], in_body_frame(axes, after[1])


@kernel
def strike(state, params, step):  # type: ignore[no-untyped-def]
    body = body_of(state)
    after = struck(body, params, step)
    lost = energy_of(body, params) - energy_of(after, params)
    return loose_state(state, params, after, state[WORK], state[LOSS] + params[MASS] * lost)


@kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """(State, time used, event, whether the base stays down) of a loose body that lies flat."""
    body = body_of(state)
    axes, place, velocity, spin = body
    push = push_of(ground0)
    slope = scale(1 / dt, subtract(push_of(ground1), push))
    y = (place[0], place[1], axes[0][0], axes[1][0], velocity[0], velocity[1], spin[2], 0.0)
    y, used, stopped, down = slide_flat(y, params, push, slope, dt)
    axes = (y[2], -y[3], 0.0), (y[3], y[2], 0.0), LEVEL
    spin, velocity = (0.0, 0.0, y[6]), (y[4], y[5], 0.0)
    after = axes, (y[0], y[1], params[HEIGHT]), velocity, spin
    lost = energy_of(body, params) + y[7] - energy_of(after, params)
    work = state[WORK] + params[MASS] * y[7]
    loss = state[LOSS] + params[MASS] * lost
    if not stopped:
        return loose_state(state, params, after, work, loss), used, NOTHING, down
    foot_x, foot_y, _ = add(after[1], in_ground_frame(axes, corner(params, 0)))
    new = written(
        state, params, axes, NO_MOTION, (foot_x, foot_y, 0.0), REST, 0.0, NO_MOTION, work, loss
    )
    return new, used, RESTS, down


@kernel
def settled(flat, params, push, step):  # type: ignore[no-untyped-def]
    """(The flat body, at rest where friction stops it within a time step; whether it stays flat).
    One that tips must not be laid flat again after every step."""
    axes, place, velocity, spin = flat
    y = (place[0], place[1], axes[0][0], axes[1][0], velocity[0], velocity[1], spin[2], 0.0)
    down, rests = stays_down(y, params, push, params[FRICTION] * params[G] * step)
    return (axes, place, NO_MOTION, NO_MOTION) if rests else flat, down


@kernel
def with_work(state, work, lost):  # type: ignore[no-untyped-def]
    """The state with this much more work of the ground and loss."""
    return (*state[:WORK], state[WORK] + work, state[LOSS] + lost, *state[MORE:])


@kernel
def as_it_is(body, turn, time):  # type: ignore[no-untyped-def]
    """A polygon has its own corners, however it is turned."""
    return body, turn


@kernel
def as_long(body, step):  # type: ignore[no-untyped-def]
    return step


@cache
def make_tumble(one_step: Any, face: Any, short: Any, again: Any) -> Any:
    """Build Moreau's steps until a corner strikes, all that press stick, or the body lies flat.

    ``one_step``: a time step (`moreau.py`); ``face``: turns a round body before and after each one;
    ``short``: how long that may be at most; ``again``: what it is once it sticks.
    """

    @kernel
    def tumble(state, params, ground0, ground1, dt, step):  # type: ignore[no-untyped-def]
        """(State, time used, event, how the body was turned about its axis)."""
        body, turn, table = body_of(state), STRAIGHT, scratch(TABLE)
        begin = energy_of(body, params)
        push = push_of(ground0)
        slope = scale(1 / dt, subtract(push_of(ground1), push))
        used, worked, event = 0.0, 0.0, NOTHING
        new, sticks = state, False
        while used < dt:
            length = min(until_touch(body, params, step), short(body, step), dt - used)
            accel = between(push, slope, used + 0.5 * length)
            body, turn = face(body, turn, 0.5 * length)
            after, pressing, sticking, _ = one_step(body, params, accel, length, table)
            worked -= dot(accel, subtract(after[1], body[1]))
            body, turn = face(after, turn, 0.0)
            used = dt if dt - used - length <= 1e-9 * step else used + length
            if body[0][2][2] <= 0:
                event = OVERTURN
                break
            if strikes(body, params, step):
                break
            if pressing > 2 and lies_flat(body, params, step):
                flat, down = settled(
                    laid_flat(body, params), params, between(push, slope, used), step
                )
                if down:
                    body = flat
                    break
            if pressing > 0 and pressing == sticking:
                x, y, z = between(push, slope, used)
                new, sticks = again(state, params, body, (x, z, y), pressing, table)
                if sticks:
                    break
        work = params[MASS] * worked
        lost = params[MASS] * (begin + worked - energy_of(body, params))
        if sticks:
            return with_work(new, work, lost), used, NOTHING, turn
        new = loose_state(state, params, body, state[WORK] + work, state[LOSS] + lost)
        return new, used, event, turn

    return tumble


tumble = make_tumble(moreau, as_it_is, as_long, sticks_again)


@kernel
def loose_step(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Follow a loose body until it strikes the ground, sticks, lies flat, or the time is over."""
    if is_flat(state, params):
        new, used, event, down = slide(state, params, ground0, ground1, dt)
        if down or used > 0:
            return new, used, event
    step = substep(dt)
    if strikes(body_of(state), params, step):
        return strike(state, params, step), 0.0, IMPACT
    new, used, event, _ = tumble(state, params, ground0, ground1, dt, step)
    return new, used, event
