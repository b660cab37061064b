"""The laws of a flexible column whose base may also slip, bounce and fly.

In q = (u, x, z, θ), of the middle of the base, with the full mass matrix and every contact as a
constraint with a force: other coordinates and another way than the theory's own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocksteady.analysis.auditing.cones import impulses, planar_edges
from rocksteady.analysis.auditing.flow import Flow, Sides, followed, sides
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.analysis.auditing.table import table_law
from rocksteady.numerics.types import Array
from rocksteady.response import Response

ALLOWED = 1e-7  # of the scale of the motion
WHY = "a step of the theory may err by 1e-9 of p, and an interval takes up to some tens of them"
FLIGHT = 2.0
STRUCK = 1e-7  # of √(g H), of impulses and speeds: events are located to rounding of an interval
TOUCHES = 1e-9  # of the width: an edge this near to the ground touches it
TINY = 1e-6  # of √(g H): edges that close more slowly may stop dead, and with ε near 1 lose a tenth


def laws(response: Response) -> tuple[Law, ...]:
    """Of a flexible oscillator with bounces or friction."""
    body: Any = response.system
    flow = _flow(response, body)
    found = followed(flow, response)
    at = sides(flow, response)
    return (
        momentum_law(response, flow, found, slice(0, 8), ALLOWED, WHY),
        work_law(response, flow, found, slice(8, 10), ALLOWED, WHY),
        *_at_impacts(response, body, at),
        table_law(response, flow, at, 3, 7, 10 * ALLOWED, WHY),
        _gaps(response, body, flow),
        _forces(response, body, flow),
        *energy_laws(response, _energy(body, flow.y), ALLOWED, WHY, flow.scale[8]),
    )


def _pair(value: Any) -> Array:
    """Of the right and the left edge."""
    return np.broadcast_to(math.inf if value is None else value, 2).astype(float)


def _flow(response: Response, body: Any) -> Flow:
    theta, omega, contact, u, w, way, lift, slide, rise, slip, work, loss = response.states[
        :, :12
    ].T
    lower = np.where(theta != 0, np.sign(theta), np.where(omega < 0, -1.0, 1.0))
    side = np.where(np.abs(contact) == 1, contact, lower)
    arm, sine, cosine = side * body.b, np.sin(theta), np.cos(theta)
    # from those of the lower edge; its way counts from where it stood upright
    x, z = way + arm * (1 - cosine), lift + arm * sine
    vx, vz = slide + arm * sine * omega, rise + arm * cosine * omega
    y = np.stack([u, x, z, theta, w, vx, vz, omega, work, loss], axis=-1)
    sticks = (contact != FLIGHT) & (slip == 0)
    mode = np.stack([contact, slip, np.where(sticks, way, 0.0)], axis=-1)
    mu = _pair(response.formulation.friction)  # type: ignore[attr-defined]

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(body, mu, y, mode, ground)[0]

    base = np.array([[body.mass, body.first_moment], [body.first_moment, body.inertia_about_base]])
    along = np.array([body.modal_participation, body.modal_moment])
    moving = body.modal_mass - float(along @ np.linalg.solve(base, along))
    fast = max(math.sqrt(body.stiffness / moving), body.damping / moving, body.p)
    alpha, length = body.alpha, body.height
    speed, unit = math.sqrt(body.g * length), body.mass * body.g * length
    scale = [length] * 3 + [1.0] + [speed] * 3 + [body.p] + [unit] * 2
    return Flow(y, mode, np.abs(slip) <= 1, rate, np.array(scale) * alpha, fast)


def _matrix(body: Any, u: Array, theta: Array) -> Array:
    """M of every row."""
    mu1, mu2, S = body.modal_participation, body.modal_mass, body.first_moment
    sine, cosine = np.sin(theta), np.cos(theta)
    M = np.zeros((len(u), 4, 4))
    M[:, 0, 0], M[:, 1, 1], M[:, 2, 2] = mu2, body.mass, body.mass
    M[:, 3, 3] = body.inertia_about_base + mu2 * u**2
    M[:, 0, 1], M[:, 0, 2], M[:, 0, 3] = mu1 * cosine, -mu1 * sine, body.modal_moment
    M[:, 1, 3] = S * cosine - mu1 * u * sine
    M[:, 2, 3] = -S * sine - mu1 * u * cosine
    for i, j in ((0, 1), (0, 2), (0, 3), (1, 3), (2, 3)):
        M[:, j, i] = M[:, i, j]
    return M


def _directions(body: Any, theta: Array) -> tuple[Array, Array]:
    """W_N and W_T (rows, edges, 4) of the right and the left edge."""
    arm = np.array([body.b, -body.b])
    normal, tangent = np.zeros((2, len(theta), 2, 4))
    normal[:, :, 2], normal[:, :, 3] = 1.0, -np.cos(theta)[:, None] * arm
    tangent[:, :, 1], tangent[:, :, 3] = 1.0, -np.sin(theta)[:, None] * arm
    return normal, tangent


def _rate(
    body: Any, mu: Array, y: Array, mode: Array, ground: tuple[Array, ...]
) -> tuple[Array, Array]:
    """dy/dt and the forces (N right, N left, T) in every mode: seven linear equations."""
    u, _, _, theta, w, _, _, spin = y[:, :8].T
    contact, slip = mode[:, 0], mode[:, 1]
    a_h, weight = ground[0], body.g + ground[1]
    mu1, mu2, S = body.modal_participation, body.modal_mass, body.first_moment
    sine, cosine = np.sin(theta), np.cos(theta)
    M = _matrix(body, u, theta)
    h = np.stack([
        mu2 * u * spin**2 - body.stiffness * u - body.damping * w,
        S * spin**2 * sine + 2 * mu1 * w * spin * sine + mu1 * u * spin**2 * cosine,
        S * spin**2 * cosine + 2 * mu1 * w * spin * cosine - mu1 * u * spin**2 * sine,
        -2 * mu2 * u * w * spin,
    ], axis=-1)  # fmt: skip
    h -= M[:, :, 1] * a_h[:, None] + M[:, :, 2] * weight[:, None]
    normal, tangent = _directions(body, theta)
    arm = np.array([body.b, -body.b])
    # T acts at the edge that stands; upright both have the same direction
    stands = np.where(contact == -1, 1, 0)
    along = np.take_along_axis(tangent, stands[:, None, None], axis=1)[:, 0]
    flying, slips = contact == FLIGHT, (slip != 0)[:, None]
    closed = np.stack([(contact == 0) | (contact == 1), (contact == 0) | (contact == -1)], axis=-1)
    A, b = np.zeros((len(u), 7, 7)), np.zeros((len(u), 7))
    unit = body.mass  # forces per mass, so that the equations are of one size
    A[:, :4, :4], b[:, :4] = M, h
    A[:, :4, 4:6], A[:, :4, 6] = -unit * np.swapaxes(normal, 1, 2), -unit * along
    A[:, 4:6, :4] = np.where(closed[..., None], normal, 0.0)
    A[:, [4, 5], [4, 5]] = np.where(closed, 0.0, 1.0)
    b[:, 4:6] = np.where(closed, -arm * (sine * spin**2)[:, None], 0.0)
    holds = ~flying & (slip == 0)
    A[:, 6, :4] = np.where(holds[:, None], along, 0.0)
    A[:, 6, 6] = np.where(holds, 0.0, 1.0)
    A[:, 6, 4:6] = np.where(slips, slip[:, None] * np.where(np.isinf(mu), 0.0, mu), 0.0)
    b[:, 6] = np.where(holds, arm[stands] * cosine * spin**2, 0.0)
    solved = np.linalg.solve(A, b[..., None])[..., 0]
    force = unit * solved[:, 4:]
    moving = y[:, 4:8]
    power = -(np.einsum("ri,ri->r", M[:, 1], moving) * a_h)
    power -= np.einsum("ri,ri->r", M[:, 2], moving) * ground[1]
    lost = body.damping * w**2 - np.where(
        slip != 0, force[:, 2] * np.einsum("ri,ri->r", along, moving), 0.0
    )
    return np.column_stack([moving, solved[:, :4], power, lost]), force


def _energy(body: Any, y: Array) -> Array:
    u, _, z, theta = y[:, :4].T
    M = _matrix(body, u, theta)
    kinetic = np.einsum("ri,rij,rj->r", y[:, 4:8], M, y[:, 4:8]) / 2
    rise = body.mass * z - 2 * body.first_moment * np.sin(theta / 2) ** 2
    height = rise - body.modal_participation * u * np.sin(theta)
    return np.asarray(kinetic + body.stiffness * u**2 / 2 + body.g * height)


def _heights(body: Any, y: Array) -> Array:
    """Of the right and the left edge [m], a row for each row of y."""
    rise = body.b * np.sin(y[:, 3])
    return np.stack([y[:, 2] - rise, y[:, 2] + rise], axis=-1)


def _at_impacts(response: Response, body: Any, at: Sides) -> tuple[Law, ...]:
    """Impulses at the edges that touch: none pulls, friction holds, Newton's law of each edge."""
    how: Any = response.formulation
    mu, epsilon = _pair(how.friction), _pair(how.epsilon)
    speed = math.sqrt(body.g * body.height)
    size = np.array([1.0, 1.0, 1.0, 1 / body.height]) / (body.mass * speed)
    energies = [_energy(body, rows) for rows in (at.before, at.after)]
    M = _matrix(body, at.before[:, 0], at.before[:, 3])
    normals, tangents = _directions(body, at.before[:, 3])
    heights = _heights(body, at.before)
    jumps, moves = [], []
    for i in range(len(at.before)):
        before, after = at.before[i], at.after[i]
        change = (M[i] @ (after[4:8] - before[4:8])) * size
        near = np.flatnonzero(heights[i] <= heights[i].min() + TOUCHES * body.width)
        cones = [planar_edges(np.array([0.0, 1.0]), mu[k]) for k in near]
        turned = [
            np.outer(tangents[i, k], edges[0]) + np.outer(normals[i, k], edges[1])
            for k, edges in zip(near, cones, strict=True)
        ]
        factors, left = impulses(np.hstack(turned) * size[:, None] * body.mass * speed, change)
        jumps.append(left)
        off = np.abs(after[:4] - before[:4]).max() / body.height
        kept = energies[1][i] >= energies[0][i] * (1 - 1e-9)  # ε was lowered, or nothing is lost
        for n, k in enumerate(near):
            count = cones[n].shape[1]
            push = float(cones[n][1] @ factors[n * count : (n + 1) * count])
            closing, leaving = (float(normals[i, k] @ v[4:8]) / speed for v in (before, after))
            excess = leaving + epsilon[k] * min(closing, 0.0)  # faster than it has to
            lowered = kept or abs(closing) < TINY
            late = max(-leaving, 0.0) if lowered else max(-excess, 0.0)
            early = excess if push > STRUCK and not lowered else 0.0
            off = max(off, late, early)
        moves.append(off)
    unit = body.mass * body.g * body.height
    gains = np.maximum(energies[1] - energies[0], 0.0) / unit
    rows = response.events[at.events, 0]
    extent = f"{len(rows)} of {len(response.impacts)} impacts"
    why, none = (
        "an event is located to the rounding of an interval",
        "no impact lies alone between two samples",
    )
    options: dict[str, Any] = {"extent": extent, "nothing": none}
    return (
        law("impacts", "Momentum jumps by impulses at the edges that touch, which only push and "
            "stay within friction; none bends the column", np.array(jumps), rows, STRUCK, why,
            relative_to="of M √(g H)", **options),
        law("restitution", "The position does not jump; an edge that takes an impulse leaves with "
            "its ε times its speed of approach, unless that would add energy",
            np.array(moves), rows, STRUCK, why, relative_to="of H and √(g H)", **options),
        law("losses at impacts", "No impact gives energy", gains, rows, STRUCK, why,
            relative_to="of M g H", **options),
    )  # fmt: skip


