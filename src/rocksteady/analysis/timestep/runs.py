"""Free rocking compared with the closed forms as it goes: the runs of a time-step campaign.

One run answers for many r at once. Each swing adds to the sums of Eq. 7 (D'Altri et al. 2024) for
every r, and the run ends as soon as each of them is either complete or beyond what could still be
accepted. Sums only grow; and how little may still come is known from the loss at later impacts,
which is taken to stay within 1.5 times the largest and the smallest seen so far.
"""

import math
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.decay.swings import DIED_OUT, closed_form_half_periods, closed_form_peaks
from rocksteady.bodies import Block
from rocksteady.engine.drivers import make_interval
from rocksteady.numerics.decorators import driver, kernel
from rocksteady.numerics.types import Array
from rocksteady.theories import Formulation
from rocksteady.theories.contract import OVERTURN

RELEASED = 0.5  # of α: where every run starts (section 3.1)
STILL = 1e-5  # of θ_0: below this it no longer rocks, and swings that lack will not come
LONGEST = 600.0  # s
LOOK_AHEAD = 4  # swings between two looks at what is still to come
MARGIN = 1.5  # by which later losses may leave the range of those seen


class ClosedForms(NamedTuple):
    """Peaks and half periods of Eq. 3 for many r, a row for each; entry n is after n impacts."""

    peaks: Array
    """θ_n/α [-]."""
    half_periods: Array
    """T_n/2 [s]."""
    last: NDArray[np.int64]
    """N for each r: the first n with θ_n below 5 % of θ_0."""

    @classmethod
    def of(cls, block: Block, ratios: Array, released: float = RELEASED) -> Self:
        share = (1 - (1 - DIED_OUT * released) ** 2) / (1 - (1 - released) ** 2)
        last = np.floor(math.log(share) / np.log(ratios)).astype(np.int64) + 1
        n, each = np.arange(last.max() + 1), [float(r) for r in ratios]
        return cls(
            np.array([closed_form_peaks(released, r, n) for r in each]),
            np.array([closed_form_half_periods(released, r, block.p, n) for r in each]),
            last,
        )


@kernel
def energy(lean):  # type: ignore[no-untyped-def]
    """What is left of it to the top at lean θ/α, over that at θ = 0 (linearised, as Eq. 3)."""
    return 1 - (1 - lean) ** 2


@kernel
def still_to_come(lean, fastest, slowest, peaks, swing, last):  # type: ignore[no-untyped-def]
    """The least that the swings from ``swing`` to ``last`` will add to the sum of squares, where
    the one before them reached ``lean`` and later impacts keep between ``fastest`` and
    ``slowest`` of the energy."""
    total, low, high = 0.0, energy(lean), energy(lean)
    for n in range(swing, last + 1):
        low *= fastest
        high *= slowest
        above = 1 - math.sqrt(1 - low) - peaks[n]
        below = peaks[n] - 1 + math.sqrt(1 - high)
        total += max(above, below, 0.0) ** 2
    return total / peaks[0] ** 2


@kernel
def add_swing(swing, lean, length, kept, closed, ceilings, errors):  # type: ignore[no-untyped-def]
    """Add a swing to the sums of Eq. 7 of every r that is still open, and return for how many it
    settles the matter. ``kept`` are the least and the most energy kept at an impact so far."""
    peaks, half_periods, last = closed
    fastest, slowest = max(1 - MARGIN * (1 - kept[0]), 0.0), min(1 - (1 - kept[1]) / MARGIN, 1.0)
    settled = 0
    for j in range(len(last)):
        if swing > last[j] or math.isinf(errors[j, 0]):
            continue
        errors[j, 0] += ((peaks[j, swing] - lean) / peaks[j, 0]) ** 2
        errors[j, 1] += ((half_periods[j, swing] - length) / half_periods[j, 0]) ** 2
        total = errors[j, 0] + errors[j, 1]
        if swing % LOOK_AHEAD == LOOK_AHEAD - 1:
            total += still_to_come(lean, fastest, slowest, peaks[j], swing + 1, last[j])
        if total > ceilings[j] * ceilings[j] * last[j]:
            errors[j, 0] = errors[j, 1] = math.inf
            settled += 1
        elif swing == last[j]:
            settled += 1
    return settled


@cache
def make_swing_errors(advance: Any) -> Any:
    """The driver that lets a body rock freely and sums up how far it is from the closed forms."""
    interval = make_interval(advance)

    def swing_errors(state, params, dt, steps, alpha, peaks, half_periods, last, ceilings, errors):  # type: ignore[no-untyped-def]
        """Fill a row (e_θ, e_T) of ``errors`` per r, infinite where e_G is above its entry of
        ``ceilings``; return (swings, last event, steps made)."""
        quiet = (0.0, 0.0)
        still = STILL * abs(state[0])
        errors[:] = 0.0
        undecided = len(last)
        theta, passage, swing = state[0], 0.0, 0
        # largest lean of this swing, and its neighbours within the swing (nan: there is none)
        largest, before, after = abs(theta), math.nan, math.nan
        step, event = 0, 0
        left, least, most = energy(abs(theta) / alpha), 1.0, 0.0  # energy; kept at impacts so far
        while step < steps and undecided > 0:
            state, _, _, _, _, _, event = interval(state, params, quiet, quiet, dt)
            step += 1
            new = state[0]
            if (new >= 0) == (theta >= 0):
                lean = abs(new)
                if lean > largest:
                    largest, before, after = lean, abs(theta), math.nan
                elif math.isnan(after):
                    after = lean
                theta = new
                if event >= OVERTURN:
                    break
                continue
            when = (step - 1 + theta / (theta - new)) * dt
            length = when - passage if swing > 0 else 2 * when
            bend = 2 * largest - before - after
            peak = largest + (before - after) ** 2 / (8 * bend) if bend > 0 else largest
            if swing > 0:
                kept = energy(peak / alpha) / left
                least, most = min(least, kept), max(most, kept)
            left = energy(peak / alpha)
            undecided -= add_swing(
                swing,
                peak / alpha,
                length,
                (least, most),
                (peaks, half_periods, last),
                ceilings,
                errors,
            )
            theta, passage = new, when
            largest, before, after = abs(new), math.nan, math.nan
            swing += 1
            if event >= OVERTURN or peak < still:
                break
        for j in range(len(last)):
            lacking = swing <= last[j]
            for k in range(2):
                errors[j, k] = math.inf if lacking else math.sqrt(errors[j, k] / last[j])
        return swing, event, step

    return driver(swing_errors)


def swing_errors(
    block: Block, formulation: Formulation, dt: float, closed: ClosedForms, ceilings: Array
) -> Array:
    """(e_θ, e_T) of one run in steps of ``dt`` [s] for each r; infinite where e_G is above its
    entry of ``ceilings``."""
    run = make_swing_errors(formulation.advance_for(block))
    errors = np.empty((len(closed.last), 2))
    run(
        formulation.start(block, RELEASED * block.alpha, 0.0),
        formulation.parameters(block),
        dt,
        math.ceil(LONGEST / dt),
        block.alpha,
        *closed,
        ceilings,
        errors,
    )
    return errors
