"""The interface's law, driven by displacement: friction, plasticity and wear (Casalotti et al.
2025, Eqs. 1–4).

The interface carries τ = k_a (1 − w)(u − g), which is Eq. 1 integrated. It adheres while the slip
function of Eq. 4, F = k_a |u − g| − τ_0 − A, is negative. It slips at F = 0, when the hardening α
and the wear w grow with the distance |u| slipped. Eq. 2 with dF = 0 gives

    dα/d|u| = k_a q / [k_a + q (A_α + A_w D)],   dw/d|u| = D dα/d|u|,   q = 1 − w,   D = (W⁺/Γ)^γ,

with the functions of Eq. 3

    A = A∞ q (1 − q e),   e = exp(−a α / q),
    W = k_a (u − g)²/2 + A∞ [α − 3/a + (3 q² + a α q) e/a].

The third function of Eq. 3, H, is misprinted; dF = 0 gives 1/H = A_α + (A_w − |τ|/q²) D
(docs/formulations/masonry.md). H drops out of the form above; only the paper's own update,
`deform_explicit`, uses it.

Part of the work done on the interface is stored in the springs and in hardening, Ψ with A = ∂Ψ/∂α;
the rest, ∫(τ_0 dα + W dw), is lost.

All numbers are per unit area, except ``work`` and ``loss`` [J]. Every function here is scalar and
is ported to C line by line (`edge/masonry.c`).
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import driver, kernel

WORN_OUT = 0.999  # wear at which nothing is left to hold: the law comes near 1, never there
LEAST = 1e-4  # smallest share 1 − w that a tentative stage is evaluated at
BRITTLE = 1e-2  # of k_a: where softening eats up the springs' stiffness, the stress drops at once
JUMP = 0.1  # wear of one step: more, and it is halved
HALVED = 20  # times at most: then the interface breaks
STRETCH = 0.05  # largest (a + D) Δ|u| of one Runge–Kutta step along the displacement
ADHERES, COLLAPSED = 0.0, 2.0  # modes; ±1: it slips that way
TOLERANCE = 1e-6  # N/m²: the paper's tolerance of F in the explicit update


class Building(NamedTuple):
    """The parameters of the step: a `MasonryBuilding` field by field, with the paper's symbols."""

    mass: float  # m [kg]
    contact_area: float  # A_c [m²]
    stiffness: float  # k_a [N/m³]
    threshold: float  # τ_0 [N/m²]
    hardening_rate: float  # a [1/m]
    hardening_limit: float  # A∞ [N/m²]
    wear_energy: float  # Γ
    wear_exponent: float  # γ
    damping: float  # c [N s/m]


@kernel
def hardening(alpha, w, building):  # type: ignore[no-untyped-def]
    """(A, ∂A/∂α, ∂A/∂w, hardening's part of W) of Eq. 3: what hardening adds to τ_0 [N/m²]."""
    a, limit = building.hardening_rate, building.hardening_limit
    q = max(1.0 - w, LEAST)
    e = math.exp(-a * alpha / q)
    A = limit * q * (1.0 - q * e)
    A_alpha = a * limit * q * e
    A_w = limit * ((2.0 * q + a * alpha) * e - 1.0)
    stored = limit * (alpha + ((3.0 * q + a * alpha) * q * e - 3.0) / a)
    return A, A_alpha, A_w, stored


@kernel
def wear_rate(W, building):  # type: ignore[no-untyped-def]
    """D = dw/dα [1/m], from Eq. 2; only the positive part of W counts."""
    ratio = max(W, 0.0) / building.wear_energy
    if building.wear_exponent == 2.0:
        return ratio * ratio
    return ratio**building.wear_exponent


