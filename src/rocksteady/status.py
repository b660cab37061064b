"""How a run ended."""

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """How a run ended, as datasets store it. ``str(status)`` gives it in words, ``advice`` explains
    what it means."""

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
        """What it means and what to do."""
        return _ADVICE[self]


FALLEN = (Status.OVERTURNED, Status.COLLAPSED)
_ADVICE = {
    Status.AT_REST: "It came to rest under this one motion. Its peak is not a safety "
    "margin: another motion, or a slightly stronger one, may overturn it. Run many motions to find "
    "out how often.",
    Status.MOVING: "It was still moving when the run ended: give a longer duration.",
    Status.OVERTURNED: "It fell under this one motion. Run many motions to find out how often it "
    "falls, and whether a wider base or a lower centre of mass helps: in one run either may hurt.",
    Status.COLLAPSED: "A stone has fallen, or the building's interface is worn out and carries "
    "no more load; the response's fall has the time. Run many motions to find out how often, and "
    "what helps.",
    Status.FAILED: "The method found no solution: resample the motion to a smaller step or use "
    "another formulation, and do not trust the results so far.",
}


@dataclass(frozen=True)
class Fall:
    """The end of a run in which a body overturned or a building collapsed."""

    time: float
    """When it finally leaned past its balance angle, or when a building was worn out [s].

    Formulations end a fall at different leans, on the ground or before it, but all give this time.
    """
    direction: str
    """``"right"`` (+x) or ``"left"``; empty for a building. Of a body in space, over which corner
    or edge and where to at the end of the run: between ``time`` and the end it may roll on to
    another corner and turn."""

    @property
    def when(self) -> str:
        """The time, in words that follow the direction."""
        in_space = self.direction not in ("right", "left", "")
        return f"{', past balance at' if in_space else ' at'} {self.time:.3g} s"

    def __str__(self) -> str:
        side = self.direction in ("right", "left")
        where = f"to the {self.direction}" if side else self.direction or "down"
        return where + self.when
