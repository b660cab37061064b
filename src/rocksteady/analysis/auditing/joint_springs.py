"""The laws of stones on springs by the implicit rule: rows are its steps, so Newmark's formulas and
the equations of motion of every stone must hold from row to row,

    m (x'' + a_h) = F_x,   m (y'' + g + a_v) = F_y,   I (e × ë) + α_H sin(Δθ) V₀ = M,

with the forces of the springs found anew from the poses alone: where each touches, where it holds
on to the other stone, where it slips.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.auditing.flow import means
from rocksteady.analysis.auditing.general import size_of_energies
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.dissipation.stones.faces import faces
from rocksteady.theories.dissipation.stones.model import BEHIND, BEYOND

ALLOWED = 1e-9  # of g
MOST = 4000  # rows whose springs are replayed


class Forces(NamedTuple):
    """What the springs do to each stone at each row, (rows, stones, 3), and what they lose and
    hold."""

    push: Array
    loss: Array
    """In friction in the step that ends there [J]."""
    elastic: Array


def laws(response: Response) -> tuple[Law, ...]:
    """Of stones by numerical dissipation in their joints."""
    assembly: Any = response.system
    rows = min(len(response.states), MOST)
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    of = {
        what: np.stack(
            [response.column(f"{what} {assembly.stones[i].name}")[:rows] for i in moving], axis=1
        )
        for what in WHAT
    }
    poses = np.nan_to_num(response.formulation.poses(assembly, response.states[:rows]))  # type: ignore[attr-defined]
    plain = np.diff(response.column("cuts")[:rows]) == 0
    known = np.cumprod(plain).astype(bool)  # a cut step hides where springs took hold
    forces = _replayed(response, poses)
    extent = f"{plain.sum()} of {len(response.states) - 1} steps"
    nothing = "every step had to be cut"
    equations = _equations(response, of, forces, moving)[known]
    rounding = 1e3 * np.finfo(float).eps * _stiffness(response) / assembly.mass / assembly.g
    return (
        law("momentum", "A step gives every stone the momentum and the moment of momentum that the "
            "springs' forces have at its end", equations, response.time[1:rows][known],
            ALLOWED + rounding, "Newton's method stops where less than 1e-10 g is lacking, or K "
            "times the rounding of a coordinate", relative_to="of g", extent=extent,
            nothing=nothing),
        law("rule", f"Positions and velocities obey Newmark's formulas, "
            f"{response.formulation.rule}", _newmark(response, of)[plain],  # type: ignore[attr-defined]
            response.time[1:rows][plain], 1e-9, "rounding", relative_to="of g Δt", extent=extent,
            nothing=nothing),
        *_energies(response, of, forces, known, rows),
    )  # fmt: skip


WHAT = (
    "x", "y", "theta", "x rate", "y rate", "omega", "stretch rate", "x acceleration",
    "y acceleration", "stretch acceleration", "angular acceleration", "virial",
)  # fmt: skip


def _stiffness(response: Response) -> float:
    """Of all springs times the largest coordinate [N]."""
    assembly: Any = response.system
    far = max(abs(value) for stone in assembly.stones for c in stone.corners for value in c)
    total = sum(
        face.weights.sum() * assembly.stones[face.a].thickness
        for face in faces(assembly, response.formulation.spacing)  # type: ignore[attr-defined]
    )
    return float(response.formulation.k_n * total * far / 2)  # type: ignore[attr-defined]


def _replayed(response: Response, poses: Array) -> Forces:
    """Go through the rows, to see where each spring holds on to the other stone."""
    assembly: Any = response.system
    how: Any = response.formulation
    rows = len(poses)
    small = min(stone.reach for stone in assembly.stones if not stone.fixed)
    thin = min(stone.least_width for stone in assembly.stones)
    found = Forces(np.zeros((rows, len(assembly.stones), 3)), np.zeros(rows), np.zeros(rows))
    begin, first = how.parameters(assembly).anchor, 0  # where they hold on before the run
    for face in faces(assembly, how.spacing):
        a, b = assembly.stones[face.a], assembly.stones[face.b]
        k = how.k_n * face.weights * min(a.thickness, b.thickness) / 2
        mu = assembly.friction_between(face.a, face.b)
        arm = np.einsum("tij,pj->tpi", _turns(poses[:, face.a, 2]), face.points - a.centre)
        way = arm + (poses[:, face.a, :2] - poses[:, face.b, :2])[:, None]
        back = _turns(poses[:, face.b, 2])
        local = np.einsum("tji,tpj->tpi", back, way) - (face.begin - b.centre)
        tangent = np.array([-face.normal[1], face.normal[0]])
        gap, along = local @ face.normal, local @ tangent
        on_face = (along >= -BEYOND * small) & (along <= face.length + BEYOND * small)
        touches = (gap < 0) & (gap > -BEHIND * thin) & on_face
        N = np.where(touches, -k * gap, 0.0)
        T = np.zeros_like(N)
        anchor, first = begin[first : first + len(k)].copy(), first + len(k)
        for row in range(rows):
            held = np.where(np.isnan(anchor), along[max(row - 1, 0)], anchor)
            trial = -k * (along[row] - held)
            limit = mu * N[row]
            slips = np.abs(trial) > limit
            T[row] = np.where(touches[row], np.clip(trial, -limit, limit), 0.0)
            new = np.where(slips, along[row] + T[row] / k, held)
            found.loss[row] -= (T[row] * (new - held))[touches[row]].sum()
            anchor = np.where(touches[row], new, np.nan)
        found.elastic[:] += ((N**2 + T**2) / (2 * k)).sum(axis=1)
        push = np.einsum("tij,tpj->tpi", back, N[..., None] * face.normal + T[..., None] * tangent)
        for stone, lever, sign in ((face.a, arm, 1.0), (face.b, way, -1.0)):
            found.push[:, stone, :2] += sign * push.sum(axis=1)
            turning = lever[..., 0] * push[..., 1] - lever[..., 1] * push[..., 0]
            found.push[:, stone, 2] += sign * turning.sum(axis=1)
    return found


def _turns(theta: Array) -> Array:
    """Rotation matrices (rows, 2, 2)."""
    c, s = np.cos(theta), np.sin(theta)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)


def _equations(
    response: Response, of: dict[str, Array], forces: Forces, moving: list[int]
) -> Array:
    """What the equations of motion lack at the end of each step, the worst of all stones [g]."""
    assembly: Any = response.system
    stones = [assembly.stones[i] for i in moving]
    mass, inertia, reach = (
        np.array(values)
        for values in zip(*((s.mass, s.inertia, s.reach) for s in stones), strict=True)
    )
    a_h, a_v = (part[: len(of["x"]), None] for part in response.ground[:2])
    push = forces.push[:, moving]
    alpha = response.formulation.rule.alpha  # type: ignore[attr-defined]
    f_x = mass * (of["x acceleration"] + a_h) - push[..., 0]
    f_y = mass * (of["y acceleration"] + assembly.g + a_v) - push[..., 1]
    turn = np.diff(of["theta"], axis=0)
    lagged = alpha * np.sin(turn) * of["virial"][:-1]
    f_t = inertia * of["angular acceleration"][1:] + lagged - push[1:, :, 2]
    worst = np.maximum.reduce([np.abs(f_x[1:]), np.abs(f_y[1:]), np.abs(f_t) / reach]) / mass
    return np.asarray(worst.max(axis=1) / assembly.g)


def _newmark(response: Response, of: dict[str, Array]) -> Array:
    """What each step lacks of Newmark's formulas, over g Δt, the worst of all stones."""
    how: Any = response.formulation
    _, beta, gamma = how.rule
    dt, g = response.motion.dt, response.system.g  # type: ignore[attr-defined]
    worst = np.zeros(len(of["x"]) - 1)
    for axis in "xy":
        u, v, a = of[axis], of[f"{axis} rate"], of[f"{axis} acceleration"]
        ahead = dt * v[:-1] + dt**2 * ((1 / 2 - beta) * a[:-1] + beta * a[1:])
        moved = np.diff(u, axis=0) - ahead
        gained = np.diff(v, axis=0) - dt * ((1 - gamma) * a[:-1] + gamma * a[1:])
        off = np.maximum(np.abs(moved) / dt, np.abs(gained)) / (g * dt)
        worst = np.maximum(worst, off.max(axis=1))
    return worst


