"""What all generators share: what stones are made of, the ground, and how many there may be."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rocksteady.bodies.assembly.checks import MOST_STONES
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.bodies.support import Point
from rocksteady.numbers import whole

GROUND = "ground"
CATCH = 2.0  # heights beside the structure: a column that falls as one reaches one height
DEPTH = 0.15  # of the ground, over the height of the structure


class Material(NamedTuple):
    """Density [kg/m³] and thickness across the plane [m]."""

    density: float
    thickness: float

    def box(self, x: float, y: float, width: float, height: float, name: str) -> Stone:
        """A rectangle with its lower left corner at (x, y) [m]."""
        return Stone.box(x, y, width, height, name=name, **self._asdict())

    def stone(self, outline: Sequence[Point], name: str) -> Stone:
        """A polygon."""
        return Stone((tuple(outline),), name=name, **self._asdict())


def with_ground(stones: Iterable[Stone]) -> tuple[Stone, ...]:
    """The stones on a fixed ground, wide enough for what falls."""
    stones = tuple(stones)
    corners = [corner for stone in stones for corner in stone.corners]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    height = high - low
    side, depth = CATCH * height, DEPTH * height
    ground = Stone.box(
        left - side, low - depth, right - left + 2 * side, depth, name=GROUND, fixed=True
    )
    return ground, *stones


def counted(name: str, value: int, least: int = 1, most: int = MOST_STONES) -> int:
    """A whole number, or an error."""
    return whole(name, value, least, most)
