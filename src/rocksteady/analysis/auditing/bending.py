"""The laws of a flexible column on a base that rocks: Lagrange's equations in the lean y about the
edge on which it stands and the deflection u of its top, both mirrored where it leans to the left.

    T = μ2 u'²/2 + L u' y' + K(u) y'²/2,   K = J + M b² − 2 b μ1 u + μ2 u²,
    V = k u²/2 + (g + a_v) Z + a_h X,
    X = (μ1 u − M b) cos y + S sin y,   Z = (M b − μ1 u) sin y + S cos y.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocksteady.analysis.auditing.flow import Flow, Sides, followed, sides
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.analysis.auditing.table import table_law
from rocksteady.numerics.types import Array
from rocksteady.response import Response

ALLOWED = 1e-7  # of the scale of the motion
WHY = "a step of the theory may err by 1e-9 of p, and an interval takes up to some tens of them"


def laws(response: Response) -> tuple[Law, ...]:
    """Of a flexible oscillator."""
    body: Any = response.system
    flow = _flow(response, body)
    found = followed(flow, response)
    at = sides(flow, response)
    energy = _energy(body, flow.mode, flow.y)
    return (
        momentum_law(response, flow, found, slice(0, 4), ALLOWED, WHY),
        work_law(response, flow, found, slice(4, 6), ALLOWED, WHY),
        *_at_impacts(response, body, flow, at),
        table_law(response, flow, at, 0, 1, 10 * ALLOWED, WHY),
        _gaps(response, body),
        unchecked("friction", "A contact sticks only within |T| ≤ μ N",
                  "the theory holds the edge on the ground at any friction"),
        _stands(response, body),
        *energy_laws(response, energy, ALLOWED, WHY, flow.scale[4]),
    )  # fmt: skip


def _flow(response: Response, body: Any) -> Flow:
    names = ("theta", "omega", "u", "u_rate", "work", "loss")
    y = np.stack([response.column(name) for name in names], axis=-1)

    def rate(y: Array, side: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(body, y, side, ground)

    alpha, p, unit = body.alpha, body.p, body.mass * body.g * body.b
    bend = body.b * alpha
    K = float(_shapes(body, np.zeros(1))[0][0])
    # of the column on a base that rocks, faster than on a fixed one
    rocking = body.stiffness * K / (body.modal_mass * K - body.modal_moment**2)
    fast = math.sqrt(rocking)
    scale = np.array([alpha, p * alpha, bend, fast * bend, unit * alpha, unit * alpha])
    return Flow(y, response.column("contact"), np.ones(len(y), bool), rate, scale, max(fast, p))


def _shapes(body: Any, u: Array) -> tuple[Array, Array]:
    """(K, ½ dK/du) of the moment of inertia about the edge."""
    mu1, mu2, b = body.modal_participation, body.modal_mass, body.b
    K = body.inertia_about_base + body.mass * b**2 - 2 * b * mu1 * u + mu2 * u**2
    return K, mu2 * u - b * mu1


def _rate(body: Any, y: Array, side: Array, ground: tuple[Array, ...]) -> Array:
    mu1, mu2, L = body.modal_participation, body.modal_mass, body.modal_moment
    M, S, b, k, c = body.mass, body.first_moment, body.b, body.stiffness, body.damping
    stands = side == 0
    s = np.where(stands, 1.0, side)
    lean, v, u, w = (s * y[:, i] for i in range(4))
    a_h, weight = s * ground[0], body.g + ground[1]
    K, half_slope = _shapes(body, u)
    sine, cosine = np.sin(lean), np.cos(lean)
    X_y, X_u = (M * b - mu1 * u) * sine + S * cosine, mu1 * cosine
    Z_y, Z_u = (M * b - mu1 * u) * cosine - S * sine, -mu1 * sine
    of_u = half_slope * v**2 - k * u - c * w - weight * Z_u - a_h * X_u
    of_y = -2 * half_slope * w * v - weight * Z_y - a_h * X_y
    solved = np.linalg.solve(
        np.stack([np.stack([K, np.full_like(K, L)], -1), np.stack([np.full_like(K, L),
                 np.full_like(K, mu2)], -1)], -2), np.stack([of_y, of_u], -1)[..., None],
    )[..., 0]  # fmt: skip
    spin = np.where(stands, 0.0, solved[:, 0])
    bend = np.where(stands, -(c * w + k * u + mu1 * a_h) / mu2, solved[:, 1])
    along = np.where(stands, mu1 * w, X_y * v + X_u * w)
    up = np.where(stands, 0.0, Z_y * v + Z_u * w)
    power = -(a_h * along + ground[1] * up)
    turns = np.where(stands, 0.0, v)
    return np.stack([s * turns, s * spin, s * w, s * bend, power, c * w**2], axis=-1)


def _energy(body: Any, side: Array, y: Array) -> Array:
    s = np.where(side == 0, 1.0, side)
    lean, v, u, w = (s * y[:, i] for i in range(4))
    K, _ = _shapes(body, u)
    kinetic = body.modal_mass * w**2 / 2 + body.modal_moment * w * v + K * v**2 / 2
    arm, S = body.mass * body.b - body.modal_participation * u, body.first_moment
    height = arm * np.sin(lean) + S * (np.cos(lean) - 1)
    return np.asarray(kinetic + body.stiffness * u**2 / 2 + body.g * height)


def _at_impacts(response: Response, body: Any, flow: Flow, at: Sides) -> tuple[Law, ...]:
    """Impulses act at the edge that strikes: momentum along every motion about that edge stays.
    Where that would press the other edge into the ground, both take impulses and it stops."""
    mu1, mu2, L = body.modal_participation, body.modal_mass, body.modal_moment
    side = np.where(at.before[:, 1] < 0, 1.0, -1.0)  # it comes back from there
    new = -side
    omega, u, rate = at.before[:, 1], at.before[:, 2], at.before[:, 3]
    # K about the new edge, and the moment about it of a rotation about the old one
    about = body.inertia_about_base + mu2 * u**2
    mass, b = body.mass, body.b
    K_new = about - 2 * new * b * mu1 * u + mass * b**2
    K_both = about - mass * b**2
    p_u = mu2 * rate + L * omega
    p_y = L * rate + K_both * omega
    spin = (mu2 * p_y - L * p_u) / (mu2 * K_new - L**2)
    rocks_on = spin * new > 0
    spin = np.where(rocks_on, spin, 0.0)
    bend = (p_u - L * spin) / mu2
    stopped = (at.mode_after == 0) & (np.abs(spin) <= 1e-9 * body.p * 10)
    wanted = at.before.copy()
    wanted[:, 1], wanted[:, 3] = np.where(stopped, 0.0, spin), bend
    jump = (np.abs(at.after - wanted)[:, :4] / flow.scale[:4]).max(axis=1, initial=0.0)
    drop = _energy(body, side, at.before) - _energy(body, new, at.after)
    taken = at.after[:, 5] - at.before[:, 5]
    unit = flow.scale[4]
    wrong = np.maximum(np.abs(taken - drop), np.maximum(-drop, 0)) / unit
    time = response.events[at.events, 0]
    extent = f"{len(time)} of {len(response.impacts)} impacts"
    none = "no impact lies alone between two samples"
    return (
        law("impacts", "An impulse at the edge that strikes keeps the momentum of every motion "
            "about that edge, the column's bending too", jump, time, 10 * ALLOWED, WHY,
            relative_to="of the scale of the motion", extent=extent, nothing=none),
        law("losses at impacts", "Each impact takes the kinetic energy that is missing after it, "
            "and never gives any", wrong, time, 10 * ALLOWED, WHY, relative_to="of M g b α",
            extent=extent, nothing=none),
    )  # fmt: skip


def _gaps(response: Response, body: Any) -> Law:
    side, theta = response.column("contact"), response.column("theta")
    sunk = np.where(side == 0, np.abs(theta), np.maximum(-side * theta, 0.0))
    return law(
        "gaps", "No edge is below the ground: it leans to the side of the edge it stands on",
        sunk / body.alpha, response.time, 1e-12, "the rounding of a coordinate",
        relative_to="of α",
    )  # fmt: skip


def _stands(response: Response, body: Any) -> Law:
    """On its whole base the moment of inertia forces and weight stays within the base."""
    stands = response.column("contact") == 0
    stands[:-1] &= stands[1:]
    u, w = response.column("u"), response.column("u_rate")
    a_h, a_v = response.ground[:2]
    mu1, mu2 = body.modal_participation, body.modal_mass
    bend = -(body.damping * w + body.stiffness * u + mu1 * a_h) / mu2
    weight = body.g + a_v
    moment = np.abs(body.modal_moment * bend + body.first_moment * a_h - mu1 * u * weight)
    excess = (moment - body.mass * weight * body.b) / (body.mass * body.g * body.b)
    return law(
        "rest", "It stands on its whole base only while the moment about either edge keeps it down",
        np.maximum(excess, 0.0)[stands], response.time[stands], ALLOWED,
        "the rounding of the instant of uplift", relative_to="of M g b", nothing="it never stands",
    )  # fmt: skip
