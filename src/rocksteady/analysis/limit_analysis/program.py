"""The linear programs of limit analysis: equilibrium, friction, and their solution by HiGHS.

Maximise λ subject to B f + w + λ l = 0, N ≥ 0 and |T| ≤ μ (N₀ + N₁), with three unknowns f a joint.
The friction cone of a joint has four edges: with a multiplier ≥ 0 for each, equilibrium remains as
the only constraint, which interior points solve in two thirds of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array, hstack

from rocksteady.analysis.limit_analysis.contacts import Contacts
from rocksteady.analysis.limit_analysis.links import link_columns
from rocksteady.bodies.assembly import Assembly
from rocksteady.numerics.types import Array

FINE = 1e3  # unknowns per mean weight: HiGHS allows errors of 1e-7 of the unit it is given
SIMPLEX = 250  # rows, up to which dual simplex is the faster one
SOLVED, INFEASIBLE, UNBOUNDED = 0, 2, 3  # statuses of `linprog`


class Solution(NamedTuple):
    """What a linear program found."""

    status: int
    multiplier: float
    forces: Array
    """(joints, 3): N₀, N₁, T [N]."""
    link_forces: Array
    velocities: Array
    """(stones, 3) of the mechanism, to any scale."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The equilibrium of all stones that move, in units of their mean weight and size."""

    assembly: Assembly
    contacts: Contacts
    sliding: bool
    dead: Array
    """(stones, 3): forces [N] and moments [N m] that stay."""
    live: Array
    """(stones, 3): those that the multiplier multiplies."""
    with_links: bool = True
    """Whether links pull up to their strength; otherwise their forces are among the dead ones."""

    @cached_property
    def moving(self) -> NDArray[np.int64]:
        return np.flatnonzero([not stone.fixed for stone in self.assembly])

    @cached_property
    def unit(self) -> float:
        """The mean weight [N]."""
        return self.assembly.mass * self.assembly.g / len(self.moving)

    @cached_property
    def length(self) -> float:
        """The mean size of a stone [m]."""
        return float(np.mean([self.assembly.stones[i].reach for i in self.moving]))

    @cached_property
    def joint_matrix(self) -> csc_array:
        """(3 moving stones) × (3 joints): what N₀, N₁ and T of each joint do to the stones."""
        c = self.contacts
        numbers = np.arange(len(c.a))
        end = c.touching
        columns = [
            (c.points[:, 0], c.normals[:, 0]),
            (c.points[:, 1], c.normals[:, 1]),
            (c.points[numbers, end], c.tangents[numbers, end]),
        ]
        row = np.full(len(self.assembly), -1)
        row[self.moving] = np.arange(len(self.moving))
        rows, cols, values = [], [], []
        for k, (points, toward) in enumerate(columns):
            for side, stones in ((1.0, c.a), (-1.0, c.b)):
                arm = (points - c.centres[stones]) / self.length
                turning = arm[:, 0] * toward[:, 1] - arm[:, 1] * toward[:, 0]
                free = row[stones] >= 0
                for axis, value in enumerate((toward[:, 0], toward[:, 1], turning)):
                    rows.append(3 * row[stones][free] + axis)
                    cols.append(3 * numbers[free] + k)
                    values.append(side * value[free])
        at = np.concatenate(rows), np.concatenate(cols)
        shape = 3 * len(self.moving), 3 * len(numbers)
        return csc_array((np.concatenate(values), at), shape=shape)

    @cached_property
    def cone(self) -> tuple[csc_array, Array]:
        """(3 joints) × unknowns: the forces of each joint from the unknowns, and the least value
        of each unknown: the edges of the friction cone, or N₀, N₁ and T where nothing slides."""
        c = self.contacts
        joint, end = np.nonzero(c.closed)
        count = len(joint)
        if self.sliding:
            one, column = np.ones(2 * count), np.arange(2 * count)
            twice = np.tile(joint, 2)
            rows = np.concatenate([np.tile(3 * joint + end, 2), 3 * twice + 2])
            shear = np.repeat([-1.0, 1.0], count) * c.friction[twice]
            at = rows, np.tile(column, 2)
            cone = csc_array((np.concatenate([one, shear]), at), shape=(3 * len(c.a), 2 * count))
            return cone, np.zeros(2 * count)
        held = np.flatnonzero(c.closed.any(axis=1))
        rows = np.concatenate([3 * joint + end, 3 * held + 2])
        at = rows, np.arange(len(rows))
        cone = csc_array((np.ones(len(rows)), at), shape=(3 * len(c.a), len(rows)))
        return cone, np.repeat([0.0, -np.inf], [count, len(held)])

    @cached_property
    def links(self) -> tuple[csc_array, Array]:
        """What each link does to the stones at unit tension, and the bounds of its force."""
        given = self.assembly.links if self.with_links else ()
        wrenches, bounds = link_columns(self.assembly, given, self.contacts)
        return csc_array(self._rows(wrenches, moments=self.length).T), bounds / self.unit

    def _rows(self, wrenches: Array, moments: float) -> Array:
        """(..., stones, 3) → (..., 3 moving stones), moments in units of force × length."""
        kept = wrenches[..., self.moving, :] / (1.0, 1.0, moments)
        return kept.reshape(*wrenches.shape[:-2], 3 * len(self.moving))

    @cached_property
    def unknowns(self) -> tuple[csc_array, Array]:
        """The matrix of all unknowns but λ, and their bounds."""
        cone, least = self.cone
        links, bounds = self.links
        matrix = hstack([self.joint_matrix @ cone, links], format="csc")
        joints = np.column_stack([least, np.full(len(least), np.inf)])
        return matrix, np.concatenate([joints, bounds])

    @cached_property
    def dead_rows(self) -> Array:
        return self._rows(self.dead, self.length) / self.unit

    @cached_property
    def live_rows(self) -> Array:
        return self._rows(self.live, self.length) / self.unit

    def forces(self, unknowns: Array) -> tuple[Array, Array]:
        """(joints, 3) N₀, N₁, T [N], and the forces of the links [N]."""
        cone, least = self.cone
        joints = self.unit * (cone @ unknowns[: len(least)])
        return joints.reshape(-1, 3), self.unit * unknowns[len(least) :]

    def velocities(self, multipliers: Array) -> Array:
        """(stones, 3): the mechanism, from the multipliers of the rows of equilibrium."""
        found = np.zeros((len(self.assembly), 3))
        found[self.moving] = multipliers.reshape(-1, 3) / (1.0, 1.0, self.length)
        return found

    def residual(self, forces: Array, link_forces: Array, multiplier: float) -> float:
        """The largest force, or moment over size, that is not balanced, over the whole weight."""
        rows = self.joint_matrix @ forces.ravel() + self.links[0] @ link_forces
        rows = rows / self.unit + self.dead_rows + multiplier * self.live_rows
        return float(np.abs(rows).max(initial=0.0) / len(self.moving))

    def stands(self) -> bool:
        """Whether it is in equilibrium without the live load."""
        right = -FINE * self.dead_rows
        # A wall carries its weight on its bed joints alone, and that is soon found.
        beds = np.abs(self.contacts.normals[:, :, 1]) > 0.7
        joint, end = np.nonzero(self.contacts.closed & beds)
        pressures = self.joint_matrix[:, 3 * joint + end]
        if pressures.shape[1]:
            sizes = np.ones(len(joint))
            found = linprog(sizes, A_eq=pressures, b_eq=right, method="highs-ds")  # type: ignore[call-overload]
            if found.status == SOLVED:
                return True
        return self.rest() is not None

    def rest(self) -> tuple[Array, Array] | None:
        """Forces of joints and links that balance it without the live load; None if there are
        none."""
        matrix, bounds = self.unknowns
        if not matrix.shape[1]:
            return None
        # Any forces will do: the smallest are found in half the time.
        sizes = np.where(bounds[:, 0] < 0, 0.0, 1.0)
        found = solved(sizes, matrix, -FINE * self.dead_rows, FINE * bounds)
        return self.forces(found.x / FINE) if found.status == SOLVED else None

    def largest(self) -> Solution:
        """The largest multiplier, the forces there, and the mechanism."""
        matrix, bounds = self.unknowns
        scale = np.abs(self.live_rows).sum() / len(self.moving)
        whole = hstack([matrix, csc_array(self.live_rows[:, None] / scale)], format="csc")
        cost = np.zeros(whole.shape[1])
        cost[-1] = -10.0 * len(self.moving)
        limits = np.vstack([FINE * bounds, (-np.inf, np.inf)])
        found = solved(cost, whole, -FINE * self.dead_rows, limits)
        if found.status != SOLVED:
            nothing = np.zeros((len(self.contacts.a), 3))
            return Solution(
                found.status,
                np.nan,
                nothing,
                np.zeros(len(self.links[1])),
                self.velocities(np.zeros(3 * len(self.moving))),
            )
        forces, link_forces = self.forces(found.x[:-1] / FINE)
        multiplier = found.x[-1] / FINE / scale
        velocities = self.velocities(-found.eqlin.marginals)
        return Solution(SOLVED, float(multiplier), forces, link_forces, velocities)

    def fall(self) -> Array:
        """The mechanism (stones, 3) in which it falls under its weight, if it does not stand."""
        matrix, bounds = self.unknowns
        whole = hstack([matrix, csc_array(self.dead_rows[:, None])], format="csc")
        cost = np.zeros(whole.shape[1])
        cost[-1] = -float(len(self.moving))
        limits = np.vstack([FINE * bounds, (0.0, FINE)])
        found = solved(cost, whole, np.zeros(len(self.dead_rows)), limits)
        return self.velocities(-found.eqlin.marginals)


def solved(cost: Array, matrix: Any, right: Array, bounds: Array, **more: Any) -> Any:
    """What `linprog` found: by dual simplex up to some hundred stones, by interior points beyond;
    by the other where one of them fails or does not come to an end."""
    given: Any = {"A_eq": matrix, "b_eq": right, "bounds": bounds, **more}
    methods = ["highs-ds", "highs-ipm"]
    if len(right) > SIMPLEX:
        methods.reverse()
    patience = 10.0 + 0.02 * len(right)  # s
    found = linprog(cost, method=methods[0], options={"time_limit": patience}, **given)  # type: ignore[call-overload]
    if found.status not in (SOLVED, INFEASIBLE, UNBOUNDED):
        found = linprog(cost, method=methods[1], **given)  # type: ignore[call-overload]
    return found
