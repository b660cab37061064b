"""The motion about a pivot from now on, as Taylor series.

While a corner or an edge sticks (science: equation (1) of docs/formulations/spatial.md),

    W' = P (−W × J W − d × s),   γ' = γ × W,   ξ' = ξ × W,   s' = s × W + q,   q' = q × W,

where s = Rᵀ(g z + a) is the pull of gravity and ground and q = Rᵀa' how it changes with the ground,
whose acceleration a is linear between samples. All are products of two unknowns at most, so the
coefficients follow one another by sums of products. Time is counted in intervals: W is the angle
turned per interval, and s is multiplied by the interval squared. No trigonometry anywhere.
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
    level_dot,
    scale,
    subtract,
)

MOST_HALVINGS = 60  # of a step


class Series(NamedTuple):
    """Coefficients, vectors in the body's axes: of t⁰ … t⁵ for W, one more for γ and ξ, one less
    for pull and moment."""

    spin: Any
    """W."""
    up: Any
    """γ."""
    ahead: Any
    """ξ."""
    pull: Any
    """s."""
    moment: Any
    """M = J W' + W × J W + d × s, that of the ground's forces about the corner; zero if it stands
    on that corner alone."""


@inner_fused_kernel
def seen(up, ahead, x, y, z):  # type: ignore[no-untyped-def]
    """A vector of the ground as the body sees it."""
    return add_scaled(add_scaled(scale(z, up), x, ahead), y, cross(up, ahead))


@inner_fused_kernel
def pull_of(up, ahead, g, ground):  # type: ignore[no-untyped-def]
    """s = Rᵀ(g z + a) [m/s²]."""
    x, z, y = ground
    return seen(up, ahead, x, y, g + z)


@inner_fused_kernel
def pulls(up, ahead, g, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """(s, q) at the beginning of the interval, with time in intervals."""
    x, z, y = ground0
    square = dt * dt
    s = scale(square, seen(up, ahead, x, y, g + z))
    q = scale(square, seen(up, ahead, ground1[0] - x, ground1[2] - y, ground1[1] - z))
    return s, q


@inner_fused_kernel
def expand(spin, up, ahead, pivot, g, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The series from this attitude and angular velocity [rad/s] on."""
    d, J, P = pivot.d, pivot.J, pivot.P
    w0, u0, a0 = scale(dt, spin), up, ahead
    s0, q0 = pulls(up, ahead, g, ground0, ground1, dt)

    L0 = apply(J, w0)
    m0 = add_cross(cross(w0, L0), d, s0)
    w1 = apply(P, scale(-1.0, m0))
    s1 = add_cross(q0, s0, w0)
    q1 = cross(q0, w0)
    u1, a1 = cross(u0, w0), cross(a0, w0)

    L1 = apply(J, w1)
    m1 = add_cross(add_cross(cross(w0, L1), w1, L0), d, s1)
    w2 = apply(P, scale(-1 / 2, m1))
    s2 = scale(1 / 2, add_cross(add_cross(q1, s0, w1), s1, w0))
    q2 = scale(1 / 2, add_cross(cross(q0, w1), q1, w0))
    u2 = scale(1 / 2, add_cross(cross(u0, w1), u1, w0))
    a2 = scale(1 / 2, add_cross(cross(a0, w1), a1, w0))

    L2 = apply(J, w2)
    m2 = add_cross(add_cross(cross(w0, L2), w1, L1), w2, L0)
    m2 = add_cross(m2, d, s2)
    w3 = apply(P, scale(-1 / 3, m2))
    s3 = scale(1 / 3, add_cross(add_cross(add_cross(q2, s0, w2), s1, w1), s2, w0))
    q3 = scale(1 / 3, add_cross(add_cross(cross(q0, w2), q1, w1), q2, w0))
    u3 = scale(1 / 3, add_cross(add_cross(cross(u0, w2), u1, w1), u2, w0))
    a3 = scale(1 / 3, add_cross(add_cross(cross(a0, w2), a1, w1), a2, w0))

    L3 = apply(J, w3)
    m3 = add_cross(add_cross(cross(w0, L3), w1, L2), w2, L1)
    m3 = add_cross(add_cross(m3, w3, L0), d, s3)
    w4 = apply(P, scale(-1 / 4, m3))
    late = add_cross(add_cross(q3, s0, w3), s1, w2)
    s4 = scale(1 / 4, add_cross(add_cross(late, s2, w1), s3, w0))
    late = add_cross(cross(u0, w3), u1, w2)
    u4 = scale(1 / 4, add_cross(add_cross(late, u2, w1), u3, w0))
    late = add_cross(cross(a0, w3), a1, w2)
    a4 = scale(1 / 4, add_cross(add_cross(late, a2, w1), a3, w0))

    L4 = apply(J, w4)
    m4 = add_cross(add_cross(cross(w0, L4), w1, L3), w2, L2)
    m4 = add_cross(add_cross(add_cross(m4, w3, L1), w4, L0), d, s4)
    w5 = apply(P, scale(-1 / 5, m4))
    late = add_cross(add_cross(cross(u0, w4), u1, w3), u2, w2)
    u5 = scale(1 / 5, add_cross(add_cross(late, u3, w1), u4, w0))
    late = add_cross(add_cross(cross(a0, w4), a1, w3), a2, w2)
    a5 = scale(1 / 5, add_cross(add_cross(late, a3, w1), a4, w0))

    late = add_cross(add_cross(cross(u0, w5), u1, w4), u2, w3)
    u6 = scale(1 / 6, add_cross(add_cross(add_cross(late, u3, w2), u4, w1), u5, w0))
    late = add_cross(add_cross(cross(a0, w5), a1, w4), a2, w3)
    a6 = scale(1 / 6, add_cross(add_cross(add_cross(late, a3, w2), a4, w1), a5, w0))
    return Series(
        (w0, w1, w2, w3, w4, w5),
        (u0, u1, u2, u3, u4, u5, u6),
        (a0, a1, a2, a3, a4, a5, a6),
        (s0, s1, s2, s3, s4),
        (
            add(m0, L1),
            add_scaled(m1, 2.0, L2),
            add_scaled(m2, 3.0, L3),
            add_scaled(m3, 4.0, L4),
            add_scaled(m4, 5.0, apply(J, w5)),
        ),
    )


