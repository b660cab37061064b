"""How motions fit a code's spectrum, and motions scaled to it."""

from collections.abc import Sequence

import numpy as np

from rocksteady.analysis.codes.site import Site
from rocksteady.errors import InputError, warn
from rocksteady.motion import Motion
from rocksteady.motion.intensity import pgv
from rocksteady.motion.scaling import scale
from rocksteady.motion.spectra import response_spectra
from rocksteady.numerics.types import Array

PERIODS = np.geomspace(0.15, 2.0, 30)  # s: where motions and spectrum are compared
MATCHED = 100  # periods at which a motion is scaled to the spectrum
UNLIKE = (0.9, 1.3)  # of the mean spectrum over the code's: outside, a warning


def spectrum_ratio(site: Site, motions: Sequence[Motion]) -> Array:
    """Mean spectrum of the motions over the code's, 5 % damped, from 0.15 to 2 s [-]."""
    spectra = response_spectra(list(motions), PERIODS, 0.05).psa
    ratio: Array = spectra.mean(axis=0) / site.ground(PERIODS, 0.05)
    return ratio


def matched(motions: Sequence[Motion], site: Site) -> list[Motion]:
    """Each motion scaled to the ground's spectrum, 5 % damped, from 0.15 to 2 s.

    The mean of ln(spectrum/target) becomes zero, as in
    `rocksteady.motion.scaling.scale_to_spectrum`.
    """
    T = np.geomspace(PERIODS[0], PERIODS[-1], MATCHED)
    spectra = response_spectra(list(motions), T, 0.05, exact=True).psa  # on all processors
    if not (spectra > 0).all():
        still = motions[int(np.argmin(spectra.min(axis=1)))]
        raise InputError(f"{still!r} is all zeros: no factor gives it a spectrum.")
    factors = np.exp(np.mean(np.log(site.ground(T, 0.05) / spectra), axis=1))
    return [scale(motion, float(factor)) for motion, factor in zip(motions, factors, strict=True)]


def warn_of_misfit(site: Site, motions: Sequence[Motion]) -> None:
    """Warn if the motions do not stand for the site's a_g."""
    ratio = spectrum_ratio(site, motions)
    mean, (low, high) = float(ratio.mean()), UNLIKE
    if not low <= mean <= high:
        warn(
            f"The motions' mean spectrum is {mean:.2f} of the code's (0.15 to 2 s): they do not "
            f"stand for a_g = {site.ag:g} g. Scale each to the spectrum first "
            "(rocksteady.motion.scaling.scale_to_spectrum; --match on the command line).",
            stacklevel=3,
        )


def floor_velocity(motions: Sequence[Motion], site: Site) -> float:
    """Median of the motions' peak velocities where the body stands [m/s]."""
    floor = site.floor
    moved = motions if floor is None else [floor.motion(motion) for motion in motions]
    return float(np.median([pgv(motion) for motion in moved]))
