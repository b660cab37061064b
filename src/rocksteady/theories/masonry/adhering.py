"""While the interface adheres the building is a linear oscillator (Casalotti et al. 2025, Eq. 5),
m u'' + c u' + A_c k_a (1 − w)(u − g) = −m a_h.

Under a ground acceleration that is linear in time it has a closed form. A step ends at a turning
point, so that u is monotone in it and slip cannot start and end unseen inside; and it ends where
slip starts.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import inner_kernel, kernel
from rocksteady.numerics.roots import make_root
from rocksteady.theories.contract import NOTHING, TURN, UPLIFT
from rocksteady.theories.masonry.interface import ADHERES, slip_limit

REACH = 0.85  # largest ω Δt of a step
NEAR = 1e-6  # of the step: a Newton correction so small leaves an error of rounding's size


class Swing(NamedTuple):
    """x(t) = u − g = A + B t + y(t), where y'' = −ω² y − c y' with c per unit mass."""

    ww: float  # ω²
    beta: float  # c/2
    A: float
    B: float
    y: float  # at first
    rate: float  # y' at first


@inner_kernel
def swing(x, v, ww, damping, a0, a1):  # type: ignore[no-untyped-def]
    """The motion x'' = −ω² x − c x' − a0 − a1 t from (x, v) on, with c per unit mass."""
    flexibility = -1.0 / ww
    B = flexibility * a1
    A = flexibility * (a0 + damping * B)
    return Swing(ww, 0.5 * damping, A, B, x - A, v - B)


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
    place, speed = swung(motion, t)
    # x'' = −ω² (x − A − B t) − c (x' − B)
    y, rate = place - motion.A - motion.B * t, speed - motion.B
    slope = -motion.ww * y - 2.0 * motion.beta * rate
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
    t = h * v / (v - v1)
    pull = motion.ww * motion.y + 2.0 * motion.beta * motion.rate
    bend = -h * pull - (v1 - v)  # of the parabola that starts like v
    t += t * (t - h) * bend / (h * (v1 - v))
    return zero_of_speed((motion, v > 0.0), 0.0, h, t)


@kernel
def slipping_time(motion, x, x1, goal, h):  # type: ignore[no-untyped-def]
    """When the stretch, monotone within h, passes ``goal`` on its way from x to x1."""
    return passage_of_stretch((motion, goal, x < x1), 0.0, h, h * (goal - x) / (x1 - x))


@inner_kernel
def adhere(state, building, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One elastic step: to the end, a turning point or the onset of slip."""
    u, v, g, alpha, w, _tau, _mode, work, loss, viscous = state
    mass, k = building.mass, building.stiffness
    per_mass = 1.0 / mass
    damping, per_area = building.damping * per_mass, k * (1.0 - w)
    ww = per_area * building.contact_area * per_mass
    h = reach(dt, ww, damping)
    a0, a1 = ground0[0], (ground1[0] - ground0[0]) / dt
    x = u - g
    motion = swing(x, v, ww, damping, a0, a1)
    x1, v1 = swung(motion, h)
    event, mode, outset = NOTHING, ADHERES, v
    if v == 0.0:  # it may set out one way and come back: then only to where the pull is zero
        pull, pull1 = pulls(motion, x1, v1, h)
        if pull * pull1 < 0.0:
            h = h * pull / (pull - pull1)
            x1, v1 = swung(motion, h)
        outset = pull if pull != 0.0 else pull1
    if v * v1 < 0.0:
        h = turning_time(motion, v, v1, h)
        x1, v1, event = swung(motion, h)[0], 0.0, TURN
    if k * abs(x1) > building.threshold and starts_to_slip(outset, x1, alpha, w, building):
        limit = slip_limit(alpha, w, building)
        mode, event = (1.0 if x1 > 0.0 else -1.0), UPLIFT
        if abs(x) >= limit:
            h, x1, v1 = 0.0, x, v
        else:
            h = slipping_time(motion, x, x1, mode * limit, h)
            x1, v1 = mode * limit, swung(motion, h)[1]
    # the ground's work −m ∫ a x' dt by parts, with a1 ∫ x dt from the equation of motion
    moment = (v1 - v + damping * (x1 - x) + h * (a0 + 0.5 * h * a1)) * motion.B
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
def starts_to_slip(outset, x1, alpha, w, building):  # type: ignore[no-untyped-def]
    """Whether it slips on its way to x1, when ``outset`` has the sign of its motion. (Not from the
    displacements: where they differ by rounding only, slip would start and end for ever.)"""
    return abs(x1) > slip_limit(alpha, w, building) and outset * x1 > 0.0


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
