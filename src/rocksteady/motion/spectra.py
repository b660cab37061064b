"""Response spectra of single-degree-of-freedom oscillators, and Fourier amplitudes.

An oscillator of natural circular frequency ω and damping ratio ζ on ground that accelerates by a:

    ü + 2ζω u̇ + ω² u = −a(t)

The acceleration is linear between samples, so the response has a closed form in each interval and
is stepped exactly, as Nigam and Jennings (1969) did; there is no integration error at any ω·dt.
Their coefficients lose digits where ω·dt is small, as differences of nearly equal numbers; here
they are summed as power series there.

The loops are compiled by plain ``numba.njit(cache=True)``. The package's own cached driver belongs
to the engine, which this room may not import; and Numba's own cache is safe here: it fails for
functions that close over others or call into other files, and these do neither.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.motion import Motion

DEFAULT_PERIODS: FloatArray = np.geomspace(0.02, 10.0, 100)
DEFAULT_PERIODS.flags.writeable = False

_FINEST = 8  # steps per period, at least, between which a true extremum is looked for
_NEWTON = 30  # iterations at most; four are usual


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Largest responses, in absolute value, of oscillators to a motion.

    The arrays' last axis runs over ``periods``; those of many motions have one row per motion.
    """

    periods: FloatArray
    """Natural period T [s]."""
    damping: float
    """Damping ratio ζ [-]."""
    sd: FloatArray
    """Relative displacement [m]."""
    sv: FloatArray
    """Relative velocity [m/s]."""
    sa: FloatArray
    """Absolute acceleration [m/s²]."""

    @property
    def psv(self) -> FloatArray:
        """Pseudo-velocity ω·SD [m/s]; zero at T = 0."""
        return self.sd * _omega(self.periods)

    @property
    def psa(self) -> FloatArray:
        """Pseudo-acceleration ω²·SD [m/s²]; the peak ground acceleration at T = 0."""
        return np.where(self.periods > 0, self.sd * _omega(self.periods) ** 2, self.sa)

    def __getitem__(self, index: int) -> Spectrum:
        """The spectrum of one of many motions."""
        if self.sd.ndim == 1:
            raise InputError("This is the spectrum of one motion: it has no rows to choose from.")
        rows = self.sd[index], self.sv[index], self.sa[index]
        return Spectrum(self.periods, self.damping, *rows)


def response_spectrum(
    motion: Motion,
    periods: ArrayLike = DEFAULT_PERIODS,
    damping: float = 0.05,
    *,
    exact: bool = False,
) -> Spectrum:
    """The response spectrum of a motion's horizontal acceleration.

    Parameters
    ----------
    motion
        The ground motion.
    periods
        Natural periods [s]: from zero (a rigid oscillator), in any order.
    damping
        Damping ratio [-], 0 ≤ ζ < 1.
    exact
        The response itself is always exact at the samples. Without ``exact``, spectra hold its
        largest value *there*, as other programs' do, and miss up to 1 − cos(π·dt/T) of a peak
        between samples (5 % at T = 10 dt). With it, they hold the true largest value over
        continuous time, including the free vibration after the motion's end.
    """
    T, zeta = _periods(periods), _damping(damping)
    return Spectrum(T, zeta, *_extremes(np.array(motion.accel), motion.dt, T, zeta, exact))


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
    T, zeta = _periods(periods), _damping(damping)
    out = np.empty((3, len(motions), T.size))

    def one(index: int) -> None:
        motion = motions[index]
        out[:, index] = _extremes(np.array(motion.accel), motion.dt, T, zeta, exact)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the compiled loops release the lock
        tasks = [pool.submit(one, index) for index in range(len(motions))]
        try:
            for done, task in enumerate(as_completed(tasks), 1):
                task.result()
                if progress is not None:
                    progress(done, len(motions))
        except BaseException:  # an interrupt, too: leave at once
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Spectrum(T, zeta, *out)


def pair_displacements(
    x: Motion, y: Motion, period: float, damping: float
) -> tuple[FloatArray, FloatArray]:
    """Relative displacements [m] of one oscillator under two motions of equal length and step."""
    T, zeta = _periods([period])[0], _damping(damping)
    return (
        _displacement(np.array(x.accel), x.dt, T, zeta),
        _displacement(np.array(y.accel), y.dt, T, zeta),
    )