def _gaps(response: Response, body: Any, flow: Flow) -> Law:
    sunk = np.maximum(-_heights(body, flow.y).min(axis=1), 0.0) / body.width
    return law(
        "gaps", "No edge is below the ground", sunk, response.time, 1e-12,
        "the rounding of a coordinate", relative_to="of the width",
    )  # fmt: skip


def _forces(response: Response, body: Any, flow: Flow) -> Law:
    """The contact forces of every row, from the equations of motion."""
    mu = _pair(response.formulation.friction)  # type: ignore[attr-defined]
    ground = tuple(np.stack(response.ground[:2]))
    force = _rate(body, mu, flow.y, flow.mode, ground)[1] / (body.mass * body.g)
    held = flow.known & (flow.mode[:, 0] != FLIGHT)
    held[-1] = False  # the last row may be that of the fall
    # a row at which it lets go is outside by rounding: the next one is in another mode
    held[:-1] &= (flow.mode[1:] == flow.mode[:-1]).all(axis=1)
    excess = np.maximum(-force[:, 0], -force[:, 1])
    if np.isinf(mu).any():  # an edge that cannot slip may be held down, which `doubt` tells
        excess = np.where(flow.mode[:, 0] == 0, excess, 0.0)
    else:
        over = np.abs(force[:, 2]) - mu[0] * force[:, 0] - mu[1] * force[:, 1]
        excess = np.maximum(excess, np.where(flow.mode[:, 1] == 0, over, 0.0))
    return law(
        "friction", "A contact pushes, and sticks only within |T| ≤ Σ μ N",
        np.maximum(excess, 0.0)[held], response.time[held], ALLOWED,
        "the theory lets a contact go where its force is 1e-10 of the weight outside the cone",
        relative_to="of the weight", nothing="it is always in the air",
    )  # fmt: skip
