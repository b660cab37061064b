"""The elastic block of `NumericalDissipation(body="elastic")`: what its step needs to know of it,
how it stands on its bed, and what its state means. One step is in `step.py`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import positive, real
from rocksteady.numerics.types import Array
from rocksteady.theories.dissipation.elastic.algebra import LANES
from rocksteady.theories.dissipation.elastic.body import BASES, FIELDS, MX, ElasticBody
from rocksteady.theories.dissipation.elastic.mesh import Material, Mesh, mesh_of
from rocksteady.theories.dissipation.elastic.rows import LOADS
from rocksteady.theories.soft_bed import first_swing

if TYPE_CHECKING:
    from rocksteady.theories.dissipation.formulation import NumericalDissipation

MOST_POINTS = 200  # of the base: Newton's method solves for all of them at once


def check(E: float, nu: float) -> None:
    """Refuse what is not a solid."""
    positive("E", E, "Pa", "Stone has 1e10 to 8e10, masonry 1e9 to 1e10.")
    if not 0 <= real(nu) < 0.5:
        raise InputError(
            f"nu = {nu!r} is not allowed: Poisson's ratio must be at least 0 and less than 0.5. "
            "Stone and masonry have about 0.2."
        )


def mesh(how: NumericalDissipation, block: Block) -> Mesh:
    """The mesh of ``block``: nodes of the base where its springs are."""
    points = len(how.base(block)[0])
    if points > MOST_POINTS:
        raise InputError(
            f"spacing = {how.spacing!r} m puts {points} springs under a base of {block.width!r} m: "
            f"an elastic body can have at most {MOST_POINTS}. Give a larger spacing."
        )
    return mesh_of(block, Material(float(how.E), float(how.nu)), points - 1)


def parameters(
    how: NumericalDissipation, block: Block, tolerance: float, rest: dict[str, float]
) -> ElasticBody:
    """What the step needs; the arrays that it changes are new ones."""
    body = mesh(how, block)
    distance, springs = how.base(block)
    flexibility, bulge = body.flexibility
    masses, places = np.repeat(body.masses, 2), body.nodes.ravel()
    size, width = body.size, 2 * len(distance)
    rows, padded = len(body.y), -(-width // LANES) * LANES
    field = np.zeros((FIELDS, size))
    field[MX] = masses * places
    return ElasticBody(
        mass=block.mass,
        inertia=block.inertia,
        height=block.com_height,
        friction=float(how.friction),
        alpha_h=how.rule.alpha,
        beta=how.rule.beta,
        gamma=how.rule.gamma,
        g=block.g,
        R=block.R,
        tolerance=tolerance,
        **rest,
        distance=distance,
        springs=springs,
        anchors=np.full(len(distance), np.nan),
        places=places,
        masses=masses,
        stiffness=body.stiffness,
        flexibility=flexibility,
        bulge=bulge,
        down=np.zeros((rows - 1, width, padded)),
        up=np.zeros((rows, width, 2 * padded)),
        carried=np.zeros((LOADS, rows, padded)),
        pair=np.zeros((rows + 1, 2 * padded)),
        columns=np.empty((width, width)),
        field=field,
        base=np.zeros((BASES, width)),
        matrix=np.empty((width + 1, width + 2)),
        clock=np.array([np.nan, 0.0, 0.0]),
    )


class Standing(NamedTuple):
    """A body whose weight is carried by the bed, at some rotation."""

    y: float  # height of the centre of mass [m], from upright rest on rigid ground
    normal: Array  # forces of the springs [N]
    shift: Array  # how far the deformation moves the nodes of the base along the ground [m]
    strain: float  # energy [J]
    gap: Array  # how high the base's nodes are above the bed [m]; below 0 they press on it


def stand(how: NumericalDissipation, block: Block, theta: float, omega: float = 0.0) -> Standing:
    """Where the bed carries the weight of the deformed body at the rotation θ: the equations of the
    springs in contact, until these stay the same."""
    body = mesh(how, block)
    distance, stiffness = how.base(block)
    c, s, n = math.cos(theta), math.sin(theta), len(distance)
    flexibility, bulge = (part[: 2 * n] for part in body.flexibility)
    up, along = np.kron(np.eye(n), [-s, c]), np.kron(np.eye(n), [c, s])
    give, swell = up @ flexibility @ up.T, omega**2 * (up @ bulge)
    rise = 2 * block.com_height * math.sin(theta / 2) ** 2 - distance * s + swell
    active = rise <= rise.min() + (0 if theta else math.inf)
    normal = np.zeros(n)
    for _ in range(4 * n):
        m = int(active.sum())
        matrix = np.ones((m + 1, m + 1))
        matrix[:m, :m] = (give + np.diag(1 / stiffness))[np.ix_(active, active)]
        matrix[m, m] = 0.0
        solution = np.linalg.solve(matrix, np.append(-rise[active], block.mass * block.g))
        normal[:] = 0
        normal[active] = solution[:m]
        if (normal < 0).any():  # one at a time leaves, so that never all do
            active[np.argmin(normal)] = False
            continue
        pressed = active | (solution[m] + rise + give @ normal < 0)
        if np.array_equal(pressed, active):
            break
        active = pressed
    forces = normal @ up
    spin = float(body.flexibility[1] @ (np.repeat(body.masses, 2) * body.nodes.ravel()))
    strain = float(forces @ (flexibility @ forces / 2 + omega**2 * bulge)) + omega**4 * spin / 2
    shift = along @ (flexibility @ forces + omega**2 * bulge)
    gap = solution[m] + rise + give @ normal
    return Standing(float(solution[m]), normal, shift, strain, gap)


def moment(how: NumericalDissipation, block: Block, theta: float) -> float:
    """Moment [N m] of the bed about the centre of mass, turning it on towards +θ."""
    found = stand(how, block, theta)
    arm = how.base(block)[0] * math.cos(theta) - block.com_height * math.sin(theta) + found.shift
    return -float(arm @ found.normal)


def start(how: NumericalDissipation, block: Block, theta: float, omega: float) -> tuple[float, ...]:
    """At rest on the bed at θ; or let go there, its weight carried by the lower corner."""
    y, normal, _, strain, gap = stand(how, block, theta, omega)
    distance, stiffness = how.base(block)
    c, s, height = math.cos(theta), math.sin(theta), block.com_height
    corner = -1 if (theta or omega) >= 0 else 0
    r_x, r_y = distance * c - height * s, -distance * s - height * c
    x = distance[corner] - r_x[corner]
    v_x, v_y = -r_y[corner] * omega, r_x[corner] * omega  # about that corner
    kinetic = block.mass * (v_x**2 + v_y**2) / 2 + block.inertia * omega**2 / 2
    springs = float((normal**2 / (2 * stiffness)).sum())
    virial = float(r_y @ normal) + block.inertia * omega**2
    motion = (theta, omega, x, y, v_x, v_y)
    energies = (kinetic, strain, springs, 0.0, 0.0)
    bed = (virial, normal.sum(), 0.0, 0.0, 0.0, max(gap[0], gap[-1]))
    swing = first_swing(theta, bed[-1] > 0)
    return tuple(map(float, (*motion, *energies, *bed, swing)))


def energy(how: NumericalDissipation, block: Block, states: Array, rest: float) -> Array:
    """Kinetic, gravitational, of strain and in the springs [J]; zero where it stands still, at the
    rotation ``rest``."""
    y, normal, _, strain, _ = stand(how, block, rest)
    stored = strain + float((normal**2 / (2 * how.base(block)[1])).sum())
    held = states[..., 6] + states[..., 7] + states[..., 8]
    return np.asarray(held + block.mass * block.g * (states[..., 3] - y) - stored)
