"""How the masonry building moves: m u'' + c u' + A_c τ = −m a_h, adhering or slipping.

    state = (u, v, g, α, w, τ, mode, work, loss, viscous)

mode 0 adheres, ±1 slips that way, 2 has collapsed. ``work`` is the ground's, ``loss`` all that is
lost, ``viscous`` the part of it in damping [J].

**Adhering**, the building is a linear oscillator under a ground acceleration that is linear in
time, which has a closed form. A step ends at a turning point, so that u is monotone in it and slip
cannot start and end unseen inside; where slip starts the step ends, too.

**Slipping**, (u, v, α, w) is one smooth system: τ = (1 − w)(τ_0 + A) depends on α and w only, and
these grow with |v|. The classical Runge–Kutta rule integrates all four together, so the stress of
each stage is the one on F = 0 at that stage's own α and w; g follows from F = 0 at the end. Slip
ends where v = 0: that instant is found on the cubic through both ends, and the step is taken again
up to there. The whole is of fourth order, reversals and slip onsets included.
"""

from __future__ import annotations

import math

from rocksteady.formulations.contract import NOTHING, OVERTURN, TURN, UPLIFT
from rocksteady.formulations.masonry.interface import (
    BRITTLE,
    HALVED,
    LEAST,
    WORN_OUT,
    breaks,
    deform_explicit,
    held,
    slip_limit,
    slip_rates,
)
from rocksteady.numerics.decorators import inner_kernel, kernel
from rocksteady.numerics.roots import make_root

REACH = 0.85  # largest ω Δt of a step
NEAR = 1e-6  # of the step: a Newton correction so small leaves an error of rounding's size
SLIDE = 0.2  # largest (a + D) Δ|u| of a slipping step


# -- adhering --------------------------------------------------------------------------------


@inner_kernel
def swing(x, v, ww, damping, a0, a1):  # type: ignore[no-untyped-def]
    """The motion x'' = −ω² x − c x' − a0 − a1 t (c per mass): (ω², c/2, A, B, y, y') of
    x = A + B t + y(t), where y'' = −ω² y − c y'."""
    flexibility = -1.0 / ww
    B = flexibility * a1
    A = flexibility * (a0 + damping * B)
    return ww, 0.5 * damping, A, B, x - A, v - B


@inner_kernel
def swung(motion, t):  # type: ignore[no-untyped-def]
    """x and x' after the time t, ω t ≤ REACH; cosine and sine by their series."""
    ww, beta, A, B, y, rate = motion
    z = (ww - beta * beta) * t * t  # negative where overdamped: cosh and sinh by the same series
    P = 1 / 3628800 - z * (1 / 479001600 - z * (1 / 87178291200))
    P = 1 / 2 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320 - z * P)))
    Q = 1 / 39916800 - z * (1 / 6227020800 - z * (1 / 1307674368000))
    Q = 1 / 6 - z * (1 / 120 - z * (1 / 5040 - z * (1 / 362880 - z * Q)))
    cosine, sine = 1.0 - z * P, t * (1.0 - z * Q)  # sine: sin(ω_d t)/ω_d
    x = y * cosine + (rate + beta * y) * sine
    v = rate * cosine - (ww * y + beta * rate) * sine
    if beta > 0.0:
        decay = math.exp(-beta * t)
        return A + B * t + decay * x, B + decay * v
    return A + B * t + x, B + v


@kernel
def look_at_speed(problem, t):  # type: ignore[no-untyped-def]
    """What `make_root` asks of the velocity."""
    motion, rises = problem
    ww, beta, A, B, _, _ = motion
    place, speed = swung(motion, t)
    # x'' = −ω² (x − A − B t) − c (x' − B)
    slope = -ww * (place - A - B * t) - 2.0 * beta * (speed - B)
    return speed, t - speed / slope, (speed > 0.0) == rises


@kernel
def look_at_stretch(problem, t):  # type: ignore[no-untyped-def]
    """What `make_root` asks of the stretch."""
    motion, goal, rises = problem
    place, speed = swung(motion, t)
    return place - goal, t - (place - goal) / speed, (place < goal) == rises


zero_of_speed = make_root(look_at_speed, close=NEAR, strict=True)
passage_of_stretch = make_root(look_at_stretch, close=NEAR, strict=True)


