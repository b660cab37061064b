"""Attitudes of a body in space, for the independent solution and the tests."""

from __future__ import annotations

import math

import numpy as np

UP = np.array([0.0, 0.0, 1.0])


def turning(axis, angle):
    """The matrix of a rotation by ``angle`` [rad] about ``axis``."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def leaning(tilt, azimuth, yaw=0.0):
    """The attitude R of a body turned by ``yaw``, then leant by ``tilt`` to ``azimuth`` [rad]."""
    lean = turning((-math.sin(azimuth), math.cos(azimuth), 0.0), tilt)
    return lean @ turning(UP, yaw)


def quaternion(R):
    """(w, x, y, z) of a matrix whose rotation is less than π."""
    w = math.sqrt(1 + np.trace(R)) / 2
    return np.array([w, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / [
        1, 4 * w, 4 * w, 4 * w
    ]  # fmt: skip


def matrix(q):
    w, x, y, z = q / math.sqrt(q @ q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def cross(a, b):
    """a x b of two vectors: NumPy's own takes ten times as long."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )
