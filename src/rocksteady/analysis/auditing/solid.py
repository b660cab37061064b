"""Geometry, inertia and energies of a body in space, for the rows of a response."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.response import Response

REST, EDGE, VERTEX, RIM, LOOSE = range(5)  # the column "mode"
RIM_POINTS = 32  # of a round base, as corners


class Solid:
    """The body, and where it is in each row."""

    def __init__(self, response: Response) -> None:
        body: Any = response.system
        how: Any = response.formulation
        self.body, self.mass, self.g = body, body.mass, body.g
        self.friction = None if how.friction is None else float(how.friction)
        self.restitution = float(how.restitution)
        self.inertia = np.array(body.inertia)
        self.h = float(body.centre[2])
        if body.radius is None:
            flat = np.array(body.corners, float)  # from below the centre of mass
        else:
            angle = np.arange(RIM_POINTS) * 2 * math.pi / RIM_POINTS
            flat = body.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        self.corners = np.column_stack([flat, np.full(len(flat), -self.h)])
        states = self.states = response.states
        self.up, self.ahead, self.spin = states[:, 3:6], states[:, 6:9], states[:, 9:12]
        self.left = np.cross(self.up, self.ahead)
        self.mode = states[:, 14:16]
        found = response.ground
        self.ground = (found[0], found[1], found[2])
        self.rotation = np.stack([self.ahead, self.left, self.up], axis=1)  # body → ground

    def arm(self, mode: Array) -> Array:
        """From the point it turns about to the centre of mass, in the body's axes [m]."""
        kind, pivot = mode[:, 0], np.nan_to_num(mode[:, 1])
        if self.body.radius is None:
            k = np.clip(pivot, 0, len(self.corners) - 1).astype(int)
            d = -self.corners[k]
        else:
            rho = self.body.radius
            d = np.stack(
                [-rho * np.cos(pivot), -rho * np.sin(pivot), np.full(len(mode), self.h)], 1
            )
        return np.asarray(np.where((kind == LOOSE)[:, None], 0.0, d))

    def lowest(self, rows: list[int]) -> list[Array]:
        """Of a round base, the lowest point of the rim in each of these rows, in its axes."""
        if self.body.radius is None:
            return []
        angle = np.arctan2(-self.up[rows, 1], -self.up[rows, 0])
        flat = self.body.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return [np.column_stack([flat, np.full(len(rows), -self.h)])]

    def axis(self, mode: Array) -> Array:
        """Unit vectors along the edges that begin at each pivot."""
        k = np.clip(np.nan_to_num(mode[:, 1]), 0, len(self.corners) - 1).astype(int)
        along = self.corners[(k + 1) % len(self.corners)] - self.corners[k]
        return np.asarray(along / np.linalg.norm(along, axis=1)[:, None])

    def outward(self) -> tuple[Array, Array]:
        """Outward normals of the edges of the base, and how far each is from the centre."""
        flat = self.corners[:, :2]
        along = np.roll(flat, -1, axis=0) - flat
        normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
        normal = normal / np.linalg.norm(normal, axis=1)[:, None]
        reach = (normal * flat).sum(axis=1)
        sign = np.sign(reach)[:, None]
        return normal * sign, np.abs(reach)

    def about(self, d: Array) -> Array:
        """Inertia about a point from which d leads to the centre of mass [kg m²]."""
        square = (d**2).sum(axis=1)[:, None, None] * np.eye(3)
        return np.asarray(self.inertia + self.mass * (square - d[:, :, None] * d[:, None, :]))

    def pushes_on(self, up: Array, ahead: Array, ground: tuple[Array, ...]) -> tuple[Array, Array]:
        """(the ground's acceleration, and that of gravity upwards) as the body sees them."""
        a_x, a_z, a_y = ground
        left = np.cross(up, ahead)
        push = a_x[:, None] * ahead + a_y[:, None] * left + a_z[:, None] * up
        return push, self.g * up

    def velocity(self) -> Array:
        """Of the centre of mass, in the ground's axes [m/s]."""
        turning = np.cross(self.spin, self.arm(self.mode))
        found = np.einsum("nij,nj->ni", self.rotation, turning)
        if self.states.shape[1] > 18:
            found = found + self.states[:, 19:22]
        return np.asarray(found)

    def height(self) -> Array:
        """Of the centre of mass above the floor [m]."""
        found = (self.up * self.arm(self.mode)).sum(axis=1)
        return np.asarray(found + self.states[:, 18] if self.states.shape[1] > 18 else found)

    def heights(self) -> Array:
        """Of all corners above the floor [m]; of a round base, of its lowest point."""
        z = self.height()[:, None]
        if self.body.radius is not None:
            level = np.hypot(self.up[:, 0], self.up[:, 1])[:, None]
            return np.asarray(z - self.h * self.up[:, 2:] - self.body.radius * level)
        return np.asarray(z + self.up @ self.corners.T)

    def moment_of_momentum(self) -> Array:
        """About the centre of mass, in the ground's axes."""
        return np.asarray(np.einsum("nij,nj->ni", self.rotation, self.spin @ self.inertia.T))

    def energies(self) -> Array:
        """Kinetic, and of the weight above upright rest [J]."""
        turning = np.einsum("ni,ij,nj->n", self.spin, self.inertia, self.spin)
        kinetic = (self.mass * (self.velocity() ** 2).sum(axis=1) + turning) / 2
        return np.asarray(kinetic + self.mass * self.g * (self.height() - self.h))