@kernel
def turning_time(motion, v, v1, h):  # type: ignore[no-untyped-def]
    """When the velocity is zero, knowing that it changes its sign within h, from v to v1."""
    ww, beta, _, _, y, rate = motion
    t = h * v / (v - v1)
    bend = -h * (ww * y + 2.0 * beta * rate) - (v1 - v)  # of the parabola that starts like v
    t += t * (t - h) * bend / (h * (v1 - v))
    return zero_of_speed((motion, v > 0.0), 0.0, h, t)


@kernel
def slipping_time(motion, x, x1, goal, h):  # type: ignore[no-untyped-def]
    """When the stretch, monotone within h, passes ``goal`` on its way from x to x1."""
    return passage_of_stretch((motion, goal, x < x1), 0.0, h, h * (goal - x) / (x1 - x))


@inner_kernel
def adhere(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One elastic step: to the end, a turning point or the onset of slip."""
    u, v, g, alpha, w, _tau, _mode, work, loss, viscous = state
    mass, k = params[0], params[2]
    per_mass = 1.0 / mass
    damping, per_area = params[8] * per_mass, k * (1.0 - w)
    ww = per_area * params[1] * per_mass
    h = reach(dt, ww, damping)
    a0, a1 = ground0[0], (ground1[0] - ground0[0]) / dt
    x = u - g
    motion = swing(x, v, ww, damping, a0, a1)
    x1, v1 = swung(motion, h)
    event, mode, outset = NOTHING, 0.0, v
    if v == 0.0:  # it may set out one way and come back: then only to where the pull is zero
        pull, pull1 = pulls(motion, x1, v1, h)
        if pull * pull1 < 0.0:
            h = h * pull / (pull - pull1)
            x1, v1 = swung(motion, h)
        outset = pull if pull != 0.0 else pull1
    if v * v1 < 0.0:
        h = turning_time(motion, v, v1, h)
        x1, v1, event = swung(motion, h)[0], 0.0, TURN
    if k * abs(x1) > params[3] and starts_to_slip(outset, x1, alpha, w, params):
        limit = slip_limit(alpha, w, params)
        mode, event = (1.0 if x1 > 0.0 else -1.0), UPLIFT
        if abs(x) >= limit:
            h, x1, v1 = 0.0, x, v
        else:
            h = slipping_time(motion, x, x1, mode * limit, h)
            x1, v1 = mode * limit, swung(motion, h)[1]
    # the ground's work −m ∫ a x' dt by parts, with a1 ∫ x dt from the equation of motion
    moment = (v1 - v + damping * (x1 - x) + h * (a0 + 0.5 * h * a1)) * motion[3]
    work -= mass * ((a0 + a1 * h) * x1 - a0 * x - moment)
    if damping > 0.0:
        lost = mass * damped(motion, x1, v1, h)
        loss, viscous = loss + lost, viscous + lost
    return (g + x1, v1, g, alpha, w, per_area * x1, mode, work, loss, viscous), h, event


@kernel
def pulls(motion, x1, v1, h):  # type: ignore[no-untyped-def]
    """x'' = −ω² y − c y' at the start, and after the time h at (x1, v1)."""
    ww, beta, A, B, y, rate = motion
    pull = -ww * y - 2.0 * beta * rate
    return pull, -ww * (x1 - A - B * h) - 2.0 * beta * (v1 - B)


@kernel
def starts_to_slip(outset, x1, alpha, w, params):  # type: ignore[no-untyped-def]
    """Whether it slips on its way to x1, when ``outset`` has the sign of its motion. (Not from the
    displacements: where they differ by rounding only, slip would start and end for ever.)"""
    return abs(x1) > slip_limit(alpha, w, params) and outset * x1 > 0.0


@inner_kernel
def reach(dt, ww, damping):  # type: ignore[no-untyped-def]
    """How much of ``dt`` one step may take [s]."""
    if ww * dt * dt > REACH * REACH:
        dt = REACH / math.sqrt(ww)
    return min(dt, REACH / damping) if damping > 0.0 else dt


@inner_kernel
def damped(motion, x1, v1, h):  # type: ignore[no-untyped-def]
    """c ∫ x'² dt per mass: of the even drift B, and of y by what its own energy has lost."""
    ww, beta, A, B, y, rate = motion
    y1, rate1 = x1 - A - B * h, v1 - B
    drift = 2.0 * beta * B * (B * h + 2.0 * (y1 - y))
    return drift + 0.5 * (rate * rate - rate1 * rate1 + ww * (y * y - y1 * y1))


# -- slipping --------------------------------------------------------------------------------


@kernel
def slipping(v, alpha, w, ground, params):  # type: ignore[no-untyped-def]
    """Rates with v and the ground counted positive the way it slips:
    (v', α', w', loss rate per area, D, share of k_a that softening leaves)."""
    growth, D, Y, W, left = slip_rates(alpha, w, params)
    q = max(1.0 - w, LEAST)
    pull = (params[1] * q * Y + params[8] * v) / params[0]
    alpha_rate = growth * v
    w_rate = D * alpha_rate
    return -pull - ground, alpha_rate, w_rate, params[3] * alpha_rate + W * w_rate, D, left


@kernel
def runge_kutta(v, alpha, w, first, a0, a1, h, params):  # type: ignore[no-untyped-def]
    """One classical step of (u, v, α, w) with the energies that go with it:
    (Δu, v, α, w, loss per area, −∫ a v dt, ∫ v² dt, least share of k_a that softening left)."""
    half, sixth = 0.5 * h, h / 6.0
    middle = a0 + half * a1
    k1 = first
    v2 = v + half * k1[0]
    k2 = slipping(v2, alpha + half * k1[1], w + half * k1[2], middle, params)
    v3 = v + half * k2[0]
    k3 = slipping(v3, alpha + half * k2[1], w + half * k2[2], middle, params)
    v4 = v + h * k3[0]
    k4 = slipping(v4, alpha + h * k3[1], w + h * k3[2], a0 + h * a1, params)
    return (
        sixth * (v + 2.0 * (v2 + v3) + v4),
        v + sixth * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]),
        alpha + sixth * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]),
        w + sixth * (k1[2] + 2.0 * (k2[2] + k3[2]) + k4[2]),
        sixth * (k1[3] + 2.0 * (k2[3] + k3[3]) + k4[3]),
        -sixth * (a0 * v + 2.0 * middle * (v2 + v3) + (a0 + h * a1) * v4),
        sixth * (v * v + 2.0 * (v2 * v2 + v3 * v3) + v4 * v4),
        min(min(k2[5], k3[5]), k4[5]),
    )


