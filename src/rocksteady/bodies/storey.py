"""Mass of a building of one storey from its drawings: brick walls under a concrete slab."""

from dataclasses import dataclass, fields

from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive


@dataclass(frozen=True)
class Storey:
    """Walls around a rectangular plan under a slab; its masses follow from the drawings.

    Parameters
    ----------
    length, width
        Outer plan dimensions [m]; the slab covers them.
    height
        Height with the slab [m].
    wall
        Thickness of the walls [m].
    slab
        Thickness of the slab [m].
    openings
        Share of the walls that doors and windows take [-].
    brickwork, concrete
        Density of walls and slab [kg/m³].
    """

    length: float
    width: float
    height: float
    wall: float
    slab: float
    openings: float = 0.1
    brickwork: float = 1800.0
    concrete: float = 2500.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name != "openings":
                positive(field.name, getattr(self, field.name))
        if not 0 <= finite("openings", self.openings) < 1:
            raise InputError(f"openings = {self.openings!r} is not allowed: a share from 0 to 1.")
        if self.slab >= self.height or 2 * self.wall >= min(self.length, self.width):
            raise InputError(
                "No room is left inside: the slab must be thinner than the height, and two walls "
                "thinner than the plan."
            )

    @property
    def plan_area(self) -> float:
        """Area of the plan [m²]."""
        return self.length * self.width

    @property
    def slab_mass(self) -> float:
        """Mass of the slab [kg]."""
        return self.plan_area * self.slab * self.concrete

    @property
    def wall_mass(self) -> float:
        """Mass of the walls, without their openings [kg]."""
        around = 2 * (self.length + self.width) - 4 * self.wall  # along their middle
        volume = around * self.wall * (self.height - self.slab)
        return volume * (1 - self.openings) * self.brickwork

    @property
    def total_mass(self) -> float:
        """Slab and walls [kg]: what a body that slides as a whole on its base moves."""
        return self.slab_mass + self.wall_mass

    @property
    def lumped_mass(self) -> float:
        """Slab and half of the walls [kg]: what a mass on a spring of the storey stands for."""
        return self.slab_mass + self.wall_mass / 2

    @property
    def participating_mass(self) -> float:
        """The mass [kg] whose inertia under the spectral acceleration is the base shear, if the
        walls lean in a straight line: (M_s + M_w/2)² / (M_s + M_w/3)."""
        return self.lumped_mass**2 / (self.slab_mass + self.wall_mass / 3)
