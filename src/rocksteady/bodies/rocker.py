"""What all bodies that lean about the corners of their base have in common."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from rocksteady.bodies.support import Polygon
from rocksteady.bodies.system import Coordinate, System
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.bodies.block import Block


class Side(NamedTuple):
    """Geometry and inertia of the block relative to one pivot corner."""

    b: float  # horizontal distance from the pivot to the centre of mass [m]
    R: float  # distance from the pivot to the centre of mass [m]
    alpha: float  # angle of R with the vertical [rad]: the block balances at |θ| = alpha
    inertia: float  # moment of inertia about the pivot [kg m²]
    p: float  # frequency parameter sqrt(m g R / inertia) [rad/s]


class Stem(NamedTuple):
    """In which sizes a mass on a column is drawn [m]. In the theory the base is a line, the column
    has no thickness, and the mass is a point at its top."""

    height: float  # of the middle of the mass
    width: float  # of the base
    plate: float  # thickness of the base
    thickness: float  # of the column
    mass: float  # side of the square
    share: float  # of the mass's way that the centre of mass goes when the column bends [-]

    def bent(self, u: float = 0.0, points: int = 24) -> tuple[Polygon, ...]:
        """The outlines of base, column and mass, from the middle of the base, where the mass is by
        ``u`` [m] beside the axis: the column bends as ψ(ζ) = (3ζ² − ζ³)/2."""
        H, b, half = self.height, self.width / 2, self.mass / 2
        base = ((-b, 0.0), (b, 0.0), (b, self.plate), (-b, self.plate))
        up = [self.plate + (H - self.plate) * k / points for k in range(points + 1)]
        axis = [(u * (3 - z / H) * (z / H) ** 2 / 2, z) for z in up]
        right = [(x + self.thickness / 2, z) for x, z in axis]
        left = [(x - self.thickness / 2, z) for x, z in axis]
        slope = math.atan2(1.5 * u, H)
        along, across = half * math.cos(slope), half * math.sin(slope)
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        top = [(u + i * along + j * across, H - i * across + j * along) for i, j in ends]
        return base, (*right, *reversed(left)), tuple(top)


class Rocker(System):
    """A body that leans about the corners of its base."""

    coordinate = Coordinate(
        "theta", "rad", "θ", "α", "largest |θ|/α reached, turning points included", "ω"
    )
    rocks = True
    named_by = ("height", "width")
    tabulated = ("alpha", "p", "R")

    g: float

    @property
    def right(self) -> Side:
        """The body on its right corner."""
        raise NotImplementedError

    @property
    def left(self) -> Side:
        """The body on its left corner; the same if it is symmetric."""
        return self.right

    @property
    def weak_side(self) -> Side:
        """The side towards which it overturns more easily (either one if symmetric)."""
        return self.right if self.right.alpha <= self.left.alpha else self.left

    @property
    def symmetric(self) -> bool:
        """Whether both sides are the same."""
        return True

    @property
    def alpha(self) -> float:
        """Slenderness angle of the weak side [rad]."""
        return self.weak_side.alpha

    @property
    def p(self) -> float:
        """Frequency parameter sqrt(m g R / I) of the weak side [rad/s]."""
        return self.weak_side.p

    @property
    def R(self) -> float:
        """Distance from the pivot of the weak side to the centre of mass [m]."""
        return self.weak_side.R

    def rigid(self) -> "Block":
        """The same body as a rigid block."""
        raise NotImplementedError

    @property
    def barrier(self) -> float:
        """Energy above that of upright rest at which it balances on its weak side [J]."""
        block = self.rigid()
        return block.mass * block.g * (min(block.right.R, block.left.R) - block.com_height)

    @property
    def stem(self) -> Stem | None:
        """How a body that bends is drawn; None if it is rigid."""
        return None

    @property
    def limits(self) -> tuple[float, float]:
        """α [rad] of either side: θ/α = ±1 are the two balance points."""
        return self.right.alpha, self.left.alpha

    @property
    def free_rate(self) -> float:
        """p [rad/s]."""
        return self.p

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        return f"{values['height']:.4g} × {values['width']:.4g} m"

    def check_start(self, value: float) -> None:
        if abs(value) >= math.pi / 2:
            raise InputError(
                f"theta0 = {value!r} rad means that the body lies on its side: |theta0| must be "
                "less than π/2. Angles are in radians."
            )
