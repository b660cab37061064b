"""Compiled sums over the pulses of the stochastic model.

A pulse h(τ) = ω/√(1−ζ²) e^(−ζωτ) sin(ω√(1−ζ²) τ) is the imaginary part of a pointer that is turned
and shortened by the same factor p from one time step to the next. `fill_powers` makes p to
p^`TILE`, and each pulse goes on from there a tile of `TILE` samples at a time. It ends with the
tile in which it has decayed to `NEGLIGIBLE` of its beginning, below the rounding of the sum.

While the filter's frequency stands still, at one of its limits or with a rate of zero, all pulses
have the same p: one pointer holds the sum of them (`_steady_one`), a step of work for each sample.

Every sample is the sum of its terms in one order: first the steady stretches, then the other
pulses, each from the earliest on, one alone or in a panel of columns. This module imports Numba.
"""

import math

from rocksteady.motion.generate.rezaeian.columns import add_steady, copy_row
from rocksteady.motion.generate.rezaeian.tiles import (
    TILE,
    add_product_tiles,
    add_tiles,
    fill_powers,
)
from rocksteady.numerics.decorators import array_kernel, driver, inner_fused_kernel
from rocksteady.numerics.panels import ROWS, WIDE, add_rows

NEGLIGIBLE = 1e-16  # what is left of a pulse's size where it ends
UNSQUARED = 1e-9  # the same where pulses are squared
LONG = 16  # time steps of one frequency that make a steady stretch
GATHERED = 64  # pulses of which these are kept at a time: 24 KiB

LOG_NEGLIGIBLE, LOG_UNSQUARED = -math.log(NEGLIGIBLE), -math.log(UNSQUARED)


@inner_fused_kernel
def _plus(total, a, b):  # type: ignore[no-untyped-def]
    return total + a * b


@inner_fused_kernel
def _turned(re, im, c, s):  # type: ignore[no-untyped-def]
    """(re + i im)(c + i s)."""
    return re * c - im * s, re * s + im * c


@inner_fused_kernel
def _height(re, im, c, s):  # type: ignore[no-untyped-def]
    """The imaginary part of (re + i im)(c + i s)."""
    return re * s + im * c


@inner_fused_kernel
def turned_on(re, im, less, s):  # type: ignore[no-untyped-def]
    """(re + i im)(1 + less + i s): with ``less`` near zero, thousands of turns stay exact."""
    return re + (re * less - im * s), im + (re * s + im * less)


@driver
def fill_turns(omega, damping, dt, turns):  # type: ignore[no-untyped-def]
    """For the pulse of each time step: p − 1, real and imaginary part, the pointer's first length
    ω/√(1−ζ²), and how much of its logarithm goes with each step."""
    root = math.sqrt(1 - damping * damping)
    for i in range(omega.size):
        decay, half = damping * omega[i] * dt, 0.5 * root * dt * omega[i]
        sine, cosine, less = math.sin(half), math.cos(half), math.expm1(-decay)
        turns[i, 0] = less - (1 + less) * 2 * sine * sine
        turns[i, 1] = (1 + less) * 2 * sine * cosine
        turns[i, 2], turns[i, 3] = omega[i] / root, decay


@array_kernel
def length_of(pulse, log_end, most):  # type: ignore[no-untyped-def]
    """How many samples of a pulse matter, or ``most``."""
    length = log_end / pulse[3]
    return most if length >= most else int(length) + 1


@driver
def steady_stretches(omega, ends):  # type: ignore[no-untyped-def]
    """For each time step the end of the steady stretch it is in, or 0."""
    first = 0
    for i in range(1, omega.size + 1):
        if i == omega.size or omega[i] != omega[first]:
            ends[first:i] = i if i - first >= LONG else 0
            first = i


@array_kernel
def _steady_one(u, turns, begin, end, total):  # type: ignore[no-untyped-def]
    """The pulses of one steady stretch, summed in one pointer until it has decayed."""
    pulse = turns[begin]
    less, s, first = pulse[0], pulse[1], pulse[2]
    last = end + length_of(pulse, LOG_NEGLIGIBLE, u.size - end)
    re = im = 0.0
    for k in range(begin + 1, min(last + 1, u.size)):
        if k - 1 < end:
            re = _plus(re, first, u[k - 1])
        re, im = turned_on(re, im, less, s)
        total[k] += im


@array_kernel
def _steady_panel(u, turns, begin, end, total):  # type: ignore[no-untyped-def]
    """The same for each column of a panel."""
    pulse, size = turns[begin], turns.shape[0]
    last = min(end + length_of(pulse, LOG_NEGLIGIBLE, size - end), size - 1)
    add_steady(u, total, begin, end, last, pulse[0], pulse[1], pulse[2])


@array_kernel
def _add_heights(re, im, powers, u, total):  # type: ignore[no-untyped-def]
    for n in range(total.size):
        total[n] = _plus(total[n], _height(re, im, powers[0, n], powers[1, n]), u)


@array_kernel
def _put_heights(re, im, powers, heights):  # type: ignore[no-untyped-def]
    for n in range(heights.size):
        heights[n] = _height(re, im, powers[0, n], powers[1, n])


@array_kernel
def _after(re, im, powers, samples):  # type: ignore[no-untyped-def]
    """The pointer after so many more samples, one or more."""
    return _turned(re, im, powers[0, samples - 1], powers[1, samples - 1])


