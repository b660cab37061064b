"""How the masonry building moves: m u'' + c u' + A_c τ = −m a_h, adhering or slipping (Casalotti et
al. 2025, Eq. 5; c = 0 in the paper).

    state = (u, v, g, α, w, τ, mode, work, loss, viscous)

mode 0 adheres, ±1 slips that way, 2 has collapsed. ``work`` is the ground's, ``loss`` all that is
lost, ``viscous`` the part of it in damping [J].
"""

import math

from rocksteady.numerics.decorators import inner_kernel, kernel
from rocksteady.theories.contract import NOTHING, OVERTURN, Glide
from rocksteady.theories.masonry.adhering import REACH, adhere, damped, pulls, reach, swing, swung
from rocksteady.theories.masonry.interface import ADHERES, COLLAPSED, Building, deform_explicit
from rocksteady.theories.masonry.slipping import collapsed, slide

MODE = 6  # of the state


@inner_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step with the accurate update."""
    building = Building(*params)
    if state[MODE] == ADHERES:
        return adhere(state, building, ground0, ground1, dt)
    state, used, event = slide(state, building, ground0, ground1, dt)
    return collapsed(state, building) if event == OVERTURN else state, used, event


# -- many buildings side by side ------------------------------------------------------------------
# A building turns around several times a second, and the search for that instant holds up those
# followed together with it, in the lanes of a vector or the threads of a GPU's warp. With an
# attempt at a whole interval without an event, `advance` is needed only where that fails.


@inner_kernel
def attempt(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    """(state after the interval, 0, whether it is that of `advance`): it adheres all the way and
    does not turn around."""
    u, v, g, alpha, w, _tau, mode, work, loss, viscous = state
    building = Building(*params)
    mass, k = building.mass, building.stiffness
    per_mass = 1.0 / mass
    damping, per_area = building.damping * per_mass, k * (1.0 - w)
    ww = per_area * building.contact_area * per_mass
    a0, a1 = ground0[0], (ground1[0] - ground0[0]) / dt
    x = u - g
    motion = swing(x, v, ww, damping, a0, a1)
    x1, v1 = swung(motion, dt)
    # the ground's work and what damping takes, as in `adhere`
    moment = (v1 - v + damping * (x1 - x) + dt * (a0 + 0.5 * dt * a1)) * motion.B
    work -= mass * ((a0 + a1 * dt) * x1 - a0 * x - moment)
    if damping > 0.0:
        lost = mass * damped(motion, x1, v1, dt)
        loss, viscous = loss + lost, viscous + lost
    short = (ww * dt * dt <= REACH * REACH) & (damping * dt <= REACH)
    pull, pull1 = pulls(motion, x1, v1, dt)
    sets_out = v == 0.0  # from a turning point, and does not come back to it
    goes_on = (v * v1 > 0.0) | (sets_out & (pull * pull1 > 0.0))
    inwards = (pull if sets_out else v) * x1 <= 0.0
    holds = inwards | adheres(k * abs(x1) - building.threshold, alpha, w, building)
    ok = (mode == ADHERES) & short & goes_on & holds
    return (g + x1, v1, g, alpha, w, per_area * x1, mode, work, loss, viscous), 0.0 * dt, ok


@inner_kernel
def adheres(excess, alpha, w, building):  # type: ignore[no-untyped-def]
    """Whether hardening certainly carries the ``excess`` of stress over τ_0 [N/m²].

    A = A∞ q (1 − q e) with q = 1 − w and e = exp(−b/q), b = a α: not computed, but bounded by
    e ≤ 1 / (1 + b/q + (b/q)²/2).
    """
    q, b = 1.0 - w, building.hardening_rate * alpha
    series = q * q + b * q + 0.5 * b * b
    return excess * series <= building.hardening_limit * q * (series - q * q * q)


@inner_kernel
def slips(state):  # type: ignore[no-untyped-def]
    """Whether it slips: then no attempt can succeed."""
    return state[MODE] != ADHERES


GLIDE = Glide(attempt, advance, hopeless=slips)


# -- the paper's way -------------------------------------------------------------------------------


@kernel
def advance_explicit(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step as in the paper's section 3: Runge–Kutta for (u, v), Eqs. 6 and 7, and at each stage
    Algorithm 1 from the step's first state to the stage's displacement. First order. It goes
    through turning points; `turning_explicit` finds them."""
    u, v, g, alpha, w, tau, mode, work, loss, viscous = state
    building = Building(*params)
    mass, area = building.mass, building.contact_area
    k, damping = building.stiffness, building.damping
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
    event = OVERTURN if mode == COLLAPSED else NOTHING
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
