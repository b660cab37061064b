"""How a run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """How a run ended, as datasets store it; ``str(status)`` is it in words, and ``advice`` says
    what it means for the person who asked."""

    AT_REST = 0
    MOVING = 1
    OVERTURNED = 2
    COLLAPSED = 3
    FAILED = 4

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def fell(self) -> bool:
        """Whether the body overturned or collapsed."""
        return self in FALLEN

    @property
    def advice(self) -> str:
        """One sentence: what it means and what to do about it."""
        return _ADVICE[self]


FALLEN = (Status.OVERTURNED, Status.COLLAPSED)
_ADVICE = {
    Status.AT_REST: "It came to rest under this one motion. Its peak is no margin: another "
    "motion, or this one a little stronger, may overturn it. Many motions tell how often.",
    Status.MOVING: "It was still moving when the run ended: give a longer duration to see it out.",
    Status.OVERTURNED: "It fell under this one motion. Only many motions tell how often it falls, "
    "and whether a wider base or a lower centre of mass helps: in a single run either may hurt.",
    Status.COLLAPSED: "The building's interface is worn out and carries no more load, under these "
    "shocks; the response's fall says when. Many motions tell how often, and what helps.",
    Status.FAILED: "The method found no answer: use a finer motion (resampled) or another "
    "formulation, and distrust what was computed so far.",
}


@dataclass(frozen=True)
class Fall:
    """The end of a run in which a body overturned or a building collapsed."""

    time: float
    """When it leaned past its balance angle for good [s]; when a building had worn out.

    Formulations end a fall at different leans, on the ground or before it. This instant they share.
    """
    direction: str
    """``"right"`` (+x) or ``"left"``; empty for a building."""

    def __str__(self) -> str:
        where = f"to the {self.direction}" if self.direction else "down"
        return f"{where} at {self.time:.3g} s"
