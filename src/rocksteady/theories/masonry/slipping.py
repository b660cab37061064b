"""While the interface slips, (u, v, α, w) is one smooth system (Casalotti et al. 2025, Eqs. 2, 5).

τ = (1 − w)(τ_0 + A) depends on α and w only, and these grow with |v|. The classical Runge–Kutta
rule (Eq. 6) integrates all four together, so the stress of each stage is the one on F = 0 at that
stage's own α and w; g follows from F = 0 at the end. Slip ends where v = 0: that instant is found
on the cubic through both ends, and the step is taken again up to there. The whole is of fourth
order, reversals and slip onsets included.
"""

from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.roots import make_root
from rocksteady.theories.contract import NOTHING, OVERTURN, TURN
from rocksteady.theories.masonry.adhering import NEAR, reach
from rocksteady.theories.masonry.interface import (
    ADHERES,
    BRITTLE,
    COLLAPSED,
    HALVED,
    LEAST,
    WORN_OUT,
    breaks,
    held,
    slip_limit,
    slip_rates,
)

SLIDE = 0.2  # largest (a + D) Δ|u| of a slipping step


class Rates(NamedTuple):
    """Time derivatives of v, α, w and of the loss per area, and what they follow from."""

    v: float
    alpha: float
    w: float
    loss: float
    D: float  # dw/dα
    left: float  # share of k_a that softening leaves


class Slipped(NamedTuple):
    """Where a slipping step leads."""

    du: float
    v: float
    alpha: float
    w: float
    loss: float  # per area
    work: float  # −∫ a v dt
    v_squared: float  # ∫ v² dt
    left: float  # least share of k_a that softening left


@kernel
def slipping(v, alpha, w, ground, building):  # type: ignore[no-untyped-def]
    """Rates of change, with v and the ground counted positive the way it slips."""
    growth, D, Y, W, left = slip_rates(alpha, w, building)
    q = max(1.0 - w, LEAST)
    pull = (building.contact_area * q * Y + building.damping * v) / building.mass
    alpha_rate = growth * v
    w_rate = D * alpha_rate
    loss_rate = building.threshold * alpha_rate + W * w_rate
    return Rates(-pull - ground, alpha_rate, w_rate, loss_rate, D, left)


@kernel
def runge_kutta(v, alpha, w, first, a0, a1, h, building):  # type: ignore[no-untyped-def]
    """One classical step (Eq. 6) of (u, v, α, w) with the energies that go with it."""
    half, sixth = 0.5 * h, h / 6.0
    middle = a0 + half * a1
    k1 = first
    v2 = v + half * k1.v
    k2 = slipping(v2, alpha + half * k1.alpha, w + half * k1.w, middle, building)
    v3 = v + half * k2.v
    k3 = slipping(v3, alpha + half * k2.alpha, w + half * k2.w, middle, building)
    v4 = v + h * k3.v
    k4 = slipping(v4, alpha + h * k3.alpha, w + h * k3.w, a0 + h * a1, building)
    return Slipped(
        sixth * (v + 2.0 * (v2 + v3) + v4),
        v + sixth * (k1.v + 2.0 * (k2.v + k3.v) + k4.v),
        alpha + sixth * (k1.alpha + 2.0 * (k2.alpha + k3.alpha) + k4.alpha),
        w + sixth * (k1.w + 2.0 * (k2.w + k3.w) + k4.w),
        sixth * (k1.loss + 2.0 * (k2.loss + k3.loss) + k4.loss),
        -sixth * (a0 * v + 2.0 * middle * (v2 + v3) + (a0 + h * a1) * v4),
        sixth * (v * v + 2.0 * (v2 * v2 + v3 * v3) + v4 * v4),
        min(min(k2.left, k3.left), k4.left),
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
def slide(state, building, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One slipping step: to the end, to a stop (v = 0) or to collapse."""
    u, v, _g, alpha, w, _tau, side, work, loss, viscous = state
    mass, area = building.mass, building.contact_area
    k, damping = building.stiffness, building.damping
    v *= side
    a0, a1 = side * ground0[0], side * (ground1[0] - ground0[0]) / dt
    first = slipping(v, alpha, w, a0, building)
    if first.left <= BRITTLE or w >= WORN_OUT or side == COLLAPSED:
        return state, 0.0, OVERTURN
    h = reach(dt, k * area / mass, damping / mass)
    fast = (abs(v) + h * abs(first.v)) * (building.hardening_rate + first.D)
    if fast * h > SLIDE:
        h = SLIDE / fast
    event = NOTHING
    for _ in range(HALVED + 1):
        end = runge_kutta(v, alpha, w, first, a0, a1, h, building)
        if not breaks(end.left, end.w - w):
            break
        h *= 0.5  # beyond the break there is no law to follow: only as far as it holds
    else:
        return state, 0.0, OVERTURN
    if end.v < 0.0 or (v == 0.0 and first.v <= 0.0):
        last = slipping(end.v, end.alpha, end.w, a0 + h * a1, building)
        h *= stopping_share(v, h * first.v, end.v, h * last.v)
        end = runge_kutta(v, alpha, w, first, a0, a1, h, building)
        event = TURN
    if end.w >= WORN_OUT:
        h *= (WORN_OUT - w) / (end.w - w)
        end = runge_kutta(v, alpha, w, first, a0, a1, h, building)
        event = OVERTURN
    v1 = 0.0 if event == TURN else end.v
    lost = damping * end.v_squared
    loss, viscous = loss + area * end.loss + lost, viscous + lost
    work += mass * end.work
    alpha, w = end.alpha, max(w, end.w)
    u += side * end.du
    mode = ADHERES if event == TURN else side
    if event == OVERTURN:
        w = WORN_OUT
    x = side * slip_limit(alpha, w, building)
    tau = k * (1.0 - w) * x
    return (u, side * v1, u - x, alpha, w, tau, mode, work, loss, viscous), h, event


@kernel
def collapsed(state, building):  # type: ignore[no-untyped-def]
    """What is still in the springs is lost with them; a building that has collapsed stays as it
    is."""
    u, v, g, alpha, w, _tau, mode, work, loss, viscous = state
    if mode != COLLAPSED:
        loss += held(u - g, w, building)
    return (u, v, g, alpha, w, 0.0, COLLAPSED, work, loss, viscous)
