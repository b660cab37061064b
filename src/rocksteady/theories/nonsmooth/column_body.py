"""What the formulation says of a flexible oscillator with all of its contacts: parameters of the
step, energy, start and rest."""

import math

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.flexible_oscillator import FlexibleOscillator
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.nonsmooth import flexible
from rocksteady.theories.nonsmooth.column_forces import OSCILLATOR, Ends


def fastest(body: FlexibleOscillator) -> float:
    """The largest rate at which it vibrates or creeps [1/s]: with a base that is free to move, its
    column swings faster than on a fixed one."""
    mu1, mu2, modal = body.modal_participation, body.modal_mass, body.modal_moment
    base = np.array([[body.mass, body.first_moment], [body.first_moment, body.inertia_about_base]])
    along = np.array([mu1, modal])
    moving = mu2 - float(along @ np.linalg.solve(base, along))
    return max(math.sqrt(body.stiffness / moving), body.damping / moving, body.p)


def parameters(
    body: FlexibleOscillator, epsilon: tuple[float, float], mu: tuple[float, float]
) -> Numbers:
    """What the step needs to know; ε and μ of the right and the left edge."""
    own = flexible.Oscillator(*flexible.parameters(body))
    own = own._replace(longest=flexible.PHASE / fastest(body))
    return (*own, *Ends(*epsilon, *mu, body.height))


def start(body: FlexibleOscillator, theta0: float, omega0: float) -> Numbers:
    """Released straight (u = 0)."""
    side = float(np.sign(theta0) or np.sign(omega0))
    weight = body.mass * body.g
    return (float(theta0), float(omega0), side, *[0.0] * 9, weight)


def energy(body: FlexibleOscillator, states: Array) -> Array:
    """Kinetic, elastic and potential energy [J]; zero at rest upright."""
    theta, omega, contact, u, rate, _, lift, along, rise = np.moveaxis(states, -1, 0)[:9]
    lower = np.where(theta != 0, np.sign(theta), np.where(omega < 0, -1.0, 1.0))
    side = np.where(np.abs(contact) == 1, contact, lower)
    y, v, u, rate, along = side * theta, side * omega, side * u, side * rate, side * along
    mu1, mu2, mass, half = body.modal_participation, body.modal_mass, body.mass, body.b
    first, arm = body.first_moment, mass * half - mu1 * u
    inertia = body.inertia_about_base + mass * half**2 - 2 * half * mu1 * u + mu2 * u**2
    turning = mu2 * rate**2 / 2 + body.modal_moment * rate * v + inertia * v**2 / 2
    sine, cosine = np.sin(y), np.cos(y)
    carried = along * (mu1 * cosine * rate + (arm * sine + first * cosine) * v)
    carried += rise * (-mu1 * sine * rate + (arm * cosine - first * sine) * v)
    kinetic = turning + mass * (along**2 + rise**2) / 2 + carried
    height = arm * sine - 2 * first * np.sin(y / 2) ** 2 + mass * lift
    return np.asarray(kinetic + body.stiffness * u**2 / 2 + body.g * height)


def at_rest(body: FlexibleOscillator, states: Array, mu: tuple[float, float]) -> NDArray[np.bool_]:
    """Standing on its base, with a vibration too small to lift or to move it again: `resting`,
    operation by operation."""
    params = flexible.Oscillator(*flexible.parameters(body))
    limit = flexible.plain(sliding_sway)(params, *mu)
    quiet = flexible.plain(flexible.sways_below)(states[..., 3], states[..., 4], params, limit)
    return np.asarray(flexible.at_rest(body, states) & (states[..., 9] == 0) & quiet)


@kernel
def sliding_sway(params, mu_right, mu_left):  # type: ignore[no-untyped-def]
    """The amplitude of a free vibration [m] below which the base does not slide."""
    push = params.mu1 * flexible.fastest_bend(params)
    return min(mu_right, mu_left) * params.mass * params.g / push


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its base and sways too little to lift off, or to slide, again."""
    body, ends = flexible.Oscillator(*params[:OSCILLATOR]), Ends(*params[OSCILLATOR:])
    if state[2] != 0 or state[9] != 0:
        return False
    limit = min(flexible.lifting_sway(body), sliding_sway(body, ends.mu_right, ends.mu_left))
    return flexible.sways_below(state[3], state[4], body, limit)
