"""Where, within a step, a joint begins to slip, stops slipping, or parts.

Each is a zero of an *excess*, below 0 before and above 0 after:

    begins   what full friction would leave of the acceleration along the joint
    parts    what would open an end that carries, over the other stone
    stops    less the speed of the slip

The drift has the first two at the start of a step, the kick at its end: both are what a half step
changes, over h/2. A step in which one of them passes through zero ends there.
"""

import math

from rocksteady.numerics.decorators import array_kernel, kernel
from rocksteady.theories.assembly.rows import T, cone, speed, weight_of
from rocksteady.theories.assembly.workspace import CLOSED, GRAVITY, PAIRS, SLID, STEP, V, W

NONE, PARTS, BEGINS, BEGINS_BACK, STOPS = range(5)
STILL = 2e-6  # g h: a joint that slips more slowly sticks
SMALL = 4e-6  # g: an excess below is none; twice what solves may leave
MISS = 0.1  # of the gap of a closed end: by how much a drift may miss its end
NEAR = 1e-6  # of a step: how well a zero is found


@array_kernel
def note_slips(work, side, free):  # type: ignore[no-untyped-def]
    """Keep which way each joint slips, and how fast; none if ``free``. H is that of ``side``.
    Whether any does."""
    some = False
    still = STILL * work.number[GRAVITY] * work.number[STEP]
    for pair in range(work.tally[PAIRS]):
        work.slip[pair, 0] = work.slip[pair, 3] = 0
        if free or not work.live[side, pair, 0]:
            continue
        if min(work.gap[side, pair, 0], work.gap[side, pair, 1]) > work.number[CLOSED]:
            continue
        u = speed(work, pair, T, V)
        if abs(u) > still:
            work.slip[pair, 0] = 1 if u > 0.0 else -1
            work.excess[pair, STOPS - 1] = -abs(u)
            some = True
    return some


@array_kernel
def hold_ways(work, on):  # type: ignore[no-untyped-def]
    """Let friction oppose the slip at the start of a step all through a solve, if ``on``. Whether
    any joint slips."""
    some = False
    for pair in range(work.tally[PAIRS]):
        work.slip[pair, 3] = -work.slip[pair, 0] if on else 0
        some = some or work.slip[pair, 0] != 0
    return some


@array_kernel
def moves_freely(work, side):  # type: ignore[no-untyped-def]
    """Whether a joint slips, or a stone touches no other or leaves it, or one of these has just
    begun. H is that of ``side``."""
    if work.tally[SLID] > 0:
        return True
    still = STILL * work.number[GRAVITY] * work.number[STEP]
    pairs, moving = work.tally[PAIRS], work.exact.shape[1] // 3
    for i in range(moving):
        work.rank[i, 4] = 0
    for pair in range(pairs):
        if work.slip[pair, 0] != 0:
            return True
        if not work.live[side, pair, 0]:
            continue
        stays = False
        for k in range(2):
            near = work.gap[side, pair, k] <= work.number[CLOSED]
            stays = stays or (near and speed(work, pair, k, V) <= still)
        if stays:
            work.rank[work.pair[pair, 2], 4] = work.rank[work.pair[pair, 3], 4] = 1
    touching = 0
    for i in range(moving):
        touching += work.rank[i, 4]
    return touching < moving


@array_kernel
def gain(work, pair, what, h):  # type: ignore[no-untyped-def]
    """The excess that a solve shows: of begins and parts [m/s²], of stops [m/s]."""
    if what == PARTS:  # of the end that carries longest
        least = math.inf
        for k in range(2):
            if work.on[pair, k]:
                free = speed(work, pair, k, W) + work.aim[pair, k]
                least = min(least, free - weight_of(work.weigh[pair], k) * work.push[pair, k])
        return 2.0 * least / h
    sign = work.slip[pair, 0] if what == STOPS else (1 if what == BEGINS else -1)
    u = speed(work, pair, T, W) + work.aim[pair, T]
    left = sign * u - work.weigh[pair, 5] * (cone(work, pair) + sign * work.push[pair, T])
    return -left if what == STOPS else 2.0 * left / h


@array_kernel
def note_drift(work, h):  # type: ignore[no-untyped-def]
    """Keep the excesses at the start of a step, and which joints do not stick in it."""
    for pair in range(work.tally[PAIRS]):
        on = work.on[pair, 0] or work.on[pair, 1]
        work.slip[pair, 1] = 1
        if on:
            limit = cone(work, pair)
            work.slip[pair, 1] = 1 if abs(work.push[pair, T]) >= (1.0 - 1e-9) * limit else 0
            work.excess[pair, PARTS - 1] = gain(work, pair, PARTS, h)
            if work.slip[pair, 0] == 0:
                work.excess[pair, BEGINS - 1] = gain(work, pair, BEGINS, h)
                work.excess[pair, BEGINS_BACK - 1] = gain(work, pair, BEGINS_BACK, h)
        work.slip[pair, 2] = 1 if on else 0


@array_kernel
def parts_at_once(work):  # type: ignore[no-untyped-def]
    """Whether the drift parts a joint that was pressed at the start of the step."""
    for pair in range(work.tally[PAIRS]):
        pressed = work.force[pair, 0] + work.force[pair, 1] > 0.0
        if work.slip[pair, 2] and pressed and work.excess[pair, PARTS - 1] > 0.0:
            return True
    return False


@array_kernel
def both(work, pair, what, h, third):  # type: ignore[no-untyped-def]
    """An excess at the start and at the end of a step, of which drift and kick know the values at
    ``third`` and 1 − ``third`` of it."""
    first, last = work.excess[pair, what - 1], gain(work, pair, what, h)
    if what == STOPS:
        return first, last
    slope = (last - first) / (1.0 - 2.0 * third)
    return first - third * slope, last + third * slope


@kernel
def cross(x0, y0, x1, y1):  # type: ignore[no-untyped-def]
    """Where the line through two points is zero."""
    return x0 - (x1 - x0) * y0 / (y1 - y0)


@array_kernel
def passes(work, pair, what, h, third):  # type: ignore[no-untyped-def]
    """The share of a step after which an excess is zero, 1 if it is not."""
    first, last = both(work, pair, what, h, third)
    shortest = max(h, 0.01 * work.number[STEP])  # see the residual of short steps
    small = SMALL * work.number[GRAVITY] * (shortest if what == STOPS else shortest / h)
    if last <= small or (what != STOPS and first >= -small):
        return 1.0
    share = -first / (last - first)
    return share if share < 1.0 - NEAR else 1.0


@array_kernel
def first_event(work, start, end, h, third):  # type: ignore[no-untyped-def]
    """(The joint in which something begins or ends first, −1 if there is none; what)."""
    which, kind, least = -1, NONE, 1.0
    for pair in range(work.tally[PAIRS]):
        if not (work.slip[pair, 2] and work.live[start, pair, 0] and work.live[end, pair, 0]):
            continue
        if not (work.on[pair, 0] or work.on[pair, 1]):
            continue
        for what in range(PARTS, STOPS + 1):
            slides = work.slip[pair, 0] != 0
            if (what == STOPS) != slides and what != PARTS:
                continue
            share = passes(work, pair, what, h, third)
            if share < least:
                which, kind, least = pair, what, share
    return which, kind
