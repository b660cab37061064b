"""A whole interval about one corner at once, with few operations and few numbers kept at a time.

Many bodies side by side are not followed by the Taylor series of `series.py`, whose coefficients do
not fit into the registers of a GPU, but by the moment of momentum L = J W about the pivot and its
rate f at three instants: the beginning, where the derivative of f is known as well, after 3/5 of
the interval, and its end. With time in intervals,

    L' = f = L × W − d × s,   W = P L,   s = Φᵀ(s₀ + t q₀),   Φᵀx = x + A x × Ω + B (x × Ω) × Ω,

where Ω is the rotation vector from the beginning of the interval on:

    Ω = ∫W dt + w₀ × (w₁/12 + w₂/12 + 3 w₃/40 + w₀ × (w₂/360 − X/720))
              + w₁ × (w₂/60 + w₃/48 − X/240)

with X = w₀ × w₁ for W = w₀ + w₁ t + w₂ t² + w₃ t³ + … (Magnus; what follows is smaller than what
the instants leave out). With c = 3/5

    ∫f dt = 8/27 f₀ + 1/36 f₀' + 125/216 f_c + 1/8 f₁

is exact for polynomials of degree 4. The integral of the polynomial of degree 2 through f₀, f₀' and
f_c differs from it by an eighth of what that polynomial misses of f₁. The attitude at the end comes
from that polynomial, for which ∫(1 − t) f dt is exact to degree 3; of a coefficient f₄ it lacks a
three-hundredth. The miss also tells how good all is.
"""

from typing import Any, NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import (
    add,
    add_cross,
    add_scaled,
    apply,
    cross,
    dot,
    scale,
    subtract,
)
from rocksteady.theories.spatial.series import pulls, seen

C = 3 / 5
SWIFT = 100.0  # times Ω⁶ [rad]: a bound of what terms of higher order would add


class Leap(NamedTuple):
    """The end of an interval; time in intervals, vectors in the body's axes."""

    spin: Any
    """W at the end."""
    up: Any
    ahead: Any
    """γ and ξ at the end."""
    tip: Any
    """s × d at the end: the moment that tips the body."""
    left_out: Any
    """How far the rate of W at the end is from what the instants before it foretell [rad]; and more
    where the body turns so far that terms of Ω of higher order matter."""
    fourth: Any
    """About the most that the fourth derivative of γ can be."""
    work: Any
    """Of the ground, per unit mass: in m²/s² after a division by the interval squared."""
    power: Any
    """Its rate at the end."""


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
def roughly_turned_by(x, turn):  # type: ignore[no-untyped-def]
    """Φᵀx for an instant inside the interval, without what is smaller than Ω³."""
    y = cross(x, turn)
    return add_scaled(add_scaled(x, 1 - (1 / 6) * dot(turn, turn), y), 0.5, cross(y, turn))


@inner_fused_kernel
def size(a):  # type: ignore[no-untyped-def]
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@inner_fused_kernel
def fourth_rate(w, w1, w2, w3):  # type: ignore[no-untyped-def]
    """A bound of the fourth derivative of γ, for γ' = γ × W, where W and its derivatives are not
    larger than that."""
    return w3 + 4 * (w * w2) + 3 * (w1 * w1) + w * w * (6 * w1 + w * w)


@inner_fused_kernel
def power_of(pull, up, weight, W, d):  # type: ignore[no-untyped-def]
    """(what the ground's own acceleration pulls at the body, its power −(s − g γ)·(W × d))."""
    push = add_scaled(pull, -weight, up)
    return push, -dot(push, cross(W, d))


def _leap(spin, up, ahead, pivot, g, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The interval from this attitude and angular velocity [rad/s] on, if nothing happens in it."""
    d, P = pivot.d, pivot.P
    w0 = scale(dt, spin)
    s0, q0 = pulls(up, ahead, g, ground0, ground1, dt)

    # the beginning: f, its rate, and what they are in W
    L0 = apply(pivot.J, w0)
    tip0 = cross(s0, d)
    f0 = add_cross(tip0, L0, w0)
    w1 = apply(P, f0)
    rate = add_cross(add_cross(cross(f0, w0), L0, w1), add_cross(q0, s0, w0), d)
    w2 = apply(P, rate)  # twice the w₂ above; w3 is three times the w₃
    X = cross(w0, w1)

    # inside
    L = add_scaled(L0, C, add_scaled(f0, C / 2, rate))
    W = add_scaled(w0, C, add_scaled(w1, C / 2, w2))
    turn = add_scaled(scale(1 / 2, w1), C / 6, add_scaled(w2, 1 / 2, X))
    turn = scale(C, add_scaled(w0, C, turn))
    pull = roughly_turned_by(add_scaled(s0, C, q0), turn)
    bend = add_scaled(add_scaled(add_cross(cross(L, W), pull, d), -1.0, f0), -C, rate)
    bend = scale(1 / C**2, bend)  # f = f₀ + f₀' t + bend t²
    w3 = apply(P, bend)
    # what the bend changes there in L × W, and in the pull by the attitude
    more = add_cross(add_cross(cross(bend, W), L, w3), cross(s0, scale(C / 4, w3)), d)
    more = scale(C / 3, more)
    bend, w3 = add(bend, more), add(w3, apply(P, more))

    # the power of the ground so far
    weight, inside = g * dt * dt, roughly_turned_by(up, turn)
    push, power0 = power_of(s0, up, weight, w0, d)
    surge = -dot(add_cross(q0, push, w0), cross(w0, d)) - dot(push, cross(w1, d))
    power = power_of(pull, inside, weight, add_scaled(W, C**3 / 3, w3), d)[1]
    work = (8 / 27) * power0 + (1 / 36) * surge + (125 / 216) * power

    # the end
    L = add(L0, add(f0, add_scaled(scale(1 / 2, rate), 1 / 3, bend)))
    W = add(w0, add(w1, add_scaled(scale(1 / 2, w2), 1 / 3, w3)))
    turn = add_scaled(add_scaled(add_scaled(w0, 1 / 2, w1), 1 / 6, w2), 1 / 12, add(w3, X))
    swerve = scale(1 / 720, cross(w0, subtract(w2, X)))
    turn = add_cross(turn, w0, add_scaled(add_scaled(swerve, 1 / 24, w2), 1 / 40, w3))
    turn = add_cross(turn, w1, add_scaled(add_scaled(scale(-1 / 240, X), 1 / 120, w2), 1 / 144, w3))
    A, B = factors(turn)
    n = dot(turn, turn)
    up, ahead = turned_by(up, turn, A, B), turned_by(ahead, turn, A, B)
    x, z, y = ground1
    pull = scale(dt * dt, seen(up, ahead, x, y, g + z))
    tip = cross(pull, d)
    f1 = add_cross(tip, L, W)
    miss = subtract(subtract(subtract(f1, bend), rate), f0)
    missed = apply(P, miss)

    W = add_scaled(W, 1 / 8, missed)
    power = power_of(pull, up, weight, W, d)[1]
    return Leap(
        W,
        up,
        ahead,
        tip,
        size(missed) + SWIFT * n * n * n,
        fourth_rate(size(w0), size(w1), size(w2), 2 * size(w3)),
        work + (1 / 8) * power,
        power,
    )


leap = inner_fused_kernel(_leap)
called_leap = fused_kernel(_leap)
"""The same for single runs: called, not inlined, so that it is compiled once."""
