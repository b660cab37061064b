"""An edge of a flexible oscillator strikes the ground: bounces, slips, stays or lets the other go.

As `striking.py` does for a block: one complementarity problem for the edges that touch, each with
its own ε and μ, and the column's velocity jumps, too.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.theories.contract import IMPACT
from rocksteady.theories.nonsmooth.column_forces import (
    Edge,
    edge_of,
    matrices_of_base,
    matrices_of_edge,
)
from rocksteady.theories.nonsmooth.contacts import GMatrices, contacts
from rocksteady.theories.nonsmooth.flexible import Oscillator
from rocksteady.theories.nonsmooth.striking import (
    FINE,
    FINE_EPSILON,
    FLIGHT,
    HOP,
    JAM,
    Rates,
    contact_after,
)


class Striking(NamedTuple):
    """The body at the instant of an impact."""

    body: Oscillator
    edge: Edge
    matrices: GMatrices
    u: float
    mu1: float
    mu2: float
    upright: bool


class Jumps(NamedTuple):
    """Velocities at an impact."""

    at: Rates  # of both edges, and y'
    rate: float  # u'


@kernel
def kinetic(jumps, hit):  # type: ignore[no-untyped-def]
    """Kinetic energy [J]."""
    body, edge, u = hit.body, hit.edge, hit.u
    first, _, along, v = jumps.at
    rate, mass, half = jumps.rate, body.mass, body.half
    about = body.inertia + mass * half * half + u * (body.mu2 * u - 2 * half * body.mu1)
    turning = 0.5 * (body.mu2 * rate * rate + about * v * v) + body.modal * rate * v
    carried = along * (edge.along_u * rate + edge.along_y * v)
    carried += first * (edge.up_u * rate + edge.up_y * v)
    return turning + 0.5 * mass * (along * along + first * first) + carried


@kernel
def jumped(before, after, hit):  # type: ignore[no-untyped-def]
    """The same velocities of the edges, with the column's: no impulse acts on its bending."""
    body, edge = hit.body, hit.edge
    along = after.T - before.at.T
    if hit.upright:
        rate = before.rate - (body.mu1 * along + body.modal * (after.v - before.at.v)) / body.mu2
        return Jumps(after, rate)
    up = after.N1 - before.at.N1
    rate = before.rate - edge.x_u * along - edge.z_u * up
    v = before.at.v - edge.x_y * along - edge.z_y * up
    return Jumps(Rates(after.N1, after.N2, after.T, v), rate)


@kernel
def rebound(before, hit, epsilon1, epsilon2):  # type: ignore[no-untyped-def]
    """The velocities after the impact, from the LCP."""
    first, second, tangential, _ = before.at
    kick1, kick2 = epsilon1 * min(first, 0.0), epsilon2 * min(second, 0.0)
    c2 = second + kick2 if hit.upright else 1.0
    found = contacts(hit.matrices, first + kick1, c2, tangential, hit.mu1, hit.mu2)
    after1, after2 = found.v1 - kick1, found.v2 - kick2
    spin = (after2 - after1) / (2 * hit.body.half)
    return jumped(before, Rates(after1, after2, found.slip, spin), hit)


@kernel
def collide(before, hit, epsilon1, epsilon2):  # type: ignore[no-untyped-def]
    """The impact, with the largest share of ε that adds no energy, by bisection."""
    most = kinetic(before, hit) * (1 + 1e-14)
    low, high, share = 0.0, 1.0, 1.0
    after = before
    for i in range(51):
        after = rebound(before, hit, share * epsilon1, share * epsilon2)
        if kinetic(after, hit) > most:
            high = share
        elif share == 1.0 or i == 50:
            break
        else:
            low = share
        share = 0.5 * (low + high) if i < 49 else low
    return after


@kernel
def fading(epsilon, closing, body):  # type: ignore[no-untyped-def]
    """ε of an edge that closes this fast: with ε near 1 hops would never end, and one that would
    rise by less than 1e-14 of the width is none."""
    square, fall = closing * closing, 4 * body.half * body.g
    if closing < 0 or square < HOP * fall:
        return 0.0
    return FINE_EPSILON if epsilon > FINE_EPSILON and square < FINE * fall else epsilon


@kernel
def settled(before, after, hit):  # type: ignore[no-untyped-def]
    """The velocities after an impact; a hop or a swing too slow to lift an edge is none."""
    highest = max(after.at.N1, after.at.N2) if hit.upright else after.at.N1
    if highest * highest >= HOP * 4 * hit.body.half * hit.body.g:
        return after
    spin = 0.0 if hit.upright else after.at.v
    return jumped(before, Rates(0.0, 0.0, after.at.T, spin), hit)


@kernel
def strike(state, side, body, ends):  # type: ignore[no-untyped-def]
    """An edge meets the ground, or friction jams one that slips."""
    theta, omega, contact, bent, bent_rate, way, _, slide, rise, slip, work, loss, least = state
    y, v, u, upright = side * theta, side * omega, side * bent, theta == 0
    mu1, mu2, epsilon1, epsilon2 = (
        ends.mu_right,
        ends.mu_left,
        ends.epsilon_right,
        ends.epsilon_left,
    )
    if side < 0:
        mu1, mu2, epsilon1, epsilon2 = mu2, mu1, epsilon2, epsilon1
    if abs(slip) > 1:
        mu1, mu2 = mu1 * (1 + JAM), mu2 * (1 + JAM)
    edge = edge_of(y, v, u, side * bent_rate, body)
    matrices = matrices_of_base(u, body) if upright else matrices_of_edge(edge)
    hit = Striking(body, edge, matrices, u, mu1, mu2, upright)
    second = rise + 2 * body.half * v
    before = Jumps(Rates(rise, second, side * slide, v), side * bent_rate)
    epsilon1, epsilon2 = fading(epsilon1, -rise, body), fading(epsilon2, -second, body)
    after = settled(before, collide(before, hit, epsilon1, epsilon2), hit)
    loss += kinetic(before, hit) - kinetic(after, hit)
    contact, rise = contact_after(side, after.at, upright)
    slip, slide = 0.0, side * after.at.T
    if contact != FLIGHT and slide != 0:
        slip = math.copysign(1.0, slide)
    omega, bent_rate = side * after.at.v, side * after.rate
    struck = (theta, omega, contact, bent, bent_rate, way, 0.0, slide, rise, slip)
    return (*struck, work, loss, least), 0.0, IMPACT