def _energies(
    response: Response, of: dict[str, Array], forces: Forces, known: Array, rows: int
) -> tuple[Law, ...]:
    column, time = response.column, response.time[:rows]
    assembly: Any = response.system
    energy = response.energy
    size = size_of_energies(response, energy)
    mass = np.array([stone.mass for stone in assembly.stones if not stone.fixed])
    a_h, a_v = (part[: rows - 1] for part in means(response)[:2])
    moved = a_h * (np.diff(of["x"], axis=0) @ mass) + a_v * (np.diff(of["y"], axis=0) @ mass)
    work = np.abs(np.diff(column("work")[:rows]) + moved)
    slips = np.abs(np.diff(column("loss")[:rows]) - forces.loss[1:])
    stored = np.abs(column("elastic")[1:rows] - forces.elastic[1:])
    worst = np.where(known, np.maximum.reduce([work, slips, stored]), 0.0) / size
    lost = column("work") - (energy - energy[0])
    grows = (np.maximum.accumulate(lost) - lost)[:rows] / size
    back = float(0.02 + assembly.free_rate * response.motion.dt)
    return (
        law("work", "Work of the ground, loss in friction and energy of the springs are those of "
            "the poses", worst, time[1:], 1e-8, "Newton's method and rounding",
            relative_to="of the largest energy in the run"),
        law("losses", "Kinetic + potential energy never grows by more than the work of the ground",
            grows, time, back, "the rule damps as a whole; within an impact, which takes a step or "
            "two, the springs give back what lagged forces held: 0.02 + √(g/r) Δt",
            relative_to="of the largest energy in the run"),
    )  # fmt: skip
