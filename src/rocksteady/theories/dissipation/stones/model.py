"""Stones of `JointDissipation`: what a step needs to know of them, how they start, what their
state means. One step is in `step.py`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Assembly
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.theories.assembly.falls import first_falls
from rocksteady.theories.assembly.poses import all_poses
from rocksteady.theories.dissipation.stones import step
from rocksteady.theories.dissipation.stones.faces import faces
from rocksteady.theories.dissipation.stones.settling import held, settled
from rocksteady.theories.dissipation.stones.step import (
    CUTS,
    ELASTIC,
    FALLEN,
    OF_POSE,
    OF_RATE,
    OF_RULE,
    SIZE,
)
from rocksteady.theories.dissipation.stones.workspace import (
    F_X,
    F_Y,
    INERTIA,
    MASS,
    MOMENT,
    SPRING,
    STIFFNESS,
    VIRIAL,
    X_0,
    Y_0,
    C,
    S,
    Workspace,
    X,
    Y,
    arrays,
)

if TYPE_CHECKING:
    from rocksteady.theories.dissipation.shared import Dissipative

BEYOND = 0.02  # of the reach of the smallest stone: how far beyond its end a face still carries
BEHIND = 0.25  # of the least width of the thinnest stone
QUIET = 1e-4  # of √(g reach): slower stones are called quiet
AT_REST = 0.5  # s without motion


def columns(assembly: Assembly) -> tuple[str, ...]:
    names = [stone.name for stone in assembly.stones if not stone.fixed]
    parts = [
        f"{what} {name} [{unit}]"
        for of in (OF_POSE, OF_RATE, OF_RULE)
        for name in names
        for what, unit in of
    ]
    return (*step.HEAD, *parts)


def parameters(how: Dissipative, assembly: Assembly, tolerance: float) -> Workspace:
    """What the step needs; the arrays that it changes are new ones. The stones have settled on
    their springs: those that lean and are let go without turning."""
    work = _as_built(how, assembly, tolerance)
    if not settled(work, False):
        work = _as_built(how, assembly, tolerance)
        settled(work, True)
    work.stone[:, [X_0, Y_0]] = work.pose[: len(work.virial), [X, Y]]
    return work


def _as_built(how: Dissipative, assembly: Assembly, tolerance: float) -> Workspace:
    if assembly.links:
        raise InputError(
            "Ties, springs and tendons between stones are not computed by numerical dissipation: "
            "leave the links out, or use rs.BlockDynamics()."
        )
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    fixed = [i for i, stone in enumerate(assembly.stones) if stone.fixed]
    place = {number: row for row, number in enumerate([*moving, *fixed])}
    spring, who = _springs(how, assembly, place)
    small = min(assembly.stones[i].reach for i in moving)
    lightest = min(assembly.stones[i].mass for i in moving)
    rounding = 8 * np.finfo(float).eps * spring[:, STIFFNESS].sum() * _extent(assembly) / lightest
    work = Workspace(
        number=np.array(
            [
                *how.rule,
                assembly.g,
                max(tolerance * assembly.g, rounding),
                QUIET * math.sqrt(assembly.g * small),
                BEYOND * small,
                BEHIND * min(stone.least_width for stone in assembly.stones),
            ]
        ),
        stone=np.array([_about(assembly, i) for i in moving]),
        spring=spring,
        who=who,
        **arrays(len(moving), len(fixed), len(spring)),
    )
    for number, row in place.items():
        work.pose[row] = work.trial[row] = (*assembly.stones[number].centre, 1.0, 0.0)
    return work


def _about(assembly: Assembly, i: int) -> tuple[float, ...]:
    stone = assembly.stones[i]
    return (stone.mass, stone.inertia, stone.reach, stone.least_width, *stone.centre)


def _extent(assembly: Assembly) -> float:
    """The largest coordinate [m], of which the rounding of a gap is a part."""
    return max(
        abs(value) for stone in assembly.stones for corner in stone.corners for value in corner
    )


def _springs(
    how: Dissipative, assembly: Assembly, place: dict[int, int]
) -> tuple[Array, NDArray[np.int64]]:
    rows, who = [], []
    for face in faces(assembly, how.spacing):
        a, b = assembly.stones[face.a], assembly.stones[face.b]
        thickness = min(a.thickness, b.thickness)
        begin = face.begin - b.centre
        for point, weight in zip(face.points, face.weights, strict=True):
            k = how.k_n * weight * thickness / 2  # the other face has as much
            at, mu = point - a.centre, assembly.friction_between(face.a, face.b)
            rows.append((k, mu, *at, *begin, *face.normal, face.length))
            who.append((place[face.a], place[face.b]))
    if not rows:
        raise InputError(
            "No two stones of this assembly touch along an edge, so nothing carries their weight."
        )
    return np.array(rows, dtype=float).reshape(-1, SPRING), np.array(who, dtype=np.int64)


# -- the start ------------------------------------------------------------------------------------


def start(how: Dissipative, assembly: Assembly, tolerance: float) -> Array:
    """The stones as they stand on their springs, at rest."""
    work = parameters(how, assembly, tolerance)
    state = np.zeros(len(columns(assembly)))
    n = len(work.virial)
    poses = state[SIZE : SIZE + 3 * n].reshape(n, 3)
    poses[:, :2] = work.pose[:n, [X, Y]]
    poses[:, 2] = np.arctan2(work.pose[:n, S], work.pose[:n, C])
    rule = state[SIZE + 6 * n :].reshape(n, len(OF_RULE))
    mass, inertia = work.stone[:, MASS], work.stone[:, INERTIA]
    rule[:, 1] = work.sums[:n, F_X] / mass
    rule[:, 2] = work.sums[:n, F_Y] / mass - assembly.g
    rule[:, 4] = work.sums[:n, MOMENT] / inertia
    rule[:, 5] = work.sums[:n, VIRIAL]
    state[ELASTIC] = held(work)
    return state


# -- what the state means --------------------------------------------------------------------------


def poses(assembly: Assembly, states: Array) -> Array:
    """x, y of the centre of mass [m] and rotation [rad] of every stone, fixed ones included:
    (..., stones, 3)."""
    n = 3 * assembly.stone_count
    return all_poses(assembly, np.asarray(states)[..., SIZE : SIZE + n])


def energy(assembly: Assembly, states: Array) -> Array:
    """Kinetic, gravitational and in the springs [J]; at rest it is what the springs hold, less what
    the stones have sunk."""
    moving = [stone for stone in assembly.stones if not stone.fixed]
    n, shape = len(moving), (*states.shape[:-1], len(moving))
    pose = states[..., SIZE : SIZE + 3 * n].reshape(*shape, 3)
    rate = states[..., SIZE + 3 * n : SIZE + 6 * n].reshape(*shape, 3)
    stretch = states[..., SIZE + 6 * n :].reshape(*shape, len(OF_RULE))[..., 0]
    mass, inertia, height = (
        np.array(values)
        for values in zip(*((s.mass, s.inertia, s.centre[1]) for s in moving), strict=True)
    )
    spin = rate[..., 2] ** 2 + stretch**2
    kinetic = (mass * (rate[..., 0] ** 2 + rate[..., 1] ** 2) + inertia * spin) / 2
    lift = mass * assembly.g * (pose[..., 1] - height)
    return np.asarray((kinetic + lift).sum(axis=-1) + states[..., ELASTIC])


def at_rest(states: Array) -> NDArray[np.bool_]:
    return np.asarray(states[..., step.QUIET] >= AT_REST)


def doomed(state: Array) -> bool:
    return bool(state[FALLEN] > 0)


def cuts(states: Array) -> int:
    return int(states[-1, CUTS])


def fallen(assembly: Assembly, time: Array, states: Array) -> list[tuple[str, float]]:
    """Name and time [s] of every stone that fell, the first one first."""
    return first_falls(assembly, time, poses(assembly, np.nan_to_num(states)))
