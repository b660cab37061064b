"""Intensity measures of a ground motion: peaks, energies, durations, periods.

A motion is linear between samples, and every integral and extremum here is exact for that. All
measures are those of ``accel``, the first horizontal component, but for `pga_rotd100`, which does
not depend on the axes.
"""

import math

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion._linear import crossing
from rocksteady.motion.motion import Motion, checked_motion, takes_motion
from rocksteady.motion.spectra import fourier_amplitude, response_spectrum
from rocksteady.motion.wavelet import velocity_pulse
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

GRAVITY = 9.81  # m/s²

UNITS = {
    "pga": "m/s²",
    "pgv": "m/s",
    "pgd": "m",
    "pgv_pga": "s",
    "arias": "m/s",
    "cav": "m/s",
    "d5_75": "s",
    "d5_95": "s",
    "mean_period": "s",
    "predominant_period": "s",
    "housner_intensity": "m",
    "pulse_indicator": "-",
    "pulse_period": "s",
}
"""The unit of each of `measures`."""

_SI_PERIODS = np.linspace(0.1, 2.5, 121)  # s; Housner's range
_PREDOMINANT_PERIODS = np.geomspace(0.02, 4.0, 268)  # s; 2 % apart


@takes_motion
def measures(motion: Motion) -> dict[str, float]:
    """All measures of a motion, by name; their units are in `UNITS`.

    A measure that does not exist (the duration of a motion of zeros, the mean period of one with
    nothing between 0.25 and 20 Hz) is nan.
    """
    velocity, pulse = pgv(motion), velocity_pulse(motion)
    return {
        "pga": motion.pga,
        "pgv": velocity,
        "pgd": pgd(motion),
        "pgv_pga": velocity / motion.pga if motion.pga > 0 else math.nan,
        "arias": arias(motion),
        "cav": cav(motion),
        "d5_75": significant_duration(motion, 0.05, 0.75),
        "d5_95": significant_duration(motion),
        "mean_period": mean_period(motion),
        "predominant_period": predominant_period(motion),
        "housner_intensity": housner_intensity(motion),
        "pulse_indicator": pulse.indicator,
        "pulse_period": pulse.period,
    }


# -- peaks ----------------------------------------------------------------------------------------


@takes_motion
def pga_rotd100(motion: Motion) -> float:
    """Largest horizontal acceleration in any direction [m/s²]: the largest length of (``accel``,
    ``transverse``), however the axes are turned (RotD100 of the PGA; Boore 2010). That of a motion
    with one horizontal component is its PGA."""
    other = 0.0 if motion.transverse is None else motion.transverse
    return float(np.hypot(motion.accel, other).max())


@takes_motion
def pgv(motion: Motion) -> float:
    """Peak ground velocity [m/s], also between samples; without baseline correction."""
    return motion.pgv


@takes_motion
def pgd(motion: Motion) -> float:
    """Peak ground displacement [m], also between samples; without baseline correction."""
    a, v, d, dt = motion.accel, motion.velocity, motion.displacement, motion.dt
    a0, v0, jerk = a[:-1], v[:-1], np.diff(a) / dt
    # Where the velocity v0 + a0·s + jerk·s²/2 passes zero; the stable forms of its two roots.
    root = np.sqrt(np.maximum(a0**2 - 2 * jerk * v0, 0.0))
    twice = -(a0 + np.copysign(root, a0))
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.nan_to_num([twice / jerk, 2 * v0 / twice], nan=0.0, posinf=0.0, neginf=0.0)
    s = np.clip(roots, 0.0, dt)
    between = d[:-1] + v0 * s + a0 * s**2 / 2 + jerk * s**3 / 6
    return float(max(np.abs(d).max(), np.abs(between).max()))


# -- energy and duration --------------------------------------------------------------------------


def arias(motion: Motion, g: float = GRAVITY) -> float:
    """Arias intensity π/(2g)·∫a² dt [m/s]."""
    return float(math.pi / (2 * positive("g", g, "m/s²")) * _energy(checked_motion(motion))[-1])


@takes_motion
def cav(motion: Motion) -> float:
    """Cumulative absolute velocity ∫|a| dt [m/s]."""
    a = np.abs(motion.accel)
    s = crossing(motion.accel)  # with a change of sign: two triangles
    whole = (a[:-1] + a[1:]) / 2
    split = (a[:-1] * s + a[1:] * (1 - s)) / 2
    return float(motion.dt * np.sum(np.where(s > 0, split, whole)))


