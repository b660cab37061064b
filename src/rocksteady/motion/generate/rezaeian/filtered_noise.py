"""Filtered white noise of the stochastic model: its sums, and its high-pass filter.

Every sample is the sum of its terms in one fixed order (the order of the pulses) and without
fused multiply-adds, so that one motion alone and the same motion in a batch are equal bit for bit,
on one thread or many. Nothing here calls BLAS. This module imports Numba: import it when needed.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.decorators import standalone
from rocksteady.numerics.types import Array

IntArray: TypeAlias = NDArray[np.int64]

NEGLIGIBLE = 1e-36  # squared size of a pulse's tail, against its beginning, that is left out
LANES = 8  # samples of a pulse that are computed side by side


class PulseSums(NamedTuple):
    """What the filter makes of noise before it is modulated, at each time step."""

    deviation: Array  # sqrt(Σ h²) [1/s]
    correlation: Array  # with the time step before [-]


def pulse_sums(omega: Array, damping: float, dt: float) -> PulseSums:
    """For a filter of frequency ``omega`` [rad/s] at each time step."""
    squares, products = np.zeros(omega.size), np.zeros(omega.size)
    _products_of_pulses(omega, damping, dt, _buffer(omega), squares, products)
    squares[0] = 1.0  # no pulse has reached the first sample
    deviation = np.sqrt(squares)
    products[1:] /= deviation[1:] * deviation[:-1]
    return PulseSums(deviation, products)


def filtered_noise(noise: Array, omega: Array, damping: float, dt: float) -> Array:
    """Σ h(t − t_i; ω_i, ζ) u_i; ``noise`` u has one row per time step, one column per motion."""
    total = np.zeros_like(noise)
    if noise.shape[1] == 1:
        _pulses_of_one(noise[:, 0], omega, damping, dt, _buffer(omega), total[:, 0])
    else:
        _pulses_of_many(noise, omega, damping, dt, _buffer(omega), total)
    return total


def high_passed(accel: Array, corner: float, dt: float) -> Array:
    """z̈ of z̈ + 2ω_c ż + ω_c² z = accel, from rest; one column per motion, ``corner`` ω_c [rad/s].

    Exact for an acceleration that is linear between samples.
    """
    filtered = np.empty_like(accel)
    _high_pass(accel, corner, *step_matrices(corner, dt), filtered)
    return filtered


class Expected(NamedTuple):
    """What the motion is like after the high-pass, on average over all noise."""

    arrived: Array  # ∫z̈² over the lines between samples, up to each of them [m²/s³]
    samples: float  # the sum over samples, as a part of that [-]


def expected_energy(
    q: Array,
    sums: PulseSums,
    omega: Array,
    damping: float,
    corner: float,
    dt: float,
    stride: int = 1,
) -> Expected:
    """The expected energy of a motion with envelope ``q``.

    The noise is independent from step to step, so the energy is the sum of the energies of the
    single pulses, each modulated and filtered. How the filter changes them varies smoothly from
    pulse to pulse: one in ``stride`` is enough where that is a short time, and more in the
    beginning, when the first pulses are all there is.
    """
    heard = int(np.flatnonzero(q > 1e-3 * q.max())[-1])
    bounds = _growing_strides(min(heard + 1, omega.size - 1), stride)
    change, energies = np.zeros(omega.size + stride), np.zeros((2, bounds.size - 1))
    _pulse_energies(
        q / sums.deviation, omega, damping, dt, bounds, corner, *step_matrices(corner, dt),
        _buffer(omega), change, energies,
    )  # fmt: skip
    lines = (q[1:] ** 2 + q[:-1] ** 2 + q[1:] * q[:-1] * sums.correlation[1:]) / 3
    power = np.maximum(lines + np.cumsum(change)[1 : omega.size], 0.0)
    arrived = dt * np.concatenate([[0.0], np.cumsum(power)])
    return Expected(arrived, math.fsum(energies[0]) / math.fsum(energies[1]))


def _growing_strides(end: int, stride: int) -> IntArray:
    """0, 1, 2, ... to ``end``; later on a tenth of the number farther, and at most ``stride``."""
    bounds = [0]
    while bounds[-1] < end:
        bounds.append(min(bounds[-1] + min(max(bounds[-1] // 10, 1), stride), end))
    return np.array(bounds)


def _buffer(omega: Array) -> Array:
    return np.empty(omega.size + LANES)


@standalone
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


@standalone
def _pulses_of_one(u: Any, omega: Any, damping: float, dt: float, h: Any, total: Any) -> None:
    for i in range(omega.size - 1):
        for j in range(_pulse(omega[i], damping, dt, omega.size - 1 - i, h)):
            total[i + 1 + j] += h[j] * u[i]


@standalone
def _pulses_of_many(u: Any, omega: Any, damping: float, dt: float, h: Any, total: Any) -> None:
    for i in range(omega.size - 1):
        for j in range(_pulse(omega[i], damping, dt, omega.size - 1 - i, h)):
            for m in range(u.shape[1]):
                total[i + 1 + j, m] += h[j] * u[i, m]


@standalone
def _products_of_pulses(
    omega: Any, damping: float, dt: float, h: Any, squares: Any, products: Any
) -> None:
    for i in range(omega.size - 1):
        length = _pulse(omega[i], damping, dt, omega.size - 1 - i, h)
        for j in range(length):
            squares[i + 1 + j] += h[j] * h[j]
        for j in range(1, length):
            products[i + 1 + j] += h[j] * h[j - 1]


@standalone
def _pulse_energies(
    modulation: Any, omega: Any, damping: float, dt: float, bounds: Any, corner: float,
    a: Any, b: Any, h: Any, change: Any, energies: Any,
) -> None:  # fmt: skip
    """How the high-pass changes the energy of pulses, and what it is afterwards.

    The pulses from each of the ``bounds`` to the next are like the one in their middle, each a step
    later than the one before: ``change`` is to be summed up for the change at each time step.
    """
    for number in range(bounds.size - 1):
        alike = bounds[number + 1] - bounds[number]
        i = bounds[number] + alike // 2
        length = _pulse(omega[i], damping, dt, omega.size - 1 - i, h)
        z = v = x0 = last = before = samples = lines = 0.0
        for j in range(omega.size - 1 - i):
            x1 = h[j] * modulation[i + 1 + j] if j < length else 0.0
            z, v = (
                a[0, 0] * z + a[0, 1] * v + b[0, 0] * x0 + b[0, 1] * x1,
                a[1, 0] * z + a[1, 1] * v + b[1, 0] * x0 + b[1, 1] * x1,
            )
            out = x1 - 2 * corner * v - corner * corner * z
            between = (out * out + out * last + last * last) / 3
            changed = between - (x1 * x1 + x1 * x0 + x0 * x0) / 3
            change[i + 1 + j - alike // 2] += changed
            change[i + 1 + j - alike // 2 + alike] -= changed
            before += x1 * x1
            samples += out * out
            lines += between
            x0, last = x1, out
            still = (corner * v) ** 2 + (corner * corner * z) ** 2 < 1e-12 * before
            if still and j >= length:
                break
        energies[0, number] = alike * samples
        energies[1, number] = alike * lines


@standalone
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
def step_matrices(w: float, dt: float) -> tuple[Array, Array]:
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
