"""The outlines of the presets: x over the width of the base, from its middle, and y over the full
height [-], counter-clockwise from the left end of the base."""

from collections.abc import Sequence
from typing import NamedTuple

from rocksteady.bodies.support import Point, Polygon


class Part(NamedTuple):
    """A homogeneous part of a preset."""

    outline: Polygon
    section: str
    """"square" or "round": what it is across the picture."""
    share: float = 1.0
    """Its density over that of the preset [-]."""


def mirrored(profile: Sequence[Point]) -> Polygon:
    """The outline whose right side is ``profile``, from the floor upwards."""
    right = tuple(profile)
    left = tuple((-x, y) for x, y in right[::-1] if x > 0)
    return (left[-1], *right, *left[:-1])


_PLINTH = (
    (0.5, 0.0), (0.5, 0.05), (0.44, 0.07), (0.44, 0.53), (0.5, 0.55), (0.5, 0.59),
)  # fmt: skip
_VASE = (
    (0.22, 0.59), (0.22, 0.61), (0.1, 0.645), (0.1, 0.665), (0.24, 0.7), (0.35, 0.75),
    (0.4, 0.8), (0.39, 0.84), (0.33, 0.885), (0.22, 0.92), (0.17, 0.945), (0.17, 0.965),
    (0.24, 0.99), (0.25, 1.0),
)  # fmt: skip

BOX: Polygon = ((-0.5, 0.0), (0.5, 0.0), (0.5, 1.0), (-0.5, 1.0))
OBELISK = mirrored([(0.5, 0.0), (0.34, 0.93), (0.0, 1.0)])
PLINTH = mirrored(_PLINTH)
VASE_PART = mirrored(_VASE)
"""Where it stands on its plinth."""
VASE = mirrored([(x / 0.44, (y - 0.59) / 0.41) for x, y in _VASE])
"""On its own."""
VASE_ON_PLINTH = mirrored(_PLINTH + _VASE)
COLUMN = mirrored(
    [
        (0.5, 0.0), (0.5, 0.025), (0.47, 0.03), (0.48, 0.05), (0.43, 0.06), (0.41, 0.08),
        (0.405, 0.3), (0.39, 0.55), (0.36, 0.8), (0.34, 0.91), (0.37, 0.92), (0.36, 0.93),
        (0.43, 0.955), (0.48, 0.97), (0.48, 1.0),
    ]
)  # fmt: skip
STATUE: Polygon = (
    (-0.5, 0.0), (0.5, 0.0), (0.5, 0.055), (0.36, 0.06), (0.34, 0.09), (0.3, 0.16),
    (0.27, 0.28), (0.28, 0.4), (0.31, 0.5), (0.34, 0.57), (0.4, 0.62), (0.41, 0.67),
    (0.38, 0.75), (0.34, 0.81), (0.24, 0.845), (0.1, 0.86), (0.085, 0.885), (0.13, 0.91),
    (0.145, 0.95), (0.11, 0.985), (0.03, 1.0), (-0.05, 0.988), (-0.09, 0.955), (-0.085, 0.915),
    (-0.05, 0.885), (-0.07, 0.86), (-0.22, 0.84), (-0.31, 0.8), (-0.36, 0.7), (-0.38, 0.58),
    (-0.36, 0.47), (-0.3, 0.43), (-0.29, 0.35), (-0.3, 0.2), (-0.34, 0.1), (-0.37, 0.06),
    (-0.5, 0.055),
)  # fmt: skip
