"""The laws of a block on a bed of unilateral springs under the implicit rule of D'Altri et al.: its
rows are its steps, so Newmark's formulas and equilibrium must hold from row to row,

    m (x'' + a_h) = T,   m (y'' + g + a_v) = N,   I (e × ë) + α_H sin(Δθ) V₀ = M,

with the forces of the springs found anew from the positions alone: where each touches, where it
holds on to the ground, where it slips.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.auditing.flow import means
from rocksteady.analysis.auditing.general import size_of_energies
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response

ALLOWED = 1e-9  # of g
WHY = "Newton's method stops where less than 1e-10 g is lacking"
FRICTION = "Springs only push, and their friction |T| ≤ μ N"
PUSHED = "A step takes the momentum that the springs' forces give at its end"


class Bed(NamedTuple):
    """Forces of the springs at each row, from the positions."""

    N: Array
    T: Array
    M: Array
    loss: Array
    """In friction in the step that ends there [J]."""
    elastic: Array
    known: NDArray[np.bool_]
    """Where it is known from where each spring holds on to the ground: not after a step that had to
    be cut, until the block has left the bed."""


def laws(response: Response) -> tuple[Law, ...]:
    """Of a block by numerical dissipation."""
    if response.has("virial") and response.has("x acceleration"):
        return _of_rigid(response)
    return _of_elastic(response)


def _of_rigid(response: Response) -> tuple[Law, ...]:
    block: Any = response.system
    how: Any = response.formulation
    distance, stiffness = how.base(block)
    column = response.column
    theta, x, y = column("theta"), column("x"), column("y")
    mu, h = float(how.friction), block.com_height
    bed = _replayed(theta, x, y, column("cuts"), distance, stiffness, mu, h)
    mass, g = block.mass, block.g
    a_h, a_v = response.ground[:2]
    plain = np.diff(column("cuts")) == 0
    end = np.flatnonzero(plain) + 1
    up = np.abs(mass * (column("y acceleration") + g + a_v) - bed.N)
    along = np.where(bed.known, np.abs(mass * (column("x acceleration") + a_h) - bed.T), 0.0)
    lean = _moment(response, bed)
    worst = np.maximum.reduce([up, along, lean])[end] / (mass * g)
    rows = response.time[end]
    extent = f"{len(end)} of {len(theta) - 1} steps"
    rounding = 100 * np.finfo(float).eps * stiffness.sum() * block.R / (mass * g)
    pull = np.abs(mass * (column("x acceleration") + a_h)) - mu * bed.N
    return (
        law("momentum", PUSHED, worst, rows, ALLOWED + rounding,
            f"{WHY}, or where K times the rounding of a coordinate is", relative_to="of m g",
            extent=extent, nothing="every step had to be cut"),
        law("rule", f"Positions and velocities obey Newmark's formulas, {how.rule}",
            _newmark(response)[end - 1], rows, 1e-9, "rounding", extent=extent,
            relative_to="of g Δt", nothing="every step had to be cut"),
        law("friction", FRICTION, np.maximum(pull[end], 0.0) / (mass * g), rows,
            ALLOWED + rounding, WHY, relative_to="of m g", extent=extent,
            nothing="every step had to be cut"),
        *_energies(response, block, bed, plain),
    )  # fmt: skip


def _replayed(
    theta: Array, x: Array, y: Array, cuts: Array, distance: Array, stiffness: Array, mu: float,
    h: float,
) -> Bed:  # fmt: skip
    """Go through the rows once more, to see where each spring holds on to the ground."""
    count = len(theta)
    T, M, loss, elastic = (np.zeros(count) for _ in range(4))
    found = Bed(np.zeros(count), T, M, loss, elastic, np.zeros(count, bool))
    sine, cosine = np.sin(theta)[:, None], np.cos(theta)[:, None]
    gap = y[:, None] + h * (1 - cosine) - distance * sine
    arm_x, arm_y = distance * cosine - h * sine, -distance * sine - h * cosine
    place = x[:, None] + distance * cosine - h * sine
    touches = gap < 0
    normal = np.where(touches, -stiffness * gap, 0.0)
    anchors = np.full(len(distance), np.nan)
    known = True
    for k in range(count):
        if k and cuts[k] != cuts[k - 1]:
            known = False
        if k:
            taken = np.isnan(anchors)
            anchors = np.where(taken, place[k - 1], anchors)
        else:
            anchors = place[0].copy()
        stretch = place[k] - anchors
        tangent = np.where(touches[k], -stiffness * stretch, 0.0)
        limit = mu * normal[k]
        slips = np.abs(tangent) > limit
        tangent = np.where(slips, np.copysign(limit, tangent), tangent)
        new = np.where(slips & touches[k], place[k] + tangent / stiffness, anchors)
        found.loss[k] = -(tangent * (new - anchors))[touches[k]].sum()
        anchors = np.where(touches[k], new, np.nan)
        found.T[k] = tangent.sum()
        found.M[k] = (arm_y[k] * tangent - arm_x[k] * normal[k]).sum()
        held = normal[k] ** 2 + tangent**2
        found.elastic[k] = (held / (2 * stiffness)).sum()
        known = known or not touches[k].any()
        found.known[k] = known
    return found._replace(N=normal.sum(axis=1))


def _moment(response: Response, bed: Bed) -> Array:
    """What the moment lacks at each row, over R, as a force [N]."""
    block: Any = response.system
    how: Any = response.formulation
    column = response.column
    alpha_h = how.rule.alpha
    turn = np.diff(column("theta"), prepend=column("theta")[:1])
    virial = np.concatenate([[0.0], column("virial")[:-1]])
    across = block.inertia * column("angular acceleration")
    lacks = across + alpha_h * np.sin(turn) * virial - bed.M
    return np.where(bed.known, np.abs(lacks) / block.R, 0.0)


def _newmark(response: Response) -> Array:
    """What each step lacks of Newmark's formulas, over g Δt."""
    block: Any = response.system
    how: Any = response.formulation
    dt, column = response.motion.dt, response.column
    _, beta, gamma = how.rule
    worst = np.zeros(len(response.states) - 1)
    for axis in "xy":
        u, v, a = column(axis), column(f"{axis} rate"), column(f"{axis} acceleration")
        moved = np.diff(u) - dt * v[:-1] - dt**2 * ((1 / 2 - beta) * a[:-1] + beta * a[1:])
        gained = np.diff(v) - dt * ((1 - gamma) * a[:-1] + gamma * a[1:])
        worst = np.maximum(worst, np.maximum(np.abs(moved) / dt, np.abs(gained)) / (block.g * dt))
    # the vector e, kept by its components along itself and across
    theta, across, along = column("theta"), column("omega"), column("stretch rate")
    turn = np.diff(theta)
    c, s = np.cos(turn), np.sin(turn)
    a_along, a_across = column("stretch acceleration"), column("angular acceleration")
    old_along = c * a_along[1:] - s * a_across[1:]
    old_across = s * a_along[1:] + c * a_across[1:]
    g_along = along[:-1] + dt * ((1 - gamma) * a_along[:-1] + gamma * old_along)
    g_across = across[:-1] + dt * ((1 - gamma) * a_across[:-1] + gamma * old_across)
    p_along = dt * along[:-1] + dt**2 * (1 / 2 - beta) * a_along[:-1]
    p_across = dt * across[:-1] + dt**2 * (1 / 2 - beta) * a_across[:-1]
    turned = np.stack([
        c * g_along + s * g_across - along[1:], c * g_across - s * g_along - across[1:],
        (s - p_across - beta * dt**2 * old_across) / dt,
        (c - 1 - p_along - beta * dt**2 * old_along) / dt,
    ])  # fmt: skip
    return np.asarray(np.maximum(worst, np.abs(turned).max(axis=0) * block.R / (block.g * dt)))


