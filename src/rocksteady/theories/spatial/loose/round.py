"""A round base that slides: where the force on the rim leaves the cone, and the way back.

A body of revolution may be turned about its own axis at will. Before every time step it is turned
such that the lowest point of its rim at mid-step is corner 0 of a ring of corners; so a contact on
the rim is one corner, always the lowest, and `contacts.py` needs to know nothing of circles. What
the body was turned by is undone in the state.

The parameters are those of a polygon with ROUND corners on the rim; then as many of a polygon with
the area of the disk, for a base that slides flat; then those of a body on its rim (`rim/body.py`).
"""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.triples import add, cross
from rocksteady.theories.contract import IMPACT
from rocksteady.theories.spatial.loose.contacts import impulse_at
from rocksteady.theories.spatial.loose.joined import Base, make_joined
from rocksteady.theories.spatial.loose.moreau import carried, make_moreau
from rocksteady.theories.spatial.loose.parts import in_ground_frame, push_of
from rocksteady.theories.spatial.loose.settling import body_of, is_flat, loose_state, sticking_state
from rocksteady.theories.spatial.loose.sliding import spare_push
from rocksteady.theories.spatial.loose.step import make_tumble, slide, strike, strikes, substep
from rocksteady.theories.spatial.pivots import CORNERS, FRICTION, HEIGHT
from rocksteady.theories.spatial.rim.body import Rim
from rocksteady.theories.spatial.rim.frame import angle_of, pose_of
from rocksteady.theories.spatial.rim.rolling import slope, unknowns
from rocksteady.theories.spatial.rim.step import ADVANCE
from rocksteady.theories.spatial.state import (
    AHEAD,
    LOSS,
    MODE,
    MORE,
    PLACE,
    REST,
    RIM,
    SPIN,
    UP,
    WORK,
)

ROUND = 32  # corners
FLAT_AT = CORNERS + 2 * ROUND
RIM_AT = FLAT_AT + 2 * ROUND
LEANING = 1e-3  # rad: a body that leans less does not roll on its rim yet
TURN = 0.005  # rad: part of the rim along which it runs in a time step
SHORTEST = 1 / 4  # of a time step
STRAIGHT = (1.0, 0.0)  # cosine and sine of no turn


@kernel
def rim_of(params):  # type: ignore[no-untyped-def]
    return Rim(*params[RIM_AT:])


@kernel
def flat_base(params):  # type: ignore[no-untyped-def]
    """The parameters with the polygon of equal area as base."""
    return params[:CORNERS] + params[FLAT_AT:RIM_AT]


# -- turning about the axis ------------------------------------------------------------------------


@fused_kernel
def turned_back(v, turn):  # type: ignore[no-untyped-def]
    """A vector of the body frame, after the body was turned by −β about its axis; ``turn``: (cos β,
    sin β)."""
    c, s = turn
    return c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]


@fused_kernel
def turned_on(v, turn):  # type: ignore[no-untyped-def]
    """The same by +β."""
    c, s = turn
    return c * v[0] - s * v[1], c * v[1] + s * v[0], v[2]


@kernel
def faced(body, turn, time):  # type: ignore[no-untyped-def]
    """(The body with corner 0 where the lowest point of its rim will be after this time, what it
    was turned by in all)."""
    axes, place, velocity, spin = body
    x, y, _ = carried(axes[2], spin, time)
    x, y = -x, -y
    size = math.hypot(x, y)
    if size < 1e-15:
        return body, turn
    by = (x / size, y / size)
    axes = turned_back(axes[0], by), turned_back(axes[1], by), turned_back(axes[2], by)
    turn = (turn[0] * by[0] - turn[1] * by[1], turn[1] * by[0] + turn[0] * by[1])
    return (axes, place, velocity, turned_back(spin, by)), turn


@kernel
def short_turn(body, step):  # type: ignore[no-untyped-def]
    """A time step in which the point of contact runs along a small part of the rim only."""
    x, y = body[0][2][0], body[0][2][1]
    along, size2 = body[3][0] * x + body[3][1] * y, x * x + y * y
    if abs(along) * step <= TURN * size2 or size2 < LEANING * LEANING:
        return step
    return max(TURN * size2 / abs(along), SHORTEST * step)


