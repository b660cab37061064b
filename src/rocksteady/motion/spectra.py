"""Response spectra of single-degree-of-freedom oscillators, and Fourier amplitudes.

An oscillator of natural circular frequency ω and damping ratio ζ on ground that accelerates by a:

    ü + 2ζω u̇ + ω² u = −a(t)

The acceleration is linear between samples, so the response has a closed form in each interval and
is stepped exactly, as Nigam and Jennings (1969) did; there is no integration error at any ω·dt.
For small ω·dt, where their coefficients lose digits as differences of nearly equal numbers, power
series are summed instead.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import damping_ratio, steps
from rocksteady.motion.motion import Motion, checked_motion, takes_motion
from rocksteady.numbers import positive, reals
from rocksteady.numerics.types import Array

DEFAULT_PERIODS: Array = np.geomspace(0.02, 10.0, 100)
DEFAULT_PERIODS.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Largest responses, in absolute value, of oscillators to a motion.

    The arrays' last axis runs over ``periods``; those of many motions have one row per motion.
    """

    periods: Array
    """Natural period T [s]."""
    damping: float
    """Damping ratio ζ [-]."""
    sd: Array
    """Relative displacement [m]."""
    sv: Array
    """Relative velocity [m/s]."""
    sa: Array
    """Absolute acceleration [m/s²]."""

    @property
    def psv(self) -> Array:
        """Pseudo-velocity ω·SD [m/s]; zero at T = 0."""
        return self.sd * _omega(self.periods)

    @property
    def psa(self) -> Array:
        """Pseudo-acceleration ω²·SD [m/s²]; the peak ground acceleration at T = 0."""
        return np.where(self.periods > 0, self.sd * _omega(self.periods) ** 2, self.sa)

    def __getitem__(self, index: int) -> "Spectrum":
        """The spectrum of one of many motions."""
        if self.sd.ndim == 1:
            raise InputError("This is the spectrum of one motion: it has no rows to choose from.")
        rows = self.sd[index], self.sv[index], self.sa[index]
        return Spectrum(self.periods, self.damping, *rows)


@takes_motion
def response_spectrum(
    motion: Motion,
    periods: ArrayLike = DEFAULT_PERIODS,
    damping: float = 0.05,
    *,
    exact: bool = False,
) -> Spectrum:
    """The response spectrum of a motion's ``accel``.

    Parameters
    ----------
    motion
        The ground motion.
    periods
        Natural periods [s]: from zero (a rigid oscillator), in any order.
    damping
        Damping ratio [-], 0 ≤ ζ < 1.
    exact
        The response is always exact at the samples. Without ``exact``, spectra hold its largest
        value *there*, as in other programs, and miss up to 1 − cos(π·dt/T) of a harmonic peak
        between samples (5 % at T = 10 dt). With it, they hold the true maximum over continuous
        time, including the free vibration after the motion's end (two extrema within a sixteenth
        of a period may be missed). Periods other than zero must then be at least dt/1000.
    """
    from rocksteady.motion._oscillator import extremes  # Numba, which takes its time to import

    T, zeta = checked_periods(periods), damping_ratio(damping)
    _not_too_short(T, motion, exact)
    return Spectrum(T, zeta, *extremes(np.array(motion.accel), motion.dt, T, zeta, exact))


def response_spectra(
    motions: Sequence[Motion],
    periods: ArrayLike = DEFAULT_PERIODS,
    damping: float = 0.05,
    *,
    exact: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Spectrum:
    """The spectra of many motions, one row each, on all processors.

    As `response_spectrum`; ``progress(done, total)`` is called after each motion.
    """
    from rocksteady.motion._oscillator import extremes

    T, zeta = checked_periods(periods), damping_ratio(damping)
    out = np.empty((3, len(motions), T.size))
    for motion in motions:
        _not_too_short(T, checked_motion(motion), exact)

    def one(index: int) -> None:
        motion = motions[index]
        out[:, index] = extremes(np.array(motion.accel), motion.dt, T, zeta, exact)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the compiled loops release the lock
        tasks = [pool.submit(one, index) for index in range(len(motions))]
        try:
            for done, task in enumerate(as_completed(tasks), 1):
                task.result()
                if progress is not None:
                    progress(done, len(motions))
        except BaseException:  # also an interrupt: leave at once
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Spectrum(T, zeta, *out)


@takes_motion
def oscillator_displacement(motion: Motion, period: float, damping: float = 0.05) -> Array:
    """Relative displacement [m] of an oscillator at each of the motion's samples.

    ``period`` [s], above zero; ``damping`` ratio [-].
    """
    from rocksteady.motion._oscillator import displacement

    T: float = positive("period", period, "s")
    history: Array = displacement(np.array(motion.accel), motion.dt, T, damping_ratio(damping))
    return history


@takes_motion
def fourier_amplitude(motion: Motion, resolution: float | None = None) -> tuple[Array, Array]:
    """Frequencies [Hz], from zero to the Nyquist frequency, and Fourier amplitudes there [m/s].

    |∫ a e^(−2πift) dt|, by the rule dt·Σ over the samples, so that Parseval's theorem holds for
    them. Zeros are added after the end until the frequencies are ``resolution`` [Hz] apart or
    closer.
    """
    from scipy.fft import next_fast_len

    size = motion.npts
    if resolution is not None:
        size = max(size, steps(1 / positive("resolution", resolution, "Hz"), motion.dt))
    size = next_fast_len(size, real=True)
    amplitude: Array = motion.dt * np.abs(np.fft.rfft(motion.accel, size))
    return np.arange(amplitude.size) / (size * motion.dt), amplitude


def _omega(periods: Array) -> Array:
    omega: Array = np.divide(2 * np.pi, periods, out=np.zeros_like(periods), where=periods > 0)
    return omega


def checked_periods(periods: ArrayLike) -> Array:
    """Natural periods [s] as an array: finite, zero or larger."""
    try:
        T = np.atleast_1d(reals(periods))
    except (TypeError, ValueError) as error:
        raise InputError(f"periods must be numbers [s]: {error}.") from error
    wrong = ~(np.isfinite(T) & (T >= 0))
    if T.ndim != 1 or T.size == 0 or wrong.any():
        found = f"{T[wrong][0]:g} s is" if wrong.any() else f"an array of shape {T.shape} is"
        raise InputError(
            f"periods: {found} not allowed: give one or more finite periods [s], zero or larger."
        )
    T.flags.writeable = False
    return T


def _not_too_short(T: Array, motion: Motion, exact: bool) -> None:
    """An error if an interval would be cut into too many sixteenths of a period for ``exact``."""
    shortest = float(T[T > 0].min(initial=np.inf))
    if exact and shortest < motion.dt / 1000:
        raise InputError(
            f"periods: {shortest:g} s is too short for exact extremes of a motion with dt = "
            f"{motion.dt:g} s: give 0 for a rigid oscillator, or at least dt/1000."
        )
