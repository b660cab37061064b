"""Smooth motion of a flexible oscillator with all of its contacts, and what ends each phase."""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.theories.nonsmooth.column_forces import (
    JAMMED,
    Ends,
    dragged,
    dragged_base,
    edge_of,
    forces,
    friction_limit,
    grip,
    hold_down,
    untouched,
)
from rocksteady.theories.nonsmooth.extrapolation import add_ten, make_integrator
from rocksteady.theories.nonsmooth.flexible import Oscillator, bending, rocking_rate, standing_rate
from rocksteady.theories.nonsmooth.striking import GRIP

RIGHT, LEFT, FORWARDS, BACKWARDS = 1, 2, 3, 4  # how standing ends: on an edge, or slipping
STOPPED = 3  # how sliding ends, beside RIGHT and LEFT
TURNED, STRUCK, LYING, LOST = 1, 2, 3, 4  # how leaning on an edge that sticks ends
HALTED, LIFTED, JAMS, LANDED = 4, 5, 6, 7  # and on one that slips, or in the air


class Base(NamedTuple):
    """The body on its whole base, which sticks (slip = 0) or slips."""

    body: Oscillator
    ends: Ends
    slip: float


class Lean(NamedTuple):
    """The body on one edge or in the air."""

    body: Oscillator
    mu: float
    drag: float  # s μ of an edge that slips
    flies: bool
    size: float


@kernel
def base_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (u, u', ξ, ξ', work of the ground, loss)."""
    body, ends, slip = fixed
    if slip == 0:
        return standing_rate(z, body, a_h, a_v)
    u, rate, _, speed, _, _ = z
    W = body.g + a_v
    A = dragged_base(u, rate, W, slip, body, ends)
    bend = bending(u, rate, body, A)
    limit = friction_limit(u, bend, A, W, body, ends)
    work = -a_h * (body.mass * speed + body.mu1 * rate)
    return rate, bend, speed, A - a_h, work, body.damping * rate * rate + slip * limit * speed


@kernel
def base_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as both edges are pressed, and it goes on sticking or slipping."""
    body, ends, slip = fixed
    if slip != 0 and kind >= STOPPED:
        return z[3] * slip if kind == STOPPED else 1.0
    u, rate, W = z[0], z[1], body.g + a_v
    A = a_h if slip == 0 else dragged_base(u, rate, W, slip, body, ends)
    bend = bending(u, rate, body, A)
    spare = GRIP * body.mass * body.g
    if kind <= LEFT:
        moment = hold_down(u, bend, A, W, body)
        return (body.mass * W + spare) * body.half + (moment if kind == RIGHT else -moment)
    if ends.mu_right == math.inf:
        return 1.0
    push = body.mass * A + body.mu1 * bend
    limit = friction_limit(u, bend, A, W, body, ends) + spare
    return limit + push if kind == FORWARDS else limit - push


@kernel
def rock_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', u', u, work of the ground, loss), on an edge that sticks."""
    return rocking_rate(z, fixed.body, a_h, a_v)


@kernel
def rock_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, leaning, does not lie, and its edge sticks."""
    if kind == TURNED:
        return z[1] * fixed.body.turn
    if kind == STRUCK:
        return z[0]
    if kind == LYING:
        return math.pi / 2 - z[0]
    return holding(z, fixed, a_h, a_v)


@kernel
def holding(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """How far the edge is from letting go. One that cannot slip leaves the ground only where no
    normal force is left *and* it would rise by itself, as a block's (`leaning.margin`)."""
    y, v, rate, u, _, _ = z
    body, weight = fixed.body, fixed.body.g + a_v
    edge = edge_of(y, v, u, rate, body)
    T, N = forces(edge, a_h, weight)
    spare = GRIP * body.mass * body.g
    if fixed.mu < math.inf:
        return fixed.mu * N - abs(T) + spare
    if N >= 0:
        return N + spare
    return max(N, (weight - untouched(edge)[1]) * body.mass) + spare


@kernel
def loose_rate(z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', u', u, ξ', ξ, η', η, work of the ground, loss), on an edge that
    slips or in the air."""
    y, v, rate, u, along, _, up, _, _, _ = z
    body, mass, weight = fixed.body, fixed.body.mass, fixed.body.g + a_v
    edge = edge_of(y, v, u, rate, body)
    lost = body.damping * rate * rate
    if fixed.flies:
        A, W = untouched(edge)
    else:
        W = weight
        A = dragged(edge, W, fixed.drag)
        lost += fixed.drag * forces(edge, A, W)[1] * along
    spin = edge.f_y - A * edge.x_y - W * edge.z_y
    bend = edge.f_u - A * edge.x_u - W * edge.z_u
    work = -a_h * (mass * along + edge.along_u * rate + edge.along_y * v)
    work -= a_v * (mass * up + edge.up_u * rate + edge.up_y * v)
    return v, spin, bend, rate, A - a_h, along, W - weight, up, work, lost


@kernel
def loose_watch(kind, z, fixed, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, leaning, does not lie, slips, presses, can slip, or
    stays in the air."""
    if kind == TURNED:
        return z[1] * fixed.body.turn
    if kind == STRUCK:
        return z[0]
    if kind == LYING:
        return math.pi / 2 - z[0]
    if fixed.flies:
        return z[7] if kind == LANDED else 1.0
    if kind == HALTED:
        return z[4] * fixed.drag
    if kind == LANDED:
        return 1.0
    body = fixed.body
    edge = edge_of(z[0], z[1], z[3], z[2], body)
    if kind == JAMS:
        return grip(edge, fixed.drag) - JAMMED * edge.c_xx
    if grip(edge, fixed.drag) <= 0:
        return 1.0
    weight = body.g + a_v
    N = forces(edge, dragged(edge, weight, fixed.drag), weight)[1]
    return N + GRIP * body.mass * body.g


@kernel
def off_in_all(best, lower, fixed):  # type: ignore[no-untyped-def]
    """How far two results are apart: in rad and rad/s, of speeds over the size of the body."""
    turning = max(abs(best[0] - lower[0]), abs(best[1] - lower[1]))
    speed = max(abs(best[2] - lower[2]), abs(best[4] - lower[4]), abs(best[6] - lower[6]))
    return max(turning, speed / fixed.size)


base_on = make_integrator(base_rate, base_watch, BACKWARDS)
rock_on = make_integrator(rock_rate, rock_watch, LOST)
move_on = make_integrator(loose_rate, loose_watch, LANDED, add_ten, off_in_all)
