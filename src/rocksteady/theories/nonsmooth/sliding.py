"""A rigid block that slips on its base or on one corner, with Coulomb friction.

Written, as `housner/rocking.py` is, for the lean y = |θ| ≥ 0 about the right corner; a block on its
left corner is mirrored. The corner moves along the ground by ξ, in the direction s = ±1, and

    N/m = g + a_v + (R cos(α − y))'',   T = −s μ N,
    I_c y'' = −R (S N + C T),   ξ'' = T/m − a_h + (R sin(α − y))'',   S, C = sin, cos(α − y).
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.nonsmooth.extrapolation import make_integrator

TURNED, STOPPED, LIFTED, STRUCK, LYING = 1, 2, 3, 4, 5  # how slipping on a corner ends


class Slipping(NamedTuple):
    """What does not change while a corner slips."""

    alpha: float
    R: float
    mass: float
    inertia: float  # I_c
    g: float
    drag: float  # s μ
    turn: float  # ±1: the sense in which it turns


@kernel
def pressure(y, v, fixed, a_v):  # type: ignore[no-untyped-def]
    """(y'', N/m, I_c/(I_c + m R² S (S − s μ C))) of a block that slips on its corner.

    Where the last one is negative, friction jams the corner (Painlevé): no force solves it.
    """
    alpha, R, mass, inertia, g, drag, _ = fixed
    S, C = sincos(alpha - y)
    lever = S - drag * C
    share = inertia / (inertia + mass * R * R * S * lever)
    load = (g + a_v - R * C * v * v) * share
    return -mass * R * lever * load / inertia, load, share


@kernel
def rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', ξ', ξ, work of the ground, loss by friction)."""
    y, v, u = z[:3]
    alpha, R, mass, _, _, drag, _ = fixed
    S, C = sincos(alpha - y)
    spin, load, _ = pressure(y, v, fixed, a_v)
    slip = -drag * load - a_h - R * C * spin - R * S * v * v
    work = -mass * (a_h * (u + R * C * v) + a_v * R * S * v)
    return v, spin, slip, u, work, mass * drag * load * u


@kernel
def watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, slipping, pressing, leaning, and does not lie."""
    y, v, u = z[:3]
    if kind == TURNED:
        return v * fixed.turn
    if kind == STOPPED:
        return u * fixed.drag
    if kind == LIFTED:
        return pressure(y, v, fixed, a_v)[1]
    if kind == STRUCK:
        return y
    return math.pi / 2 - y


slip_on_corner = make_integrator(rate, watch, LYING)


@kernel
def first_stop(v, a, jerk):  # type: ignore[no-untyped-def]
    """When the speed v + a t + jerk t²/2, which starts upwards from v ≥ 0, is zero again."""
    inside = a * a - 2 * jerk * v
    if v == 0 and a == 0:
        return math.inf if jerk > 0 else 0.0
    if a > 0:
        return (a + math.sqrt(inside)) / -jerk if jerk < 0 else math.inf
    return 2 * v / (math.sqrt(inside) - a) if inside > 0 else math.inf


@kernel
def along(load, load_rate, v, a, jerk, t):  # type: ignore[no-untyped-def]
    """∫ (load + load_rate t)(v + a t + jerk t²/2) dt."""
    way = t * (v + t * (a / 2 + t * jerk / 6))
    moment = t * t * (v / 2 + t * (a / 3 + t * jerk / 8))
    return load * way + load_rate * moment


@kernel
def slip_on_base(u, slip, mu, g, ground0, ground1, dt, span):  # type: ignore[no-untyped-def]
    """(ξ, ξ', time, stopped, work of the ground, loss by friction, both per unit mass) of a block
    that slips on its whole base, ξ'' = −a_h − s μ (g + a_v), until it stops, at most for
    `span`; the ground is linear over `dt`."""
    a_h, a_h_rate = ground0[0], (ground1[0] - ground0[0]) / dt
    weight, weight_rate = g + ground0[1], (ground1[1] - ground0[1]) / dt
    v, a = slip * u, -slip * a_h - mu * weight
    jerk = -slip * a_h_rate - mu * weight_rate
    if v == 0:
        a = max(a, 0.0)  # it has just come loose: rounding must not pull it back
    stop = first_stop(v, a, jerk)
    t = min(stop, span)
    way = t * (v + t * (a / 2 + t * jerk / 6))
    speed = 0.0 if stop <= span else v + t * (a + t * jerk / 2)
    work = -slip * along(a_h, a_h_rate, v, a, jerk, t)
    loss = mu * along(weight, weight_rate, v, a, jerk, t)
    return slip * way, slip * speed, t, stop <= span, work, loss