@takes_motion
def husid(motion: Motion) -> Array:
    """The Husid curve: ∫a² dt up to each sample as a fraction of the total [-], or zeros."""
    energy = _energy(motion)
    return energy / energy[-1] if energy[-1] > 0 else energy


@takes_motion
def significant_duration(motion: Motion, start: float = 0.05, end: float = 0.95) -> float:
    """Time [s] in which the Husid curve rises from ``start`` to ``end``; D5-95 by default."""
    if not 0 <= start < end <= 1:
        raise InputError(
            f"start = {start!r} and end = {end!r} are not allowed: they are fractions of the total "
            "energy, 0 ≤ start < end ≤ 1. D5-75 is (0.05, 0.75)."
        )
    return arrival(motion, end) - arrival(motion, start)


def arrival(motion: Motion, part: float) -> float:
    """When [s] the Husid curve reaches ``part`` (0 to 1); nan for still ground."""
    if not 0 <= part <= 1:
        raise InputError(f"part = {part!r} is not allowed: it must be between 0 and 1.")
    energy = _energy(motion)
    if energy[-1] == 0:
        return math.nan
    wanted, rounding = part * energy[-1], 1e-14 * energy[-1]
    there = int(np.searchsorted(energy, wanted - rounding))
    if energy[there] <= wanted + rounding:
        return there * motion.dt  # exactly there; still ground after it changes nothing
    i = there - 1
    a0, a1, dt = motion.accel[i], motion.accel[i + 1], motion.dt
    low, high = 0.0, 1.0
    for _ in range(54):  # halve: the cubic a0²s + a0(a1 − a0)s² + (a1 − a0)²s³/3 only rises
        s = (low + high) / 2
        rise = a1 - a0
        if energy[i] + dt * s * (a0**2 + a0 * rise * s + (rise * s) ** 2 / 3) < wanted:
            low = s
        else:
            high = s
    return float((i + high) * dt)


def _energy(motion: Motion) -> Array:
    """∫a² dt from the beginning to each sample [m²/s³]."""
    a = motion.accel
    total = np.zeros(a.size)
    np.cumsum(motion.dt * (a[:-1] ** 2 + a[:-1] * a[1:] + a[1:] ** 2) / 3, out=total[1:])
    return total


# -- periods and spectral intensity ---------------------------------------------------------------


@takes_motion
def mean_period(motion: Motion) -> float:
    """The mean period T_m [s] of Rathje et al. (1998): Σ(C²/f)/ΣC² over 0.25 ≤ f ≤ 20 Hz.

    C are Fourier amplitudes, at most 0.05 Hz apart as they require; nan if all are zero.
    """
    f, C = fourier_amplitude(motion, resolution=0.05)
    inside = (f >= 0.25) & (f <= 20.0)
    power = C[inside] ** 2
    total = power.sum()
    return float(np.sum(power / f[inside]) / total) if total > 0 else math.nan


@takes_motion
def predominant_period(motion: Motion, damping: float = 0.05) -> float:
    """The period [s] of the largest PSA from 0.02 to 4 s, in steps of 2 %; nan if all are zero."""
    psa = response_spectrum(motion, _PREDOMINANT_PERIODS, damping, exact=True).psa
    return float(_PREDOMINANT_PERIODS[np.argmax(psa)]) if psa.any() else math.nan


@takes_motion
def housner_intensity(motion: Motion, damping: float = 0.05) -> float:
    """Housner's spectral intensity: PSV integrated over periods from 0.1 to 2.5 s [m].

    By Simpson's rule at 0.02 s. Housner (1952) used 0, 2, 10 and 20 % of damping; codes use 5 %.
    """
    psv = response_spectrum(motion, _SI_PERIODS, damping, exact=True).psv
    weight = np.ones(psv.size)
    weight[1:-1:2], weight[2:-1:2] = 4.0, 2.0
    return float((_SI_PERIODS[1] - _SI_PERIODS[0]) / 3 * np.sum(weight * psv))


@takes_motion
def spectral_acceleration(motion: Motion, period: float, damping: float = 0.05) -> float:
    """Pseudo-spectral acceleration [m/s²] at one period [s], the true maximum over time."""
    return float(response_spectrum(motion, [period], damping, exact=True).psa[0])