def _energies(response: Response, block: Any, bed: Bed, plain: Array) -> tuple[Law, ...]:
    """Energies of the bed and of friction against the columns; the rule itself only takes."""
    column, time = response.column, response.time
    energy = response.energy
    size = size_of_energies(response, energy)
    mass = block.mass
    a_h, a_v = means(response)[:2]
    moved = a_h * np.diff(column("x")) + a_v * np.diff(column("y"))
    work = np.abs(np.diff(column("work")) + mass * moved)
    slips = np.abs(np.diff(column("slip loss")) - bed.loss[1:])
    stored = np.abs(column("elastic")[1:] - bed.elastic[1:])
    both = np.where(bed.known[1:] & bed.known[:-1], np.maximum(slips, stored), 0.0)
    worst = np.where(plain, np.maximum(work, both), 0.0) / size
    lost = column("work") - (energy - energy[0])
    # the rule may give back what its lagged forces hold, within a step: compared over an impact
    grows = (np.maximum.accumulate(lost) - lost) / size
    back = given_back(response)
    why = (
        "the rule damps as a whole; within an impact, which takes a step or two, the springs give "
        "back what lagged forces held: 0.02 + 2 p Δt"
    )
    return (
        law("work", "Work of the ground, loss in friction and energy of the springs are those of "
            "the positions", worst, time[1:], 1e-8, "Newton's method and rounding",
            relative_to="of the largest energy in the run"),
        law("losses", "Kinetic + potential energy never grows by more than the work of the ground",
            grows, time, back, why, relative_to="of the largest energy in the run"),
    )  # fmt: skip


