"""The compiled high-pass filter z̈ + 2ω_c ż + ω_c² z = x, of motions and of the energy of pulses.

Exact for an acceleration x that is linear between samples. This module imports Numba.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rocksteady.motion.generate.rezaeian.columns import energies
from rocksteady.motion.generate.rezaeian.pulses import length_of, turned_on
from rocksteady.numerics.decorators import (
    array_kernel,
    driver,
    inner_array_kernel,
    inner_fused_kernel,
    vector_kernel,
)
from rocksteady.numerics.panels import WIDE
from rocksteady.numerics.types import Array
from rocksteady.numerics.vectors import read_spaced, write_spaced

LANES = 2 * WIDE  # pulses that are followed side by side, each from its own beginning
STEPS = 4  # time steps between two looks at them
LOG_ENDED = -math.log(1e-6)  # what is left of a pulse's size where only its echo is followed on

# Rows of the table of lanes: pointer and its turn, state of the filter, input and output before,
# sums of squares of samples and of lines; changes and modulation in each of the steps; the filter,
# the same in all lanes.
RE, IM, LESS, S, Z, V, X, OUT, SAMPLES, LINES, CHANGE = range(11)
MODULATION = CHANGE + STEPS
FILTER = MODULATION + STEPS


class Filter(NamedTuple):
    """(z, ż)_1 = A (z, ż)_0 + B (x_0, x_1), and z̈ = x − 2ω_c ż − ω_c² z."""

    a00: float
    a01: float
    a10: float
    a11: float
    b00: float
    b01: float
    b10: float
    b11: float
    damping: float  # 2ω_c
    stiffness: float  # ω_c²


TABLE = (FILTER + len(Filter._fields)) * LANES
OWN, EACH_STEP = (0.0,) * CHANGE, (0.0,) * STEPS
OF_FILTER = (0.0,) * len(Filter._fields)


@lru_cache(maxsize=16)
def high_pass(w: float, dt: float) -> Filter:
    """The filter with corner ``w`` [rad/s], for time steps ``dt`` [s]."""
    a, b = _step_matrices(w, dt)
    return Filter(*a.ravel().tolist(), *b.ravel().tolist(), 2 * w, w * w)  # type: ignore[call-arg]


def _step_matrices(w: float, dt: float) -> tuple[Array, Array]:
    """A and B: critical damping, x linear in between.

    The series of the matrix exponential and of its integrals; ``w·dt`` is small. The closed forms
    lose half their digits there, and what is lost differs from machine to machine.
    """
    once = np.array([[0.0, dt], [-w * w * dt, -2 * w * dt]])
    power, a, held, ramp = np.eye(2), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))
    for n in range(20 if w * dt > 0.01 else 8):  # beyond, nothing changes any more
        a += power / math.factorial(n)
        held += power / math.factorial(n + 1)
        ramp += power / math.factorial(n + 2)
        power = (power[:, :, None] * once[None, :, :]).sum(axis=1)
    return a, dt * np.column_stack([held[:, 1] - ramp[:, 1], ramp[:, 1]])


@inner_fused_kernel
def _step(z, v, x0, x1, f):  # type: ignore[no-untyped-def]
    """(z, ż, z̈) at the next time step."""
    z, v = (
        (f.b00 * x0 + f.b01 * x1) + f.a01 * v + f.a00 * z,
        (f.b10 * x0 + f.b11 * x1) + f.a10 * z + f.a11 * v,
    )
    return z, v, x1 - f.damping * v - f.stiffness * z


@inner_fused_kernel
def _lines(one, other):  # type: ignore[no-untyped-def]
    """Three times the mean square of the line between two samples."""
    return one * (one + other) + other * other


@driver
def filter_columns(accel, f, filtered):  # type: ignore[no-untyped-def]
    """z̈ from rest; one column per motion."""
    for m in range(accel.shape[1]):
        z = v = 0.0
        filtered[0, m] = accel[0, m]
        for k in range(1, accel.shape[0]):
            z, v, filtered[k, m] = _step(z, v, accel[k - 1, m], accel[k, m], f)


# -- when the energy of trial motions arrives ---------------------------------------------------


@driver
def arrivals(unit, q, f, marks, energy, mean, found):  # type: ignore[no-untyped-def]
    """When each motion reaches these parts of its energy, in time steps; ``unit`` are the panels
    before they are modulated by q. ``mean`` sums up the energy over panels."""
    for m in range(found.shape[0]):
        lane = m % WIDE
        if lane == 0:
            energies(unit[m // WIDE], q, q.size, f, energy, mean)
        for i in range(marks.size):
            low, high = 0, q.size - 1
            part = marks[i] * energy[high, lane]
            while high - low > 1:  # the first step with this much, and the one before
                middle = (low + high) // 2
                if energy[middle, lane] < part:
                    low = middle
                else:
                    high = middle
            more = energy[high, lane] - energy[low, lane]
            found[m, i] = high - (energy[high, lane] - part) / more


# -- how the filter changes the energy of pulses ------------------------------------------------


@inner_fused_kernel
def _pulse_step(m, own, f):  # type: ignore[no-untyped-def]
    """The next time step of a pulse, modulated by m and filtered: its rows of the table and the
    change."""
    re, im, less, s, z, v, x0, last, samples, lines = own
    re, im = turned_on(re, im, less, s)
    x = im * m
    z, v, out = _step(z, v, x0, x, f)
    between = _lines(out, last)
    change = between - _lines(x, x0)
    samples, lines = samples + out * out, lines + between
    return (re, im, less, s, z, v, x, out, samples, lines), change


@vector_kernel(LANES)
def _four_steps(table, lane):  # type: ignore[no-untyped-def]
    own = read_spaced(table, lane, LANES, OWN)
    m = read_spaced(table, MODULATION * LANES + lane, LANES, EACH_STEP)
    f = Filter(*read_spaced(table, FILTER * LANES + lane, LANES, OF_FILTER))
    own, change0 = _pulse_step(m[0], own, f)
    own, change1 = _pulse_step(m[1], own, f)
    own, change2 = _pulse_step(m[2], own, f)
    own, change3 = _pulse_step(m[3], own, f)
    write_spaced(table, lane, LANES, own)
    write_spaced(table, CHANGE * LANES + lane, LANES, (change0, change1, change2, change3))


@array_kernel
def _growing_strides(end, stride, bounds):  # type: ignore[no-untyped-def]
    """0, 1, 2, ... to ``end``; later on a tenth of the number farther, and at most ``stride``."""
    n = bounds[0] = 0
    while bounds[n] < end:
        bounds[n + 1] = min(bounds[n] + min(max(bounds[n] // 10, 1), stride), end)
        n += 1
    return n


@inner_array_kernel
def _middle(bounds, lane):  # type: ignore[no-untyped-def]
    """The pulse that stands for those between two bounds."""
    return bounds[lane] + (bounds[lane + 1] - bounds[lane]) // 2


@array_kernel
def _begin(turns, bounds, f, table):  # type: ignore[no-untyped-def]
    """A pulse into each lane; how many time steps it takes until all of them have ended."""
    table[:] = 0.0
    longest, size = 0, turns.shape[0]
    for row in range(len(f)):
        for lane in range(LANES):
            table[(FILTER + row) * LANES + lane] = f[row]
    for lane in range(bounds.size - 1):
        i = _middle(bounds, lane)
        table[LESS * LANES + lane], table[S * LANES + lane] = turns[i, 0], turns[i, 1]
        table[RE * LANES + lane] = turns[i, 2]
        longest = max(longest, length_of(turns[i], LOG_ENDED, size - 1 - i))
    return longest


@array_kernel
def _spread_changes(table, bounds, k, change):  # type: ignore[no-untyped-def]
    """The changes in the k-th time step of the pulses and in those after it."""
    for n in range(STEPS):
        row, before = table[(CHANGE + n) * LANES :], 0.0
        for lane in range(bounds.size - 1):
            change[bounds[lane] + k + n] += row[lane] - before
            before = row[lane]
        change[bounds[bounds.size - 1] + k + n] -= before


@driver
def pulse_energies(modulation, turns, heard, stride, f, bounds, table, change, echoes):  # type: ignore[no-untyped-def]
    """How the high-pass changes the energy of pulses; and the sum over samples, and over the lines
    between them, of what it is afterwards (both three times).

    The pulses from each of the ``bounds`` to the next are like the one in their middle, each a step
    later than the one before: ``change`` is to be summed up for the change at each time step.
    ``modulation`` and ``change`` have room for a pulse of any length that begins with the last.
    """
    samples = lines = 0.0
    count = _growing_strides(heard, stride, bounds)
    for number in range(0, count, LANES):
        here = bounds[number : min(number + LANES, count) + 1]
        k, longest = 1, _begin(turns, here, f, table)
        while k <= longest:
            for lane in range(here.size - 1):
                i = _middle(here, lane)
                for n in range(STEPS):
                    table[(MODULATION + n) * LANES + lane] = modulation[i + k + n]
            _four_steps(table)
            _spread_changes(table, here, k, change)
            k += STEPS
        for lane in range(here.size - 1):
            alike = here[lane + 1] - here[lane]
            samples += 3 * alike * table[SAMPLES * LANES + lane]
            lines += alike * table[LINES * LANES + lane]
            z, v = table[Z * LANES + lane], table[V * LANES + lane]
            for row, moment in enumerate((z * z, z * v, v * v)):
                echoes[row, here[lane] + k] += moment
                echoes[row, here[lane + 1] + k] -= moment
    return _add_echoes(echoes[:, : turns.shape[0]], f, change, samples, lines)


@array_kernel
def _add_echoes(echoes, f, change, samples, lines):  # type: ignore[no-untyped-def]
    """The filter rings on after a pulse: the sum of squares and products of z and ż over all of
    them follows from one time step to the next."""
    zz = zv = vv = new_zz = new_zv = new_vv = before = 0.0
    d, c = f.damping, f.stiffness
    for k in range(echoes.shape[1]):
        new_zz, new_zv, new_vv = new_zz + echoes[0, k], new_zv + echoes[1, k], new_vv + echoes[2, k]
        zz, zv, vv = zz + new_zz, zv + new_zv, vv + new_vv
        last = d * d * vv + 2 * c * d * zv + c * c * zz
        # z̈ = −(e z + g ż) at the next step
        e, g = c * f.a00 + d * f.a10, c * f.a01 + d * f.a11
        product = e * c * zz + (e * d + g * c) * zv + g * d * vv
        zz, zv, vv = (
            f.a00 * f.a00 * zz + 2 * f.a00 * f.a01 * zv + f.a01 * f.a01 * vv,
            f.a00 * f.a10 * zz + (f.a00 * f.a11 + f.a01 * f.a10) * zv + f.a01 * f.a11 * vv,
            f.a10 * f.a10 * zz + 2 * f.a10 * f.a11 * zv + f.a11 * f.a11 * vv,
        )
        out = d * d * vv + 2 * c * d * zv + c * c * zz
        now = out + product + last
        change[k] += now - before  # to be summed up as well
        before = now
        samples += 3 * out
        lines += now
    return samples, lines
