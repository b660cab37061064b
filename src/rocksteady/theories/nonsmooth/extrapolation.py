"""Smooth motion by extrapolation, up to the first of several events.

For phases of the motion that have no short Taylor series. A step is taken by the modified midpoint
rule with 2, 4, 6 and 8 sub-steps; its error has only even powers of the sub-step, so the four
results combine to one of order 8 (Gragg, Bulirsch & Stoer), and the first three to one of order 6
that tells the error. An event is located by repeating the step with another length.
"""

import math
from collections.abc import Callable
from typing import Any

from rocksteady.numerics.decorators import kernel

MAX_ITERATIONS = 60
BRIEF = 1e-6  # of a step: over which a slope is taken
NEGLIGIBLE = 1e-9  # of the change of slope: so shallow a dip below zero is no event


@kernel
def add(z, factor, change):  # type: ignore[no-untyped-def]
    """z + factor · change, for six unknowns."""
    return (
        z[0] + factor * change[0],
        z[1] + factor * change[1],
        z[2] + factor * change[2],
        z[3] + factor * change[3],
        z[4] + factor * change[4],
        z[5] + factor * change[5],
    )


@kernel
def ground_at(ground0, slope, t):  # type: ignore[no-untyped-def]
    return ground0[0] + t * slope[0], ground0[1] + t * slope[1]


@kernel
def lowest(before, after, fall, rise):  # type: ignore[no-untyped-def]
    """(time, value) of the lowest point of the cubic that goes from one value to the other in unit
    time, with the slopes ``fall`` < 0 at first and ``rise`` > 0 at last."""
    square = 3 * (after - before) - 2 * fall - rise
    cube = 2 * (before - after) + fall + rise
    root = math.sqrt((square + fall) * (square + fall) - fall * rise)  # of square² − 3 cube fall
    t = -fall / (square + root) if square > 0 else (root - square) / (3 * cube)
    return t, before + t * (fall + t * (square + t * cube))


@kernel
def add_ten(z, factor, change):  # type: ignore[no-untyped-def]
    """The same for ten unknowns."""
    return (
        z[0] + factor * change[0],
        z[1] + factor * change[1],
        z[2] + factor * change[2],
        z[3] + factor * change[3],
        z[4] + factor * change[4],
        z[5] + factor * change[5],
        z[6] + factor * change[6],
        z[7] + factor * change[7],
        z[8] + factor * change[8],
        z[9] + factor * change[9],
    )


@kernel
def off_in_two(best, lower, fixed):  # type: ignore[no-untyped-def]
    """How far two results are apart in the first two unknowns."""
    return max(abs(best[0] - lower[0]), abs(best[1] - lower[1]))


