"""The flexible rocking oscillator (Giouvanidis & Dimitrakopoulos 2016, Figs. 2b and 7).

A column that bends by ψ(ζ) u(t), ζ from 0 at its foot to 1 at its top, stands on a base that rocks
by θ, clockwise. Full Lagrangian; written for a lean y = |θ| about the right edge, and mirrored for
the left one:

    Σ m x = (μ1 u − M b) cos y + S sin y,   Σ m z = (M b − μ1 u) sin y + S cos y,   (from the edge)
    T = μ2 u'²/2 + L u' y' + (J + M b² − 2 b μ1 u + μ2 u²) y'²/2,   V = k u²/2 + g Σ m z,

with the sums over the straight body that `FlexibleOscillator` has: M its mass, S its first moment
and J its moment of inertia about the middle of the base, μ1 = m + m_c ∫ψ, μ2 = m + m_c ∫ψ² and
L = H (m + m_c ∫ψζ) of the bending shape.

The edge it rocks about neither slips nor leaves the ground. At an impact u' jumps with y': the
impulses come from the complementarity problem of `contacts.py`, with the mass matrix of the upright
body, bent as it is.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.flexible_oscillator import FlexibleOscillator
from rocksteady.errors import InputError
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN, TURN, UPLIFT
from rocksteady.theories.nonsmooth.contacts import GMatrices, contacts
from rocksteady.theories.nonsmooth.extrapolation import make_integrator

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "contact [-]",  # 0 full contact, ±1 on the right or left edge
    "u [m]",  # of the top mass relative to the base's axis, towards +x when upright
    "u_rate [m/s]",
    "work [J]",  # done by the shaking ground since the start
    "loss [J]",  # in impacts and by damping since the start
    "least_normal [N]",  # smallest normal force on the base so far; below 0 it would have hopped
)
TOLERANCE = 1e-9  # of p: estimate for order 6 of a step's error; that of order 8 is far smaller
PHASE = 0.5  # rad: largest phase of the column's vibration in one step
TURNED, STRUCK, LYING = 1, 2, 3


class Oscillator(NamedTuple):
    """The parameters of the step."""

    mu1: float  # μ1
    mu2: float  # μ2
    modal: float  # L
    first: float  # S
    inertia: float  # J
    mass: float  # M
    half: float  # b
    stiffness: float  # k
    damping: float  # c
    g: float
    tolerance: float  # of a step; slower rotations after an impact are stopped
    longest: float  # step [s]
    turn: float  # ±1: the sense in which it turns; `rock` sets it


# -- full contact: a column on a fixed base -----------------------------------------------------


@kernel
def bending(u, rate, params, a_h):  # type: ignore[no-untyped-def]
    """u'' on a fixed base: μ2 u'' + c u' + k u = −μ1 a_h."""
    force = params.damping * rate + params.stiffness * u + params.mu1 * a_h
    return -force / params.mu2


