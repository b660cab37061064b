"""The action on a floor by Circolare 7/2019: floor spectra C7.2.5 to C7.2.10, displacement demand
C8.7.1.12. For local mechanisms the first mode is enough (C8.7.1.2.1.8); given modes are all used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from rocksteady.analysis.codes.result import INPUT, Line
from rocksteady.motion import floor_spectra
from rocksteady.motion.floors import Floor, Mode
from rocksteady.numerics.types import Array

WIDTH = 1.1  # b of C7.2.5: the largest amplification ends at b T_1


@dataclass(frozen=True)
class FloorDemand:
    """What a floor makes of the ground's spectrum."""

    ground: floor_spectra.GroundSpectrum
    floor: Floor
    pga: float
    """Peak acceleration of the ground [m/s²]."""
    clause: str
    """Of the ground's spectrum."""

    @property
    def modes(self) -> Sequence[Mode]:
        """The modes that were given; of equal storeys the first, its shape a straight line."""
        floor = self.floor
        if floor.given:
            return floor.given
        z = floor.relative_height or 0.0
        return [floor_spectra.circolare_first_mode(floor.period, floor.storeys, z, floor.damping)]

    @property
    def first(self) -> Mode:
        """The mode of the longest period."""
        return max(self.modes, key=lambda mode: mode.period)

    def peak(self) -> float:
        """a_Z [m/s²] (C7.2.8), not below the ground's: near the foot one mode has next to none."""
        return max(floor_spectra.circolare_peak_acceleration(self.ground, self.modes), self.pga)

    def acceleration(self, period: ArrayLike, damping: float) -> Array:
        """S_eZ(T, ξ, z) [m/s²] (C7.2.5)."""
        return floor_spectra.circolare_floor_spectrum(self.ground, self.modes, period, damping)

    def spectral_displacement(self, period: float, damping: float) -> float:
        """S_eZ(T, ξ, z) T²/4π² [m] (C8.7.1.12)."""
        return float(self.acceleration(period, damping)) * (period / (2 * math.pi)) ** 2

    def least_displacement(self, period: float, damping: float) -> float:
        """S_eZ(T_1, ξ, z) b² T_1²/4π² [m], below which the demand does not fall where T > b T_1
        (C8.7.1.12)."""
        T_1 = self.floor.period
        return self.spectral_displacement(T_1, damping) * WIDTH**2 if period > WIDTH * T_1 else 0.0

    def displacement(self, period: float, damping: float) -> float:
        """The larger of the two [m]."""
        own = self.spectral_displacement(period, damping)
        return max(own, self.least_displacement(period, damping))

    def lines(self, part: str) -> list[Line]:
        """The floor's inputs, and its peak acceleration."""
        first, n = self.first, self.floor.storeys
        said = [
            Line("T_1", "period of the building", first.period, "s", INPUT, part),
            Line("ξ_1", "damping of the building", first.damping, "", INPUT, part),
        ]
        if not self.floor.given:
            z = self.floor.relative_height or 0.0
            said += [
                Line("n", "storeys", n, "", INPUT, part),
                Line("z/H", "height in the building", z, "", INPUT, part),
                Line("γ_1", "3n/(2n + 1)", 3 * n / (2 * n + 1), "", "C7.2.10", part),
            ]
        own = float(self.ground.with_damping(first.damping).acceleration(first.period))
        peak = "peak of the floor, not below the ground's"
        return [
            *said,
            Line("γ_1 ψ_1", "participation × shape at z", first.participation, "", "C7.2.7", part),
            Line("S_e(T_1)", "ground's spectrum at T_1, ξ_1", own, "m/s²", self.clause, part),
            Line("a_Z", peak, self.peak(), "m/s²", "C7.2.8", part),
        ]

    def displacement_lines(
        self, state: str, period: float, damping: float, part: str
    ) -> list[Line]:
        """What the displacement demand at a limit state is made of."""
        A = floor_spectra.circolare_amplification(self.first.damping, damping)
        spectral = float(self.acceleration(period, damping))
        own = self.spectral_displacement(period, damping)
        least = self.least_displacement(period, damping)
        return [
            Line(f"A_{state}", "1.1 η(ξ)/√ξ_1, ξ_1 as a ratio", A, "", "C7.2.6", part),
            Line(f"S_eZ(T_{state})", "floor spectrum", spectral, "m/s²", "C7.2.5", part),
            Line(f"S_DeZ(T_{state})", "S_eZ T²/4π²", own, "m", "C8.7.1.12", part),
            Line(f"least d_{state}", "S_eZ(T_1) b² T_1²/4π²", least, "m", "C8.7.1.12", part),
        ]
