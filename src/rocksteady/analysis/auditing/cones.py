"""Whether a change of momentum can come from contacts: pushes that only press, within friction.

The impulses that contacts may give make a cone: a sum of *generators* with factors ≥ 0, the two (in
space: many) edges of the friction cone of every point that touches. What is lacking is the distance
of the change of momentum from that cone, by least squares. No force of the theory enters.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import nnls

from rocksteady.numerics.types import Array

SIDES_OF_CONE = 24  # of the friction cone in space, drawn around it: at most 0.9 % too wide


def lacking(generators: Array, change: Array) -> float:
    """Distance of a ``change`` (n) from the cone of ``generators`` (n, m)."""
    if not generators.shape[1]:
        return float(np.linalg.norm(change))
    return impulses(generators, change)[1]


def impulses(generators: Array, change: Array) -> tuple[Array, float]:
    """The factors of the generators that come nearest to the change, and what is lacking."""
    factors, left = nnls(generators, change, maxiter=50 * generators.shape[1])
    return factors, float(left)


def planar_edges(normal: Array, friction: float) -> Array:
    """The edges (2, 2) of the friction cone about a unit ``normal``, in the columns; where
    ``friction`` is infinite the normal and both tangents."""
    tangent = np.array([-normal[1], normal[0]])
    if math.isinf(friction):
        return np.stack([normal, tangent, -tangent], axis=1)
    return np.stack([normal + friction * tangent, normal - friction * tangent], axis=1)


def spatial_edges(friction: float) -> Array:
    """Edges (3, n) of the friction cone about the vertical."""
    angle = np.arange(SIDES_OF_CONE) * 2 * math.pi / SIDES_OF_CONE
    wide = friction / math.cos(math.pi / SIDES_OF_CONE)
    return np.stack([wide * np.cos(angle), wide * np.sin(angle), np.ones(SIDES_OF_CONE)])
