"""The shape that Eurocode 8 and the NTC give a horizontal elastic response spectrum."""

import math
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import damping_ratio
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

LONGEST_PERIOD = 4.0  # s: beyond it, both codes ask for other rules


def damping_factor(damping: float) -> float:
    """η = √(10/(5 + ξ)) ≥ 0.55, ξ in per cent: EN 1998-1 eq. 3.6, NTC 2018 eq. 3.2.4.

    ``damping`` is a ratio [-].
    """
    return max(math.sqrt(10 / (5 + 100 * damping_ratio(damping))), 0.55)


class ElasticSpectrum:
    """A spectrum that rises to T_B, is level to T_C, and falls as 1/T to T_D and as 1/T² beyond.

    Those of the codes are frozen dataclasses that inherit from it and give ``S``, ``corners`` and
    ``amplification``.
    """

    ag: float
    """Peak ground acceleration on rock [m/s²]."""

    damping: float
    """Viscous damping ratio [-]; the codes give it in per cent."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ag", positive("ag", self.ag, "m/s²"))
        object.__setattr__(self, "damping", damping_ratio(self.damping))

    @property
    def S(self) -> float:
        """Factor of soil and topography [-]."""
        raise NotImplementedError

    @property
    def corners(self) -> tuple[float, float, float]:
        """T_B, T_C and T_D [s]."""
        raise NotImplementedError

    @property
    def amplification(self) -> float:
        """Height of the level part at 5 % damping, over the peak ground acceleration [-]."""
        raise NotImplementedError

    @property
    def eta(self) -> float:
        """Damping correction η = √(10/(5 + ξ)) ≥ 0.55, ξ in per cent."""
        return damping_factor(self.damping)

    @property
    def pga(self) -> float:
        """Peak ground acceleration a_g·S: the spectrum at T = 0 [m/s²]."""
        return self.ag * self.S

    def with_damping(self, damping: float) -> Self:
        """The same spectrum for another damping ratio [-]."""
        return replace(self, damping=damping)  # type: ignore[type-var]

    def acceleration(self, period: ArrayLike) -> Array:
        """S_e(T) [m/s²] at ``period`` [s], from 0 to 4 s."""
        T = np.asarray(period, dtype=np.float64)
        if not ((T >= 0) & (T <= LONGEST_PERIOD)).all():
            worst = T[~((T >= 0) & (T <= LONGEST_PERIOD))].flat[0]
            raise InputError(
                f"period = {worst:g} s is not allowed: this spectrum is defined from 0 to "
                f"{LONGEST_PERIOD:g} s."
            )
        T_B, T_C, T_D = self.corners
        plateau = self.amplification * self.eta
        late = np.maximum(T, T_C)  # keeps the branches not taken finite
        shape = np.select(
            [T <= T_B, T <= T_C, T <= T_D],
            [1 + T / T_B * (plateau - 1), np.full_like(T, plateau), plateau * T_C / late],
            plateau * T_C * T_D / late**2,
        )
        return self.pga * shape

    def displacement(self, period: ArrayLike) -> Array:
        """S_De(T) = S_e (T/2π)² [m] at ``period`` [s]."""
        T = np.asarray(period, dtype=np.float64)
        displacement: Array = self.acceleration(T) * (T / (2 * np.pi)) ** 2
        return displacement
