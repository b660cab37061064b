"""A rigid block that slips on its base or on one corner, with Coulomb friction.

Written, as `rocking.py` is, for the lean y = |θ| ≥ 0 about the right corner; a block on its left
corner is mirrored. The corner moves along the ground by ξ, in the direction s = ±1, and

    N/m = g + a_v + (R cos(α − y))'',   T = −s μ N,
    I_c y'' = −R (S N + C T),   ξ'' = T/m − a_h + (R sin(α − y))'',   S, C = sin, cos(α − y).
"""

from __future__ import annotations

import math

from rocksteady.formulations._trig import sincos
from rocksteady.formulations.contract import kernel
from rocksteady.formulations.extrapolation import make_integrator

TURNED, STOPPED, LIFTED, STRUCK, LYING = 1, 2, 3, 4, 5  # how slipping on a corner ends


@kernel
def pressure(y, v, fixed, a_v):  # type: ignore[no-untyped-def]
    """(y'', N/m, I_c/(I_c + m R² S (S − s μ C))) of a block that slips on its corner.

    Where the last one is negative, friction jams the corner (Painlevé): no force solves it.
    """
    alpha, R, mass, inertia, g, drag = fixed[:6]  # drag: s μ
    S, C = sincos(alpha - y)
    lever = S - drag * C
    share = inertia / (inertia + mass * R * R * S * lever)
    load = (g + a_v - R * C * v * v) * share
    return -mass * R * lever * load / inertia, load, share


@kernel
def rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', ξ', ξ, work of the ground, loss by friction)."""
    y, v, u = z[:3]
    alpha, R, mass, _, _, drag = fixed[:6]
    S, C = sincos(alpha - y)
    spin, load, _ = pressure(y, v, fixed, a_v)
    slip = -drag * load - a_h - R * C * spin - R * S * v * v
    work = -mass * (a_h * (u + R * C * v) + a_v * R * S * v)
    return v, spin, slip, u, work, mass * drag * load * u


@kernel
def watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, slipping, pressing, leaning, and does not lie."""
    y, v, u = z[:3]
    drag, way = fixed[5:7]
    if kind == TURNED:
        return v * way
    if kind == STOPPED:
        return u * drag
    if kind == LIFTED:
        return pressure(y, v, fixed, a_v)[1]
    if kind == STRUCK:
        return y
    return math.pi / 2 - y


slip_on_corner = make_integrator(rate, watch, LYING)


@kernel
def slip_on_base(u, slip, push0, push1, dt):  # type: ignore[no-untyped-def]
    """(ξ, ξ', time, stopped) of a block that slips on its whole base under the acceleration
    ξ'' = −a_h − s μ (g + a_v), linear from `push0` to `push1`: until it stops, at most `dt`."""
    v, a, jerk = slip * u, slip * push0, slip * (push1 - push0) / dt
    if v == 0:
        a = max(a, 0.0)  # it has just come loose: rounding must not pull it back
    # v + a t + jerk t²/2 = 0, the first root after the start
    stop = math.inf
    inside = a * a - 2 * jerk * v
    if v == 0 and a == 0:
        stop = math.inf if jerk > 0 else 0.0
    elif a > 0:
        if jerk < 0:
            stop = (a + math.sqrt(inside)) / -jerk
    elif inside > 0:
        stop = 2 * v / (math.sqrt(inside) - a)
    t = min(stop, dt)
    way = t * (v + t * (a / 2 + t * jerk / 6))
    rate = 0.0 if stop <= dt else v + t * (a + t * jerk / 2)
    return slip * way, slip * rate, t, stop <= dt
