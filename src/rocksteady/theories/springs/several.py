"""A rigid body on several interfaces: its forces and its explicit step (Peña, Eqs. 1–4).

The same springs as in `motion.py`, as many as there are interfaces; with one interface under the
base both give the same bits. With p a spring's point from the centre of mass and d its direction,

    axial     δ = d · (u, v) + ψ (lever − (p · d) ψ/2) + gap,   N = max(0, −K(δ + β δ')) where δ < 0
    shear     d = t · (u, v) + lever ψ,   T = −K_s(d − s + β d'),   |T| ≤ μ (N_start + N_end)

and the body feels N d and T t at the arms dδ/dψ. Dashpots and friction give the *loss* of the
state, the ground's inertia forces its *work*, both as the scheme does them: the sums of each small
step's forces times its mean velocities.
"""

import math
from functools import cache
from typing import Any, NamedTuple

import numba
from numba.np.unsafe.ndarray import to_fixed_tuple

from rocksteady.numerics.decorators import array_kernel
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN, TURN
from rocksteady.theories.springs.motion import axial_force, motion_state

HEAD = (
    "theta [rad]",
    "omega [rad/s]",
    "u [m]",
    "u_rate [m/s]",
    "v [m]",
    "v_rate [m/s]",
    "motion state [-]",
    "work [J]",
    "loss [J]",
)
OF_EACH = ("slide {} [m]", "N start {} [N]", "N end {} [N]", "shear {} [N]")
THETA, OMEGA, U, DU, V, DV, STATE, WORK, LOSS = range(len(HEAD))
FIRST, EACH = len(HEAD), len(OF_EACH)
DIRECTION_X, DIRECTION_Y, LEVER, CURVE, STIFF, BETA, GAP = range(7)
GRIP = 5  # μ in a row of `Springs.shear`

if numba.config.DISABLE_JIT:  # an intrinsic: plain Python has no such function

    def to_fixed_tuple(row, size):  # type: ignore[no-untyped-def]
        return tuple(float(number) for number in row[:size])


class Joined(NamedTuple):
    """The parameters of the step: the body and its springs."""

    per_mass: float
    per_inertia: float
    mass: float
    inertia: float
    g: float
    longest: float  # step [s]
    fallen_right: float
    fallen_left: float
    flat: float
    slow: float
    quiet: float  # energy [J] below which it counts as at rest
    soft: float  # spring [N/m] by which an unbalanced force is turned into such an energy
    axial: Array  # as in `Springs`
    shear: Array
    stands: Array  # (r, 2): 1 for axial springs that carry at rest
    now: Array  # workspace: the state
    pull: Array  # workspace: force of each shear spring without its dashpot [N]


class Motion(NamedTuple):
    """Where the body is, and its velocities."""

    u: float
    v: float
    psi: float
    du: float
    dv: float
    dpsi: float


class Push(NamedTuple):
    """What the springs do."""

    x: float  # forces [N] and moment [N m]
    y: float
    moment: float
    lost_x: float  # the share of the dashpots
    lost_y: float
    lost_moment: float
    lifted: bool  # whether a spring that carries at rest does not
    slips: bool  # whether friction of the first interface gives way
    slipped: float  # energy lost in friction [J]


@array_kernel
def gap_of(spring, at):  # type: ignore[no-untyped-def]
    """(δ, its arm dδ/dψ) of an axial spring."""
    bend = spring[CURVE] * at.psi
    moved = spring[DIRECTION_X] * at.u + spring[DIRECTION_Y] * at.v
    return moved + at.psi * (spring[LEVER] + 0.5 * bend) + spring[GAP], spring[LEVER] + bend


