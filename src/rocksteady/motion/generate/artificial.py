"""Artificial motions whose response spectrum matches that of a code.

They start from random phases and the target's amplitudes under an envelope in time; then the
Fourier amplitudes are repeatedly multiplied by target over computed spectrum, with the phases
unchanged. Every trial keeps the envelope, has nothing below the lowest frequency of the target, and
leaves the ground at rest where it began.

>>> from rocksteady.motion.code_spectra import Eurocode8
>>> motions = artificial_set(Eurocode8(ag=2.0, soil="B"), n=3, seed=1)
>>> found = check(motions, Eurocode8(ag=2.0, soil="B"), period=0.5)
>>> found.motions, found.pga_ratio > 0.99, found.lowest_ratio > 0.9
(3, True, True)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._checks import steps
from rocksteady.motion.generate.stochastic import Seed, seed_sequence
from rocksteady.motion.motion import Motion
from rocksteady.motion.spectra import response_spectra, response_spectrum
from rocksteady.numbers import positive, whole
from rocksteady.numerics.types import Array

TOLERANCE = 0.10  # of the target, both ways
GOAL = 0.09  # at CHECKED periods, so that none in between is farther away than TOLERANCE
ITERATIONS, TRIALS = 80, 8
OVERSHOOT = 1.3  # power of each correction: a spectrum follows its amplitudes sluggishly
PERIODS = np.concatenate([[0.0], np.geomspace(0.04, 4.0, 110)])  # s: the peak, then 17 per octave
CHECKED = np.geomspace(0.04, 4.0, 700)  # s: also checked, once the others match
CUT = (0.12, 0.22)  # Hz: from nothing to all of the amplitude


class Target(Protocol):
    """A code spectrum: `code_spectra.Eurocode8`, or anything with these attributes."""

    @property
    def pga(self) -> float:
        """Peak ground acceleration [m/s²]."""

    @property
    def damping(self) -> float:
        """Damping ratio of the spectrum [-]."""

    def acceleration(self, period: ArrayLike) -> Array:
        """Spectral acceleration [m/s²] at ``period`` [s]."""


@dataclass(frozen=True)
class Fit:
    """A set of artificial motions beside what public programs take from Eurocode 8, 3.2.3.1.2(4).

    A comparison without a verdict: we do not have the text of the standard.
    """

    motions: int
    """How many; those programs ask for three or more."""
    pga_ratio: float
    """Mean zero-period spectral acceleration over a_g·S; they ask for 1 or more."""
    lowest_ratio: float
    """Lowest mean spectrum over target between 0.2 T1 and 2 T1; they ask for 0.9 or more."""


def artificial(
    target: Target,
    seed: Seed,
    *,
    rise: float = 2.0,
    strong: float = 10.0,
    decay: float = 8.0,
    dt: float = 0.01,
) -> Motion:
    """A motion whose response spectrum lies within 10 % of ``target``, from 0 (PGA) to 4 s.

    The same seed gives the same motion. ``meta["spectrum_error"]`` is the largest relative error of
    its spectrum. If there is no match within 80 corrections, new phases are drawn.

    Parameters
    ----------
    target
        The code spectrum, for a damping of 5 % or more: with less it is too jagged to be matched.
    seed
        A whole number.
    rise, strong, decay
        Envelope [s]: a parabolic rise, a stationary part (Eurocode 8 requires at least 10 s) and an
        exponential decay to 5 %, which is then tapered to zero.
    dt
        Time step [s].
    """
    dt = positive("dt", dt, "s")
    if dt > 0.02:
        raise InputError(f"dt = {dt!r} s is too coarse for a code spectrum: give 0.02 s or less.")
    if target.damping < 0.05:
        raise InputError(
            f"a spectrum of damping {target.damping!r} cannot be matched within {TOLERANCE:.0%}: "
            "give the target with 0.05, as Eurocode 8 asks for (3.2.3.1.2), or more."
        )
    window = _envelope(rise, strong, decay, dt)
    rng = np.random.Generator(np.random.PCG64(seed_sequence(seed)))
    best, error = np.zeros(0), math.inf
    for _ in range(TRIALS):
        start = _random_phases(rng, window, dt, target)
        trial, trial_error = _matched(start, window, dt, target)
        if trial_error < error:
            best, error = trial, trial_error
        if error <= GOAL:
            break
    else:
        raise InputError(
            f"no motion within {TOLERANCE:.0%} of the target was found for seed = {seed!r} (the "
            f"best is {error:.0%} away): give another seed, or a strong part of more than "
            f"{strong:g} s."
        )
    call = f"artificial(seed={seed!r}, rise={rise:g}, strong={strong:g}, decay={decay:g})"
    meta = {"history": (call,), "target": repr(target), "spectrum_error": error}
    return Motion(best, dt, name="artificial motion", meta=meta)


def artificial_set(
    target: Target,
    n: int = 3,
    seed: int = 0,
    *,
    rise: float = 2.0,
    strong: float = 10.0,
    decay: float = 8.0,
    dt: float = 0.01,
) -> list[Motion]:
    """``n`` motions by `artificial`, each with its own seed spawned from ``seed``."""
    return [
        artificial(target, child, rise=rise, strong=strong, decay=decay, dt=dt)
        for child in seed_sequence(seed).spawn(whole("n", n))
    ]


def check(motions: Sequence[Motion], target: Target, period: float) -> Fit:
    """Compare ``motions`` with a target, for a structure with fundamental period T1 [s]."""
    T1 = positive("period", period, "s")
    if not motions:
        raise InputError("no motions to compare: give one or more.")
    periods = np.concatenate([[0.0], np.geomspace(0.2 * T1, 2 * T1, 100)])
    spectra = response_spectra(motions, periods, target.damping, exact=True).psa
    ratio = spectra.mean(axis=0) / target.acceleration(periods)
    return Fit(len(motions), float(ratio[0]), float(ratio[1:].min()))


# -- how ----------------------------------------------------------------------------------------


def _matched(accel: Array, window: Array, dt: float, target: Target) -> tuple[Array, float]:
    """``accel`` with amplitudes that fit the target, and the largest relative error left."""
    wanted = target.acceleration(PERIODS)
    size = 2 * accel.size  # zeros after the end: a cyclic transform must not bite its tail
    frequency = np.asarray(np.fft.rfftfreq(size, dt), dtype=np.float64)
    place = np.log(np.clip(1 / np.maximum(frequency, 1e-9), PERIODS[1], PERIODS[-1]))
    best, error = accel, math.inf
    for _ in range(ITERATIONS):
        accel = _with_peak(accel, window, dt, target.pga)
        ratio = wanted / _spectrum(accel, dt, PERIODS, target)
        now = float(np.max(np.abs(1 / ratio - 1)))
        if now <= GOAL:
            checked = _spectrum(accel, dt, CHECKED, target) / target.acceleration(CHECKED)
            now = max(now, float(np.max(np.abs(checked - 1))))
        if now < error:
            best, error = accel, now
        if error <= GOAL:
            break
        factor = np.interp(place, np.log(PERIODS[1:]), ratio[1:]) ** OVERSHOOT
        accel = np.fft.irfft(np.fft.rfft(accel, size) * factor * _low_cut(frequency))[: accel.size]
    return best, error


def _spectrum(accel: Array, dt: float, periods: Array, target: Target) -> Array:
    return response_spectrum(Motion(accel, dt), periods, target.damping, exact=True).psa


def _random_phases(rng: np.random.Generator, window: Array, dt: float, target: Target) -> Array:
    """Random phases, and amplitudes in proportion to the target's pseudo-velocity."""
    frequency = np.asarray(np.fft.rfftfreq(2 * window.size, dt), dtype=np.float64)
    period = np.minimum(1 / np.maximum(frequency, 1e-9), PERIODS[-1])
    amplitude = target.acceleration(period) * period * _low_cut(frequency)
    phases = np.exp(2j * np.pi * rng.random(frequency.size))
    accel: Array = np.fft.irfft(amplitude * phases)[: window.size] * window
    accel *= target.pga / np.max(np.abs(accel))
    return accel


