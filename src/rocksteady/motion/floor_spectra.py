"""Floor response spectra of building codes: what an element on a floor must bear.

* Italy, Circolare 7/2019, C7.2.3: by modes (eqs C7.2.5 to C7.2.10), and for frames (eq. C7.2.11);
* Eurocode 8, EN 1998-1:2004, 4.3.5.2 (eq. 4.25);
* United States, ASCE 7-22, 13.3.1: the factor H_f on the peak acceleration.

All are elastic and without the reduction by a behaviour factor (q_a, R_μ). Accelerations come out
in the unit in which the ground's are given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import damping_ratio
from rocksteady.motion.code_spectra.elastic import damping_factor
from rocksteady.motion.floors import Floor, Mode
from rocksteady.motion.motion import Motion
from rocksteady.motion.spectra import response_spectrum
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array


class GroundSpectrum(Protocol):
    """The elastic response spectrum at the foot of a building, of a code or of a motion."""

    def acceleration(self, period: ArrayLike) -> Array:
        """S_e(T) at ``period`` [s]."""

    def with_damping(self, damping: float) -> "GroundSpectrum":
        """The same for another damping ratio [-]."""


@dataclass(frozen=True)
class SpectrumOfMotion:
    """The response spectrum of a motion's ``accel`` [m/s²], as a ground spectrum."""

    motion: Motion
    damping: float = 0.05

    def acceleration(self, period: ArrayLike) -> Array:
        """Pseudo-acceleration [m/s²] at ``period`` [s], the largest over all time."""
        T = np.asarray(period, dtype=float)
        psa = response_spectrum(self.motion, np.atleast_1d(T), self.damping, exact=True).psa
        return np.reshape(psa, T.shape)

    def with_damping(self, damping: float) -> "SpectrumOfMotion":
        """The same motion's spectrum for another damping ratio [-]."""
        return SpectrumOfMotion(self.motion, damping_ratio(damping))


# -- Circolare 7/2019, C7.2.3, by modes ------------------------------------------------------------


def circolare_first_mode(
    building_period: float, storeys: int, relative_height: float, damping: float = 0.05
) -> Mode:
    """The first mode alone, its shape a straight line: γ_1 = 3n/(2n+1), ψ_1 = z/H (eq. C7.2.10).

    ``building_period`` T_1 [s], ``storeys`` n, ``relative_height`` z/H [-], ``damping`` ξ_1 [-].
    """
    n = Floor(building_period, damping, storeys).storeys
    return Mode(building_period, 3 * n / (2 * n + 1) * _height(relative_height), damping)


def circolare_amplification(mode_damping: float, damping: float = 0.05) -> float:
    """A = 1.1 ξ_k^−0.5 η(ξ) [-]: floor spectrum at T_k over the floor's peak (eqs C7.2.6, C7.2.9).

    ``mode_damping`` ξ_k is the building's, ``damping`` ξ the element's; both are ratios [-]. The
    text gives ξ_k in per cent. Here that cannot be meant: at 5 % the floor's spectrum in resonance
    would be 0.49 of its peak acceleration. With the ratio it is 4.92, and 5.6 is what the motions
    of floors show.
    """
    return float(1.1 * mode_damping**-0.5 * damping_factor(damping))


def circolare_modal_accelerations(ground: GroundSpectrum, modes: Sequence[Mode]) -> Array:
    """a_Z,k = S_e(T_k, ξ_k) |γ_k ψ_k(z)| √(1 + 0.0004 ξ_k²), ξ_k in per cent (eq. C7.2.7)."""
    return np.array(
        [
            float(ground.with_damping(mode.damping).acceleration(mode.period))
            * abs(mode.participation)
            * np.sqrt(1 + 0.0004 * (100 * mode.damping) ** 2)
            for mode in _some(modes)
        ]
    )


def circolare_peak_acceleration(ground: GroundSpectrum, modes: Sequence[Mode]) -> float:
    """a_Z = √Σ a_Z,k²: the floor's peak acceleration (eq. C7.2.8)."""
    return float(np.sqrt((circolare_modal_accelerations(ground, modes) ** 2).sum()))


