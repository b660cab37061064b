"""The swings of a free-rocking history, and their closed forms for a slender block
(D'Altri et al. 2024, Eqs. 3 and 7)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.decay.noise import (
    noise_of,
    noisy_impacts,
    noisy_peak,
    passages_through_zero,
    top_of_three,
)
from rocksteady.bodies import Block, Side, expect
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

DIED_OUT = 0.05  # of θ_0: smaller swings do not count


@dataclass(frozen=True, eq=False)
class Swings:
    """The swings of free rocking; swing 0 ends with the first impact."""

    passages: Array
    """When θ passes zero [s]: the impacts."""
    peaks: Array
    """Largest |θ| of each swing [rad]; the last swing may not have reached its peak."""
    half_periods: Array
    """Duration of each swing [s]; for swing 0, twice the time to the first impact."""
    rightwards: NDArray[np.bool_]
    """Whether the largest lean is to the right."""
    at: NDArray[np.intp]
    """The sample of the largest lean."""


def potential(side: Side, lean: Array) -> Array:
    """Potential energy of a rigid block that leans by ``lean`` [rad] about a corner, over m g:
    the rise of its centre of mass [m]."""
    return np.asarray(2 * side.R * np.sin(side.alpha - lean / 2) * np.sin(lean / 2))


def closed_form_peaks(theta0: float, r: float, n: NDArray[Any]) -> Array:
    """θ_n/α of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(1 - np.sqrt(1 - r**n * (1 - (1 - theta0) ** 2)))


def closed_form_half_periods(theta0: float, r: float, p: float, n: NDArray[Any]) -> Array:
    """T_n/2 [s] of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(2 / p * np.arctanh(np.sqrt(r**n * (1 - (1 - theta0) ** 2))))


def swings(time: Array, theta: Array, impacts: Array | None = None) -> Swings:
    """The swings of a history θ(t) [rad] that starts at rest, leaning.

    Passages through zero are interpolated linearly, turning points by a parabola through three
    samples. If the times of the ``impacts`` are given, only they end a swing.
    """
    time, theta = np.asarray(time, dtype=float), np.asarray(theta, dtype=float)
    check_shapes(time, theta)
    if impacts is None:
        passages, before = passages_through_zero(time, theta)
    else:
        passages, before = impacts, np.searchsorted(time, impacts) - 1
    return _between(time, theta, passages, before, top_of_three)


def measured_swings(time: Array, theta: Array) -> Swings:
    """The swings of a test with noise in θ(t) [rad], until the block is at rest: see `decay.noise`.
    Without noise they end at all passages through zero, and peaks come from three samples."""
    noise = noise_of(theta)
    passages, before = noisy_impacts(time, theta, noise)
    return _between(time, theta, passages, before, partial(noisy_peak, time, noise))


def _between(
    time: Array, theta: Array, passages: Array, before: Any, peak: Callable[..., float]
) -> Swings:
    """The swings that end at ``passages``, after the samples ``before``; ``peak(lean, i, first,
    last)`` is the largest lean of one whose largest sample is i."""
    first = np.concatenate([[0], before + 1])
    last = np.maximum(np.concatenate([before + 1, [len(theta)]]), first + 1)
    lean, parts = np.abs(theta), list(zip(first, last, strict=True))
    at = np.array([i + int(np.argmax(lean[i:j])) for i, j in parts], dtype=np.intp)
    peaks = np.array([peak(lean, int(i), *part) for i, part in zip(at, parts, strict=True)])
    # for swing 0, twice the time to the first impact
    half_periods = np.diff(passages, prepend=2 * time[0] - passages[:1])
    return Swings(passages, peaks, half_periods, theta[at] > 0, at)


def check_shapes(time: Array, theta: Array) -> None:
    if time.shape != theta.shape or time.ndim != 1 or len(time) < 3:
        raise InputError(
            f"time and theta of shapes {time.shape} and {theta.shape} are not a history: give two "
            "arrays of the same length, at least three samples."
        )


def last_swing(r: float, found: Swings, block: Block, impacts: int | None) -> int:
    """The last swing N that counts."""
    if impacts is not None:
        return int(impacts)
    if r >= 1:
        return len(found.peaks)  # no decay: more swings than there are
    released = found.peaks[0] / block.alpha
    # θ_n = 1 − sqrt(1 − rⁿ [1 − (1 − θ_0)²]) < 0.05 θ_0, solved for n
    share = (1 - (1 - DIED_OUT * released) ** 2) / (1 - (1 - released) ** 2)
    return math.floor(math.log(share) / math.log(r)) + 1


def comparable(found: Swings) -> int:
    """How many impacts can be compared: the swing after the last one may be incomplete."""
    return max(len(found.passages) - 1, 0)


def decay_error(
    found: Swings, block: Block, r: float, impacts: int | None = None
) -> tuple[float, float]:
    """(e_θ, e_T) of Eq. 7: root mean square difference of peaks and half periods from the closed
    form's for ``r``, in units of the first; infinite if the history has too few impacts."""
    expect(found, Swings, "decay_error", ", which decay.swings finds in a history")
    expect(block, Block, "decay_error")
    last = last_swing(r, found, block, impacts)
    if last >= len(found.half_periods):
        return math.inf, math.inf
    n = np.arange(last + 1)
    released = found.peaks[0] / block.alpha
    peaks = block.alpha * closed_form_peaks(released, r, n)
    return differences(found, peaks, closed_form_half_periods(released, r, block.p, n))


def differences(found: Swings, peaks: Array, half_periods: Array) -> tuple[float, float]:
    """(e_θ, e_T) of Eq. 7, from swings with these peaks [rad] and half periods [s]."""
    n = len(peaks)
    e_theta = float(np.sum((peaks - found.peaks[:n]) ** 2))
    e_period = float(np.sum((half_periods - found.half_periods[:n]) ** 2))
    last = max(n - 1, 1)
    return (
        math.sqrt(e_theta / last) / float(peaks[0]),
        math.sqrt(e_period / last) / float(half_periods[0]),
    )
