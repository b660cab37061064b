"""A case: one body on one floor under one motion, in one or several theories."""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, FiniteFloat, model_validator

from rocksteady.bodies import Rocker, System
from rocksteady.motion import Motion
from rocksteady.specs.body import BodySpec
from rocksteady.specs.floor import FloorSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.spec import Spec
from rocksteady.specs.study import Until
from rocksteady.specs.theory import TheorySpec
from rocksteady.theories.registry import suitable

START = ("theta0", "omega0", "x0", "v0", "direction")
"""What `simulate` takes to begin with."""


class CaseSpec(Spec):
    """What one asks of :func:`rocksteady.simulate`, for each of the theories."""

    body: BodySpec
    motion: MotionSpec | None = None
    """The ground's motion; none for free motion from the initial state."""
    floor: FloorSpec | None = None
    """Where the body stands; on the ground unless given."""
    theories: list[TheorySpec] = Field(default=[], max_length=12)
    """The usual one for the body unless given."""
    theta0: FiniteFloat = 0.0
    """Initial rotation of a rocking body [rad]."""
    omega0: FiniteFloat = 0.0
    """Initial angular velocity [rad/s]."""
    x0: FiniteFloat = 0.0
    """Initial displacement of a building or a sliding body [m]."""
    v0: FiniteFloat = 0.0
    """Initial velocity of it [m/s]."""
    direction: FiniteFloat = 0.0
    """In which a body in space leans at first, in degrees from x towards y."""
    until: Until = "rest"
    """When the run ends, as in a study."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.motion is None and self.floor is not None:
            raise ValueError("floor needs a motion of the ground, and none was given")
        return self

    @property
    def start(self) -> dict[str, float]:
        """How the body begins, where that is not at rest upright."""
        given = {name: getattr(self, name) for name in START}
        return {name: value for name, value in given.items() if value}

    def build(self, folder: Path = Path()) -> list[dict[str, Any]]:
        """The arguments of :func:`rocksteady.simulate`, of one run for each theory. Paths begin in
        ``folder``."""
        body = self.body.build(folder)
        motion = self.felt(body, folder)
        theories = [suitable(theory.build(), body) for theory in self.theories]
        return [
            {
                "system": body,
                "motion": motion,
                "formulation": theory,
                **self.start,
                "until": self.until,
            }
            for theory in theories or [suitable(None, body)]
        ]

    def felt(self, body: System, folder: Path = Path()) -> Motion | None:
        """The motion under the body's feet: the floor's, or the ground's."""
        if self.motion is None:
            return None
        motion = self.motion.build(folder, unit_of(body))
        return motion if self.floor is None else self.floor.build().motion(motion)

    def summary(self) -> str:
        """A line for each part."""
        lines = {
            "body": str(self.body),
            "motion": str(self.motion or ""),
            "floor": str(self.floor or ""),
            "theories": "; ".join(map(str, self.theories)),
            "start": ", ".join(f"{name} = {value:g}" for name, value in self.start.items()),
            "until": str(self.until),
        }
        return "\n".join(f"{name}: {text}" for name, text in lines.items() if text)


def unit_of(body: System) -> Rocker | None:
    """The body in whose p and α a pulse may be given, if it is one that has them."""
    found: Any = body if body.rocks and not body.spatial else None
    return found  # type: ignore[no-any-return]
