"""What limit analysis found: multiplier, forces, mechanism and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.limit_analysis.contacts import Contacts
from rocksteady.analysis.limit_analysis.words import limit_words, mechanism_words
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.assembly.joints import Joint
from rocksteady.bodies.support import Point
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STILL = 1e-6  # of the fastest speed: slower is at rest
COLLAPSES, CANNOT_FAIL, FALLS = "collapses", "cannot fail", "does not stand"


class Hinge(NamedTuple):
    """A joint that opens about one of its ends."""

    joint: int
    """Its number in ``joints``."""
    end: int
    """The end that stays closed, 0 or 1; the other one opens."""
    point: Point
    """Where the hinge is [m]."""


@dataclass(frozen=True, eq=False)
class LimitLoad:
    """The load at which an assembly of rigid stones collapses.

    Arrays have an entry per joint or per stone of the assembly, in their order.
    """

    assembly: Assembly
    joints: tuple[Joint, ...]
    status: str
    """"collapses", "cannot fail" (no multiplier is too large) or "does not stand" (under its own
    weight)."""
    multiplier: float
    """Collapse multiplier λ of the live load [-]: infinite if it cannot fail, nan if it does not
    stand."""
    forces: Array
    """(joints, 3): N₀, N₁ at the two ends of each joint and T along it [N], on stone a at λ."""
    link_forces: Array
    """The pull of each link [N] at λ."""
    velocities: Array
    """(stones, 3): the mechanism, velocity (x, y) of the centre of mass and turning rate of each
    stone, scaled so that the fastest centre moves at 1 m/s."""
    contacts: Contacts
    sliding: bool
    """Whether joints may slide."""
    residual: float
    """The largest force that is not balanced, over the whole weight."""
    friction_rule: str = "associated"
    range: tuple[float, float] | None = None
    """The least and the largest estimate of λ without dilatancy, if the rule is "estimate"."""
    rounds: int = 1
    """How many linear programs were solved for the multiplier."""
    settled: bool = True
    """Whether the iteration of the estimate came to rest."""
    live: str = "weight"
    """What the multiplier multiplies: "weight" or "forces"."""

    @property
    def stands(self) -> bool:
        """Whether it stands under its own weight."""
        return self.status != FALLS

    @cached_property
    def _rates(self) -> tuple[Array, Array]:
        return self.contacts.rates(self.velocities)

    @property
    def openings(self) -> Array:
        """(joints, 2): the rate at which each end opens in the mechanism [m/s]."""
        return self._rates[0]

    @property
    def slips(self) -> Array:
        """The rate at which each joint slips, stone a along the joint's tangent [m/s]."""
        return self._rates[1]

    @cached_property
    def hinges(self) -> tuple[Hinge, ...]:
        """The joints that open about an end."""
        # A sliding joint opens by μ |slip| at both ends (dilatancy): what is left is rotation.
        lift = self.openings - self.openings.min(axis=1, keepdims=True)
        return tuple(
            Hinge(int(j), end, self.joints[j].ends[end])
            for j in np.flatnonzero(lift.max(axis=1, initial=0.0) > STILL)
            for end in [int(np.argmin(lift[j]))]
        )

    @cached_property
    def sliding_joints(self) -> tuple[int, ...]:
        """The numbers of the joints that slide."""
        return tuple(int(j) for j in np.flatnonzero(np.abs(self.slips) > STILL))

    @cached_property
    def moving(self) -> NDArray[np.int64]:
        """The numbers of the stones that move in the mechanism."""
        size = np.array([stone.reach for stone in self.assembly])
        speed = np.hypot(*self.velocities[:, :2].T) + np.abs(self.velocities[:, 2]) * size
        return np.flatnonzero(speed > STILL)

    @property
    def mechanism(self) -> str:
        """The mechanism in words."""
        return mechanism_words(self)

    @property
    def words(self) -> str:
        """What was found and what it means, in a few sentences."""
        return limit_words(self)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the mechanism and the forces in the joints."""
        return imported("rocksteady.view.assembly.mechanism:plot_mechanism")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<LimitLoad: {self.words}>"


def scaled(velocities: Array) -> Array:
    """Velocities with 1 m/s at the fastest centre of mass, exactly zero where nothing moves."""
    fastest = float(np.hypot(*velocities[:, :2].T).max(initial=0.0))
    return velocities / fastest if fastest else velocities
