"""A body on an edge: how its two corners press on the ground, and when one lets go.

With M = J W' + W × J W + d × s, the moment of the ground's forces about corner k, and r to the next
corner, that corner presses with N₊ = −M·(γ × r)/r², corner k with what is left of the whole force
γ·(W' × d + W × (W × d) + s).

A corner lets go where it would have to pull *and* rises if only the other one holds. With endless
friction the two do not coincide: in between there is no solution, in truth the corner slips, and
here the edge holds on (docs/formulations/spatial.md). It rises if its height a t² + b t³ + c t⁴
exceeds LOW·h (`strike.py`) before it falls back: a > 0, and as large as `needed`. Where a grows
through 0 with b > 0 > c, the first three terms alone would let a corner go that rises by 10⁻¹⁷ m,
falls back and goes again, as often as there are samples.

Both conditions are followed through the interval, not only to its end: when an edge is left must
not depend on where samples of the ground lie.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import narrowed
from rocksteady.numerics.triples import (
    about_point,
    add,
    add_cross,
    apply,
    cross,
    inverse,
    level_dot,
    scale,
    subtract,
)
from rocksteady.theories.spatial.series import (
    acceleration,
    axis_at,
    force_at,
    pull_at,
    pull_rate_at,
    spin_at,
)

NEVER = 2.0  # later than the end of any interval
MOST_TRIES = 60  # of a search
NARROW = 1e-14  # of the interval: how well the time is known at which a corner lets go
SMALLER = 0.3819660112501051  # part of a golden section
NEWTON = 8  # steps: the first halves the error at least, the others square it
DIP = 1e-3  # of the interval: how well the time is known at which a corner presses least


@inner_fused_kernel
def presses(up, moment, force, r):  # type: ignore[no-untyped-def]
    """(force of the edge's first corner, of its second) on the ground, per unit mass."""
    x, y = r
    # M·(γ × r)
    lever = up[2] * (moment[1] * x - moment[0] * y) + moment[2] * (up[0] * y - up[1] * x)
    second = -lever / (x * x + y * y)
    return force - second, second


@inner_fused_kernel
def presses_at(series, pivot, t):  # type: ignore[no-untyped-def]
    """Those of both after the part t of the interval."""
    moment, force = pull_at(series.moment, t), force_at(series, pivot.d, t)
    return presses(axis_at(series.up, t), moment, force, pivot.r)


@fused_kernel
def needed(b, c, low):  # type: ignore[no-untyped-def]
    """The least a > 0 for which a t² + b t³ + c t⁴ reaches ``low`` before it falls back, or does
    not fall. At the least one it only touches: −c t⁴ − b t³/2 = low, 2 a = −3 b t − 4 c t²."""
    if b >= 0.0 and c >= 0.0:
        return 0.0
    if c >= 0.0:
        return (27 / 4 * b * b * low) ** (1 / 3)
    half, c = 0.5 * b, -c
    t = math.sqrt(math.sqrt(low / c))  # beyond the zero, from where the function is convex
    t = t + half / c if half >= 0.0 else min(t, (-low / half) ** (1 / 3))
    for _ in range(NEWTON):
        square = t * t
        t -= (square * t * (c * t - half) - low) / (square * (4.0 * c * t - 3.0 * half))
    return max(t * (2.0 * c * t - 3.0 * half), 0.0)


@fused_kernel
def lacks(up, spin, pull, pull_rate, d, J, r, low):  # type: ignore[no-untyped-def]
    """How much the upward acceleration, halved, of the corner r would have to grow for it to rise
    above ``low`` if the body turned about the other one alone; d and J are seen from that one."""
    P = inverse(J)
    angular = apply(J, spin)
    spin1 = acceleration(spin, pull, d, J, P)
    up1 = cross(up, spin)
    up2 = scale(1 / 2, add_cross(cross(up, spin1), up1, spin))
    a = level_dot(up2, r)
    if a <= 0.0:
        return -a
    angular1 = apply(J, spin1)
    moment = add_cross(cross(spin, angular1), spin1, angular)
    spin2 = apply(P, scale(-1 / 2, add_cross(moment, d, pull_rate)))
    up3 = scale(1 / 3, add(cross(up, spin2), add_cross(cross(up1, spin1), up2, spin)))
    turning = subtract(scale(2.0, pull_rate), cross(pull, spin))
    pull2 = scale(1 / 2, add_cross(cross(turning, spin), pull, spin1))
    moment = add_cross(add_cross(cross(spin, apply(J, spin2)), spin1, angular1), spin2, angular)
    spin3 = apply(P, scale(-1 / 3, add_cross(moment, d, pull2)))
    up4 = add_cross(add_cross(cross(up, spin3), up1, spin2), up2, spin1)
    up4 = scale(1 / 4, add_cross(up4, up3, spin))
    return needed(level_dot(up3, r), level_dot(up4, r), low) - a


@fused_kernel
def holds_at(series, pivot, inertia, low, least, t):  # type: ignore[no-untyped-def]
    """(of the edge's first corner, of its second) after the part t of the interval: negative where
    it lets go; ``least`` is an acceleration that is no rounding error."""
    first, second = presses_at(series, pivot, t)
    if first >= 0.0 and second >= 0.0:
        return first, second
    spin, up = spin_at(series.spin, t), axis_at(series.up, t)
    pull, rate = pull_at(series.pull, t), pull_rate_at(series.pull, t)
    d, (x, y) = pivot.d, pivot.r
    if second < 0.0:
        missing = lacks(up, spin, pull, rate, d, pivot.J, pivot.r, low)
        second = max(second, missing + least)
    if first < 0.0:
        d = d[0] - x, d[1] - y, d[2]
        J = about_point(inertia, d)
        missing = lacks(up, spin, pull, rate, d, J, (-x, -y), low)
        first = max(first, missing + least)
    return first, second


@fused_kernel
def hold_at(series, pivot, inertia, low, least, t):  # type: ignore[no-untyped-def]
    """That of the corner that holds less."""
    return min(*holds_at(series, pivot, inertia, low, least, t))


@fused_kernel
def loosest(series, pivot, inertia, low, least, span):  # type: ignore[no-untyped-def]
    """(When the corners hold least within the part ``span`` of the interval, how much): by golden
    sections, until one lets go."""
    begin, end = 0.0, span
    one, other = SMALLER * span, (1.0 - SMALLER) * span
    at_one = hold_at(series, pivot, inertia, low, least, one)
    at_other = hold_at(series, pivot, inertia, low, least, other)
    for _ in range(MOST_TRIES):
        if at_one < 0.0 or at_other < 0.0 or end - begin < DIP * span:
            break
        if at_one < at_other:
            end, other, at_other = other, one, at_one
            one = begin + SMALLER * (end - begin)
            at_one = hold_at(series, pivot, inertia, low, least, one)
        else:
            begin, one, at_one = one, other, at_other
            other = end - SMALLER * (end - begin)
            at_other = hold_at(series, pivot, inertia, low, least, other)
    return (one, at_one) if at_one < at_other else (other, at_other)


@fused_kernel
def letting_go(series, pivot, inertia, low, least, span):  # type: ignore[no-untyped-def]
    """When a corner lets go within the part ``span`` of the interval, both holding at first; NEVER
    if none does. Regula falsi with Illinois' rule."""
    start = max(hold_at(series, pivot, inertia, low, least, 0.0), 0.0)
    middle = hold_at(series, pivot, inertia, low, least, 0.5 * span)
    last = hold_at(series, pivot, inertia, low, least, span)
    high, end = span, last
    if middle < 0.0:
        high, end = 0.5 * span, middle
    elif last >= 0.0:
        if abs(last - start) >= 2.0 * (start + last - 2.0 * middle):  # no dip in between
            return NEVER
        high, end = loosest(series, pivot, inertia, low, least, span)
        if end >= 0.0:
            return NEVER
    before, side = 0.0, 0
    for _ in range(MOST_TRIES):
        t = (before * end - high * start) / (end - start)
        if not before < t < high:
            t = 0.5 * (before + high)
        if high - before <= NARROW * span:
            break
        value = hold_at(series, pivot, inertia, low, least, t)
        before, high, start, end, side = narrowed((before, high, start, end, side), t, value)
    return high
