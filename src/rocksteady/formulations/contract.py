"""What every formulation offers, and what happens to a body between two samples.

A formulation is one pure scalar step, compiled by Numba and called by every driver:

    advance(state, params, ground0, ground1, dt) -> (state, used, event)

``state`` and ``params`` are flat tuples of floats; the first two of the state are the coordinate by
which the body is judged and its rate (θ [rad] and ω [rad/s] for everything that rocks). Arrays,
such as the contact points of a bed, travel in ``params``.
``ground0`` and ``ground1`` are the ground's (a_h, a_v) [m/s²] at both ends of an interval of length
``dt`` [s], linear between. The step goes as far as it can be trusted, at most ``dt``, and stops
wherever something happens: ``used`` says how far it came, ``event`` what it met there. What takes
no time (an impact) is a step of its own with ``used == 0``, so that a driver sees the state on both
sides of it. Whoever calls goes on with the rest of the interval.

A step that does not stop at turning points has an attribute that finds the one it passed, where the
rate has changed its sign, as the time from the step's start and the coordinate:

    advance.turning(state, params, ground0, ground1, dt, used) -> (time, coordinate)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.kernel import fused_kernel, kernel

Numbers = tuple[float, ...]
Array = NDArray[np.float64]

# What an `advance` can meet. Plain integers: they are constants inside compiled code.
NOTHING = 0
UPLIFT = 1  # it leaves full contact
TURN = 2  # the velocity is zero: an extremum of the rotation
IMPACT = 3  # the velocity jumps; the step took no time
REST = 4  # it comes to rest without an impact
OVERTURN = 5  # it lies on its side: nothing more to follow
FAILURE = 6  # the method could not find an answer

__all__ = [
    "EVENT_NAMES",
    "FAILURE",
    "IMPACT",
    "NOTHING",
    "OVERTURN",
    "REST",
    "TURN",
    "UPLIFT",
    "Array",
    "Formulation",
    "Glide",
    "LossParameter",
    "Numbers",
    "kernel",
    "partway",
]

EVENT_NAMES = ("nothing", "uplift", "turn", "impact", "rest", "overturn", "failure")


@fused_kernel
def partway(ground0, ground1, fraction):  # type: ignore[no-untyped-def]
    """The ground's acceleration after a fraction of the interval."""
    return (
        ground0[0] + fraction * (ground1[0] - ground0[0]),
        ground0[1] + fraction * (ground1[1] - ground0[1]),
    )


class LossParameter(NamedTuple):
    """What sets the loss at an impact: a parameter of the formulation and where to search it.

    A formulation that has any offers ``loss_parameters(system)``, the usual one first; see
    :func:`rocksteady.calibrate`.
    """

    name: str
    low: float
    high: float
    instead_of: tuple[str, ...] = ()
    """Parameters that say the same in another form."""


class Glide(NamedTuple):
    """What many bodies side by side are followed with."""

    attempt: Any
    """A branch-free attempt at a whole interval in which nothing happens,

        attempt(state, params, ground0, ground1, dt, 1 / dt) -> (state, reach, ok)

    Where ``ok`` the state has the bits of `advance`. ``reach`` bounds an extreme of the coordinate
    that was passed on the way; 0 where there was none.
    """
    step: Any
    """The `advance` for where it fails; it need not follow what the attempt does not."""
    tolerance: int | None = None
    """Which parameter is the tolerance of a step, if one is."""
    unfollowed: int | None = None
    """Which number of the state is not followed, if one is not: it comes back as nan."""


@runtime_checkable
class Formulation(Protocol):
    """How a body moves: one paper, one file.

    It may offer more: ``loss_parameters(system)`` (see `LossParameter`); ``slide(system, states)``,
    how far it has slid [m]; ``lifted(system, states)``, where a corner is off its soft bed, and the
    same as ``advance.lifted(state, params)`` of its compiled step; ``doubt(system, states)``, a
    sentence where a run should not be trusted; ``gradual``, true where an impact has an event of
    its own and yet takes time, so that energies are better compared from peak to peak;
    ``glide_for(system)``, a `Glide`, by which ensembles follow many bodies side by side.
    """

    name: ClassVar[str]
    bodies: ClassVar[tuple[type, ...]]
    """The kinds of body it can move."""
    compliant: ClassVar[bool]
    """Whether contact is soft: velocities never jump, and an impact is a passage through θ = 0 at
    the end of a swing in which a corner left the bed."""

    def columns(self, system: Any) -> tuple[str, ...]:
        """Name and unit of each entry of the state, e.g. ``"theta [rad]"``."""

    def advance_for(self, system: Any) -> Callable[..., Any]:
        """The compiled step for this kind of body."""

    def parameters(self, system: Any) -> tuple[Any, ...]:
        """What the step needs to know of the body, checked. Made anew for every run: a body that
        is more than a few numbers (contact points, a mesh) keeps its workspace here."""

    def start(self, system: Any, theta0: float, omega0: float) -> Numbers:
        """The state at time zero."""

    def check_vertical(self, system: Any, a_v: Array) -> None:
        """Refuse a vertical ground acceleration [m/s²] that the theory does not cover."""

    def time_step(self, system: Any) -> float | None:
        """The step [s] the formulation prescribes, or None where the motion's own will do."""

    def energy(self, system: Any, states: Array) -> Array:
        """Mechanical energy [J] of each row of ``states``; zero at rest upright."""

    def at_rest(self, system: Any, states: Array) -> NDArray[np.bool_]:
        """Which rows of ``states`` stay as they are while the ground does not move."""

    def doomed(self, system: Any, state: Array) -> bool:
        """Whether the body will fall from here though the ground never moves again."""