def circolare_floor_spectrum(
    ground: GroundSpectrum,
    modes: Sequence[Mode],
    period: ArrayLike,
    damping: float = 0.05,
    *,
    a: float = 0.8,
    b: float = 1.1,
) -> Array:
    """S_eZ(T, ξ, z): the floor spectrum by modes (eqs C7.2.5 to C7.2.7).

    Parameters
    ----------
    ground
        The spectrum at the foot of the building.
    modes
        Of the building, as the floor feels them: `Floor.modes`, or `circolare_first_mode` alone,
        which the text allows for local mechanisms.
    period
        Of the element, T [s].
    damping
        Of the element, ξ [-].
    a, b
        Where the largest amplification begins and ends, over T_k.
    """
    T = np.asarray(period, dtype=float)
    total = np.zeros(T.shape)
    peaks = circolare_modal_accelerations(ground, modes)
    for mode, peak in zip(modes, peaks, strict=True):
        A = circolare_amplification(mode.damping, damping)
        before = np.maximum(1 - T / (a * mode.period), 0.0) ** 1.6
        beyond = np.maximum(T / (b * mode.period) - 1, 0.0) ** 1.2
        total += (A * peak / (1 + (A - 1) * (before + beyond))) ** 2
    late = max(mode.period for mode in modes) < T
    least = ground.with_damping(damping).acceleration(T)
    return np.asarray(np.maximum(np.sqrt(total), np.where(late, least, 0.0)))


# -- formulas with the height alone ----------------------------------------------------------------


def circolare_frame_spectrum(
    pga: float, relative_height: float, building_period: float, period: ArrayLike
) -> Array:
    """S_a(T_a) of an element in a framed building (Circolare 7/2019, eq. C7.2.11, tab. C7.2.II).

    ``pga`` is αS, in any unit; ``relative_height`` z/H [-]; ``building_period`` T_1 and ``period``
    T_a [s].
    """
    T1 = positive("building_period", building_period, "s")
    T = np.asarray(period, dtype=float)
    if T1 < 0.5:
        a, b, a_p = 0.8, 1.4, 5.0
    elif T1 <= 1.0:
        a, b, a_p = 0.3, 1.2, 4.0
    else:
        a, b, a_p = 0.3, 1.0, 2.5
    before, beyond = np.maximum(1 - T / (a * T1), 0.0), np.minimum(1 - T / (b * T1), 0.0)
    shape = a_p / (1 + (a_p - 1) * (before**2 + beyond**2))
    return np.asarray(pga * np.maximum((1 + _height(relative_height)) * shape, 1.0))


def eurocode8_floor_spectrum(
    pga: float, relative_height: float, building_period: float, period: ArrayLike
) -> Array:
    """S_a = αS [3(1 + z/H)/(1 + (1 − T_a/T_1)²) − 0.5] ≥ αS (EN 1998-1:2004, 4.3.5.2, eq. 4.25).

    ``pga`` is αS, in any unit; ``relative_height`` z/H [-]; ``building_period`` T_1 and ``period``
    T_a [s].
    """
    T1 = positive("building_period", building_period, "s")
    T = np.asarray(period, dtype=float)
    shape = 3 * (1 + _height(relative_height)) / (1 + (1 - T / T1) ** 2) - 0.5
    return np.asarray(pga * np.maximum(shape, 1.0))


def asce7_height_factor(relative_height: float, building_period: float | None = None) -> float:
    """H_f [-]: peak floor acceleration over the ground's (ASCE 7-22, 13.3.1).

    H_f = 1 + a_1 z/h + a_2 (z/h)^10 with a_1 = min(1/T_a, 2.5) and a_2 = max(0, 1 − (0.4/T_a)²);
    1 + 2.5 z/h where the building's period is not known. ``relative_height`` z/h [-];
    ``building_period`` T_a [s].
    """
    z = _height(relative_height)
    if building_period is None:
        return 1 + 2.5 * z
    T = positive("building_period", building_period, "s")
    a_1, a_2 = min(1 / T, 2.5), max(0.0, 1 - (0.4 / T) ** 2)
    return float(1 + a_1 * z + a_2 * z**10)


def _height(value: float) -> float:
    height = finite("relative_height", value, minimum=0.0)
    if height > 1:
        raise InputError(
            f"relative_height = {value!r} is not allowed: it is z/H, from 0 (the ground) to 1 (the "
            "roof)."
        )
    return height


def _some(modes: Sequence[Mode]) -> Sequence[Mode]:
    if not len(modes):
        raise InputError("There are no modes: give at least the first.")
    return modes
