"""A body on an edge: how its two corners press on the ground, and when one lets go.

With M = J W' + W × J W + d × s, the moment of the ground's forces about corner k, and r to the next
corner, that corner presses with N₊ = −M·(γ × r)/r², corner k with what is left of the whole force
γ·(W' × d + W × (W × d) + s).

A corner lets go where it would have to pull *and* rises if only the other one holds. With endless
friction the two do not coincide: in between there is no solution, in truth the corner slips, and
here the edge holds on (docs/formulations/spatial.md).
"""

from rocksteady.formulations.spatial.series import (
    acceleration,
    pull_at,
    rise,
    spin_rate_at,
    vector_at,
)
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import (
    about_point,
    add,
    add_cross,
    apply,
    cross,
    dot,
    inverse,
    scale,
    subtract,
)


@inner_fused_kernel
def presses(up, spin, spin_rate, pull, pivot):  # type: ignore[no-untyped-def]
    """(force of the edge's first corner, of its second) on the ground, per unit mass."""
    d, r = pivot.d, pivot.r
    moment = add(apply(pivot.J, spin_rate), cross(spin, apply(pivot.J, spin)))
    moment = add_cross(moment, d, pull)
    second = -dot(moment, cross(up, r)) / (r[0] * r[0] + r[1] * r[1])
    whole = add(add(cross(spin_rate, d), cross(spin, cross(spin, d))), pull)
    return dot(up, whole) - second, second


@fused_kernel
def holds(up, spin, spin_rate, pull, pivot, inertia):  # type: ignore[no-untyped-def]
    """(of the edge's first corner, of its second): negative where it lets go."""
    first, second = presses(up, spin, spin_rate, pull, pivot)
    if second < 0.0:
        alone = acceleration(spin, pull, pivot.d, pivot.J, inverse(pivot.J))
        second = max(second, -rise(up, spin, alone, pivot.r)[1])
    if first < 0.0:
        d = subtract(pivot.d, pivot.r)
        J = about_point(inertia, d)
        alone = acceleration(spin, pull, d, J, inverse(J))
        first = max(first, -rise(up, spin, alone, scale(-1.0, pivot.r))[1])
    return first, second


@fused_kernel
def holds_at(series, pivot, inertia, t):  # type: ignore[no-untyped-def]
    """The smaller of the two, after the part t of the interval."""
    spin, up = vector_at(series.spin, t), vector_at(series.up, t)
    rate, pull = spin_rate_at(series.spin, t), pull_at(series.pull, t)
    first, second = holds(up, spin, rate, pull, pivot, inertia)
    return min(first, second)


@fused_kernel
def letting_go(series, pivot, inertia, span, start, end):  # type: ignore[no-untyped-def]
    """When a corner lets go that holds at first (``start`` ≥ 0) and no longer after the part
    ``span`` of the interval (``end`` < 0): regula falsi with Illinois' rule."""
    low, high, side = 0.0, span, 0
    for _ in range(60):
        t = (low * end - high * start) / (end - start)
        if not low < t < high:
            t = 0.5 * (low + high)
        if high - low <= 1e-14 * span:
            break
        value = holds_at(series, pivot, inertia, t)
        if value < 0.0:
            high, end = t, value
            if side < 0:
                start *= 0.5
            side = -1
        else:
            low, start = t, value
            if side > 0:
                end *= 0.5
            side = 1
    return high