def _with_peak(accel: Array, window: Array, dt: float, pga: float) -> Array:
    """``accel`` at rest in the end and with peak ``pga``: clipped, or with one sample raised."""
    ramp = np.minimum(1.0, np.minimum(np.arange(accel.size), np.arange(accel.size)[::-1]) / 20)
    accel = np.clip(_at_rest(accel * ramp, window, dt), -pga, pga)
    top = int(np.argmax(np.abs(accel)))
    accel[top] = math.copysign(pga, accel[top])
    accel = _at_rest(accel, window, dt)
    peak = float(np.max(np.abs(accel)))
    return accel * max(1.0, pga / peak)


def _at_rest(accel: Array, window: Array, dt: float) -> Array:
    """``accel`` without final velocity and displacement: a line under the envelope is removed."""
    shapes = window, window * np.linspace(-0.5, 0.5, window.size)
    (v, d), (v1, d1), (v2, d2) = (_final(x, dt) for x in (accel, *shapes))
    determinant = v1 * d2 - v2 * d1
    first, second = (v * d2 - v2 * d) / determinant, (v1 * d - v * d1) / determinant
    return accel - first * shapes[0] - second * shapes[1]


def _final(accel: Array, dt: float) -> tuple[float, float]:
    """Final velocity [m/s] and displacement [m], as in `Motion`."""
    v = np.concatenate([[0.0], np.cumsum((accel[1:] + accel[:-1]) * (dt / 2))])
    d = np.sum(v[:-1] * dt + dt**2 * (2 * accel[:-1] + accel[1:]) / 6)
    return float(v[-1]), float(d)


def _envelope(rise: float, strong: float, decay: float, dt: float) -> Array:
    for name, value in (("rise", rise), ("strong", strong), ("decay", decay)):
        positive(name, value, "s")
    up, down = max(steps(rise, dt), 1), max(steps(decay, dt), 1)
    s = np.arange(1, down + 1) / down
    return np.concatenate(
        [(np.arange(up) / up) ** 2, np.ones(steps(strong, dt) + 1), np.exp(-3 * s) * (1 - s**4)]
    )


def _low_cut(frequency: Array) -> Array:
    part = np.clip((frequency - CUT[0]) / (CUT[1] - CUT[0]), 0.0, 1.0)
    cut: Array = np.sin(np.pi / 2 * part) ** 2
    return cut