@kernel
def look_at_cubic(cubic, s):  # type: ignore[no-untyped-def]
    """What `make_root` asks of a cubic that falls through zero."""
    c0, c1, c2, c3 = cubic
    value = c0 + s * (c1 + s * (c2 + s * c3))
    slope = c1 + s * (2.0 * c2 + s * 3.0 * c3)
    return value, s - value / slope, value > 0.0


zero_of_cubic = make_root(look_at_cubic, close=NEAR, strict=True)


@kernel
def stopping_share(v0, slope0, v1, slope1):  # type: ignore[no-untyped-def]
    """The share of the step after which the cubic of v (Hermite's) passes from ≥ 0 to < 0."""
    if v0 == 0.0 and slope0 <= 0.0:
        return 0.0
    b = 3.0 * (v1 - v0) - 2.0 * slope0 - slope1
    d = 2.0 * (v0 - v1) + slope0 + slope1
    return zero_of_cubic((v0, slope0, b, d), 0.0, 1.0, v0 / (v0 - v1) if v0 > 0.0 else 0.5)


@kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One slipping step: to the end, to a stop (v = 0) or to collapse."""
    u, v, _g, alpha, w, _tau, side, work, loss, viscous = state
    mass, area, k, damping = params[0], params[1], params[2], params[8]
    v *= side
    a0, a1 = side * ground0[0], side * (ground1[0] - ground0[0]) / dt
    first = slipping(v, alpha, w, a0, params)
    if first[5] <= BRITTLE or w >= WORN_OUT or side == 2.0:
        return state, 0.0, OVERTURN
    h = reach(dt, k * area / mass, damping / mass)
    fast = (abs(v) + h * abs(first[0])) * (params[4] + first[4])
    if fast * h > SLIDE:
        h = SLIDE / fast
    event = NOTHING
    for _ in range(HALVED + 1):
        end = runge_kutta(v, alpha, w, first, a0, a1, h, params)
        if not breaks(end[7], end[3] - w):
            break
        h *= 0.5  # beyond the break there is no law to follow: only as far as it holds
    else:
        return state, 0.0, OVERTURN
    if end[1] < 0.0 or (v == 0.0 and first[0] <= 0.0):
        last = slipping(end[1], end[2], end[3], a0 + h * a1, params)
        h *= stopping_share(v, h * first[0], end[1], h * last[0])
        end = runge_kutta(v, alpha, w, first, a0, a1, h, params)
        event = TURN
    if end[3] >= WORN_OUT:
        h *= (WORN_OUT - w) / (end[3] - w)
        end = runge_kutta(v, alpha, w, first, a0, a1, h, params)
        event = OVERTURN
    v1 = 0.0 if event == TURN else end[1]
    lost = damping * end[6]
    loss, viscous = loss + area * end[4] + lost, viscous + lost
    work += mass * end[5]
    alpha, w = end[2], max(w, end[3])
    u += side * end[0]
    mode = 0.0 if event == TURN else side
    if event == OVERTURN:
        w = WORN_OUT
    x = side * slip_limit(alpha, w, params)
    tau = k * (1.0 - w) * x
    return (u, side * v1, u - x, alpha, w, tau, mode, work, loss, viscous), h, event


@kernel
def collapsed(state, params):  # type: ignore[no-untyped-def]
    """What is still in the springs goes with them; a building that has collapsed stays as it is."""
    u, v, g, alpha, w, _tau, mode, work, loss, viscous = state
    if mode != 2.0:
        loss += held(u - g, w, params)
    return (u, v, g, alpha, w, 0.0, 2.0, work, loss, viscous)


@inner_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step with the accurate update."""
    if state[6] == 0.0:
        return adhere(state, params, ground0, ground1, dt)
    state, used, event = slide(state, params, ground0, ground1, dt)
    return collapsed(state, params) if event == OVERTURN else state, used, event


