"""Points (time, value), as digitised from film: uneven ones are joined by straight lines.

A motion is linear between its samples, and so is a digitised curve: if the printed times lie on a
fine enough grid, samples on it give the same curve, corner by corner.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.source import Source
from rocksteady.numerics.types import Array

_MOST_DECIMALS = 7
_ON_THE_GRID = 10  # samples on the grid of the printed times for one point, at most
_LEAST_FILLED = 100  # samples for one point at which a record is more gap than record


class Even(NamedTuple):
    """Samples at equal steps, and how they were made from the file's points."""

    values: Array
    dt: float  # s
    note: str = ""  # empty where the points were even


def even(
    source: Source, times: Array, values: Array, lines: NDArray[np.int64], options: Options
) -> Even:
    """The values at equal steps: unchanged if the times are even but for rounding, or on straight
    lines between the points, with the caller's dt if given. ``lines`` are those of the points."""
    if times.size < 2:
        raise source.failure("has fewer than 2 points.")
    steps = np.diff(times)
    if (steps < 0).any():
        i = int(np.argmax(steps < 0))
        raise source.failure(
            f"time goes back from {times[i]:g} to {times[i + 1]:g} s: the file is damaged.",
            int(lines[i + 1]),
        )
    if not (steps > 0).any():
        raise source.failure("all points have the same time.", int(lines[0]))
    unit, grid = _printed(times)
    dt = _uniform(times, unit, grid)
    if dt is not None:
        return Even(values, settled_dt(source, dt, options, int(lines[0])))
    return _joined(source, times, values, grid, options)


def _printed(times: Array) -> tuple[float, float]:
    """The last decimal of the times, and the largest step that all are multiples of, both [s]; 0 if
    the times have more decimals than matter."""
    for decimals in range(_MOST_DECIMALS + 1):
        ticks = (times - times[0]) * 10.0**decimals
        if np.abs(ticks).max() > 2**50:
            break
        if (np.abs(ticks - np.rint(ticks)) < 1e-4).all():
            common = int(np.gcd.reduce(np.rint(ticks).astype(np.int64)))
            return 10.0**-decimals, float(f"{common * 10.0**-decimals:.12g}")
    return 0.0, 0.0


def _uniform(times: Array, unit: float, grid: float) -> float | None:
    """The step of times that are even except for rounding in print, or None."""
    mean = (times[-1] - times[0]) / (times.size - 1)
    # Beyond half a step, a rounded time and a missing sample look alike.
    rounding = (0.5 + 1e-6) * unit if unit <= mean / 2 else 1e-6 * mean
    number = np.arange(times.size)
    for dt in (grid, step_of(round(1 / mean)), float(f"{mean:.12g}")):
        if dt > 0 and (np.abs(times - times[0] - number * dt) <= rounding).all():
            return dt
    return None


def _joined(source: Source, times: Array, values: Array, grid: float, options: Options) -> Even:
    """Samples on the straight lines between uneven points."""
    span, spacing = times[-1] - times[0], float(np.median(np.diff(times)))
    step = options.dt
    if step is None:
        spacing = spacing if spacing > 0 else span / (times.size - 1)
        fits = grid > 0 and span / grid <= _ON_THE_GRID * times.size
        step = grid if fits else _round_below(spacing / 2)
    if not (step > 0 and span / step <= _LEAST_FILLED * times.size):
        raise source.failure(
            f"its {times.size} points lie {spacing:g} s apart and reach over {span:g} s: the file "
            "is damaged, or dt is far too small."
        )
    count = math.floor(span / step * (1 + 1e-9)) + 1
    sampled = np.interp(np.arange(max(count, 2)) * step, times - times[0], values)
    note = (
        f"{times.size} uneven points in the file, joined by straight lines: a sample every "
        f"{step:g} s"
    )
    return Even(sampled, step, note)


def _round_below(step: float) -> float:
    """1, 2 or 5 times a power of ten, not above ``step``."""
    power = math.floor(math.log10(step))
    digit = max(d for d in (1, 2, 5) if d * 10.0**power <= step * (1 + 1e-9))
    return float(f"{digit}e{power}")