@kernel
def as_it_was(state, turn):  # type: ignore[no-untyped-def]
    """The state of a body that was turned about its axis, turned back."""
    up = turned_on(state[UP:AHEAD], turn)
    ahead = turned_on(state[AHEAD:SPIN], turn)
    spin = turned_on(state[SPIN:PLACE], turn)
    x, y, mode, work, loss = state[PLACE], state[PLACE + 1], state[MODE], state[WORK], state[LOSS]
    pivot = 0.0 if mode == REST else angle_of(turn[0], turn[1])
    head = (state[0], state[1], state[2], *up, *ahead, *spin, x, y, mode, pivot, work, loss)
    return head + state[MORE:]


@kernel
def facing_state(state, turn):  # type: ignore[no-untyped-def]
    """The state of a loose body turned by −β."""
    return as_it_was(state, (turn[0], -turn[1]))


@kernel
def lowest_of_rim(axes, height, params):  # type: ignore[no-untyped-def]
    """Height of the lowest point of the rim."""
    x, y, z = axes[2]
    return height - params[HEIGHT] * z - rim_of(params).rho * math.hypot(x, y)


# -- force against the cone ------------------------------------------------------------------------


@fused_kernel
def in_space(pose, sine, cosine, v):  # type: ignore[no-untyped-def]
    """A vector of the leaning frame (u, t, n) along x, y, z of the ground."""
    along = v[0] * cosine + v[2] * sine
    x, y = along * pose.to_x - v[1] * pose.to_y, along * pose.to_y + v[1] * pose.to_x
    return x, y, v[2] * cosine - v[0] * sine


@fused_kernel
def force_on_rim(pose, rim, ground):  # type: ignore[no-untyped-def]
    """Force of the ground per unit mass along x, y, z of a body that rolls freely on its rim."""
    y = unknowns(pose)
    w_t, p, w_n, s, c, _, _ = y
    planar = p == 0 or s == 0
    (bend, p_rate, spin_rate, _, _, _, _), _ = slope(y, ground, rim, planar)
    per_s = 0.0 if planar else 1 / s
    w_u, turning = -p * per_s, p * per_s * per_s
    across = per_s * (turning * c * s * w_t - p_rate)  # w_u'
    N, N_rate = rim.rho * w_n + rim.h * w_u, rim.rho * spin_rate + rim.h * across
    v, frame = (rim.h * w_t, -N, rim.rho * w_t), (w_u, w_t, turning * c)
    moving = add((rim.h * bend, -N_rate, rim.rho * bend), cross(frame, v))
    x, across, z = in_space(pose, s, c, moving)
    return x + ground[0], across + ground[2], z + rim.g + ground[1]


@fused_kernel
def velocity_on_rim(pose, rim):  # type: ignore[no-untyped-def]
    """Of the centre of mass, along x, y, z of the ground."""
    w_t, p, w_n, s, c, _, _ = unknowns(pose)
    w_u = -p / s if s > 0 else 0.0
    return in_space(pose, s, c, (rim.h * w_t, -rim.rho * w_n - rim.h * w_u, rim.rho * w_t))


@kernel
def rim_margin(state, params, ground):  # type: ignore[no-untyped-def]
    """See `forces.margin`."""
    if state[MODE] == REST:
        return spare_push(params, push_of(ground))
    rim = rim_of(params)
    x, y, z = force_on_rim(pose_of(state, rim), rim, ground)
    return params[FRICTION] * z - math.hypot(x, y)


@kernel
def rim_strike_margin(before, after, params):  # type: ignore[no-untyped-def]
    """See `forces.strike_margin`; of all impulses together."""
    rim = rim_of(params)
    came, went = velocity_on_rim(pose_of(before, rim), rim), (0.0, 0.0, 0.0)
    if after[MODE] != REST:
        went = velocity_on_rim(pose_of(after, rim), rim)
    x, y, z = went[0] - came[0], went[1] - came[1], went[2] - came[2]
    return params[FRICTION] * z - math.hypot(x, y)


