"""Several harmonics at once."""

from collections.abc import Sequence

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion.motion import Motion
from rocksteady.numbers import reals


def tones(
    amplitudes: Sequence[float], frequencies: Sequence[float], duration: float, dt: float = 0.005
) -> Motion:
    """Σ amplitude·cos(frequency·t): several harmonics at once (the paper's Fig. 10b).

    ``amplitudes`` [m/s²], circular ``frequencies`` [rad/s], ``duration`` and ``dt`` [s].
    """
    try:
        heights, rates = np.atleast_1d(reals(amplitudes)), np.atleast_1d(reals(frequencies))
    except (TypeError, ValueError) as error:
        raise InputError(f"amplitudes and frequencies must be numbers: {error}.") from error
    if heights.ndim != 1 or heights.shape != rates.shape or not heights.size:
        raise InputError(
            f"{heights.size} amplitudes and {rates.size} frequencies were given: give two "
            "lists of the same length."
        )
    time = Motion.zeros(duration, dt).time
    waves = (a * np.cos(omega * time) for a, omega in zip(heights, rates, strict=True))
    count = f"{len(heights)} tones" if len(heights) > 1 else "harmonic"
    return Motion(sum(waves, np.zeros(len(time))), dt, name=count)
