"""What all bodies that lean about the corners of their base have in common."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from rocksteady.errors import InputError
from rocksteady.systems.system import Coordinate, System

if TYPE_CHECKING:
    from rocksteady.systems.block import Block


class Side(NamedTuple):
    """Geometry and inertia of the block relative to one pivot corner."""

    b: float  # horizontal distance from the pivot to the centre of mass [m]
    R: float  # distance from the pivot to the centre of mass [m]
    alpha: float  # angle of R with the vertical [rad]: the block balances at |θ| = alpha
    inertia: float  # moment of inertia about the pivot [kg m²]
    p: float  # frequency parameter sqrt(m g R / inertia) [rad/s]


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