def make_integrator(
    rate: Callable[..., Any],
    watch: Callable[..., Any],
    events: int,
    add: Callable[..., Any] = add,
    off: Callable[..., Any] = off_in_two,
) -> Any:
    """Build `follow(z, fixed, ground0, ground1, dt, span, tolerance)` for z' = rate(z, fixed, a_h,
    a_v), six unknowns of which the first two are compared with the tolerance (or as many as `add`
    adds, compared by `off`).

    Event number k = 1 … `events` happens where `watch(k, z, fixed, a_h, a_v)` becomes negative.
    `follow` returns (z, time used, event), with z just beyond the event; it goes no further than
    `span` in the interval of length `dt` over which the ground is linear.
    """

    @kernel
    def midpoint(z, first, fixed, ground0, slope, span, n):  # type: ignore[no-untyped-def]
        h = span / n
        before, now = z, add(z, h, first)
        for i in range(1, n):
            after = add(before, 2 * h, rate(now, fixed, *ground_at(ground0, slope, i * h)))
            before, now = now, after
        return now

    @kernel
    def step(z, fixed, ground0, slope, span):  # type: ignore[no-untyped-def]
        first = rate(z, fixed, ground0[0], ground0[1])
        z2 = midpoint(z, first, fixed, ground0, slope, span, 2)
        z4 = midpoint(z, first, fixed, ground0, slope, span, 4)
        z6 = midpoint(z, first, fixed, ground0, slope, span, 6)
        z8 = midpoint(z, first, fixed, ground0, slope, span, 8)
        # in differences from z8: large weights must not amplify rounding
        d2, d4, d6 = add(z2, -1.0, z8), add(z4, -1.0, z8), add(z6, -1.0, z8)
        best = add(add(add(z8, -1 / 360, d2), 16 / 45, d4), -729 / 280, d6)
        lower = add(add(add(z8, 1 / 24, d2), -16 / 15, d4), 81 / 40, d6)
        return best, off(best, lower, fixed)

    @kernel
    def locate(kind, z, fixed, ground0, slope, span):  # type: ignore[no-untyped-def]
        """The first instant, to rounding, at which `watch` is negative: regula falsi (Illinois)."""
        low, high = 0.0, span
        at_low = watch(kind, z, fixed, ground0[0], ground0[1])
        end, _ = step(z, fixed, ground0, slope, high)
        at_high = watch(kind, end, fixed, *ground_at(ground0, slope, high))
        if at_low < 0:
            return 0.0
        kept = 0
        for _ in range(MAX_ITERATIONS):
            if high - low <= 1e-15 * span:
                break
            t = low + (high - low) * at_low / (at_low - at_high)
            if not low < t < high:
                t = 0.5 * (low + high)
            if not low < t < high:
                break
            end, _ = step(z, fixed, ground0, slope, t)
            value = watch(kind, end, fixed, *ground_at(ground0, slope, t))
            if value < 0:
                high, at_high = t, value
                if kept == 1:
                    at_low *= 0.5
                kept = 1
            else:
                low, at_low = t, value
                if kept == -1:
                    at_high *= 0.5
                kept = -1
        return high

    @kernel
    def dips(z, end, fixed, ground0, slope, span):  # type: ignore[no-untyped-def]
        """The part of a step until something watched is lowest that is positive at its end again
        but was negative on the way; 1 where nothing was."""
        share, h = 1.0, BRIEF * span
        at_end, before_end = ground_at(ground0, slope, span), ground_at(ground0, slope, span - h)
        after_start = ground_at(ground0, slope, h)
        later = add(z, h, rate(z, fixed, *ground0))
        earlier = add(end, -h, rate(end, fixed, *at_end))
        for kind in range(1, events + 1):
            before, after = watch(kind, z, fixed, *ground0), watch(kind, end, fixed, *at_end)
            fall = (watch(kind, later, fixed, *after_start) - before) / BRIEF
            rise = (after - watch(kind, earlier, fixed, *before_end)) / BRIEF
            if after >= 0 and fall < 0 and rise > 0:
                t, depth = lowest(before, after, fall, rise)
                if depth < -NEGLIGIBLE * (rise - fall):
                    share = min(share, t)
        return share

    @kernel
    def follow(z, fixed, ground0, ground1, dt, span, tolerance):  # type: ignore[no-untyped-def]
        slope = ((ground1[0] - ground0[0]) / dt, (ground1[1] - ground0[1]) / dt)
        end, error = step(z, fixed, ground0, slope, span)
        for _ in range(20):
            if error <= tolerance:
                break
            span *= max(0.1, 0.9 * (tolerance / error) ** (1 / 7))
            end, error = step(z, fixed, ground0, slope, span)
        share = dips(z, end, fixed, ground0, slope, span)
        if share < 1:
            span *= share
            end, _ = step(z, fixed, ground0, slope, span)
        met = 0
        for kind in range(1, events + 1):
            a_h, a_v = ground_at(ground0, slope, span)
            if watch(kind, end, fixed, a_h, a_v) < 0:
                span, met = locate(kind, z, fixed, ground0, slope, span), kind
                end, _ = step(z, fixed, ground0, slope, span)
        return end, span, met

    return follow
