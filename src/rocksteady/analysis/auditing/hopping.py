"""The laws of a rigid block that may stand, rock, slip, hop and fly: of its centre of mass (x, z)
and its rotation θ, clockwise,

    m x'' = T − m a_h,   m z'' = N − m (g + a_v),   I_c θ'' = moment of (T, N) at the lower corner.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocksteady.analysis.auditing.blocks import Corners, lift_of, stands, turning
from rocksteady.analysis.auditing.cones import impulses, planar_edges
from rocksteady.analysis.auditing.flow import Flow, Sides, followed, sides
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.analysis.auditing.table import table_law
from rocksteady.numerics.types import Array
from rocksteady.response import Response

FLIGHT = 2.0
ALLOWED = 1e-8  # of the scale of the motion
WHY = (
    "a step of the theory leaves out up to 5e-11 of p, and an interval takes a few; one part in "
    "1e8 is far above that and far below what anybody measures"
)
STRUCK = 1e-8  # of √(g R), of impulses and speeds: events are located to rounding of an interval
TOUCHES = 1e-7  # of the width: a corner this near to the ground touches it


def laws(response: Response) -> tuple[Law, ...]:
    """Of a rigid block by nonsmooth dynamics."""
    corners = Corners(response.system)
    flow = _flow(response, corners)
    found = followed(flow, response)
    at = sides(flow, response)
    return (
        momentum_law(response, flow, found, slice(0, 6), ALLOWED, WHY),
        work_law(response, flow, found, slice(6, 8), 10 * ALLOWED, WHY),
        *_at_impacts(response, corners, at),
        table_law(response, flow, at, 2, 5, 10 * ALLOWED, WHY),
        _gaps(response, corners),
        *_forces(response, corners, flow),
        stands(response, corners),
        *energy_laws(response, _energy(corners, flow.y), 10 * ALLOWED, WHY, lift_of(corners)),
    )


def lower(response: Response) -> Array:
    """The lower corner of each row, the one that stands or would land first."""
    theta, omega, contact = (response.column(name) for name in ("theta", "omega", "contact"))
    by_lean = np.where(theta != 0, np.sign(theta), np.where(omega < 0, -1.0, 1.0))
    return np.asarray(np.where(np.abs(contact) == 1, contact, by_lean))


def _flow(response: Response, corners: Corners) -> Flow:
    theta, omega, contact, way, lift, slide_rate, lift_rate, slip, work, loss = response.states[
        :, :10
    ].T
    block, side = corners.block, lower(response)
    R, alpha = corners.R(side), corners.alpha(side)
    sine, cosine = np.sin(alpha - side * theta), np.cos(alpha - side * theta)
    # the centre of mass from where it stood; `way` is that of the lower corner
    x = way + side * (corners.b(side) - R * sine)
    z = lift + R * cosine - corners.h
    vx, vz = slide_rate + R * cosine * omega, lift_rate + side * R * sine * omega
    y = np.stack([x, z, theta, vx, vz, omega, work, loss], axis=-1)
    # a corner that sticks and has moved within an interval has slipped on the way
    jams = np.abs(slip) > 1
    mode = np.stack([contact, slip, np.where(slip == 0, way, 0.0) * (contact != FLIGHT)], axis=-1)
    how: Any = response.formulation
    mu = math.inf if how.friction is None else float(how.friction)

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(corners, mu, y, mode, ground)

    g, length, p = block.g, block.R, block.p
    speed = math.sqrt(g * length)
    scale = np.array([length, length, 1.0, speed, speed, p, *[block.mass * g * length] * 2])
    return Flow(y, mode, ~jams, rate, scale * block.alpha, p)


def _rate(corners: Corners, mu: float, y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
    """dy/dt in every mode: at rest, sliding, sticking or slipping on a corner, flying."""
    block = corners.block
    mass, inertia, g = block.mass, block.inertia, block.g
    _, _, theta, vx, vz, omega = y[:, :6].T
    contact, slip = mode[:, 0], mode[:, 1]
    a_h, a_v = ground[:2]
    flying, flat = contact == FLIGHT, contact == 0
    side = np.where(np.abs(contact) == 1, contact, 1.0)
    R, below = corners.R(side), corners.alpha(side) - side * theta
    S, C = np.sin(below), np.cos(below)
    # sticking on a corner: Housner's, and the forces that follow from its centre's acceleration
    spin = turning(corners, side, theta, omega, (a_h, a_v))[0]
    ax = R * C * spin + side * R * S * omega**2
    az = side * R * S * spin - R * C * omega**2
    # slipping on a corner, T = −s μ N against the slip: one equation for N/m
    drag = 0.0 if math.isinf(mu) else mu * slip  # T = −drag N, towards +x
    lever = (side * S + -drag * C) * R  # of θ'' = −(m/I_c) (side R S + (T/N) R C) N/m
    load = (g + a_v - R * C * omega**2) / (1 + mass / inertia * side * R * S * lever)
    slipping = (np.abs(contact) == 1) & (slip != 0)
    spin = np.where(slipping, -mass / inertia * lever * load, spin)
    ax = np.where(slipping, -drag * load - a_h, ax)
    az = np.where(slipping, load - g - a_v, az)
    # flat: at rest, or sliding on the whole base
    sliding = flat & (slip != 0)
    ax = np.where(flat, np.where(sliding, -drag * (g + a_v) - a_h, 0.0), ax)
    ax, az = np.where(flying, -a_h, ax), np.where(flying, -(g + a_v), np.where(flat, 0.0, az))
    spin = np.where(flying | flat, 0.0, spin)
    # friction takes −T times the velocity of the corner
    corner = vx - np.where(flat, 0.0, R * C * omega)
    normal = np.where(sliding, g + a_v, load)
    lost = np.where(slip != 0, mass * drag * normal * corner, 0.0)
    power = -mass * (a_h * vx + a_v * vz)
    return np.stack([vx, vz, omega, ax, az, spin, power, lost], axis=-1)


def _energy(corners: Corners, y: Array) -> Array:
    block = corners.block
    _, z, _, vx, vz, omega = y[:, :6].T
    kinetic = block.mass * (vx**2 + vz**2) + block.inertia * omega**2
    return np.asarray(kinetic / 2 + block.mass * block.g * z)


def corner_heights(corners: Corners, z: Array, theta: Array) -> Array:
    """Of the right and the left corner above the ground [m], a row each."""
    sine, cosine = np.sin(theta), np.cos(theta)
    below = corners.h - corners.h * cosine + z
    return np.stack([below - corners.b(1.0) * sine, below + corners.b(-1.0) * sine])


def _arms(corners: Corners, theta: float) -> Array:
    """(x, z) of the right and the left corner from the centre of mass, a row each."""
    s, c = math.sin(theta), math.cos(theta)
    places = [(float(corners.b(1.0)), -corners.h), (-float(corners.b(-1.0)), -corners.h)]
    return np.array([(x * c + z * s, -x * s + z * c) for x, z in places])


def _at_impacts(response: Response, corners: Corners, at: Sides) -> tuple[Law, ...]:
    """The impulses at the corners that touch: none pulls, friction holds, Newton's law."""
    block, how = corners.block, response.formulation
    mu = math.inf if how.friction is None else float(how.friction)  # type: ignore[attr-defined]
    epsilon = float(how.epsilon)  # type: ignore[attr-defined]
    speed = math.sqrt(block.g * block.R)
    momentum = np.array([block.mass, block.mass, block.inertia / block.R])
    jumps, moves, gains = [], [], []
    edges = planar_edges(np.array([0.0, 1.0]), mu)
    rests = (at.mode_after[:, :2] == 0).all(axis=1)
    pull = (
        (block.g + np.abs(at.ground[:, :2]).max(axis=1, initial=0.0)) * block.height / block.width
    )
    stopped = rests * pull * response.motion.dt / speed  # bounces that end within an interval
    for before, after, slow in zip(at.before, at.after, stopped, strict=True):
        arms = _arms(corners, before[2])
        heights = corner_heights(corners, before[1], before[2])
        near = np.flatnonzero(heights <= heights.min() + TOUCHES * block.width)
        # clockwise moment z f_x − x f_z
        generators = [
            np.vstack([edges, arms[k, 1] * edges[0] - arms[k, 0] * edges[1]]) for k in near
        ]
        cone = np.hstack(generators) / np.array([[1.0], [1.0], [block.R]])
        change = (after[3:6] - before[3:6]) * momentum
        factors, left = impulses(cone, change)
        jumps.append(max(left / (block.mass * speed) - slow, 0.0))
        moves.append(np.abs((after[:3] - before[:3]) / [block.R, block.R, 1.0]).max())
        count = edges.shape[1]
        for i, k in enumerate(near):
            normal = edges[1] @ factors[i * count : (i + 1) * count] / (block.mass * speed)
            first, second = (v[4] - arms[k, 0] * v[5] for v in (before, after))
            leaves = (second + epsilon * min(first, 0.0)) / speed  # faster than it has to
            off = abs(leaves) if normal > STRUCK else -leaves
            if normal > STRUCK and math.isinf(mu):
                off = max(off, abs(after[3] + arms[k, 1] * after[5]) / speed)
            moves[-1] = max(moves[-1], off - slow)
        gained = _energy(corners, after[None]) - _energy(corners, before[None])
        gains.append(max(float(gained[0]), 0.0))
    size = block.mass * block.g * block.R
    rows = response.events[at.events, 0]
    extent = f"{len(rows)} of {len(response.impacts)} impacts"
    why = (
        "an event is located to the rounding of an interval; where bounces that would end within "
        "it are left out and the block rests, they may take g Δt"
    )
    none = "no impact lies alone between two samples"
    return (
        law("impacts", "Momentum jumps by impulses at the corners that touch, which only push and "
            "stay within friction", np.array(jumps), rows, STRUCK, why,
            relative_to="of m √(g R)", extent=extent, nothing=none),
        law("restitution", "The position does not jump; a corner that takes an impulse leaves with "
            "ε times its speed of approach, one that takes none as fast at least",
            np.array(moves), rows, STRUCK, why, relative_to="of R and √(g R)", extent=extent,
            nothing=none),
        law("losses at impacts", "No impact gives energy", np.array(gains) / size, rows, STRUCK,
            why, relative_to="of m g R", extent=extent, nothing=none),
    )  # fmt: skip


