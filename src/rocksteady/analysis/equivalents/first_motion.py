"""How a small assembly starts to move: accelerations at rest, by trying all sets of contacts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.limit_analysis.contacts import Contacts, Corners
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import finite
from rocksteady.numerics.types import Array

MOST_JOINTS = 6  # 4⁶ sets of contacts
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class FirstMotion:
    """Accelerations of an assembly at rest when the ground starts to accelerate."""

    assembly: Assembly
    ground: float
    """Horizontal acceleration of the ground [g]; positive to the right, which tips the stones to
    the left."""
    accelerations: Array
    """(stones, 3): relative to the ground, of the centre (x, y) [m/s²] and the rotation
    [rad/s²]."""
    closed: NDArray[np.bool_]
    """(joints, 2): the ends of the joints that stay closed."""
    friction: float
    """The friction coefficient that the closed joints need at least."""

    @property
    def moves(self) -> bool:
        """Whether any stone leaves its place."""
        return bool(np.abs(self.accelerations).max(initial=0.0) > ROUNDING * self.assembly.g)


def first_motion(assembly: Assembly, ground: float) -> FirstMotion:
    """How the stones start to move under a horizontal acceleration of the ground [g], if friction
    prevents sliding: which joints open, and how fast the stones turn.

    Every set of closed contacts is tried; the one is kept in which closed contacts push and open
    ones open. For assemblies of up to six joints.
    """
    expect(assembly, Assembly, "The first motion")
    ground = finite("ground", ground, "g")
    contacts = Corners.of(assembly).start
    if len(contacts.a) > MOST_JOINTS:
        raise InputError(
            f"The assembly has {len(contacts.a)} joints: the first motion is found for up to "
            f"{MOST_JOINTS}. Simulate it instead."
        )
    masses = np.array([[s.mass, s.mass, s.inertia] for s in assembly])
    free = np.array([not stone.fixed for stone in assembly])
    load = np.zeros((len(assembly), 3))
    load[:, 0], load[:, 1] = -ground * assembly.g, -assembly.g
    for closed in _sets(len(contacts.a)):
        found = _balanced(contacts, closed, masses, free, load, assembly.g)
        if found is not None:
            return FirstMotion(assembly, ground, found[0], closed, found[1])
    raise InputError("No set of closed contacts balances the stones: is one of them floating?")


def _sets(joints: int) -> Iterator[NDArray[np.bool_]]:
    """All sets of closed ends, those with the most first."""
    ends = ((True, True), (False, True), (True, False), (False, False))
    found = [
        np.array(chosen, bool).reshape(-1, 2) for chosen in itertools.product(ends, repeat=joints)
    ]
    return iter(sorted(found, key=lambda closed: -int(closed.sum())))


def _balanced(
    contacts: Contacts,
    closed: NDArray[np.bool_],
    masses: Array,
    free: NDArray[np.bool_],
    load: Array,
    g: float,
) -> tuple[Array, float] | None:
    """Accelerations and the friction needed, if closed contacts push and open ones open."""
    joint, end = np.nonzero(closed)
    held = np.flatnonzero(closed.any(axis=1))
    at = np.where(closed[held, 0], 0, 1)
    rows = np.concatenate(
        [
            _rows(contacts, joint, end, contacts.normals, free),
            _rows(contacts, held, at, contacts.tangents, free),
        ]
    )
    inverse = 1.0 / masses[free].ravel()
    acting = load[free].ravel()
    forces = np.linalg.lstsq(rows * inverse @ rows.T, -rows @ acting, rcond=1e-12)[0]
    accelerations = np.zeros_like(load)
    accelerations[free] = (acting + inverse * (rows.T @ forces)).reshape(-1, 3)
    scale = float(masses[free, 0].sum()) * g
    pressures, shears = forces[: len(joint)], forces[len(joint) :]
    opening, _ = contacts.rates(accelerations)
    kept = np.abs(rows @ accelerations[free].ravel()) < ROUNDING * g
    if not kept.all() or (pressures < -ROUNDING * scale).any():
        return None
    if (opening[~closed] < -ROUNDING * g).any():
        return None
    normal = np.zeros(len(closed))
    np.add.at(normal, joint, pressures)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.abs(shears) / normal[held]
    strong = np.abs(shears) > ROUNDING * scale
    return accelerations, float(needed[strong].max(initial=0.0))


def _rows(
    contacts: Contacts,
    joint: NDArray[np.int64],
    end: NDArray[np.int64],
    directions: Array,
    free: NDArray[np.bool_],
) -> Array:
    """The relative velocity of a and b along these directions, over the velocities of the stones
    that are free."""
    rows = np.zeros((len(joint), len(free), 3))
    points, toward = contacts.points[joint, end], directions[joint, end]
    numbers = np.arange(len(joint))
    for sign, stones in ((1.0, contacts.a[joint]), (-1.0, contacts.b[joint])):
        arm = points - contacts.centres[stones]
        turning = arm[:, 0] * toward[:, 1] - arm[:, 1] * toward[:, 0]
        rows[numbers, stones] += sign * np.column_stack([toward, turning])
    return rows[:, free].reshape(len(joint), -1)
