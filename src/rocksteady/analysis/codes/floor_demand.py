"""The action on a floor by Circolare 7/2019: floor spectra C7.2.5 to C7.2.10, displacement demand
C8.7.1.12. For local mechanisms the first mode is enough (C8.7.1.2.1.8); given modes are all used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from rocksteady.analysis.codes.result import INPUT, Line
from rocksteady.analysis.codes.site import Site, clauses_of
from rocksteady.motion import floor_spectra
from rocksteady.motion.floors import Floor, Mode
from rocksteady.numerics.types import Array

WIDTH = 1.1  # b of C7.2.5: the largest amplification ends at b T_1


@dataclass(frozen=True)
class _Ground:
    """The ground's spectrum, also beyond the longest period that the codes write down."""

    site: Site
    damping: float = 0.05

    def acceleration(self, period: ArrayLike) -> Array:
        return self.site.ground(period, self.damping)

    def with_damping(self, damping: float) -> "_Ground":
        return _Ground(self.site, damping)


def modes_of(site: Site) -> Sequence[Mode]:
    """The modes that were given; of equal storeys the first, its shape a straight line."""
    floor = _floor_of(site)
    if floor.given:
        return floor.given
    high = floor.relative_height or 0.0
    return [floor_spectra.circolare_first_mode(floor.period, floor.storeys, high, floor.damping)]


def _floor_of(site: Site) -> Floor:
    assert site.floor is not None
    return site.floor


def peak(site: Site) -> float:
    """a_Z [m/s²] (C7.2.8), not below the ground's: near the foot one mode has next to none."""
    return max(
        floor_spectra.circolare_peak_acceleration(_Ground(site), modes_of(site)),
        float(site.spectrum.pga),
    )


def acceleration(site: Site, period: ArrayLike, damping: float) -> Array:
    """S_eZ(T, ξ, z) [m/s²] (C7.2.5)."""
    return floor_spectra.circolare_floor_spectrum(_Ground(site), modes_of(site), period, damping)


def least_displacement(site: Site, period: float, damping: float) -> float:
    """S_eZ(T_1, ξ, z) b² T_1²/4π² [m], below which the demand does not fall where T > b T_1
    (C8.7.1.12)."""
    T_1 = _floor_of(site).period
    if period <= WIDTH * T_1:
        return 0.0
    return float(acceleration(site, T_1, damping)) * (WIDTH * T_1 / (2 * math.pi)) ** 2


def lines(site: Site, part: str) -> list[Line]:
    """The floor's inputs, and its peak acceleration."""
    floor, modes = _floor_of(site), modes_of(site)
    first = max(modes, key=lambda mode: mode.period)
    said = [
        Line("T_1", "period of the building", first.period, "s", INPUT, part),
        Line("ξ_1", "damping of the building", first.damping, "", INPUT, part),
    ]
    if not floor.given:
        n, high = floor.storeys, floor.relative_height or 0.0
        said += [
            Line("n", "storeys", n, "", INPUT, part),
            Line("z/H", "height in the building", high, "", INPUT, part),
            Line("γ_1", "3n/(2n + 1)", 3 * n / (2 * n + 1), "", "C7.2.10", part),
        ]
    ordinate = float(site.ground(first.period, first.damping))
    clause = clauses_of(site.spectrum).acceleration
    return [
        *said,
        Line("γ_1 ψ_1", "participation × shape at z", first.participation, "", "C7.2.7", part),
        Line("S_e(T_1)", "ground's spectrum at T_1, ξ_1", ordinate, "m/s²", clause, part),
        Line(
            "a_Z", "peak of the floor, not below the ground's", peak(site), "m/s²", "C7.2.8", part
        ),
    ]


def displacement_lines(
    site: Site, state: str, period: float, damping: float, part: str
) -> list[Line]:
    """What the displacement demand at a limit state is made of."""
    first = max(modes_of(site), key=lambda mode: mode.period)
    A = floor_spectra.circolare_amplification(first.damping, damping)
    spectral = float(acceleration(site, period, damping))
    own = spectral * (period / (2 * math.pi)) ** 2
    least = least_displacement(site, period, damping)
    return [
        Line(f"A_{state}", "1.1 η(ξ)/√ξ_1, ξ_1 as a ratio", A, "", "C7.2.6", part),
        Line(f"S_eZ(T_{state})", "floor spectrum", spectral, "m/s²", "C7.2.5", part),
        Line(f"S_DeZ(T_{state})", "S_eZ T²/4π²", own, "m", "C8.7.1.12", part),
        Line(f"least d_{state}", "S_eZ(T_1) b² T_1²/4π²", least, "m", "C8.7.1.12", part),
    ]