@driver
def pulses_of_one(u, turns, ends, powers, total):  # type: ignore[no-untyped-def]
    """Σ h u of one motion. ``total`` has room for whole tiles."""
    i = 0
    while i < u.size:
        if ends[i]:
            _steady_one(u, turns, i, ends[i], total)
        i = max(i + 1, ends[i])
    for i in range(u.size - 1):
        if ends[i]:
            continue
        end = i + 1 + length_of(turns[i], LOG_NEGLIGIBLE, u.size - 1 - i)
        fill_powers(powers, turns[i, 0], turns[i, 1])
        tile = (i + 1) // TILE * TILE + TILE
        _add_heights(turns[i, 2], 0.0, powers, u[i], total[i + 1 : tile])
        re, im = _after(turns[i, 2], 0.0, powers, tile - i - 1)
        add_tiles(total, tile, (end - tile + TILE - 1) // TILE, powers, re, im, u[i])


@array_kernel
def _heights(turn, pointer, i, k, powers, weights):  # type: ignore[no-untyped-def]
    """Pulse i in the tile that begins with sample k; its pointer goes on to the next."""
    fill_powers(powers, turn[0], turn[1])
    begin = max(i + 1 - k, 0)
    weights[:begin] = 0.0
    re, im = pointer[0], pointer[1]
    _put_heights(re, im, powers, weights[begin:])
    pointer[0], pointer[1] = _after(re, im, powers, TILE - begin)


@driver
def pack(columns, panels):  # type: ignore[no-untyped-def]
    """``columns[step, column]`` into ``panels[panel, step, column]``; zeros fill the last one."""
    whole = columns.shape[1] // WIDE
    for first in range(0, columns.shape[0], WIDE):  # a few rows at a time stay in the cache
        for panel in range(whole):
            for k in range(first, min(first + WIDE, columns.shape[0])):
                copy_row(columns, k, panel * WIDE, panels[panel])
    for panel in range(whole, panels.shape[0]):
        panels[panel] = 0.0
        for k in range(columns.shape[0]):
            for lane in range(columns.shape[1] - panel * WIDE):
                panels[panel, k, lane] = columns[k, panel * WIDE + lane]


@array_kernel
def _flush(u, sources, weights, count, k, total):  # type: ignore[no-untyped-def]
    """Add what has gathered to the samples k ... k + TILE − 1 of all panels."""
    for panel in range(u.shape[0]):
        for row in range(0, TILE, ROWS):
            add_rows(total[panel], k + row, u[panel], sources, weights, row, count)


@driver
def pulses_of_many(u, turns, ends, log_end, powers, pointers, sources, weights, total):  # type: ignore[no-untyped-def]
    """Σ h u of panels of motions, ``u[panel, step, column]``.

    ``total`` has room for whole tiles; ``sources`` and ``weights`` for as many pulses as stay in
    the first cache.
    """
    i, size = 0, turns.shape[0]
    while i < size:
        for panel in range(u.shape[0] if ends[i] else 0):
            _steady_panel(u[panel], turns, i, ends[i], total[panel])
        i = max(i + 1, ends[i])
    for i in range(size):
        pointers[i, 0], pointers[i, 1] = turns[i, 2], 0.0
    oldest = 0
    for k in range(0, size, TILE):
        count = 0
        for i in range(oldest, min(k + TILE, size) - 1):
            end = i + 1 + length_of(turns[i], log_end, size - 1 - i) if ends[i] == 0 else 0
            if end > k:
                _heights(turns[i], pointers[i], i, k, powers, weights[count])
                sources[count] = i
                count += 1
            elif i == oldest:
                oldest += 1
            if count == sources.size:
                _flush(u, sources, weights, count, k, total)
                count = 0
        _flush(u, sources, weights, count, k, total)


@array_kernel
def _steady_products(turns, begin, end, sums, squares, products):  # type: ignore[no-untyped-def]
    """Σ h² and Σ h h₋₁ of a steady stretch: the first pulse's sum, less that of the next beyond."""
    pulse = turns[begin]
    less, s, re = pulse[0], pulse[1], pulse[2]
    size = turns.shape[0]
    last = end + length_of(pulse, LOG_UNSQUARED, size - end)
    im = square = product = 0.0
    sums[0, 0] = sums[1, 0] = 0.0
    for k in range(begin + 1, min(last + 1, size)):
        before = im
        re, im = turned_on(re, im, less, s)
        square, product = _plus(square, im, im), _plus(product, im, before)
        sums[0, k - begin], sums[1, k - begin] = square, product
        gone = max(k - end, 0)
        squares[k] += square - sums[0, gone]
        products[k] += product - sums[1, gone]


@driver
def products_of_pulses(turns, ends, powers, sums, squares, products):  # type: ignore[no-untyped-def]
    """Σ h² at each time step, and Σ h h₋₁ with the time step before. ``squares`` and ``products``
    have room for a tile more than there are time steps, ``sums`` for these."""
    i, size = 0, turns.shape[0]
    while i < size:
        if ends[i]:
            _steady_products(turns, i, ends[i], sums, squares, products)
        i = max(i + 1, ends[i])
    for i in range(size - 1):
        if ends[i] == 0:
            tiles = (length_of(turns[i], LOG_UNSQUARED, size - 1 - i) + TILE - 1) // TILE
            fill_powers(powers, turns[i, 0], turns[i, 1])
            add_product_tiles(squares, products, i + 1, tiles, powers, turns[i, 2], 0.0)