@inner_fused_kernel
def left_out(series):  # type: ignore[no-untyped-def]
    """The size of the last term of the angular velocity: more than what the series leaves out."""
    x, y, z = series.spin[5]
    return abs(x) + abs(y) + abs(z)


@fused_kernel
def trusted(series, tolerance):  # type: ignore[no-untyped-def]
    """The part of the interval, halved as often as it takes, over which the last term of the series
    stays below the tolerance."""
    omitted, span = left_out(series), 1.0
    for _ in range(MOST_HALVINGS):
        if not omitted > tolerance:
            break
        omitted, span = omitted * (1 / 32), span * 0.5
    return span


@inner_fused_kernel
def spin_at(c, t):  # type: ignore[no-untyped-def]
    """W after the part t of the interval."""
    late = add_scaled(c[3], t, add_scaled(c[4], t, c[5]))
    return add_scaled(c[0], t, add_scaled(c[1], t, add_scaled(c[2], t, late)))


@inner_fused_kernel
def axis_at(c, t):  # type: ignore[no-untyped-def]
    """γ or ξ after the part t of the interval."""
    late = add_scaled(c[4], t, add_scaled(c[5], t, c[6]))
    late = add_scaled(c[2], t, add_scaled(c[3], t, late))
    return add_scaled(c[0], t, add_scaled(c[1], t, late))


@inner_fused_kernel
def pull_at(c, t):  # type: ignore[no-untyped-def]
    """A series of five terms, pull or moment, after the part t of the interval."""
    late = add_scaled(c[2], t, add_scaled(c[3], t, c[4]))
    return add_scaled(c[0], t, add_scaled(c[1], t, late))


@inner_fused_kernel
def pull_rate_at(c, t):  # type: ignore[no-untyped-def]
    """How such a series changes after the part t of the interval."""
    late = add_scaled(scale(2.0, c[2]), t, add_scaled(scale(3.0, c[3]), t, scale(4.0, c[4])))
    return add_scaled(c[1], t, late)


@inner_fused_kernel
def height_series(series, r):  # type: ignore[no-untyped-def]
    """The height of a point of the base at r = (x, y) from the pivot, as seven coefficients."""
    c0, c1, c2, c3, c4, c5, c6 = series.up
    early = level_dot(c0, r), level_dot(c1, r), level_dot(c2, r), level_dot(c3, r)
    return (*early, level_dot(c4, r), level_dot(c5, r), level_dot(c6, r))


@inner_fused_kernel
def upright_series(series):  # type: ignore[no-untyped-def]
    """cos θ, as seven coefficients."""
    c0, c1, c2, c3, c4, c5, c6 = series.up
    return c0[2], c1[2], c2[2], c3[2], c4[2], c5[2], c6[2]


@inner_fused_kernel
def force_at(series, d, t):  # type: ignore[no-untyped-def]
    """The upward force γ·((Rd)'' + s) per unit mass after the part t of the interval; Rd is the way
    from the pivot to the centre of mass."""
    c = series.up
    bend = add_scaled(scale(12.0, c[4]), t, add_scaled(scale(20.0, c[5]), t, scale(30.0, c[6])))
    bend = add_scaled(scale(2.0, c[2]), t, add_scaled(scale(6.0, c[3]), t, bend))
    return dot(bend, d) + dot(axis_at(c, t), pull_at(series.pull, t))


@inner_fused_kernel
def number_at(c, t):  # type: ignore[no-untyped-def]
    """(value, slope) of a series of seven terms after the part t of the interval."""
    value = c[3] + t * (c[4] + t * (c[5] + t * c[6]))
    value = c[0] + t * (c[1] + t * (c[2] + t * value))
    slope = 3 * c[3] + t * (4 * c[4] + t * (5 * c[5] + t * (6 * c[6])))
    return value, c[1] + t * (2 * c[2] + t * slope)


