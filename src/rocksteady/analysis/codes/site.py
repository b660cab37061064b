"""Where a body stands: the code's spectrum, on the ground or on a floor of a building."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from rocksteady.analysis.codes.floor_demand import FloorDemand
from rocksteady.analysis.codes.result import INPUT, Line
from rocksteady.errors import InputError
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.motion.floors import Floor
from rocksteady.numerics.types import Array

LONGEST = 4.0  # s: the spectra are written down to here
_WEAKEST, _STRONGEST, _LEVELS = 1e-4, 20.0, 150  # a_g [g] between which a limit is looked for


@dataclass(frozen=True)
class Site:
    """The seismic action: a spectrum of the ground, and the floor that the body stands on."""

    spectrum: Eurocode8 | Ntc2018
    floor: Floor | None = None
    """What the body stands on; None: the ground."""
    g: float = 9.81

    @property
    def above(self) -> FloorDemand | None:
        """The action on the floor; None on the ground, which level 0 of a building is, too."""
        if self.floor is None or self.floor.relative_height == 0:
            return None
        clause = clauses_of(self.spectrum).acceleration
        return FloorDemand(_Ground(self), self.floor, float(self.spectrum.pga), clause)

    @property
    def ag(self) -> float:
        """Required a_g [g]."""
        return float(self.spectrum.ag / self.g)

    def at(self, ag: float) -> "Site":
        """The same site with another a_g [g]; the rest of the spectrum's parameters stay."""
        return replace(self, spectrum=replace(self.spectrum, ag=ag * self.g))

    # -- the ground's spectrum -------------------------------------------------------------------

    def ground(self, period: ArrayLike, damping: float = 0.05) -> Array:
        """S_e(T, ξ) of the ground [m/s²]. Beyond 4 s the displacement of 4 s is kept: more than
        the codes' annexes for long periods give."""
        T = np.asarray(period, dtype=np.float64)
        within = np.minimum(T, LONGEST)
        own = self.spectrum.with_damping(damping).acceleration(within)
        kept: Array = own * (within / np.maximum(T, LONGEST * 1e-12)) ** 2
        return np.where(T > LONGEST, kept, own)

    # -- where the body stands -------------------------------------------------------------------

    def peak(self) -> float:
        """Largest acceleration where the body stands [m/s²]: a_g S, or a_Z (C7.2.8)."""
        return self.above.peak() if self.above else float(self.spectrum.pga)

    def acceleration(self, period: ArrayLike, damping: float = 0.05) -> Array:
        """Spectral acceleration where the body stands [m/s²]: S_e(T, ξ), or S_eZ (C7.2.5)."""
        if self.above:
            return self.above.acceleration(period, damping)
        return self.ground(period, damping)

    def displacement(self, period: float, damping: float) -> float:
        """Displacement demand [m]: S_De(T, ξ) on the ground, C8.7.1.12 on a floor."""
        if self.above:
            return self.above.displacement(period, damping)
        return float(self.ground(period, damping)) * (period / (2 * math.pi)) ** 2

    def lines(self, part: str, *, with_floor: bool = True) -> list[Line]:
        """The inputs of the action, and what the code makes of them."""
        spectrum, clauses = self.spectrum, clauses_of(self.spectrum)
        words = f"{clauses.words}: acceleration on rock"
        said = [Line("a_g", words, self.ag, "g", INPUT, part)]
        if isinstance(spectrum, Ntc2018):
            said += [
                Line("F_0", "amplification on rock", spectrum.F0, "", INPUT, part),
                Line("T_C*", "end of the level part on rock", spectrum.Tc_star, "s", INPUT, part),
                Line("C_C", "effect of the soil on T_C*", spectrum.C_C, "", clauses.soil, part),
            ]
        said.append(Line("S", "soil and topography", spectrum.S, "", clauses.soil, part))
        for name, corner in zip(("T_B", "T_C", "T_D"), spectrum.corners, strict=True):
            said.append(Line(name, "corner of the spectrum", corner, "s", clauses.corners, part))
        return said + (self.above.lines(part) if with_floor and self.above else [])


@dataclass(frozen=True)
class _Ground:
    """The ground's spectrum, also beyond the longest period that the codes write down."""

    site: Site
    damping: float = 0.05

    def acceleration(self, period: ArrayLike) -> Array:
        return self.site.ground(period, self.damping)

    def with_damping(self, damping: float) -> "_Ground":
        return _Ground(self.site, damping)


class Clauses(NamedTuple):
    """A spectrum in words, and where its parts are written."""

    words: str
    soil: str
    corners: str
    acceleration: str
    displacement: str


def clauses_of(spectrum: Eurocode8 | Ntc2018) -> Clauses:
    """The clauses of a spectrum's code."""
    if isinstance(spectrum, Ntc2018):
        words = f"NTC 2018, soil {spectrum.soil}, {spectrum.topography}"
        corners = "NTC eqs 3.2.5-7"
        return Clauses(words, "NTC tabs 3.2.IV, V", corners, "NTC 3.2.3.2.1", "NTC 3.2.3.2.3")
    words = f"Eurocode 8, type {spectrum.kind}, ground {spectrum.soil}"
    table = f"EN 1998-1, tab. 3.{1 + spectrum.kind}"
    return Clauses(words, table, table, "EN 1998-1, 3.2.2.2", "EN 1998-1, eq. 3.7")


def bears(site: Site, demand: Callable[[Site], float], capacity: float) -> float:
    """The smallest a_g [g] at which ``demand`` of the site reaches ``capacity``; inf if none below
    20 g does.

    The soil factor of NTC 2018 falls with a_g, so a demand may fall again: the first crossing
    counts.
    """
    if not capacity > 0:
        raise InputError(f"The capacity is {capacity:g}: the body does not stand by itself.")

    def excess(level: float) -> float:
        return demand(site.at(level)) / capacity - 1

    if isinstance(site.spectrum, Eurocode8):  # whose demands grow with a_g, as a rule
        guess = site.ag * capacity / max(demand(site), 1e-300)
        if abs(excess(guess)) < 1e-12 and abs(excess(guess / 2) + 0.5) < 1e-12:
            return guess
    levels = np.geomspace(_WEAKEST, _STRONGEST, _LEVELS)
    below = levels[0]
    for level in levels:
        if excess(level) >= 0:
            if level == levels[0]:
                return float(level)
            return float(brentq(excess, below, level, xtol=1e-15, rtol=1e-14))
        below = level
    return math.inf