def fourier_amplitude(
    motion: Motion, resolution: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Frequencies [Hz], from zero to the Nyquist frequency, and Fourier amplitudes there [m/s].

    |∫ a e^(−2πift) dt|, by the rule dt·Σ over the samples, so that Parseval's theorem holds for
    them. Zeros are added after the end until the frequencies are ``resolution`` [Hz] apart or
    closer.
    """
    from scipy.fft import next_fast_len

    size = motion.npts
    if resolution is not None:
        if not (math.isfinite(resolution) and resolution > 0):
            raise InputError(f"resolution = {resolution!r} Hz is not allowed: give a positive one.")
        size = max(size, math.ceil(1 / (resolution * motion.dt)))
    size = next_fast_len(size, real=True)
    amplitude: FloatArray = motion.dt * np.abs(np.fft.rfft(motion.accel, size))
    return np.fft.rfftfreq(size, motion.dt), amplitude


def _omega(periods: FloatArray) -> FloatArray:
    omega: FloatArray = np.divide(2 * np.pi, periods, out=np.zeros_like(periods), where=periods > 0)
    return omega


def _periods(periods: ArrayLike) -> FloatArray:
    T: FloatArray = np.array(periods, dtype=np.float64, ndmin=1)
    wrong = ~(np.isfinite(T) & (T >= 0))
    if T.ndim != 1 or T.size == 0 or wrong.any():
        found = f"{T[wrong][0]:g} s is" if wrong.any() else f"an array of shape {T.shape} is"
        raise InputError(
            f"periods: {found} not allowed: give one or more finite periods [s], zero or larger."
        )
    T.flags.writeable = False
    return T


def _damping(damping: float) -> float:
    if not 0 <= damping < 1:
        raise InputError(
            f"damping = {damping!r} is not allowed: it is a ratio, from 0 to below 1. Five per "
            "cent is 0.05."
        )
    return float(damping)


# -- compiled -------------------------------------------------------------------------------------


@numba.njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _step(h: float, w: float, z: float) -> tuple[float, float, float, float]:
    """g, ġ, G and K at time ``h``: impulse response, its rate, its first and second integral.

    The state after h, under ground going from a0 to a1, is
    u = u0·(ġ + 2ζωg) + v0·g − a0·G − (a1 − a0)·K/h,  v = −u0·ω²g + v0·ġ − a0·g − (a1 − a0)·G/h.
    """
    if w * h < 0.7:  # power series; ġ(0) = 1, and each derivative follows from the two before
        before, this, power = 0.0, 1.0, 1.0
        g = rate = first = second = 0.0
        for k in range(1, 40):  # ``before``, ``this``: derivatives of g at 0; power = h^(k−1)/(k−1)!
            rate += this * power
            power *= h / k
            g += this * power
            first += this * power * h / (k + 1)
            second += this * power * h * h / ((k + 1) * (k + 2))
            before, this = this, -2 * z * w * this - w * w * before
            if power * (abs(this) + w * abs(before)) < 1e-19:
                break
        return g, rate, first, second
    wd = w * math.sqrt(1 - z * z)
    decay = math.exp(-z * w * h)
    g = decay * math.sin(wd * h) / wd
    rate = decay * math.cos(wd * h) - z * w * g
    first = (1 - rate - 2 * z * w * g) / (w * w)
    second = (h - g - 2 * z * w * first) / (w * w)
    return g, rate, first, second


@numba.njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _displacement(a: FloatArray, dt: float, T: float, z: float) -> FloatArray:
    """Relative displacement at each sample; for T = 0 minus the acceleration itself."""
    out = np.empty(a.size)
    if T == 0:
        for i in range(a.size):
            out[i] = -a[i]
        return out
    w = 2 * math.pi / T
    g, rate, first, second = _step(dt, w, z)
    uu, vu, u, v = rate + 2 * z * w * g, -w * w * g, 0.0, 0.0
    out[0] = 0.0
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) / dt
        u, v = (
            uu * u + g * v - first * a[i] - second * rise,
            vu * u + rate * v - g * a[i] - first * rise,
        )
        out[i + 1] = u
    return out


@numba.njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _at_samples(a: FloatArray, dt: float, w: float, z: float) -> tuple[float, float, float]:
    """Largest |u|, |u̇| and |ü + a| over the samples."""
    g, rate, first, second = _step(dt, w, z)
    uu, vu = rate + 2 * z * w * g, -w * w * g
    u0, u1 = second / dt - first, -second / dt  # what a_i and a_(i+1) add to u
    v0, v1 = first / dt - g, -first / dt
    u = v = sd = sv = sa = 0.0
    c, k = 2 * z * w, w * w
    for i in range(a.size - 1):
        u, v = (
            uu * u + g * v + (u0 * a[i] + u1 * a[i + 1]),
            vu * u + rate * v + (v0 * a[i] + v1 * a[i + 1]),
        )
        sd = max(sd, abs(u))
        sv = max(sv, abs(v))
        sa = max(sa, abs(c * v + k * u))
    return sd, sv, sa