@kernel
def standing_rate(z, params, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (u, u', -, -, work of the ground, loss by damping)."""
    u, rate = z[0], z[1]
    power = -params.mu1 * a_h * rate
    return rate, bending(u, rate, params, a_h), 0.0, 0.0, power, params.damping * rate * rate


@kernel
def hold(kind, z, params, a_h, a_v):  # type: ignore[no-untyped-def]
    """Moment that keeps the base down on the right (1) or left (2) edge; it lifts off below 0."""
    mu1, _, modal, first, _, mass, half, _, _, g, _, _, _ = params
    u, rate = z[0], z[1]
    weight = g + a_v
    moment = modal * bending(u, rate, params, a_h) + first * a_h - mu1 * u * weight
    return mass * weight * half + (moment if kind == 1 else -moment)


# -- rocking: two degrees of freedom -------------------------------------------------------------


@kernel
def accelerations(z, params, a_h, a_v):  # type: ignore[no-untyped-def]
    """(y'', u'', N at the edge, sin y, cos y)."""
    y, v, rate, u = z[:4]
    mu1, mu2, modal, first, inertia, mass, half, stiffness, damping, g, _, _, _ = params
    S, C = sincos(y)
    weight = g + a_v
    lever = mu2 * u - half * mu1
    force_u = lever * v * v - damping * rate - stiffness * u + mu1 * (weight * S - a_h * C)
    arm = mass * half - mu1 * u
    force_y = -2 * lever * rate * v - weight * (arm * C - first * S) - a_h * (arm * S + first * C)
    inertia_y = inertia + mass * half * half + u * (lever - half * mu1)
    determinant = mu2 * inertia_y - modal * modal
    spin = (mu2 * force_y - modal * force_u) / determinant
    bend = (inertia_y * force_u - modal * force_y) / determinant
    # second derivative of Σ m z
    rise = -mu1 * bend * S - 2 * mu1 * rate * v * C
    rise += spin * (arm * C - first * S) - v * v * (arm * S + first * C)
    return spin, bend, mass * weight + rise, S, C


@kernel
def rocking_rate(z, params, a_h, a_v):  # type: ignore[no-untyped-def]
    """Time derivative of (y, y', u', u, work of the ground, loss by damping)."""
    _, v, rate, u = z[:4]
    mu1, _, _, first, _, mass, half, _, damping, _, _, _, _ = params
    spin, bend, _, S, C = accelerations(z, params, a_h, a_v)
    arm = mass * half - mu1 * u
    along = mu1 * rate * C + (arm * S + first * C) * v
    up = -mu1 * rate * S + (arm * C - first * S) * v
    return v, spin, bend, rate, -(a_h * along + a_v * up), damping * rate * rate


@kernel
def watch(kind, z, params, a_h, a_v):  # type: ignore[no-untyped-def]
    """Positive as long as it goes on turning, leaning, and does not lie."""
    if kind == TURNED:
        return z[1] * params.turn
    if kind == STRUCK:
        return z[0]
    return math.pi / 2 - z[0]


stand_on = make_integrator(standing_rate, hold, 2)
rock_on = make_integrator(rocking_rate, watch, LYING)


# -- impact --------------------------------------------------------------------------------------


class Jump(NamedTuple):
    """Velocities that an impulse gives the upright body."""

    u: float
    x: float
    z: float
    y: float


@kernel
def respond(params, u, along, up, turn):  # type: ignore[no-untyped-def]
    """M⁻¹ (0, along, up, turn), the velocities that such impulses give the upright body, bent by
    u."""
    mu1, mu2, modal, first, inertia, mass, _, _, _, _, _, _, _ = params
    xx, xy = mass - mu1 * mu1 / mu2, first - mu1 * modal / mu2
    yy = inertia + mu2 * u * u - modal * modal / mu2 - mu1 * mu1 * u * u / mass
    turn += mu1 * u * up / mass
    determinant = xx * yy - xy * xy
    x, y = (yy * along - xy * turn) / determinant, (xx * turn - xy * along) / determinant
    return Jump(-(mu1 * x + modal * y) / mu2, x, (up + mu1 * u * y) / mass, y)


@kernel
def strike(state, params):  # type: ignore[no-untyped-def]
    """The lifted edge meets the ground; the LCP says which edges stay down."""
    _, omega, side, bent, bent_rate, work, loss, least = state
    half = params.half
    v, u, rate = side * omega, side * bent, side * bent_rate
    near = respond(params, u, 0.0, 1.0, -half)  # unit impulse at the edge it rocked about
    far = respond(params, u, 0.0, 1.0, half)
    shear = respond(params, u, 1.0, 0.0, 0.0)
    n11, n12, n22 = near.z - half * near.y, far.z - half * far.y, far.z + half * far.y
    matrices = GMatrices(n11, n12, n22, near.x, far.x, shear.x)
    found = contacts(matrices, 0.0, 2 * half * v, 0.0, math.inf, math.inf)
    v1 = -found.v1 / (2 * half)  # without a bounce the edge that strikes stays down
    rate1 = rate + found.N1 * near.u + found.N2 * far.u + found.T * shear.u
    contact = 0.0
    if abs(v1) <= params.tolerance:  # too slow to follow: stopped, or chatter would never end
        rate1, v1 = rate1 + params.modal / params.mu2 * v1, 0.0
    else:
        contact = -side
    edge = contact * side if contact != 0 else 1.0  # where it turns after, and before
    loss += kinetic(u, rate, v, 1.0, params) - kinetic(u, rate1, v1, edge, params)
    return (0.0, side * v1, contact, bent, side * rate1, work, loss, least), 0.0, IMPACT


@kernel
def kinetic(u, rate, v, edge, params):  # type: ignore[no-untyped-def]
    """Kinetic energy of the upright body turning about an edge: +1 right, −1 left."""
    mu1, mu2, modal, _, inertia, mass, half, _, _, _, _, _, _ = params
    inertia_y = inertia + mass * half * half - 2 * edge * half * mu1 * u + mu2 * u * u
    return 0.5 * mu2 * rate * rate + modal * rate * v + 0.5 * inertia_y * v * v


# -- rest ------------------------------------------------------------------------------------------


@kernel
def fastest_bend(params):  # type: ignore[no-untyped-def]
    """|u''| of a free vibration on a fixed base over its amplitude, ω_n² (1 + 2ζ) at most [1/s²]:
    enough not to be wrong on the safe side."""
    rate = math.sqrt(params.stiffness / params.mu2)
    return rate * (rate + params.damping / params.mu2)


@kernel
def lifting_sway(params):  # type: ignore[no-untyped-def]
    """The amplitude of a free vibration [m] below which no edge lifts off."""
    moment = params.modal * fastest_bend(params) + params.mu1 * params.g
    return params.mass * params.g * params.half / moment


@kernel
def sways_below(u, rate, params, limit):  # type: ignore[no-untyped-def]
    """Whether the amplitude of a free vibration is below a limit."""
    return u * u + rate * rate * (params.mu2 / params.stiffness) < limit * limit


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its base and sways too little to lift off again."""
    body = Oscillator(*params)
    return state[2] == 0 and sways_below(state[3], state[4], body, lifting_sway(body))


# -- the step ------------------------------------------------------------------------------------


@kernel
def stand(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """On the whole base, as a column fixed to the ground, until an edge lifts off."""
    _, _, _, u, rate, work, loss, least = state
    z = (u, rate, 0.0, 0.0, 0.0, 0.0)
    for kind in (1, 2):
        if hold(kind, z, params, ground0[0], ground0[1]) < 0:
            return (0.0, 0.0, 3.0 - 2.0 * kind, u, rate, work, loss, least), 0.0, UPLIFT
    span = min(dt, params.longest)
    z, used, met = stand_on(z, params, ground0, ground1, dt, span, params.tolerance)
    contact = 3.0 - 2.0 * met if met > 0 else 0.0
    event = UPLIFT if met > 0 else NOTHING
    least = min(least, params.mass * (params.g + ground0[1]))
    return (0.0, 0.0, contact, z[0], z[1], work + z[4], loss + z[5], least), used, event


@kernel
def rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Lean about an edge, which is held on the ground."""
    theta, omega, side, bent, bent_rate, work, loss, least = state
    y, v, rate, u = side * theta, side * omega, side * bent_rate, side * bent
    there0, there1 = (side * ground0[0], ground0[1]), (side * ground1[0], ground1[1])
    z = (y, v, rate, u, 0.0, 0.0)
    spin, _, normal, _, _ = accelerations(z, params, there0[0], there0[1])
    turn = v if v != 0 else (spin if y > 0 else 1.0)
    span, sense = min(dt, params.longest), math.copysign(1.0, turn)
    with_turn = Oscillator(*params[:-1], sense)  # type: ignore[call-arg]
    z, used, met = rock_on(z, with_turn, there0, there1, dt, span, params.tolerance)
    y1, v1, event = z[0], z[1], NOTHING
    if met == TURNED:
        v1, event = 0.0, TURN
    elif met == STRUCK:
        y1, v1 = 0.0, min(v1, -5e-324)
    elif met == LYING:
        y1, event = math.pi / 2, OVERTURN
    rate, u, work, loss = side * z[2], side * z[3], work + z[4], loss + z[5]
    least = min(least, normal)
    return (side * y1, side * v1, side, u, rate, work, loss, least), used, event


@kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step of the flexible oscillator."""
    theta, omega, contact, _, _, _, _, _ = state
    body = Oscillator(*params)
    if contact == 0:
        return stand(state, body, ground0, ground1, dt)
    if theta == 0 and contact * omega < 0:
        return strike(state, body)
    return rock(state, body, ground0, ground1, dt)


# -- for the formulation -------------------------------------------------------------------------


def parameters(body: FlexibleOscillator) -> Numbers:
    """What the step needs to know."""
    if body.base_mass == body.column_mass == 0:
        raise InputError(
            "base_mass = 0 and column_mass = 0: only the top has mass, and what strikes the ground "
            "has none, so the impact is undefined. Give one of them a mass; one hundredth of "
            f"top_mass, {body.top_mass / 100:.4g} kg, is enough."
        )
    return Oscillator(
        mu1=body.modal_participation,
        mu2=body.modal_mass,
        modal=body.modal_moment,
        first=body.first_moment,
        inertia=body.inertia_about_base,
        mass=body.mass,
        half=body.b,
        stiffness=body.stiffness,
        damping=body.damping,
        g=body.g,
        tolerance=TOLERANCE * body.p,
        longest=PHASE / max(body.natural_frequency, body.p),
        turn=1.0,
    )


def energy(body: FlexibleOscillator, states: Array) -> Array:
    """Kinetic, elastic and potential energy [J]; zero at rest upright."""
    side = np.where(states[..., 2] < 0, -1.0, 1.0)
    y, v = side * states[..., 0], side * states[..., 1]
    u, rate = side * states[..., 3], side * states[..., 4]
    mu1, mu2, mass, half = body.modal_participation, body.modal_mass, body.mass, body.b
    inertia = body.inertia_about_base + mass * half**2 - 2 * half * mu1 * u + mu2 * u**2
    kinetic = mu2 * rate**2 / 2 + body.modal_moment * rate * v + inertia * v**2 / 2
    height = (mass * half - mu1 * u) * np.sin(y) - 2 * body.first_moment * np.sin(y / 2) ** 2
    return np.asarray(kinetic + body.stiffness * u**2 / 2 + body.g * height)


def at_rest(body: FlexibleOscillator, states: Array) -> NDArray[np.bool_]:
    """Standing on its base, with a vibration too small to lift it off again: `resting`, operation
    by operation."""
    params = Oscillator(*parameters(body))
    quiet = plain(sways_below)(states[..., 3], states[..., 4], params, plain(lifting_sway)(params))
    return np.asarray((states[..., 2] == 0) & quiet)


def plain(compiled: Any) -> Any:
    """A compiled function of numbers as Python has it, which takes arrays, too."""
    return getattr(compiled, "py_func", compiled)


def start(body: FlexibleOscillator, theta0: float, omega0: float) -> Numbers:
    """Released straight (u = 0)."""
    side = float(np.sign(theta0) or np.sign(omega0))
    weight = body.mass * body.g
    return (float(theta0), float(omega0), side, 0.0, 0.0, 0.0, 0.0, weight)
