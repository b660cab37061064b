"""A whole interval about one pivot at once, with few numbers kept at a time.

Many bodies side by side are not followed by the Taylor series of `series.py`, whose coefficients do
not fit into the registers of a GPU, but by values of W' at Lobatto's nodes 0, c₂, c₃, 1. With time
in intervals and the attitude as a rotation vector Ω from the beginning of the interval on,

    W' = P (−W × J W − d × s),   s = Φᵀ(s₀ + t q₀),   Φᵀx = x + A x × Ω + B (x × Ω) × Ω,

    Ω = ∫W dt + C,   C = w₀ × (w₁/12 + w₂/12 + 3 w₃/40 + w₀ × w₂/360 − w₀ × X/720)
                         + w₁ × (w₂/60 − X/240),       X = w₀ × w₁,

where C is what rotations about different axes add (Magnus), for W = w₀ + w₁ t + w₂ t² + w₃ t³ + …
Each node is reached by the polynomial of W' through the nodes before it. An attitude wrong by ε
changes W' by (p dt)² ε only, so that is good enough for order 5.
"""

import math
from typing import Any, NamedTuple

from rocksteady.formulations.spatial.series import pulls
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import add, add_cross, add_scaled, apply, cross, dot, scale

C2, C3 = (5 - math.sqrt(5)) / 10, (5 + math.sqrt(5)) / 10


class Leap(NamedTuple):
    """The two ends of an interval; time in intervals, vectors in the body's axes."""

    spin: Any
    """W at the end."""
    up: Any
    ahead: Any
    """γ and ξ at the end."""
    first: Any
    last: Any
    """(W', M, s) at both ends; M = J W' + W × J W + d × s."""
    left_out: Any
    """How far the last W' is from what those before it foretell: about what is left out of W."""


@inner_fused_kernel
def turned_by(x, turn, A, B):  # type: ignore[no-untyped-def]
    """Φᵀx."""
    y = cross(x, turn)
    return add_scaled(add_scaled(x, A, y), B, cross(y, turn))


@inner_fused_kernel
def factors(turn):  # type: ignore[no-untyped-def]
    """(A, B) = (sin Ω/Ω, (1 − cos Ω)/Ω²)."""
    n = dot(turn, turn)
    A = 1 + n * (-1 / 6 + n * (1 / 120 + n * (-1 / 5040)))
    return A, 0.5 + n * (-1 / 24 + n * (1 / 720 + n * (-1 / 40320)))


@inner_fused_kernel
def moment_of(spin, pull, pivot):  # type: ignore[no-untyped-def]
    """W × J W + d × s."""
    return add_cross(cross(spin, apply(pivot.J, spin)), pivot.d, pull)


@inner_fused_kernel
def at_node(c, spin, turn, s0, q0, pivot):  # type: ignore[no-untyped-def]
    """(W', W × J W + d × s, s) at the part c of the interval."""
    A, B = factors(turn)
    pull = turned_by(add_scaled(s0, c, q0), turn, A, B)
    moment = moment_of(spin, pull, pivot)
    return apply(pivot.P, scale(-1.0, moment)), moment, pull


@inner_fused_kernel
def leap(spin, up, ahead, pivot, g, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The interval from this attitude and angular velocity [rad/s] on, if nothing happens in it."""
    d, J, P = pivot.d, pivot.J, pivot.P
    w0 = scale(dt, spin)
    s0, q0 = pulls(up, ahead, g, ground0, ground1, dt)

    L0 = apply(J, w0)
    m0 = add_cross(cross(w0, L0), d, s0)
    w1 = apply(P, scale(-1.0, m0))
    L1 = apply(J, w1)
    bend = add_cross(add_cross(cross(w0, L1), w1, L0), d, add_cross(q0, s0, w0))
    w2 = apply(P, scale(-0.5, bend))
    X, Y = cross(w0, w1), cross(w0, w2)

    # the first node
    spin2 = add_scaled(w0, C2, add_scaled(w1, C2, w2))
    turn = add_scaled(scale(1 / 2, w1), C2 / 3, w2)
    turn = scale(C2, add_scaled(w0, C2, add_scaled(turn, C2 / 12, X)))
    f2 = at_node(C2, spin2, turn, s0, q0, pivot)[0]
    a = scale(1 / C2**2, add_scaled(add_scaled(f2, -1.0, w1), -2 * C2, w2))

    # the second
    spin3 = add_scaled(w0, C3, add_scaled(w1, C3, add_scaled(w2, C3 / 3, a)))
    late = add_scaled(scale(1 / 3, w2), C3 / 12, add(a, Y))
    late = add_scaled(scale(1 / 2, w1), C3, add_scaled(late, 1 / 12, X))
    turn = scale(C3, add_scaled(w0, C3, late))
    f3 = at_node(C3, spin3, turn, s0, q0, pivot)[0]
    foretold = add_scaled(w1, C3, add_scaled(scale(2.0, w2), C3, a))
    b = scale(1 / (C3**2 * (C3 - C2)), add_scaled(f3, -1.0, foretold))

    # the end
    w3 = scale(1 / 3, add_scaled(a, -C2, b))
    spin4 = add(w0, add(w1, add(w2, add_scaled(scale(1 / 3, a), 1 / 4 - C2 / 3, b))))
    turn = add_scaled(add_scaled(w0, 1 / 2, w1), 1 / 3, w2)
    turn = add_scaled(add_scaled(turn, 1 / 12, a), 1 / 20 - C2 / 12, b)
    drift = add_cross(scale(1 / 12, add(X, Y)), scale(3 / 40, w0), w3)
    f4, m4, s4 = at_node(1.0, spin4, add(turn, drift), s0, q0, pivot)
    foretold = add(add_scaled(w1, 2.0, w2), add_scaled(a, 1 - C2, b))
    miss = add_scaled(f4, -1.0, foretold)

    # W × J W again at the first node, by the polynomial through all: of the same order as the rest
    better = add_scaled(w1, C2, add_scaled(w2, C2, add_scaled(w3, C2 / 4, b)))
    better = add_scaled(w0, C2, better)
    change = add_scaled(cross(better, apply(J, better)), -1.0, cross(spin2, apply(J, spin2)))
    f2 = add_scaled(f2, -1.0, apply(P, change))

    middle = add(f2, f3)
    end = add_scaled(w0, 1 / 12, add_scaled(add(w1, f4), 5.0, middle))
    inner = add_scaled(add_scaled(scale(1 / 12, add(w1, w2)), 3 / 40, w3), 1 / 360, Y)
    inner = add_scaled(inner, -1 / 720, cross(w0, X))
    drift = add_cross(cross(w0, inner), w1, add_scaled(scale(1 / 60, w2), -1 / 240, X))
    turn = add_scaled(add_scaled(scale(1 / 12, w1), 5 / 12 * (1 - C2), f2), 5 / 12 * (1 - C3), f3)
    turn = add(add(w0, turn), drift)
    A, B = factors(turn)
    return Leap(
        end,
        turned_by(up, turn, A, B),
        turned_by(ahead, turn, A, B),
        (w1, add(m0, L1), s0),
        (f4, add(m4, apply(J, f4)), s4),
        abs(miss[0]) + abs(miss[1]) + abs(miss[2]),
    )
