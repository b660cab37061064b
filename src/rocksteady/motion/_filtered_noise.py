"""Filtered white noise of the stochastic model: its sums, and its high-pass filter.

Every sample is the sum of its terms in one fixed order (the order of the pulses) and without
fused multiply-adds, so that one motion alone and the same motion in a batch are equal bit for bit,
on one thread or many. Nothing here calls BLAS. This module imports Numba: import it when needed.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from rocksteady.motion._checks import FloatArray
from rocksteady.motion._oscillator import compiled

NEGLIGIBLE = 1e-36  # squared size of a pulse's tail, against its beginning, that is left out
SAMPLED_PULSES = 100  # of all pulses, when the energy that a filter leaves is asked for
LANES = 8  # samples of a pulse that are computed side by side


def pulse_sums(omega: FloatArray, damping: float, dt: float) -> FloatArray:
    """sqrt(Σ h²) at each time step, for a filter of frequency ``omega`` [rad/s] at each."""
    energy = np.zeros(omega.size)
    _squares_of_pulses(omega, damping, dt, _buffer(omega), energy)
    energy[0] = 1.0  # no pulse has reached the first sample
    return np.sqrt(energy)


def filtered_noise(noise: FloatArray, omega: FloatArray, damping: float, dt: float) -> FloatArray:
    """Σ h(t − t_i; ω_i, ζ) u_i; ``noise`` u has one row per time step, one column per motion."""
    total = np.zeros_like(noise)
    if noise.shape[1] == 1:
        _pulses_of_one(noise[:, 0], omega, damping, dt, _buffer(omega), total[:, 0])
    else:
        _pulses_of_many(noise, omega, damping, dt, _buffer(omega), total)
    return total


def high_passed(accel: FloatArray, corner: float, dt: float) -> FloatArray:
    """z̈ of z̈ + 2ω_c ż + ω_c² z = accel, from rest; one column per motion, ``corner`` ω_c [rad/s].

    Exact for an acceleration that is linear between samples.
    """
    filtered = np.empty_like(accel)
    _high_pass(accel, corner, *_step_matrices(corner, dt), filtered)
    return filtered


def kept_by_high_pass(
    modulation: FloatArray, omega: FloatArray, damping: float, corner: float, dt: float
) -> tuple[FloatArray, float]:
    """The fraction of the pulses' energy that is left in the motion, at each time step; and in all.

    ``modulation`` is q/sqrt(Σ h²). The expected energy of the motion is the sum of the energies of
    the single pulses, each modulated and filtered. It changes smoothly from pulse to pulse: an even
    selection of them is enough. The energy left is halfway between the sum of squared samples (the
    model's, and what most programs integrate) and the integral over the lines between samples
    (what `intensity.arias` integrates), which is smaller by (1 − ρ)/3 with ρ the correlation of
    neighbouring samples: 2 % at 5 Hz and dt = 0.01 s. Both are then right to half of that.
    """
    stride = max(1, omega.size // SAMPLED_PULSES)
    chosen = np.arange(stride // 2, omega.size - 1, stride)
    energies = np.zeros((2, chosen.size))
    matrices = _step_matrices(corner, dt)
    _pulse_energies(
        modulation, omega, damping, dt, chosen, corner, *matrices, _buffer(omega), energies
    )
    heard = energies[0] > 1e-12 * energies[0].max()
    fraction = energies[1, heard] / energies[0, heard]
    everywhere = np.interp(np.arange(omega.size), chosen[heard], fraction)
    return everywhere, math.fsum(energies[1]) / math.fsum(energies[0])


def _buffer(omega: FloatArray) -> FloatArray:
    return np.empty(omega.size + LANES)


@compiled
def _pulse(omega: float, damping: float, dt: float, most: int, h: Any) -> int:
    """h(τ) = ω/√(1−ζ²) e^(−ζωτ) sin(ω√(1−ζ²) τ) at τ = dt, 2dt, ...; how many matter, or ``most``.

    A decaying pointer is turned by LANES steps at a time, for LANES samples side by side.
    """
    root = math.sqrt(1 - damping * damping)
    decay, angle = math.exp(-damping * omega * dt), omega * root * dt
    c, s = decay * math.cos(angle), decay * math.sin(angle)
    re, im = np.empty(LANES), np.empty(LANES)
    x, y = omega / root, 0.0
    least = NEGLIGIBLE * x * x
    for lane in range(LANES):
        x, y = c * x - s * y, s * x + c * y
        re[lane], im[lane] = x, y
    for _ in range(3):  # (c, s) to the power of LANES = 2³
        c, s = c * c - s * s, 2 * c * s
    for first in range(0, most, LANES):
        for lane in range(LANES):
            h[first + lane] = im[lane]
        if re[0] * re[0] + im[0] * im[0] < least:
            return min(most, first)
        for lane in range(LANES):
            x, y = re[lane], im[lane]
            re[lane] = c * x - s * y
            im[lane] = s * x + c * y
    return most


@compiled
def _pulses_of_one(u: Any, omega: Any, damping: float, dt: float, h: Any, total: Any) -> None:
    for i in range(omega.size - 1):
        for j in range(_pulse(omega[i], damping, dt, omega.size - 1 - i, h)):
            total[i + 1 + j] += h[j] * u[i]


@compiled
def _pulses_of_many(u: Any, omega: Any, damping: float, dt: float, h: Any, total: Any) -> None:
    for i in range(omega.size - 1):
        for j in range(_pulse(omega[i], damping, dt, omega.size - 1 - i, h)):
            for m in range(u.shape[1]):
                total[i + 1 + j, m] += h[j] * u[i, m]


@compiled
def _squares_of_pulses(omega: Any, damping: float, dt: float, h: Any, energy: Any) -> None:
    for i in range(omega.size - 1):
        for j in range(_pulse(omega[i], damping, dt, omega.size - 1 - i, h)):
            energy[i + 1 + j] += h[j] * h[j]


@compiled
def _pulse_energies(
    modulation: Any, omega: Any, damping: float, dt: float, chosen: Any, corner: float,
    a: Any, b: Any, h: Any, energies: Any,
) -> None:  # fmt: skip
    """Energies of the ``chosen`` pulses, modulated: before the high-pass and after it."""
    for number in range(chosen.size):
        i = chosen[number]
        length = _pulse(omega[i], damping, dt, omega.size - 1 - i, h)
        z = v = x0 = last = before = after = 0.0
        for j in range(omega.size - 1 - i):
            x1 = h[j] * modulation[i + 1 + j] if j < length else 0.0
            z, v = (
                a[0, 0] * z + a[0, 1] * v + b[0, 0] * x0 + b[0, 1] * x1,
                a[1, 0] * z + a[1, 1] * v + b[1, 0] * x0 + b[1, 1] * x1,
            )
            x0 = x1
            out = x1 - 2 * corner * v - corner * corner * z
            before += x1 * x1
            after += (5 * out + last) * out / 6  # the mean of out² and (out² + last² + out·last)/3
            last = out
            still = (corner * v) ** 2 + (corner * corner * z) ** 2 < 1e-12 * before
            if still and j >= length:
                break
        energies[0, number] = before
        energies[1, number] = after


@compiled
def _high_pass(accel: Any, corner: float, a: Any, b: Any, filtered: Any) -> None:
    for m in range(accel.shape[1]):
        z = v = 0.0
        filtered[0, m] = accel[0, m]
        for k in range(1, accel.shape[0]):
            x0, x1 = accel[k - 1, m], accel[k, m]
            z, v = (
                a[0, 0] * z + a[0, 1] * v + b[0, 0] * x0 + b[0, 1] * x1,
                a[1, 0] * z + a[1, 1] * v + b[1, 0] * x0 + b[1, 1] * x1,
            )
            filtered[k, m] = x1 - 2 * corner * v - corner * corner * z


@lru_cache(maxsize=16)
def _step_matrices(w: float, dt: float) -> tuple[FloatArray, FloatArray]:
    """A, B of (z, ż)_1 = A (z, ż)_0 + B (x_0, x_1): critical damping, x linear in between.

    The series of the matrix exponential and of its integrals; ``w·dt`` is small. The closed forms
    lose half their digits there, and what is lost differs from machine to machine.
    """
    once = np.array([[0.0, dt], [-w * w * dt, -2 * w * dt]])
    power, a, held, ramp = np.eye(2), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))
    for n in range(20):
        a += power / math.factorial(n)
        held += power / math.factorial(n + 1)
        ramp += power / math.factorial(n + 2)
        power = (power[:, :, None] * once[None, :, :]).sum(axis=1)
    return a, dt * np.column_stack([held[:, 1] - ramp[:, 1], ramp[:, 1]])
