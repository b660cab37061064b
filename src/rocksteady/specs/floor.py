"""A floor of a building: storeys, fundamental period, damping and level; or its modes."""

from typing import Self

from pydantic import Field, FiniteFloat, PositiveFloat, model_validator

from rocksteady.motion.floors import Floor, Mode
from rocksteady.specs.spec import Spec

_OF_STOREYS = ("period", "damping", "storeys", "level")


class FloorSpec(Spec):
    """``[floor]``: where the bodies stand. Motions are those of the ground, and so are their
    ``pga`` and ``pgv``; each is turned into the floor's after it is scaled."""

    period: PositiveFloat | None = None
    """Fundamental period of the building [s]."""
    damping: PositiveFloat | None = None
    """Damping ratio of its modes; 0.05 unless given."""
    storeys: int | None = Field(default=None, ge=1)
    """How many, all alike; 1 unless given."""
    level: int | None = Field(default=None, ge=0)
    """The floor in question, from 1; the roof unless given."""
    modes: list[list[FiniteFloat]] | None = Field(default=None, min_length=1)
    """Instead of all these, the modes: period [s], participation Γφ at the floor [-], and if you
    like damping [-] of each, as in ``[[0.5, 1.24], [0.17, -0.33, 0.03]]``."""

    @classmethod
    def of(cls, floor: Floor) -> Self:
        """The description of a floor, from which `build` makes the same again."""
        return cls.model_validate(floor.described())

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in _OF_STOREYS if getattr(self, name) is not None]
        if self.modes is None:
            if self.period is None:
                raise ValueError("give the building's period [s], or its modes")
        elif given:
            raise ValueError(f"`{given[0]}` and `modes` were both given: give one of them")
        for mode in self.modes or ():
            if len(mode) not in (2, 3):
                raise ValueError(
                    f"{mode} is not a mode: give its period, participation and, if you like, "
                    "damping, as in [0.5, 1.24, 0.05]"
                )
        return self

    def build(self) -> Floor:
        """The floor."""
        if self.modes is not None:
            periods, weights, dampings = zip(*(Mode(*mode) for mode in self.modes), strict=True)
            return Floor.of_modes(periods, weights, dampings)
        given = {name: getattr(self, name) for name in _OF_STOREYS}
        return Floor(**{name: value for name, value in given.items() if value is not None})

    def summary(self) -> str:
        """Such as "roof of a 4-storey building, T1 0.5 s, damping 5 %"."""
        return str(self.build())