@inner_fused_kernel
def beginning_at(c, begin, length):  # type: ignore[no-untyped-def]
    """A series of seven terms with time counted from ``begin``, in parts of ``length``: its
    derivatives there, by repeated Horner schemes."""
    c0, c1, c2, c3, c4, c5, c6 = c
    t = begin
    c5 = c5 + t * c6
    c4 = c4 + t * c5
    c3 = c3 + t * c4
    c2 = c2 + t * c3
    c1 = c1 + t * c2
    b0 = c0 + t * c1
    c5 = c5 + t * c6
    c4 = c4 + t * c5
    c3 = c3 + t * c4
    c2 = c2 + t * c3
    b1 = c1 + t * c2
    c5 = c5 + t * c6
    c4 = c4 + t * c5
    c3 = c3 + t * c4
    b2 = c2 + t * c3
    c5 = c5 + t * c6
    c4 = c4 + t * c5
    b3 = c3 + t * c4
    c5 = c5 + t * c6
    b4 = c4 + t * c5
    b5 = c5 + t * c6
    two = length * length
    three, four = length * two, two * two
    early = b0, length * b1, two * b2, three * b3
    return (*early, four * b4, length * four * b5, three * three * c6)


@inner_fused_kernel
def low_bound(c):  # type: ignore[no-untyped-def]
    """A lower bound of a series of seven terms over the interval: the smallest of its coefficients
    in Bernstein's polynomials, between which it stays."""
    c0, c1, c2, c3, c4, c5, c6 = c
    b1 = c0 + (1 / 6) * c1
    b2 = c0 + (1 / 3) * c1 + (1 / 15) * c2
    b3 = c0 + (1 / 2) * c1 + (1 / 5) * c2 + (1 / 20) * c3
    b4 = c0 + (2 / 3) * c1 + (2 / 5) * c2 + (1 / 5) * c3 + (1 / 15) * c4
    b5 = c0 + (5 / 6) * c1 + (2 / 3) * c2 + (1 / 2) * c3 + (1 / 3) * c4 + (1 / 6) * c5
    b6 = c0 + c1 + c2 + c3 + c4 + c5 + c6
    return min(min(min(c0, b1), min(b2, b3)), min(min(b4, b5), b6))


@inner_fused_kernel
def falling(c):  # type: ignore[no-untyped-def]
    """Whether a series of seven terms falls all over the interval, by the same bound of its
    slope."""
    _, c1, c2, c3, c4, c5, c6 = c
    s0, s1, s2, s3, s4, s5 = -c1, -2.0 * c2, -3.0 * c3, -4.0 * c4, -5.0 * c5, -6.0 * c6
    b1 = s0 + 0.2 * s1
    b2 = s0 + 0.4 * s1 + 0.1 * s2
    b3 = s0 + 0.6 * s1 + 0.3 * s2 + 0.1 * s3
    b4 = s0 + 0.8 * s1 + 0.6 * s2 + 0.4 * s3 + 0.2 * s4
    b5 = s0 + s1 + s2 + s3 + s4 + s5
    return min(min(s0, b1), min(min(b2, b3), min(b4, b5))) >= 0.0


@inner_fused_kernel
def squared_up(up, ahead):  # type: ignore[no-untyped-def]
    """γ and ξ as unit vectors at right angles, which they are but for rounding."""
    up = scale(1.5 - 0.5 * dot(up, up), up)
    ahead = add_scaled(ahead, -dot(up, ahead), up)
    return up, scale(1.5 - 0.5 * dot(ahead, ahead), ahead)


@inner_fused_kernel
def levelled(ahead):  # type: ignore[no-untyped-def]
    """ξ of a body that stands upright, which differs from this by rounding."""
    per = 1.5 - 0.5 * (ahead[0] * ahead[0] + ahead[1] * ahead[1])
    return per * ahead[0], per * ahead[1], 0.0


@inner_fused_kernel
def work_of_ground(series, pivot, g, dt, t):  # type: ignore[no-untyped-def]
    """Work of the ground per unit mass over the part t of the interval [m²/s²], by Gauss' three
    points: its power is −(s − g γ)·(W × d)."""
    weight, work = g * dt * dt, 0.0
    for at, share in ((0.1127016653792583, 5 / 18), (0.5, 4 / 9), (0.8872983346207417, 5 / 18)):
        spin, up = spin_at(series.spin, at * t), axis_at(series.up, at * t)
        push = subtract(pull_at(series.pull, at * t), scale(weight, up))
        work -= share * dot(push, cross(spin, pivot.d))
    return t * work / (dt * dt)


@inner_fused_kernel
def acceleration(spin, pull, d, J, P):  # type: ignore[no-untyped-def]
    """W' = P (−W × J W − d × s)."""
    return apply(P, scale(-1.0, add_cross(cross(spin, apply(J, spin)), d, pull)))


@inner_fused_kernel
def rise(up, spin, spin_rate, r):  # type: ignore[no-untyped-def]
    """(speed, acceleration) with which a point of the base at r = (x, y) from the pivot moves
    up."""
    up_rate = cross(up, spin)
    return level_dot(up_rate, r), level_dot(add_cross(cross(up_rate, spin), up, spin_rate), r)
