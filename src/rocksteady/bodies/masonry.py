"""A masonry building as one mass on an interface that wears: mass and material parameters."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from rocksteady.bodies.storey import Storey
from rocksteady.bodies.system import Coordinate, System
from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.status import Status

PRESETS = ("casalotti2025",)
CASALOTTI_STOREY = Storey(length=4.115, width=3.905, height=4.42, wall=0.228, slab=0.152)
"""The building of Casalotti et al. 2025, section 2, in metres; openings and densities are ours."""
CASALOTTI_MASS = 23e3  # kg: its participating mass, rounded
MAY_BE_ZERO = ("damping", "hardening_limit")  # all others must be positive


@dataclass(frozen=True)
class MasonryBuilding(System):
    """A building on an interface that carries the base shear and adheres, slips, hardens and
    wears (Casalotti et al. 2025, Fig. 2).

    Parameters
    ----------
    mass
        Mass m [kg].
    contact_area
        Area A_c of the interface [m²]: force = A_c · stress. Multiplying it by c and dividing
        stiffness, threshold, hardening_limit and wear_energy by c gives the same building.
    stiffness
        Stiffness k_a of the adhering interface [N/m³].
    threshold
        Stress τ_0 at which it first slips [N/m²].
    hardening_rate
        Rate a of the exponential hardening [1/m].
    hardening_limit
        Largest increase A∞ of the threshold by hardening [N/m²].
    wear_energy, wear_exponent
        Γ [N/m · m^(1/γ); N/√m for γ = 2] and γ [-]: wear grows by (W/Γ)^γ per unit of hardening.
    damping
        Viscous damping c [N s/m]; none in the paper.

    Examples
    --------
    >>> house = MasonryBuilding.casalotti2025()
    >>> round(house.elastic_force), round(1e3 * house.elastic_displacement, 3)
    (60005, 0.58)
    """

    coordinate = Coordinate(
        "u", "m", "u", "u₀", "largest |u| over the displacement at which it first slips", "v"
    )
    ends = Status.COLLAPSED
    filmed = True
    named_by = ("mass",)
    tabulated = ("period",)

    mass: float
    contact_area: float
    stiffness: float
    threshold: float
    hardening_rate: float
    hardening_limit: float
    wear_energy: float
    wear_exponent: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(MasonryBuilding):  # those of a subclass are its own
            self._check(field.name, zero=field.name in MAY_BE_ZERO)

    @classmethod
    def casalotti2025(cls, mass: float = CASALOTTI_MASS, damping: float = 0.0) -> Self:
        """The single-storey building of the paper's Table 1, without viscous damping [N s/m].

        A_c = 16.07 m² is the area of its plan, 4.115 m × 3.905 m.

        The text available to us does not give the mass [kg]. The default follows from the drawings
        (section 2): walls of 0.228 m, 4.42 m high, under a concrete slab of 0.152 m. The slab has
        6.1 t. The walls have 23.8 t with our assumptions, 1800 kg/m³ and openings of 10 %, and 18.8
        to 29.4 t with 1600 to 2000 kg/m³ and openings of 20 to 0 %. That makes

        - 25 to 36 t for the whole building, which moves if it slides on its base as a rigid body;
        - 15 to 21 t for the slab and half of the walls, the usual mass on a spring;
        - 19 to 27 t for the mass that takes part if the walls lean in a straight line: with this
          one Eq. 5 has the base shear right. Its middle, 23.1 t, rounded to 23 t, is the default.

        Examples
        --------
        >>> house = MasonryBuilding.casalotti2025()
        >>> house.mass, round(house.period, 3)
        (23000.0, 0.094)
        """
        return cls(
            mass=mass,
            contact_area=16.07,
            stiffness=6.438e6,
            threshold=3734.0,
            hardening_rate=500.0,
            hardening_limit=2489.0,
            wear_energy=4.0,
            wear_exponent=2.0,
            damping=damping,
        )

    @classmethod
    def preset(cls, name: str, mass: float = CASALOTTI_MASS) -> Self:
        """A building from the literature by its name, with this mass [kg] or its own."""
        if name not in PRESETS:
            raise InputError(f"There is no preset {name!r}: use {', '.join(PRESETS)}.")
        building: Self = getattr(cls, name)(mass)
        return building

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        if preset is None:
            return super().from_values(values)
        return replace(cls.preset(preset), **values)

    @classmethod
    def made_by(
        cls, values: dict[str, Any], preset: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        if preset in PRESETS and set(values) <= {"mass"}:
            return preset, values
        return super().made_by(values, preset)

    @property
    def label(self) -> str:
        """In words: "40 t masonry building"."""
        return f"{self.mass / 1e3:.4g} t masonry building"

    @property
    def limits(self) -> tuple[float, float]:
        """The displacement u₀ [m] at which the unworn interface first slips, to either side."""
        return self.elastic_displacement, self.elastic_displacement

    @property
    def free_rate(self) -> float:
        """Its natural frequency [rad/s]."""
        return self.natural_frequency

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        return f"{values['mass'] / 1e3:.4g} t"

    # -- measurable quantities ------------------------------------------------------------------

    @property
    def elastic_stiffness(self) -> float:
        """Force per displacement before any wear, k_a A_c [N/m]."""
        return self.stiffness * self.contact_area

    @property
    def natural_frequency(self) -> float:
        """Circular frequency of small vibrations before any wear, sqrt(k_a A_c / m) [rad/s]."""
        return math.sqrt(self.elastic_stiffness / self.mass)

    @property
    def period(self) -> float:
        """Period of small vibrations before any wear [s]."""
        return 2 * math.pi / self.natural_frequency

    @property
    def damping_ratio(self) -> float:
        """Share of critical damping of the unworn building [-]."""
        return self.damping / (2 * self.mass * self.natural_frequency)

    @property
    def elastic_force(self) -> float:
        """Base shear at which the unworn interface first slips, τ_0 A_c [N]."""
        return self.threshold * self.contact_area

    @property
    def elastic_displacement(self) -> float:
        """Displacement at which the unworn interface first slips, τ_0 / k_a [m]."""
        return self.threshold / self.stiffness

    @property
    def strength(self) -> float:
        """Base shear after full hardening without wear, (τ_0 + A∞) A_c [N]."""
        return (self.threshold + self.hardening_limit) * self.contact_area

    def worn_frequency(self, wear: float) -> float:
        """Circular frequency of small vibrations after wear w, ω sqrt(1 − w) [rad/s]."""
        if not 0 <= real(wear) <= 1:
            raise InputError(f"wear = {wear!r} is not allowed: it is a share, between 0 and 1.")
        return self.natural_frequency * math.sqrt(1 - wear)