# -- from the rim and back -------------------------------------------------------------------------


@kernel
def rim_loosened(state, params):  # type: ignore[no-untyped-def]
    """A body on its rim, or at rest, as a loose one."""
    up, ahead, spin = state[UP:AHEAD], state[AHEAD:SPIN], state[SPIN:PLACE]
    axes, rim = (ahead, cross(up, ahead), up), rim_of(params)
    pose = pose_of(state, rim)
    d = (-rim.rho * pose.at_x, -rim.rho * pose.at_y, rim.h)
    x, y, z = in_ground_frame(axes, d)
    place = (state[PLACE] + x, state[PLACE + 1] + y, z)
    body = (axes, place, in_ground_frame(axes, cross(spin, d)), spin)
    body, turn = faced(body, STRAIGHT, 0.0)
    return as_it_was(loose_state(state, params, body, state[WORK], state[LOSS]), turn)


@kernel
def rolls_again(state, params, body, ground, pressing, table):  # type: ignore[no-untyped-def]
    """(State, whether it sticks now) where the lowest point of the rim alone presses."""
    up = body[0][2]
    if pressing == 1 and impulse_at(table, 0)[2] > 0 and math.hypot(up[0], up[1]) > LEANING:
        new = sticking_state(state, params, body, RIM, 0)
        if rim_margin(new, params, ground) > 0:
            return new, True
    return state, False


_tumble = make_tumble(make_moreau(lowest_of_rim), faced, short_turn, rolls_again)


@kernel
def rim_strike(state, params, step):  # type: ignore[no-untyped-def]
    """See `step.strike`."""
    _, turn = faced(body_of(state), STRAIGHT, 0.0)
    return as_it_was(strike(facing_state(state, turn), params, step), turn)


@kernel
def rim_loose_step(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """See `step.loose_step`."""
    if is_flat(state, params):
        new, used, event, down = slide(state, flat_base(params), ground0, ground1, dt)
        if down or used > 0:
            return _on_its_rim(new, params), used, event
    step = substep(dt)
    _, turn = faced(body_of(state), STRAIGHT, 0.0)
    facing = facing_state(state, turn)
    if strikes(body_of(facing), params, step):
        return as_it_was(strike(facing, params, step), turn), 0.0, IMPACT
    new, used, event, more = _tumble(facing, params, ground0, ground1, dt, step)
    turn = (turn[0] * more[0] - turn[1] * more[1], turn[1] * more[0] + turn[0] * more[1])
    return as_it_was(new, turn), used, event


@kernel
def _on_its_rim(state, params):  # type: ignore[no-untyped-def]
    """A state of rest, placed by the rim and not by the corner of the polygon of equal area."""
    if state[MODE] != REST:
        return state
    short = rim_of(params).rho - params[FLAT_AT]
    x, y = state[PLACE] + short * state[AHEAD], state[PLACE + 1] - short * state[AHEAD + 1]
    return state[:PLACE] + (x, y) + state[MODE:]  # noqa: RUF005 (for Numba)


@kernel
def rolling(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The step of a body that rolls without sliding."""
    return ADVANCE(state, params[RIM_AT:], ground0, ground1, dt)


def ring(radius: float) -> list[float]:
    """x and y of the ROUND corners of a regular polygon, one after the other [m]."""
    angles = [2 * math.pi * k / ROUND for k in range(ROUND)]
    return [radius * f(angle) for angle in angles for f in (math.cos, math.sin)]


def bases(radius: float) -> list[float]:
    """The corners on the rim, and those of the polygon with the area of the disk [m]."""
    step = 2 * math.pi / ROUND
    return ring(radius) + ring(radius * math.sqrt(step / math.sin(step)))


@cache
def make_round() -> Any:
    """Build the step of a round body that may slide."""
    base = Base(rim_margin, rim_strike_margin, rim_loosened, rim_strike, rim_loose_step)
    return make_joined(rolling, base)