def _of_elastic(response: Response) -> tuple[Law, ...]:
    """Of a body that deforms: its nodes are not stored, sums over them are."""
    block: Any = response.system
    how: Any = response.formulation
    column, dt = response.column, response.motion.dt
    N, T = column("normal force"), column("friction force")
    a_h, a_v = response.ground[:2]
    weight, (_, beta, gamma) = block.mass * block.g, how.rule
    worst = np.zeros(len(N) - 1)
    for axis, force in (("x", T / block.mass - a_h), ("y", N / block.mass - block.g - a_v)):
        u, v = column(axis), column(f"{axis} rate")
        acceleration = (1 / 2 - beta) * force[:-1] + beta * force[1:]
        moved = (np.diff(u) - dt * v[:-1] - dt**2 * acceleration) / dt
        gained = np.diff(v) - dt * ((1 - gamma) * force[:-1] + gamma * force[1:])
        both = np.maximum(np.abs(moved), np.abs(gained))
        worst = np.maximum(worst, both / (block.g * dt))
    cuts = np.diff(column("cuts")) != 0
    begins = np.concatenate([[True], cuts[:-1]])  # from accelerations that are not stored
    worst = np.where(cuts | begins, 0.0, worst)
    excess = np.maximum(np.abs(T) - how.friction * N, np.maximum(-N, 0.0)) / weight
    time = response.time
    reason = "the nodes of an elastic body are not stored, only sums over them"
    return (
        law("momentum", PUSHED, worst, time[1:], 1e-6, f"{WHY}, of every node",
            relative_to="of g Δt", extent=f"{len(worst) - (cuts | begins).sum()} steps"),
        unchecked("moment of momentum", "A step takes the moment of the springs' forces", reason),
        law("friction", FRICTION, np.maximum(excess, 0.0), time, 1e-9, "rounding",
            relative_to="of m g"),
        unchecked("gaps", "A spring above the bed carries nothing", reason),
        _work(response),
        _grows(response),
    )  # fmt: skip


def _work(response: Response) -> Law:
    """The ground pushes every node alike: its work is that along the way of the centre of mass."""
    column, mass = response.column, response.system.mass  # type: ignore[attr-defined]
    a_h, a_v = means(response)[:2]
    moved = a_h * np.diff(column("x")) + a_v * np.diff(column("y"))
    off = np.abs(np.diff(column("work")) + mass * moved)
    taken = np.maximum(-np.diff(column("slip loss")), 0.0)
    return law(
        "work", "The work of the ground is that of the positions, and friction only takes",
        np.maximum(off, taken) / size_of_energies(response, response.energy), response.time[1:],
        1e-8, "rounding", relative_to="of the largest energy in the run",
    )  # fmt: skip


def given_back(response: Response) -> float:
    """Share of the largest energy that may come back within an impact, of two steps."""
    return float(0.02 + 2 * response.system.p * response.motion.dt)  # type: ignore[attr-defined]


def _grows(response: Response) -> Law:
    back = given_back(response)
    energy = response.energy
    lost = response.column("work") - (energy - energy[0])
    grows = (np.maximum.accumulate(lost) - lost) / size_of_energies(response, energy)
    return law(
        "losses", "Kinetic + potential energy never grows by more than the work of the ground",
        grows, response.time, back, "the rule damps as a whole; within an impact the springs give "
        "back what lagged forces held", relative_to="of the largest energy in the run",
    )  # fmt: skip
