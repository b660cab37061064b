"""A floor's motion beside the floor spectra of building codes.

>>> import rocksteady as rs
>>> ground = rs.pulses.ricker(amplitude=3.0, period=0.5)
>>> found = rs.analysis.floor_spectra(ground, rs.Floor(period=0.5, storeys=4))
>>> round(found.peaks["this motion"] / ground.pga, 2)
2.59
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion._checks import damping_ratio
from rocksteady.motion.floor_spectra import (
    SpectrumOfMotion,
    asce7_height_factor,
    circolare_floor_spectrum,
    circolare_frame_spectrum,
    circolare_peak_acceleration,
    eurocode8_floor_spectrum,
)
from rocksteady.motion.floors import Floor
from rocksteady.motion.motion import checked_motion
from rocksteady.motion.spectra import checked_periods
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

COMPUTED = "this motion"
MODES = "Circolare C7.2.5–8, all modes"
FRAMES = "Circolare C7.2.11, frames"
EUROCODE = "EN 1998-1, 4.3.5.2"
ASCE = "ASCE 7-22, 13.3.1 (H_f)"
PERIODS = np.geomspace(0.03, 4.0, 160)  # s


@dataclass(frozen=True, eq=False)
class FloorSpectra:
    """The motion of a floor, its response spectrum, and what codes give for it.

    The codes' formulas take what they ask for from the ground motion itself: its own response
    spectrum (Circolare, by modes), or its peak acceleration as αS (the others).
    """

    ground: Motion
    floor: Floor
    motion: Motion
    """Of the floor."""
    damping: float
    """Of the element on the floor [-]."""
    periods: Array
    """Of the element [s]."""
    of_ground: Array
    """Spectrum of the ground's motion [m/s²]."""
    spectra: dict[str, Array]
    """Floor spectra [m/s²]: of this motion, and by each code."""
    peaks: dict[str, float]
    """Peak floor acceleration [m/s²]: of this motion, and by each code."""

    def summary(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        return {
            "floor": str(self.floor),
            **self.floor.described(),
            "pga [m/s2]": self.ground.pga,
            "pgv [m/s]": self.ground.pgv,
            "pfa [m/s2]": self.motion.pga,
            "pfv [m/s]": self.motion.pgv,
            "peak floor acceleration [m/s2]": dict(self.peaks),
            "largest of the floor spectrum [m/s2]": {
                name: float(values.max()) for name, values in self.spectra.items()
            },
        }

    @property
    def sentences(self) -> list[str]:
        """What happens on the floor, and how the codes compare."""
        pga, pgv, pfa = self.ground.pga, self.ground.pgv, self.motion.pga
        spectrum = self.spectra[COMPUTED]
        at = float(self.periods[spectrum.argmax()])
        said = [
            f"On the {self.floor}, the peak acceleration is {pfa / GRAVITY_UNIT:.3g} g, "
            f"{_times(pfa, pga)} the ground's, and the peak velocity "
            f"{self.motion.pgv:.3g} m/s, {_times(self.motion.pgv, pgv)} the ground's.",
            f"An element of {at:.2g} s and {100 * self.damping:g} % damping there would feel the "
            f"most: {spectrum.max() / GRAVITY_UNIT:.3g} g.",
        ]
        others = [f"{name}: {value / GRAVITY_UNIT:.3g} g" for name, value in self.peaks.items()]
        said.append(f"Peak acceleration by the codes: {'; '.join(others[1:])}.")
        return said

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the motions of ground and floor and the spectra; returns the figure."""
        return imported("rocksteady.view.floor:plot_floor")(self, path)


def floor_spectra(
    motion: Motion, floor: Floor, *, damping: float = 0.05, periods: ArrayLike | None = None
) -> FloorSpectra:
    """The motion of a floor and its response spectrum, beside those of building codes.

    Parameters
    ----------
    motion
        Of the ground.
    floor
        `rs.Floor`. By its modes alone, without a height, only the Circolare's formula by modes
        applies.
    damping
        Of an element on the floor [-].
    periods
        Of such elements [s]; 0.03 to 4 s unless given.
    """
    ground = checked_motion(motion)
    if not isinstance(floor, Floor):
        raise InputError(
            f"floor = {floor!r} is not a floor: give one such as rs.Floor(period=0.5, storeys=4)."
        )
    xi, T = damping_ratio(damping), checked_periods(PERIODS if periods is None else periods)
    moved, own = floor.motion(ground), SpectrumOfMotion(ground, xi)
    spectra = {COMPUTED: SpectrumOfMotion(moved, xi).acceleration(T)}
    spectra[MODES] = circolare_floor_spectrum(own, floor.modes, T, xi)
    peaks = {COMPUTED: moved.pga, MODES: circolare_peak_acceleration(own, floor.modes)}
    z = floor.relative_height
    if z is not None:
        at = ground.pga, z, floor.period
        for name, formula in (
            (FRAMES, circolare_frame_spectrum),
            (EUROCODE, eurocode8_floor_spectrum),
        ):
            spectra[name] = formula(*at, T)
            peaks[name] = float(formula(*at, 0.0))
        peaks[ASCE] = ground.pga * asce7_height_factor(z, floor.period)
    return FloorSpectra(ground, floor, moved, xi, T, own.acceleration(T), spectra, peaks)


def _times(value: float, of: float) -> str:
    return f"{value / of:.2g} times" if of else "with nothing of"
