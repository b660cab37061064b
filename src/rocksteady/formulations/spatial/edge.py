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
    axis_at,
    force_at,
    pull_at,
    rise,
    spin_at,
)
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import narrowed
from rocksteady.numerics.triples import about_point, inverse


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
def holds_at(series, pivot, inertia, t):  # type: ignore[no-untyped-def]
    """(of the edge's first corner, of its second) after the part t of the interval: negative where
    it lets go."""
    first, second = presses_at(series, pivot, t)
    spin, up = spin_at(series.spin, t), axis_at(series.up, t)
    pull, d, (x, y) = pull_at(series.pull, t), pivot.d, pivot.r
    if second < 0.0:
        alone = acceleration(spin, pull, d, pivot.J, inverse(pivot.J))
        second = max(second, -rise(up, spin, alone, pivot.r)[1])
    if first < 0.0:
        d = d[0] - x, d[1] - y, d[2]
        J = about_point(inertia, d)
        alone = acceleration(spin, pull, d, J, inverse(J))
        first = max(first, -rise(up, spin, alone, (-x, -y))[1])
    return first, second


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
        value = min(*holds_at(series, pivot, inertia, t))
        low, high, start, end, side = narrowed((low, high, start, end, side), t, value)
    return high
