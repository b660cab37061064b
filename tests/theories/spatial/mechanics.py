"""Six freedoms and Lagrange multipliers: the smooth motion of the independent solution.

A state is x(3) q(4) v(3) w(3) and the ground's work: place of the centre of mass, quaternion, both
velocities in the ground's axes. Per unit mass; ``load`` is g z + a, what the body feels [m/s²].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from theories.spatial.attitudes import UP, cross, matrix


@dataclass(frozen=True)
class Solid:
    """A body with a polygonal base, per unit mass, in axes at its centre of mass."""

    inertia: np.ndarray
    """[m²]"""
    corners: np.ndarray
    """(n, 3), counter-clockwise seen from above [m]."""
    g: float = 9.81

    @classmethod
    def box(cls, bx, by, h, g=9.81):
        """A uniform box of these half sizes [m]; corners from (-, -)."""
        signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        inertia = np.diag([by * by + h * h, bx * bx + h * h, bx * bx + by * by]) / 3
        return cls(inertia, np.array([(sx * bx, sy * by, -h) for sx, sy in signs]), g)

    @property
    def height(self):
        """Of the centre of mass over the base [m]."""
        return -self.corners[0][2]

    def energy(self, y):
        """Kinetic and potential energy [J/kg], zero at rest upright."""
        own = matrix(y[3:7]).T @ y[10:13]
        kinetic = (y[7:10] @ y[7:10] + own @ self.inertia @ own) / 2
        return kinetic + self.g * (y[2] - self.height)

    def heights(self, y):
        """Of every corner over the ground [m]."""
        return y[2] + self.corners @ matrix(y[3:7])[2]

    def rise(self, y):
        """Vertical velocity of every corner [m/s]."""
        r = self.corners @ matrix(y[3:7]).T
        return y[9] + y[10] * r[:, 1] - y[11] * r[:, 0]

    def accelerations(self, y, load, contacts):
        """Those of all six freedoms and the normal force of each contact: one KKT system."""
        R, w = matrix(y[3:7]), y[10:13]
        inertia = R @ self.inertia @ R.T
        r = self.corners[list(contacts)] @ R.T
        ways, arms = [*np.eye(3)], [r[0]] * 3
        if len(contacts) == 2:  # along the edge the second corner is held by the first
            ways += [UP, cross(UP, r[1] - r[0])]
            arms += [r[1]] * 2
        m = len(ways)
        kkt, right = np.zeros((6 + m, 6 + m)), np.zeros(6 + m)
        kkt[:3, :3], kkt[3:6, 3:6] = np.eye(3), inertia
        for i, (way, arm) in enumerate(zip(ways, arms, strict=True)):
            kkt[6 + i, :3], kkt[6 + i, 3:6] = way, cross(arm, way)
            right[6 + i] = -way @ cross(w, cross(w, arm))
        kkt[:6, 6:] = -kkt[6:, :6].T
        right[:3], right[3:6] = -load, -cross(w, inertia @ w)
        found = np.linalg.solve(kkt, right)
        return found[:6], found[[8, 9]] if m == 5 else found[[8]]

    def lift(self, y, load, corner, held):
        """Vertical acceleration of ``corner`` when only ``held`` touches."""
        found, _ = self.accelerations(y, load, (held,))
        arm, w = matrix(y[3:7]) @ self.corners[corner], y[10:13]
        return (found[:3] + cross(found[3:], arm) + cross(w, cross(w, arm)))[2]

    def release(self, y, load, contacts, i):
        """Positive where the i-th corner of the edge leaves: it would pull, and rise if let go."""
        _, forces = self.accelerations(y, load, contacts)
        return min(-forces[i], self.lift(y, load, contacts[i], contacts[1 - i]))

    def rates(self, y, load, contacts):
        """Time derivative of the state."""
        e, i, j, k = y[3:7]
        a, b, c = y[10:13]
        found, _ = self.accelerations(y, load, contacts)
        turn = [
            -a * i - b * j - c * k,
            a * e + b * k - c * j,
            b * e + c * i - a * k,
            c * e + a * j - b * i,
        ]
        power = (self.g * UP - load) @ y[7:10]
        return np.concatenate([y[7:10], np.array(turn) / 2, found, [power]])


def tilt(y):
    """Of the body's axis from the vertical [rad]."""
    x, y, z = matrix(y[3:7])[:, 2]
    return math.atan2(math.hypot(x, y), z)