@kernel
def slip_limit(alpha, w, building):  # type: ignore[no-untyped-def]
    """The stretch |u − g| at which it slips [m], F = 0 in Eq. 4."""
    return (building.threshold + hardening(alpha, w, building)[0]) / building.stiffness


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it adheres, with a vibration too small to slip again: no more damage will come."""
    u, v, g, alpha, w, _, mode, _, _, _ = state
    building = Building(*params)
    area, k, mass = building.contact_area, building.stiffness, building.mass
    frequency = math.sqrt(area * k / mass) * math.sqrt(max(1.0 - w, LEAST))
    return mode == ADHERES and math.hypot(u - g, v / frequency) < slip_limit(alpha, w, building)


@kernel
def doomed(state, params):  # type: ignore[no-untyped-def]
    """Whether it has collapsed: nothing is left that would hold it."""
    return state[6] == COLLAPSED or state[4] >= WORN_OUT


@kernel
def slip_rates(alpha, w, building):  # type: ignore[no-untyped-def]
    """While it slips (F = 0): (dα/d|u|, D, τ_0 + A, W, share of k_a that softening leaves)."""
    k = building.stiffness
    A, A_alpha, A_w, stored = hardening(alpha, w, building)
    q = max(1.0 - w, LEAST)
    Y = building.threshold + A
    W = 0.5 * Y * Y / k + stored
    D = wear_rate(W, building)
    left = 1.0 + q * (A_alpha + A_w * D) / k
    return q / max(left, BRITTLE), D, Y, W, left


@kernel
def held(x, w, building):  # type: ignore[no-untyped-def]
    """What the springs hold at the stretch x [J]."""
    return building.contact_area * 0.5 * building.stiffness * (1.0 - w) * x * x


@kernel
def breaks(left, worn):  # type: ignore[no-untyped-def]
    """Whether a step in which softening leaves only this share of k_a meets the break, or may step
    over it by wearing too much at once."""
    return left <= BRITTLE or worn > JUMP


@kernel
def slip(alpha, w, distance, building):  # type: ignore[no-untyped-def]
    """Slip on by ``distance`` [m]: (α, w, work and loss per area [N/m], distance gone).

    The classical Runge–Kutta rule in as many steps as (a + D) Δ|u| ≤ STRETCH takes. It stops
    short where the interface is worn out or breaks; a step over the break is halved until it ends
    before it.
    """
    a, tau0 = building.hardening_rate, building.threshold
    work, loss, gone, part = 0.0, 0.0, 0.0, 1.0
    while gone < distance and w < WORN_OUT:
        r1, D1, Y1, W1, left = slip_rates(alpha, w, building)
        if left <= BRITTLE:
            break
        h = part * min(distance - gone, STRETCH / (a + D1))
        w1 = D1 * r1
        r2, D2, Y2, W2, left2 = slip_rates(alpha + 0.5 * h * r1, w + 0.5 * h * w1, building)
        w2 = D2 * r2
        r3, D3, Y3, W3, left3 = slip_rates(alpha + 0.5 * h * r2, w + 0.5 * h * w2, building)
        w3 = D3 * r3
        r4, D4, Y4, W4, left4 = slip_rates(alpha + h * r3, w + h * w3, building)
        w4 = D4 * r4
        q1, q2, q3 = 1.0 - w, 1.0 - w - 0.5 * h * w1, 1.0 - w - 0.5 * h * w2
        q4 = 1.0 - w - h * w3
        sixth = h / 6.0
        worn = sixth * (w1 + 2.0 * (w2 + w3) + w4)
        if breaks(min(min(left2, left3), left4), worn):
            if part <= 0.5**HALVED:
                break
            part *= 0.5
            continue
        if w + worn >= WORN_OUT:  # only as far as there is something to wear
            share = (WORN_OUT - w) / worn
            h, sixth, worn = share * h, share * sixth, WORN_OUT - w
        work += sixth * (q1 * Y1 + 2.0 * (q2 * Y2 + q3 * Y3) + q4 * Y4)
        grown = sixth * (r1 + 2.0 * (r2 + r3) + r4)
        loss += tau0 * grown + sixth * (W1 * w1 + 2.0 * (W2 * w2 + W3 * w3) + W4 * w4)
        alpha += grown
        w = WORN_OUT if worn == WORN_OUT - w else w + worn
        gone = distance if h == distance - gone else gone + h
        part = min(1.0, 2.0 * part)
    return alpha, w, work, loss, gone


@kernel
def deform(point, u1, params):  # type: ignore[no-untyped-def]
    """The accurate update of ``point`` = (u, τ, g, α, w, mode, work, loss) to displacement u1.

    Elastic up to where it slips, which has a closed form; then `slip` along the rest of the way;
    g from F = 0. mode: 0 adheres, ±1 slips, 2 has collapsed (τ = 0 from then on).
    """
    u, _tau, g, alpha, w, mode, work, loss = point
    building = Building(*params)
    area, k = building.contact_area, building.stiffness
    if mode == COLLAPSED:
        return (u1, 0.0, g, alpha, w, mode, work, loss)
    limit = slip_limit(alpha, w, building)
    x0, x1 = u - g, u1 - g
    side = 1.0 if u1 >= u else -1.0
    mode = ADHERES
    if side * x1 >= limit and u1 != u:
        distance = side * x1 - limit
        x1 = side * limit
        work += area * 0.5 * k * (1.0 - w) * (x1 * x1 - x0 * x0)
        alpha, w, done, lost, gone = slip(alpha, w, distance, building)
        work, loss, mode = work + area * done, loss + area * lost, side
        x1 = side * slip_limit(alpha, w, building)
        g = u1 - side * (distance - gone) - x1
        if gone < distance or w >= WORN_OUT:
            # what is still in the springs is lost with them
            return (u1, 0.0, g, alpha, w, COLLAPSED, work, loss + held(x1, w, building))
    else:
        work += area * 0.5 * k * (1.0 - w) * (x1 * x1 - x0 * x0)
    return (u1, k * (1.0 - w) * (u1 - g), g, alpha, w, mode, work, loss)


@driver
def deform_once(point, u1, params):  # type: ignore[no-untyped-def]
    """`deform`, called from Python: compiled once on a machine, not in every process."""
    return deform(point, u1, params)


@kernel
def deform_explicit(point, u1, params):  # type: ignore[no-untyped-def]
    """The paper's update (Algorithm 1, Eqs. 9–11, with the H that satisfies dF = 0): one explicit
    step from ``point``.

    Rates are taken at the start of the step, also where slip begins inside it: first order, and
    F = 0 is not held. Written with 1/H, which passes the peak of strength where H is infinite.
    """
    u, tau, g, alpha, w, mode, work, loss = point
    building = Building(*params)
    area, k, tau0 = building.contact_area, building.stiffness, building.threshold
    if mode == COLLAPSED:
        return (u1, 0.0, g, alpha, w, mode, work, loss)
    q = 1.0 - w
    trial = k * q * (u1 - u)
    A, A_alpha, A_w, stored = hardening(alpha, w, building)
    F = abs(tau + trial) / q - (tau0 + A)
    side = 1.0 if tau + trial >= 0.0 else -1.0
    if F < -TOLERANCE or side * trial < -TOLERANCE:
        done = area * 0.5 * (tau + tau + trial) * (u1 - u)
        return (u1, tau + trial, g, alpha, w, ADHERES, work + done, loss)
    x = u - g
    W = 0.5 * k * x * x + stored
    D = wear_rate(W, building)
    inverse_H = A_alpha + (A_w - abs(tau) / (q * q)) * D
    left = inverse_H + k * (1.0 + D * side * (u1 - g)) / q
    if left <= BRITTLE * k / q:
        return (u1, 0.0, g, alpha, w, COLLAPSED, work, loss + area * 0.5 * tau * x)
    grown = side * trial / (q * left)
    tau1 = tau + side * inverse_H * grown * q
    work += area * 0.5 * (tau + tau1) * (u1 - u)
    loss += area * (tau0 + W * D) * grown
    g, alpha, w = g + side * grown / q, alpha + grown, w + D * grown
    if w >= WORN_OUT:
        loss += area * 0.5 * tau1 * (u1 - g)
        return (u1, 0.0, g, alpha, min(w, 1.0), COLLAPSED, work, loss)
    return (u1, tau1, g, alpha, w, side, work, loss)
