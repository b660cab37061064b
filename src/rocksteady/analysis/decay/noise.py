"""The swings of a test: a noisy record passes zero many times for one impact.

The noise is estimated from the record. A swing counts if it exceeds the noise and a share of the
previous swing. The middle one of the passages between two swings is the impact, and a parabola
through all samples near a turning point gives the peak.
"""

import math

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.types import Array

FAINT = 0.1  # of the previous swing: an impact with r ≥ 0.2 leaves at least 0.106 of it
CLEAR = 5.0  # times the noise: a smaller lean may be noise
NEAR = 12.0  # times the noise: samples this close below the largest define the peak
RESTED = 1.5  # times the first half period: swings get shorter, so a longer one is not a swing
FEWEST = 5  # samples for a least-squares parabola
TURNS, PART = 8.0, 0.08  # times the noise; of the range: smaller reversals do not count


def passages_through_zero(time: Array, theta: Array) -> tuple[Array, NDArray[np.intp]]:
    """Times at which θ passes zero, interpolated linearly, and the samples before.

    A sample with θ = 0 belongs to the side before it, at the start to the side after it, so that
    a mirror image passes at the same times.
    """
    leans = np.flatnonzero(theta)
    if not len(leans):
        return np.empty(0), leans
    last = np.searchsorted(leans, np.arange(len(theta)), side="right") - 1
    right = theta[leans[np.maximum(last, 0)]] > 0
    before = np.flatnonzero(right[1:] != right[:-1])
    share = theta[before] / (theta[before] - theta[before + 1])
    return time[before] + share * (time[before + 1] - time[before]), before


def noise_of(theta: Array) -> float:
    """Standard deviation of the noise in θ, from its fourth differences: they vanish for a smooth
    history and are sqrt(70) times the noise if it is independent. The median excludes the
    impacts."""
    if len(theta) < FEWEST:
        return 0.0
    rough = np.abs(np.diff(theta, 4))
    return float(np.median(rough)) / (0.6745 * math.sqrt(70))


def noisy_impacts(time: Array, theta: Array, noise: float) -> tuple[Array, NDArray[np.intp]]:
    """Times of the impacts [s] until the block is at rest, and the samples before them."""
    when, before = passages_through_zero(time, theta)
    largest = np.maximum.reduceat(np.abs(theta), np.concatenate([[0], before + 1]))
    hits = _until_rest(_impacts(largest, CLEAR * noise), when - time[0])
    return when[hits], before[hits]


def _impacts(largest: Array, least: float) -> NDArray[np.intp]:
    """Which passages are impacts, from the largest lean between successive passages. Sides
    alternate, so an odd number of passages separates two parts on opposite sides."""
    hits = []
    clear, height = 0, float(largest[0])  # last part that counts, and the peak of its swing
    for part in range(1, len(largest)):
        if largest[part] <= max(FAINT * height, least):
            continue
        if (part - clear) % 2:
            hits.append((clear + part - 1) // 2)
            height = 0.0
        clear, height = part, max(height, float(largest[part]))
    return np.array(hits, dtype=np.intp)


def _until_rest(hits: NDArray[np.intp], when: Array) -> NDArray[np.intp]:
    """The impacts before a swing that is longer than the first, of which only half is recorded."""
    long = np.diff(when[hits]) > RESTED * 2 * when[hits[:1]]
    return hits[: int(np.argmax(long)) + 1] if long.any() else hits


def noisy_peak(time: Array, noise: float, lean: Array, i: int, first: int, last: int) -> float:
    """The largest lean of the swing ``lean[first:last]``, whose largest sample is i."""
    low, high = i, i + 1
    while low > first and lean[low - 1] > lean[i] - NEAR * noise:
        low -= 1
    while high < last and lean[high] > lean[i] - NEAR * noise:
        high += 1
    if high - low < FEWEST:
        return top_of_three(lean, i, first, last)
    t = time[low:high] - time[i]
    bend, slope, level = np.polyfit(t, lean[low:high], 2)
    if bend >= 0:  # before the turning point
        return float(lean[i])
    at = min(max(-slope / (2 * bend), t[0]), t[-1])
    return float(level + at * (slope + at * bend))


def top_of_three(lean: Array, i: int, first: int, last: int) -> float:
    """The largest of ``lean[first:last]``, by a parabola about its largest sample i, without
    neighbours in another swing."""
    if not first < i < last - 1:
        return float(lean[i])
    a, b, c = (float(value) for value in lean[i - 1 : i + 2])
    bend = 2 * b - a - c
    return b + (a - c) ** 2 / (8 * bend) if bend > 0 else b


# -- without knowing the zero of the sensor -------------------------------------------------------


def turning_points(time: Array, theta: Array, noise: float) -> NDArray[np.intp]:
    """The turning points of a record from the release on: its largest change is the one from the
    held lean to the other side. The sensor's zero is not needed. Reversals by less than 8 times the
    noise, or 8 % of the range, do not count."""
    found = _alternating(theta, max(TURNS * noise, PART * float(np.ptp(theta))))
    heights = theta[found]
    if len(found) < 2:
        return found
    found = found[int(np.argmax(np.abs(np.diff(heights)))) :]
    if len(found) < 4:
        return found
    waits = np.diff(time[found[1:]])  # swings get shorter; a longer one is after the end
    late = np.flatnonzero(waits > RESTED * waits[0])
    return found[: late[0] + 2] if len(late) else found


def _alternating(theta: Array, least: float) -> NDArray[np.intp]:
    """Alternating highest and lowest samples, at least ``least`` apart; the last one may be before
    its turning point."""
    found, low, high, rising, falling = [], 0, 0, True, True
    values = theta.tolist()
    for i, value in enumerate(values):
        high = i if value > values[high] else high
        low = i if value < values[low] else low
        if rising and values[high] - value > least:
            found.append(high)
            rising, falling, low = False, True, i
        elif falling and value - values[low] > least:
            found.append(low)
            rising, falling, high = True, False, i
    found.append(high if rising else low)
    return np.array(found, dtype=np.intp)