def _gaps(response: Response, corners: Corners) -> Law:
    """No corner is below the ground."""
    theta, lift = response.column("theta"), response.column("lift")
    side = lower(response)
    wrong_side = np.where(np.abs(response.column("contact")) == 1, -side * theta, 0.0)
    sunk = np.maximum(-lift, corners.block.width * wrong_side)
    return law(
        "gaps", "No corner is below the ground", np.maximum(sunk, 0.0) / corners.block.width,
        response.time, 1e-12, "the rounding of a coordinate", relative_to="of the width",
    )  # fmt: skip


def _forces(response: Response, corners: Corners, flow: Flow) -> tuple[Law, ...]:
    """The force at a corner or a base that sticks, from the acceleration of the centre of mass."""
    name, equation = "friction", "A contact pushes and sticks only within |T| ≤ μ N"
    how: Any = response.formulation
    if how.friction is None:
        return (unchecked(name, equation, "contacts of this run never slip, at any friction"),)
    block, mu = corners.block, float(how.friction)
    here = tuple(np.stack(response.ground[:2]))
    rates = flow.rate(flow.y, flow.mode, here)
    T, N = rates[:, 3] + here[0], rates[:, 4] + here[1] + block.g
    held = (flow.mode[:, 1] == 0) & (flow.mode[:, 0] != FLIGHT)
    held[-1] = False  # the last row may be that of the fall
    # a row at which it lets go is outside by rounding: the next one no longer sticks there
    held[:-1] &= (flow.mode[1:, :2] == flow.mode[:-1, :2]).all(axis=1)
    excess = np.maximum(np.abs(T) - mu * N, -N)[held] / block.g
    return (
        law(name, equation, np.maximum(excess, 0.0), response.time[held], ALLOWED,
            "the theory lets a contact go where its force is 1e-10 g outside the cone",
            relative_to="of g", nothing="it never sticks"),
    )  # fmt: skip
