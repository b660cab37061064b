"""A body on several interfaces where it stands: equilibrium, start of a run, energy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.springs.interfaces import Interface, Springs, mass_matrix
from rocksteady.theories.springs.motion import COLUMNS, FLAT, SLENDER, Bed, motion_state, pack
from rocksteady.theories.springs.places import Place
from rocksteady.theories.springs.several import (
    DU,
    DV,
    EACH,
    FIRST,
    HEAD,
    OF_EACH,
    OMEGA,
    THETA,
    Joined,
    U,
    V,
)

ITERATIONS = 100  # of the search for the equilibrium
BALANCED = 1e-12  # of m g: what forces may lack there
TOUCHES = 1e-3  # of α: how far a body may lean into a wall at the start


def columns(interfaces: Sequence[Interface | Place]) -> tuple[str, ...]:
    """Those of the state, without the swing."""
    return (*HEAD, *(label.format(one.name) for one in interfaces for label in OF_EACH))


def gaps(springs: Springs, u: Any, v: Any, psi: Any) -> tuple[Array, Array]:
    """(δ, dδ/dψ) of all axial springs: two more axes than u, v and ψ."""
    u, v, psi = (np.asarray(x)[..., None, None] for x in (u, v, psi))
    nx, ny, lever, curve, *_, free = np.moveaxis(springs.axial, -1, 0)
    return nx * u + ny * v + psi * (lever + 0.5 * curve * psi) + free, lever + curve * psi


def shears(springs: Springs, u: Any, v: Any, psi: Any) -> Array:
    """d of all shear springs: one axis more."""
    u, v, psi = (np.asarray(x)[..., None] for x in (u, v, psi))
    tx, ty, lever = springs.shear[:, :3].T
    return np.asarray((tx * u + ty * v) + lever * psi)


def equilibrium(block: Block, springs: Springs) -> tuple[float, float, float]:
    """(u, v, ψ) in which the axial springs carry the body, by Newton's method; an error where it
    does not stand."""
    weight = block.mass * block.g
    stiff = springs.axial[..., 4]
    at = np.array([0.0, -weight / stiff.sum(), 0.0])
    for _ in range(ITERATIONS):
        gap, arm = gaps(springs, *at)
        N = np.where(gap < 0, -stiff * gap, 0.0)
        rows = np.stack([springs.axial[..., 0], springs.axial[..., 1], arm], axis=-1)
        lacking = np.einsum("ij,ijk->k", N, rows) - np.array([0.0, weight, 0.0])
        scale = np.array([weight, weight, weight * block.width])
        if (np.abs(lacking) <= BALANCED * scale).all():
            break
        closed = np.where(gap < 0, stiff, 0.0)
        tangent = np.einsum("ij,ijk,ijl->kl", closed, rows, rows)
        tangent[2, 2] -= float((N * springs.axial[..., 3]).sum())
        if not closed.any():
            tangent = springs.stiffness
        at = at + np.linalg.lstsq(tangent, lacking, rcond=1e-14)[0]
    else:
        raise InputError(
            "The body does not stand on these interfaces: no position was found in which their "
            "axial springs carry it. Give ends counter-clockwise round the body (a base from left "
            "to right), and interfaces under it on both sides of its centre of mass."
        )
    _refuse_unstable(block, tangent_at(springs, at, N))
    return float(at[0]), float(at[1]), float(at[2])


def tangent_at(springs: Springs, at: Array, N: Array) -> Array:
    """Stiffness matrix of the closed springs there, with the softening by their forces."""
    gap, arm = gaps(springs, *at)
    rows = np.stack([springs.axial[..., 0], springs.axial[..., 1], arm], axis=-1)
    found = np.einsum("ij,ijk,ijl->kl", np.where(gap < 0, springs.axial[..., 4], 0.0), rows, rows)
    found[2, 2] -= float((N * springs.axial[..., 3]).sum())
    for row, (k, *_) in zip(springs.shear[:, :3], springs.shear[:, 3:], strict=True):
        found += k * np.outer(row, row)
    return np.asarray(found)


def _refuse_unstable(block: Block, tangent: Array) -> None:
    root = 1 / np.sqrt(np.diag(mass_matrix(block)))
    if np.linalg.eigvalsh(root[:, None] * tangent * root)[0] <= 0:
        raise InputError(
            "The interfaces cannot carry the body: it falls over on their springs. Give a larger K "
            "(2 Σ K x² must exceed m g h), or interfaces on both sides of its centre of mass."
        )


def upright(block: Block, springs: Springs) -> Array:
    """The state at rest, without the swing."""
    return _placed(block, springs, equilibrium(block, springs), np.zeros(3))


def outermost(springs: Springs, theta: float) -> tuple[float, float]:
    """(Height of the centre of mass above, horizontal distance from) the contact on which a body
    that leans to this side balances last [m]."""
    lever, curve = springs.axial[..., 2].ravel(), springs.axial[..., 3].ravel()
    last = int(np.argmax(np.sign(theta or 1.0) * lever / curve))
    return float(curve[last]), abs(float(lever[last]))


def from_base(state: Numbers) -> Array:
    """The state on the whole base, of `motion.COLUMNS`, as one of `HEAD` and one interface."""
    theta, omega, u, du, v, dv, slide, N_left, N_right, shear, which = state[: len(COLUMNS)]
    head = (theta, omega, u, du, v, dv, which, 0.0, 0.0)
    return np.array([*head, slide, N_left, N_right, shear])


def leaning(
    block: Block, interfaces: Sequence[Interface], springs: Springs, theta0: float, omega0: float
) -> Array:
    """The state in which the axial springs carry the weight of a body that leans by θ0 and turns by
    ω0 about the corner it leans on; its shear springs are unloaded."""
    psi, weight = -theta0, block.mass * block.g
    u = -block.com_height * psi

    def lacks(v: float) -> float:
        gap, _ = gaps(springs, u, v, psi)
        return float((springs.axial[..., 1] * -springs.axial[..., 4] * np.minimum(gap, 0)).sum())

    low = high = 0.0
    reach = abs(psi) * block.width + weight / springs.axial[..., 4].min()
    while lacks(low) < weight:
        low -= reach
    while lacks(high) >= weight:
        high += reach
    v = brentq(lambda v: lacks(v) - weight, low, high, xtol=1e-15 * block.height, rtol=1e-14)
    _refuse_wedged(block, interfaces, springs, (u, v, psi))
    gap, arm = gaps(springs, u, v, psi)
    carried = np.where(springs.axial[..., 1] > 0, -gap, -math.inf)
    i, j = np.unravel_index(int(np.argmax(carried)), carried.shape)
    pivot = float(arm[i, j]) if omega0 == 0 or theta0 else _outermost(arm, springs, omega0)
    return _placed(block, springs, (u, float(v), psi), -omega0 * np.array([
        -block.com_height, -pivot, 1.0
    ]))  # fmt: skip


def _outermost(arm: Array, springs: Springs, omega0: float) -> float:
    """Arm of the spring about which an upright body begins to turn."""
    below = arm[springs.axial[..., 1] > 0]
    return float(below.max() if omega0 > 0 else below.min())


def _refuse_wedged(
    block: Block, interfaces: Sequence[Interface], springs: Springs, at: Sequence[float]
) -> None:
    gap, _ = gaps(springs, *at)
    aside = np.where(np.abs(springs.axial[..., 0]) > 0.5, gap, 0.0)
    if aside.min() < -TOUCHES * block.alpha * block.com_height:
        i = int(np.argmin(aside.min(axis=1)))
        raise InputError(
            f"theta0 = {-at[2]:.4g} rad leans the body {-1e3 * aside.min():.3g} mm into the "
            f"interface {interfaces[i].name!r}: give a smaller lean, or a larger gap."
        )


def _placed(block: Block, springs: Springs, at: Sequence[float], rates: Array) -> Array:
    u, v, psi = at
    gap, _ = gaps(springs, u, v, psi)
    N = np.where(gap < 0, -springs.axial[..., 4] * gap, 0.0)
    slides = shears(springs, u, v, psi)
    state = np.zeros(FIRST + EACH * len(slides))
    state[[THETA, U, V]] = -psi, u, v
    state[[DU, DV, OMEGA]] = rates[0], rates[1], -rates[2]
    each = np.column_stack([slides, N, np.zeros(len(slides))])
    state[FIRST:] = each.ravel()
    body = pack(block, Bed(1.0, 1.0, 0.0, 1.0), 0.0)  # for `flat` and `slow`
    state[HEAD.index("motion state [-]")] = motion_state(-psi, -rates[2], *N[0], False, body)
    return state


def joined(block: Block, springs: Springs, step: float, quiet: float) -> Joined:
    """What the step knows of the body and its springs."""
    rest = equilibrium(block, springs)
    gap, _ = gaps(springs, *rest)
    return Joined(
        per_mass=1 / block.mass,
        per_inertia=1 / block.inertia,
        mass=block.mass,
        inertia=block.inertia,
        g=block.g,
        longest=step,
        fallen_right=block.right.b / block.com_height + SLENDER,
        fallen_left=block.left.b / block.com_height + SLENDER,
        flat=FLAT * block.alpha,
        slow=FLAT * block.alpha * block.p,
        quiet=quiet,
        soft=float(springs.axial[..., 4].min()),
        axial=springs.axial.copy(),
        shear=springs.shear.copy(),
        stands=(gap < 0).astype(float),
        now=np.zeros(FIRST + EACH * len(springs.shear)),
        pull=np.zeros(len(springs.shear)),
    )


def energy(block: Block, springs: Springs, states: Array) -> Array:
    """Kinetic energy, weight and springs [J] of each row; zero at rest upright."""
    rest = upright(block, springs)
    return np.asarray(_energy(block, springs, states) - _energy(block, springs, rest))


def _energy(block: Block, springs: Springs, states: Array) -> Array:
    at = np.moveaxis(np.asarray(states), -1, 0)
    u, v, psi = at[U], at[V], -at[THETA]
    gap, _ = gaps(springs, u, v, psi)
    slides = np.moveaxis(at[FIRST : FIRST + EACH * len(springs.shear) : EACH], 0, -1)
    stretch = shears(springs, u, v, psi) - slides
    kinetic = block.mass * (at[DU] ** 2 + at[DV] ** 2) + block.inertia * at[OMEGA] ** 2
    stored = (springs.axial[..., 4] * np.minimum(gap, 0) ** 2).sum(axis=(-2, -1))
    stored = stored + (springs.shear[:, 3] * stretch**2).sum(axis=-1)
    return np.asarray(0.5 * (kinetic + stored) + block.mass * block.g * v)


def rests(resting: object, body: Joined, states: Array) -> NDArray[np.bool_]:
    """Which rows hardly move while their forces balance."""
    rows = np.asarray(states, dtype=float)
    flat = rows.reshape(-1, rows.shape[-1])
    found = [bool(resting(tuple(row), body)) for row in flat.tolist()]  # type: ignore[operator]
    return np.asarray(found, dtype=bool).reshape(rows.shape[:-1])