@array_kernel
def push_of(at, body):  # type: ignore[no-untyped-def]
    """The springs' forces (Eqs. 2 and 3). Slides and forces of the interfaces go into ``now``."""
    now = body.now
    fx, fy, moment, lx, ly, lm, slipped = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    lifted, first_slips = False, False
    for i in range(len(body.shear)):
        k, carried = FIRST + EACH * i, 0.0
        for j in range(2):
            spring = body.axial[i, j]
            gap, arm = gap_of(spring, at)
            nx, ny, stiff = spring[DIRECTION_X], spring[DIRECTION_Y], spring[STIFF]
            rate = nx * at.du + ny * at.dv + arm * at.dpsi
            N = axial_force(gap, rate, stiff, spring[BETA])
            fx, fy, moment = fx + nx * N, fy + ny * N, moment + arm * N
            taken = N + stiff * gap if gap < 0 else 0.0
            lx, ly, lm = lx + nx * taken, ly + ny * taken, lm + arm * taken
            lifted = lifted or (N == 0 and body.stands[i, j] > 0)
            carried = carried + N
            now[k + 1 + j] = N
        row = body.shear[i]
        tx, ty, lever, stiff = row[DIRECTION_X], row[DIRECTION_Y], row[LEVER], row[3]
        d = (tx * at.u + ty * at.v) + lever * at.psi
        slide, before = now[k], body.pull[i]
        along = row[4] * (tx * at.du + ty * at.dv + lever * at.dpsi)
        shear, taken = -stiff * ((d - slide) + along), -stiff * along
        grip = row[GRIP] * carried
        slips = abs(shear) > grip
        if slips:
            shear, taken = math.copysign(grip, shear), 0.0
            now[k] = d + shear / stiff
            slipped -= 0.5 * (before + shear) * (now[k] - slide)
        body.pull[i] = shear - taken
        fx, fy, moment = fx + tx * shear, fy + ty * shear, moment + lever * shear
        lx, ly, lm = lx + tx * taken, ly + ty * taken, lm + lever * taken
        now[k + 3] = shear
        if i == 0:
            first_slips = slips
    return Push(fx, fy, moment, lx, ly, lm, lifted, first_slips, slipped)


@array_kernel
def kicked(at, push, lag, a_h, a_v, body):  # type: ignore[no-untyped-def]
    """(The same with velocities ``lag`` later, work of the ground, loss of the dashpots)."""
    du = at.du + lag * (push.x * body.per_mass - a_h)
    dv = at.dv + lag * (push.y * body.per_mass - body.g - a_v)
    dpsi = at.dpsi + lag * (push.moment * body.per_inertia)
    mean_u, mean_v, mean_psi = 0.5 * (at.du + du), 0.5 * (at.dv + dv), 0.5 * (at.dpsi + dpsi)
    work = -lag * body.mass * (a_h * mean_u + a_v * mean_v)
    loss = -lag * (push.lost_x * mean_u + push.lost_y * mean_v + push.lost_moment * mean_psi)
    return Motion(at.u, at.v, at.psi, du, dv, dpsi), work, loss


@array_kernel
def stored_push(at, body):  # type: ignore[no-untyped-def]
    """The forces with which an interval begins: those in the state, as `push_of` left them. The
    dashpots' share is what they are more than the springs'."""
    now = body.now
    fx, fy, moment, lx, ly, lm = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(body.shear)):
        k = FIRST + EACH * i
        for j in range(2):
            spring, N = body.axial[i, j], now[k + 1 + j]
            gap, arm = gap_of(spring, at)
            nx, ny = spring[DIRECTION_X], spring[DIRECTION_Y]
            fx, fy, moment = fx + nx * N, fy + ny * N, moment + arm * N
            taken = N + spring[STIFF] * gap if gap < 0 else 0.0
            lx, ly, lm = lx + nx * taken, ly + ny * taken, lm + arm * taken
        row, shear = body.shear[i], now[k + 3]
        tx, ty, lever = row[DIRECTION_X], row[DIRECTION_Y], row[LEVER]
        d = (tx * at.u + ty * at.v) + lever * at.psi
        body.pull[i] = -row[3] * (d - now[k])
        taken = shear - body.pull[i]
        fx, fy, moment = fx + tx * shear, fy + ty * shear, moment + lever * shear
        lx, ly, lm = lx + tx * taken, ly + ty * taken, lm + lever * taken
    return Push(fx, fy, moment, lx, ly, lm, False, False, 0.0)


