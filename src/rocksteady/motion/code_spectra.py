"""Elastic response spectra of building codes: Eurocode 8 (EN 1998-1:2004, 3.2.2.2).

>>> spectrum = Eurocode8(ag=2.0, soil="B", kind=1)
>>> spectrum.pga, round(float(spectrum.acceleration(0.3)), 6)
(2.4, 6.0)
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import damping_ratio
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

LONGEST_PERIOD = 4.0  # s: beyond, the code refers to its Annex A

# Tables 3.2 (type 1) and 3.3 (type 2): S [-], T_B, T_C, T_D [s]
_TABLES = {
    1: {
        "A": (1.0, 0.15, 0.4, 2.0),
        "B": (1.2, 0.15, 0.5, 2.0),
        "C": (1.15, 0.20, 0.6, 2.0),
        "D": (1.35, 0.20, 0.8, 2.0),
        "E": (1.4, 0.15, 0.5, 2.0),
    },
    2: {
        "A": (1.0, 0.05, 0.25, 1.2),
        "B": (1.35, 0.05, 0.25, 1.2),
        "C": (1.5, 0.10, 0.25, 1.2),
        "D": (1.8, 0.10, 0.30, 1.2),
        "E": (1.6, 0.05, 0.25, 1.2),
    },
}


@dataclass(frozen=True)
class Eurocode8:
    """The horizontal elastic response spectrum of Eurocode 8, with its recommended values.

    A national annex may set other values of S, T_B, T_C and T_D.
    """

    ag: float
    """Design ground acceleration on type A ground, γ_I·a_gR [m/s²]."""
    soil: str = "A"
    """Ground type, A (rock) to E."""
    kind: Literal[1, 2] = 1
    """Type 1, or type 2 where earthquakes that matter have a surface-wave magnitude below 5.5."""
    damping: float = 0.05
    """Viscous damping ratio [-]; the code gives it in per cent."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ag", positive("ag", self.ag, "m/s²"))
        if self.kind not in _TABLES:
            raise InputError(f"kind = {self.kind!r} is not allowed: spectra are of type 1 or 2.")
        if self.soil not in _TABLES[self.kind]:
            raise InputError(
                f"soil = {self.soil!r} is not allowed: choose ground type A, B, C, D or E (S1 and "
                "S2 need a study of their own)."
            )
        object.__setattr__(self, "damping", damping_ratio(self.damping))

    @property
    def S(self) -> float:
        """Soil factor [-]."""
        return _TABLES[self.kind][self.soil][0]

    @property
    def corners(self) -> tuple[float, float, float]:
        """T_B, T_C and T_D [s]."""
        return _TABLES[self.kind][self.soil][1:]

    @property
    def eta(self) -> float:
        """Damping correction η = √(10/(5 + ξ)) ≥ 0.55, ξ in per cent (eq. 3.6)."""
        return max(math.sqrt(10 / (5 + 100 * self.damping)), 0.55)

    @property
    def pga(self) -> float:
        """Peak ground acceleration a_g·S: the spectrum at T = 0 [m/s²]."""
        return self.ag * self.S

    def acceleration(self, period: ArrayLike) -> Array:
        """S_e(T) [m/s²] at ``period`` [s], from 0 to 4 s (eqs 3.2 to 3.5)."""
        T = np.asarray(period, dtype=np.float64)
        if not ((T >= 0) & (T <= LONGEST_PERIOD)).all():
            worst = T[~((T >= 0) & (T <= LONGEST_PERIOD))].flat[0]
            raise InputError(
                f"period = {worst:g} s is not allowed: this spectrum is defined from 0 to "
                f"{LONGEST_PERIOD:g} s."
            )
        T_B, T_C, T_D = self.corners
        plateau = 2.5 * self.eta
        late = np.maximum(T, T_C)  # keeps the branches not taken finite
        shape = np.select(
            [T <= T_B, T <= T_C, T <= T_D],
            [1 + T / T_B * (plateau - 1), np.full_like(T, plateau), plateau * T_C / late],
            plateau * T_C * T_D / late**2,
        )
        return self.pga * shape

    def displacement(self, period: ArrayLike) -> Array:
        """S_De(T) = S_e (T/2π)² [m] at ``period`` [s] (eq. 3.7)."""
        T = np.asarray(period, dtype=np.float64)
        displacement: Array = self.acceleration(T) * (T / (2 * np.pi)) ** 2
        return displacement
