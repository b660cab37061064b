"""The laws of a body of revolution on its rim.

Free to roll, c from the centre of mass to the lowest point of the rim, which does not slip: with
v = −W × c and the contact's push F,

    m (v' + W × v + G) = F,   J W' + W × J W = c × F.

Restrained to its circle it has two freedoms, the tilt θ and its direction φ: Lagrange's equations
with T/m = I θ'²/2 + Γ(θ) φ'²/2, Γ = U² + A sin²θ + C (1 − cos θ)², U = ρ (1 − cos θ) + h sin θ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.auditing.flow import Flow, Followed, followed
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.analysis.auditing.solid import REST, RIM, Solid
from rocksteady.numerics.types import Array
from rocksteady.response import Response

ALLOWED = 1e-6  # of the scale of the motion
WHY = "steps of sixth order on the rim may err by about 1e-9, and an interval takes many of them"
STEEP = 0.02  # rad: closer to flat a body precesses too fast for rows to tell
TURNS = 30.0  # rad/s of precession, at most, in rows that are compared


def laws(response: Response, solid: Solid) -> tuple[Law, ...]:
    """Between events, and at passages close to flat."""
    how: Any = response.formulation
    free = how.rolling == "free"
    flow = _free(response, solid) if free else _restrained(response, solid)
    found = followed(flow, response)
    count = 11 if free else 4
    passages = unchecked(
        "impacts", "A passage close to flat keeps the share flat_loss of the kinetic energy",
        "it lasts less than a sample: see energy and losses",
    )  # fmt: skip
    none = Followed(found.errors, found.rows, f"{found.extent}, those steeper than {STEEP} rad")
    return (
        momentum_law(response, flow, none, slice(0, count), ALLOWED, WHY),
        work_law(response, flow, none, slice(count, count + 1), ALLOWED, WHY),
        _rolls(response, solid, free),
        passages,
    )


def _steep(solid: Solid, turning: Array) -> NDArray[np.bool_]:
    tilt = np.hypot(solid.up[:, 0], solid.up[:, 1])
    rests = solid.mode[:, 0] == REST
    rolls = (solid.mode[:, 0] == RIM) & (tilt > STEEP) & (np.abs(turning) < TURNS)
    return np.asarray(rests | rolls)


def _precession(solid: Solid) -> tuple[Array, Array]:
    """(direction φ of the lean [rad], its rate [rad/s])."""
    x, y = solid.ahead[:, 2], solid.left[:, 2]
    x_rate = np.cross(solid.ahead, solid.spin)[:, 2]
    y_rate = np.cross(solid.left, solid.spin)[:, 2]
    square = x**2 + y**2
    rate = np.divide(x * y_rate - y * x_rate, square, out=np.zeros_like(x), where=square > 0)
    return np.arctan2(y, x), rate


# -- free --------------------------------------------------------------------------------------


def _free(response: Response, solid: Solid) -> Flow:
    states = response.states
    y = np.concatenate([states[:, 3:14], states[:, 16:17]], axis=1)
    _, turning = _precession(solid)
    body: Any = response.system

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _free_rate(solid, y, mode, ground)

    p, alpha = body.p, body.alpha
    unit = solid.mass * solid.g * body.R * alpha**2
    scale = np.array([*[alpha] * 6, *[p * alpha] * 3, *[body.R * alpha] * 2, unit])
    known = _steep(solid, turning)
    fast = float(np.abs(solid.spin[known]).max(initial=0.0) + np.abs(turning[known]).max(initial=0))
    return Flow(y, solid.mode[:, :1], known, rate, scale, max(2 * p, fast))


def _free_rate(solid: Solid, y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
    up, ahead, W = y[:, :3], y[:, 3:6], y[:, 6:9]
    flat, flat_rate = up[:, :2], np.cross(up, W)[:, :2]
    s = np.hypot(*flat.T)[:, None]
    s = np.where(s > 0, s, 1.0)
    inward = (flat * flat_rate).sum(axis=1)[:, None]
    rho, zero = solid.body.radius, np.zeros((len(y), 1))
    c = np.concatenate([-rho * flat / s, zero - solid.h], axis=1)
    runs = np.concatenate([rho * (-flat_rate / s + flat * inward / s**3), zero], axis=1)
    v = -np.cross(W, c)
    push, weight = solid.pushes_on(up, ahead, ground)
    known = np.cross(W, v) - np.cross(W, runs) + push + weight
    moment = solid.mass * np.cross(c, known) - np.cross(W, W @ solid.inertia.T)
    spin = np.linalg.solve(solid.about(c), moment[..., None])[..., 0]
    left = np.cross(up, ahead)
    place = np.stack([(ahead * runs).sum(1), (left * runs).sum(1)], axis=1)
    power = -solid.mass * (v * push).sum(axis=1)[:, None]
    rates = np.concatenate([np.cross(up, W), np.cross(ahead, W), spin, place, power], axis=1)
    return np.asarray(np.where(mode == REST, 0.0, rates))


# -- restrained ----------------------------------------------------------------------------------


def _restrained(response: Response, solid: Solid) -> Flow:
    phi, turning = _precession(solid)
    s = np.hypot(solid.up[:, 0], solid.up[:, 1])
    fall = np.cross(solid.up, solid.spin)[:, 2]  # −sin θ θ'
    tilting = np.divide(-fall, s, out=np.zeros_like(s), where=s > 0)
    tilt = np.arctan2(s, solid.up[:, 2])
    y = np.stack([tilt, np.unwrap(phi), tilting, turning, response.column("work")], axis=1)
    body: Any = response.system

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _restrained_rate(solid, y, mode, ground)

    p, alpha = body.p, body.alpha
    known = _steep(solid, turning)
    unit = solid.mass * solid.g * body.R * alpha**2
    scale = np.array([alpha, 1.0, p * alpha, p, unit])
    fast = float(np.abs(turning[known]).max(initial=0.0))
    return Flow(y, solid.mode[:, :1], known, rate, scale, max(2 * p, 2 * fast))


def _restrained_rate(solid: Solid, y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
    theta, phi, tilting, turning = (y[:, i] for i in range(4))
    a_x, a_z, a_y = ground
    rho, h = solid.body.radius, solid.h
    A, C = solid.inertia[0, 0] / solid.mass, solid.inertia[2, 2] / solid.mass
    s, c = np.sin(theta), np.cos(theta)
    U, U1, Z1 = rho * (1 - c) + h * s, rho * s + h * c, rho * c - h * s
    gyration = U**2 + A * s**2 + C * (1 - c) ** 2
    slope = 2 * U * U1 + 2 * A * s * c + 2 * C * (1 - c) * s
    a_r = a_x * np.cos(phi) + a_y * np.sin(phi)
    a_t = a_y * np.cos(phi) - a_x * np.sin(phi)
    bend = slope / 2 * turning**2 - (solid.g + a_z) * Z1 - a_r * U1
    bend = bend / (rho**2 + h**2 + A)
    held = np.where(gyration > 0, gyration, 1.0)
    twist = -(a_t * U + slope * tilting * turning) / held
    power = -solid.mass * (a_r * U1 * tilting + a_t * U * turning + a_z * Z1 * tilting)
    rates = np.stack([tilting, turning, bend, twist, power], axis=1)
    return np.asarray(np.where(mode == REST, 0.0, rates))


def _rolls(response: Response, solid: Solid, free: bool) -> Law:
    """Kinematics: the lowest point touches, and restrained the body does not turn."""
    _, turning = _precession(solid)
    on_rim = (solid.mode[:, 0] == RIM) & _steep(solid, turning)
    beta = response.column("pivot")
    s = np.hypot(solid.up[:, 0], solid.up[:, 1])
    s = np.where(s > 0, s, 1.0)
    off = np.hypot(np.cos(beta) + solid.up[:, 0] / s, np.sin(beta) + solid.up[:, 1] / s)
    if not free:
        wanted = turning * (solid.up[:, 2] - 1)
        off = np.maximum(off, np.abs(solid.spin[:, 2] - wanted) / solid.body.p)
    return law(
        "rolling", "The lowest point of the rim touches"
        + ("" if free else ", and the body stays on its circle: w_n = φ' (cos θ − 1)"),
        off[on_rim], response.time[on_rim], 1e-6, WHY, nothing="it never leans far enough",
    )  # fmt: skip