@cache
def make_advance(count: int) -> Any:
    """The step of a body on so many interfaces."""
    size = FIRST + EACH * count

    @array_kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        body = params
        now = body.now
        for k in range(size):
            now[k] = state[k]
        at = Motion(state[U], state[V], -state[THETA], state[DU], state[DV], -state[OMEGA])
        a_h, a_v = ground0
        steps = max(1, math.ceil(dt / body.longest))
        h, part = dt / steps, 1 / steps
        slope_h, slope_v = (ground1[0] - a_h) * part, (ground1[1] - a_v) * part
        push, lag, i, event = stored_push(at, body), 0.5 * h, 0, NOTHING
        g_h, g_v = a_h, a_v
        while i < steps and event == NOTHING:
            i += 1
            at, work, loss = kicked(at, push, lag, g_h, g_v, body)
            moved = (at.u + h * at.du, at.v + h * at.dv, at.psi + h * at.dpsi)
            at = Motion(*moved, at.du, at.dv, at.dpsi)
            push = push_of(at, body)
            now[WORK] += work
            now[LOSS] += loss + push.slipped
            g_h, g_v, lag = a_h + i * slope_h, a_v + i * slope_v, h
            after = at.dpsi + h * (push.moment * body.per_inertia)
            if not (-body.fallen_right < at.psi < body.fallen_left):
                event = OVERTURN if at.psi == at.psi else FAILURE
            elif push.lifted and at.dpsi * after < 0:
                event = TURN
        at, work, loss = kicked(at, push, 0.5 * h, g_h, g_v, body)
        theta, omega = -at.psi, -at.dpsi
        N_start, N_end = now[FIRST + 1], now[FIRST + 2]
        now[THETA], now[OMEGA] = theta, omega
        now[U], now[DU], now[V], now[DV] = at.u, at.du, at.v, at.dv
        now[STATE] = motion_state(theta, omega, N_start, N_end, push.slips, body)
        now[WORK] += work
        now[LOSS] += loss
        return to_fixed_tuple(now, size), dt if i == steps else i * h, event

    return advance


@array_kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a spring that carries at rest is off what it stands on."""
    at = Motion(state[U], state[V], -state[THETA], state[DU], state[DV], -state[OMEGA])
    for i in range(len(params.shear)):
        for j in range(2):
            if params.stands[i, j] > 0 and gap_of(params.axial[i, j], at)[0] > 0:
                return True
    return False


@array_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it hardly moves and its forces balance, wherever it leans."""
    du, dv, omega = state[DU], state[DV], state[OMEGA]
    body, at = params, Motion(state[U], state[V], -state[THETA], du, dv, -omega)
    fx, fy, moment = 0.0, -body.mass * body.g, 0.0
    for i in range(len(body.shear)):
        k = FIRST + EACH * i
        for j in range(2):
            spring, N = body.axial[i, j], state[k + 1 + j]
            arm = gap_of(spring, at)[1]
            fx, fy = fx + spring[DIRECTION_X] * N, fy + spring[DIRECTION_Y] * N
            moment = moment + arm * N
        row, shear = body.shear[i], state[k + 3]
        fx, fy = fx + row[DIRECTION_X] * shear, fy + row[DIRECTION_Y] * shear
        moment = moment + row[LEVER] * shear
    kinetic = 0.5 * (body.mass * (du * du + dv * dv) + body.inertia * (omega * omega))
    turning = moment * moment * body.mass * body.per_inertia
    return kinetic + 0.5 * (fx * fx + fy * fy + turning) / body.soft <= body.quiet