# -- the paper's way -------------------------------------------------------------------------------


@kernel
def advance_explicit(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step as in the paper: Runge–Kutta for (u, v), and at each stage the explicit update of
    the interface from the step's first state to the stage's displacement. First order.
    It goes through turning points; `turning_explicit` finds them."""
    u, v, g, alpha, w, tau, mode, work, loss, viscous = state
    mass, area, k, damping = params[0], params[1], params[2], params[8]
    h = reach(dt, k * area / mass, damping / mass)
    a0, a1 = ground0[0], (ground1[0] - ground0[0]) / dt
    middle, half, sixth = a0 + 0.5 * h * a1, 0.5 * h, h / 6.0
    point = (u, tau, g, alpha, w, mode, 0.0, 0.0)
    p1 = -(area * tau + damping * v) / mass - a0
    v2 = v + half * p1
    tau2 = deform_explicit(point, u + half * v, params)[1]
    p2 = -(area * tau2 + damping * v2) / mass - middle
    v3 = v + half * p2
    tau3 = deform_explicit(point, u + half * v2, params)[1]
    p3 = -(area * tau3 + damping * v3) / mass - middle
    v4 = v + h * p3
    tau4 = deform_explicit(point, u + h * v3, params)[1]
    p4 = -(area * tau4 + damping * v4) / mass - (a0 + h * a1)
    u1 = u + sixth * (v + 2.0 * (v2 + v3) + v4)
    v1 = v + sixth * (p1 + 2.0 * (p2 + p3) + p4)
    _, tau, g, alpha, w, mode, _, lost = deform_explicit(point, u1, params)
    work -= mass * sixth * (a0 * v + 2.0 * middle * (v2 + v3) + (a0 + h * a1) * v4)
    damped = damping * sixth * (v * v + 2.0 * (v2 * v2 + v3 * v3) + v4 * v4)
    event = OVERTURN if mode == 2.0 else NOTHING
    loss, viscous = loss + lost + damped, viscous + damped
    return (u1, v1, g, alpha, w, tau, mode, work, loss, viscous), h, event


@kernel
def turning_explicit(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
    """(time, u) of the turning point inside such a step: on the cubic through both ends."""
    after = advance_explicit(state, params, ground0, ground1, dt)[0]
    u, way = state[0], after[0] - state[0]
    v0, v1 = used * state[1], used * after[1]
    # u(s) = u + s (v0 + s (b + s d)) with s from 0 to 1; its rate changes its sign once
    b, d = 3.0 * way - 2.0 * v0 - v1, v0 + v1 - 2.0 * way
    root = math.sqrt(b * b - 3.0 * d * v0)
    s = -v0 / (b + math.copysign(root, b))
    if not 0.0 <= s <= 1.0:
        s = min(max(-(b + math.copysign(root, b)) / (3.0 * d), 0.0), 1.0)
    return s * used, u + s * (v0 + s * (b + s * d))


advance_explicit.turning = turning_explicit
