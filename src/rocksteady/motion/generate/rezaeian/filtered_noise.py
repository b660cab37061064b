"""Filtered white noise of the stochastic model: its sums, and its high-pass filter.

Every sample is the sum of its terms in one fixed order with fused operations spelled out, so that
one motion alone and the same motion in a batch are equal bit for bit, on one thread or many.
Nothing here calls BLAS. This module imports Numba: import it when needed.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion.generate.rezaeian import high_pass, pulses
from rocksteady.motion.generate.rezaeian.tiles import TILE
from rocksteady.numerics.panels import WIDE
from rocksteady.numerics.types import Array

IntArray: TypeAlias = NDArray[np.int64]


class Train(NamedTuple):
    """The pulses of a filter, one for each time step."""

    turns: Array  # see `pulses.fill_turns`
    ends: IntArray  # of steady stretches, see `pulses.steady_stretches`


class PulseSums(NamedTuple):
    """What the filter makes of noise before it is modulated, at each time step."""

    deviation: Array  # sqrt(Σ h²) [1/s]
    correlation: Array  # with the time step before [-]


def train_of(omega: Array, damping: float, dt: float) -> Train:
    """For a filter of frequency ``omega`` [rad/s] at each time step."""
    turns, ends = np.empty((omega.size, 4)), np.zeros(omega.size, dtype=np.int64)
    pulses.fill_turns(omega, damping, dt, turns)
    pulses.steady_stretches(omega, ends)
    return Train(turns, ends)


def pulse_sums(omega: Array, damping: float, dt: float) -> PulseSums:
    """For a filter of frequency ``omega`` [rad/s] at each time step."""
    return sums_of(train_of(omega, damping, dt))


def sums_of(train: Train) -> PulseSums:
    """The sums over a train of pulses."""
    size = train.ends.size
    squares, products = np.zeros((2, size + TILE))
    pulses.products_of_pulses(*train, _powers(), np.empty((2, size)), squares, products)
    squares, products = squares[:size], products[:size]
    squares[0] = 1.0  # no pulse has reached the first sample
    deviation = np.sqrt(squares)
    products[1:] /= deviation[1:] * deviation[:-1]
    return PulseSums(deviation, products)


def filtered_noise(noise: Array, omega: Array, damping: float, dt: float) -> Array:
    """Σ h(t − t_i; ω_i, ζ) u_i; ``noise`` u has one row per time step, one column per motion."""
    return driven(train_of(omega, damping, dt), noise)


def driven(train: Train, noise: Array) -> Array:
    """The pulses of a train, each times its ``noise``."""
    size, columns = noise.shape
    if columns == 1:
        total = np.zeros(_whole_tiles(size))
        pulses.pulses_of_one(np.ascontiguousarray(noise[:, 0]), *train, _powers(), total)
        return total[:size, None]
    panels = driven_panels(train, noise)[:, :size]
    return panels.transpose(1, 0, 2).reshape(size, -1)[:, :columns]


def driven_panels(train: Train, noise: Array, log_end: float = pulses.LOG_NEGLIGIBLE) -> Array:
    """The same in panels, ``[panel, step, column]``, with rows for whole tiles. Pulses end where
    the logarithm of their size has fallen by ``log_end``."""
    size, columns = noise.shape
    in_panels = np.empty((-(-columns // WIDE), size, WIDE))
    pulses.pack(np.ascontiguousarray(noise), in_panels)
    total = np.zeros((len(in_panels), _whole_tiles(size), WIDE))
    sources = np.empty(pulses.GATHERED, dtype=np.int64)
    weights = np.empty((pulses.GATHERED, TILE))
    pulses.pulses_of_many(
        in_panels, *train, log_end, _powers(), np.empty((size, 2)), sources, weights, total
    )
    return total


def high_passed(accel: Array, corner: float, dt: float) -> Array:
    """z̈ of z̈ + 2ω_c ż + ω_c² z = accel, from rest; one column per motion, ``corner`` ω_c [rad/s].

    Exact for an acceleration that is linear between samples.
    """
    accel = np.ascontiguousarray(accel)
    filtered = np.empty_like(accel)
    high_pass.filter_columns(accel, high_pass.high_pass(corner, dt), filtered)
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
    """The expected energy of a motion with envelope ``q``; see `expected_of`."""
    return expected_of(train_of(omega, damping, dt), q, sums, corner, dt, stride)


def expected_of(
    train: Train, q: Array, sums: PulseSums, corner: float, dt: float, stride: int
) -> Expected:
    """The expected energy of a motion with envelope ``q``.

    The noise is independent from step to step, so the energy is the sum of the energies of the
    single pulses, each modulated and filtered. How the filter changes them varies smoothly from
    pulse to pulse: one in ``stride`` is enough where that is a short time, and more in the
    beginning, when the first pulses are all there is.
    """
    size = q.size
    heard = min(int(np.flatnonzero(q > 1e-3 * q.max())[-1]) + 1, size - 1)
    modulation, change = np.zeros((2, 2 * size + high_pass.STEPS))
    echoes = np.zeros((3, 2 * size + high_pass.STEPS))
    modulation[:size] = q / sums.deviation
    samples, lines = high_pass.pulse_energies(
        modulation, train.turns, heard, stride, high_pass.high_pass(corner, dt),
        np.empty(heard + 1, dtype=np.int64), np.empty(high_pass.TABLE), change, echoes,
    )  # fmt: skip
    raw = q[1:] ** 2 + q[:-1] ** 2 + q[1:] * q[:-1] * sums.correlation[1:]
    power = np.maximum((raw + np.cumsum(change)[1:size]) / 3, 0.0)
    arrived = dt * np.concatenate([[0.0], np.cumsum(power)])
    return Expected(arrived, samples / lines)


def _powers() -> Array:
    return np.empty((2, TILE))


def _whole_tiles(size: int) -> int:
    return -(-size // TILE) * TILE
