"""Runs from their start until they rest, and what a summary needs of them: as `simulate` runs them.

`simulate` records every sample and every event, and looks for rest among the samples. Here the same
steps are taken, nothing is recorded, and all of it is compiled code. After the motion the ground is
still, piece after piece; the run ends at the first sample of a piece at which the body rests.

Each run has a row in two tables, one of numbers and one of whole numbers: where it is, and what has
happened so far. A driver takes the step and hands what it found to `passed`, which fills them in.
"""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.drivers import MAX_STEPS, turned_on_the_way, turning_of
from rocksteady.engine.ground import scaled_sample
from rocksteady.numerics.decorators import array_kernel, driver, inner_array_kernel, inner_kernel
from rocksteady.numerics.types import Array
from rocksteady.numerics.vectors import read_spaced, write_spaced
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN, partway

# Numbers of a run: the interval, what is left of it, the scale of the motion, and the limits of the
# coordinate. Behind them all: the components of the ground at both ends of what is left.
DT, LEFT, SCALE, TO_RIGHT, TO_LEFT = range(5)
TOP = 5  # of the samples: largest relative coordinate, the coordinate itself, its time
MET = 8  # of the events: the same, and the time of the last
SURE = 12  # of the events not after the sample at the end of the interval: the same
FASTEST, RATE = 16, 17  # largest |rate| at samples and on both sides of events; the last one
GROUND = 18
# Whole numbers: the motion's first sample, the interval of the piece and how many it has, whether
# the ground moves; samples so far, steps in this interval; then the `After` of the run.
FIRST, INDEX, INTERVALS, SHAKING, SAMPLES, STEPS, TO_REST, PIECE, LAST = range(9)
IMPACTS, KIND = 9, 10  # of the events: how many impacts, and what the last event was
SURE_IMPACTS, SURE_KIND = 11, 12
RUN = 13  # its number
WHOLE = 14


class After(NamedTuple):
    """How a run goes on after its motion."""

    to_rest: bool
    """Whether it ends where the body rests."""
    piece: int
    """Intervals of still ground at a time."""
    last: int
    """No piece begins once there are so many samples; 0: none."""


class Settled(NamedTuple):
    """What runs came to, an entry each."""

    states: Array
    """The state each ended in, a row per run."""
    peak: Array
    """Largest relative coordinate, such as |θ|/α, at samples and events."""
    coordinate: Array
    """The coordinate there."""
    time_of_peak: Array
    end: Array
    """When it overturned [s], where it did."""
    fastest: Array
    """Largest |rate| at samples and on both sides of events."""
    samples: NDArray[np.int64]
    impacts: NDArray[np.int64]
    event: NDArray[np.int64]
    """OVERTURN, FAILURE, or something below."""
    rests: NDArray[np.int64]
    """1 where it rests, as the compiled test says; 0 also where there is none."""

    @classmethod
    def tables(cls, states: Array) -> tuple[Array, Array, NDArray[np.int64]]:
        """The tables that `finish` fills: of runs that start in these states."""
        return states.copy(), np.zeros((len(states), 5)), np.zeros((len(states), 4), np.int64)

    @classmethod
    def of(cls, tables: tuple[Array, Array, NDArray[np.int64]]) -> "Settled":
        """From the tables, once they are filled."""
        ends, out, counts = tables
        return cls(ends, *out.T.copy(), *counts.T.copy())


@inner_kernel
def relative(coordinate, right, left):  # type: ignore[no-untyped-def]
    """Its size over the limit of its side."""
    return abs(coordinate / right) if coordinate > 0 else abs(coordinate / left)


@inner_array_kernel
def secure(numbers, whole, k):  # type: ignore[no-untyped-def]
    """All events so far are within the run."""
    for j in range(4):
        numbers[k, SURE + j] = numbers[k, MET + j]
    whole[k, SURE_IMPACTS], whole[k, SURE_KIND] = whole[k, IMPACTS], whole[k, KIND]


@inner_array_kernel
def note(numbers, whole, k, since, kind, coordinate):  # type: ignore[no-untyped-def]
    """An event, so long after the start of the interval."""
    row, dt = numbers[k], numbers[k, DT]
    time = (whole[k, SAMPLES] - 1) * dt + since
    value = relative(coordinate, row[TO_RIGHT], row[TO_LEFT])
    if value > row[MET]:
        row[MET], row[MET + 1], row[MET + 2] = value, coordinate, time
    row[MET + 3] = time
    whole[k, IMPACTS] += kind == IMPACT
    whole[k, KIND] = kind
    if time <= whole[k, SAMPLES] * dt:
        secure(numbers, whole, k)


@array_kernel
def take(numbers, whole, k, coordinate, limits, motion, scale, after):  # type: ignore[no-untyped-def]
    """A run into row k; ``motion`` is (first sample, how many, dt)."""
    first, count, dt = motion
    right, left = limits
    for j in range(GROUND):
        numbers[k, j] = 0.0
    for j in range(WHOLE):
        whole[k, j] = 0
    row = numbers[k]
    row[DT], row[SCALE], row[TO_RIGHT], row[TO_LEFT] = dt, scale, right, left
    row[TOP], row[TOP + 1], row[MET] = relative(coordinate, right, left), coordinate, -1.0
    whole[k, FIRST], whole[k, INTERVALS], whole[k, SHAKING] = first, count - 1, 1
    whole[k, TO_REST], whole[k, PIECE], whole[k, LAST] = after
    whole[k, SAMPLES], whole[k, KIND] = 1, NOTHING


class Account(NamedTuple):
    """What drivers do around the steps of a run."""

    opened: Any
    """``opened(numbers, whole, k, state, params, ground)``: before an interval, whether there is
    one; otherwise the run is over."""
    passed: Any
    """``passed(numbers, whole, k, state, params, used, event, ground)``: after a step, whether
    the run is over."""
    finish: Any
    """``finish(numbers, whole, k, run, state, params, ends, out, counts)``: at its end."""
    both_ends: Any
    """``both_ends(row)``: the ground at both ends of what is left of the interval."""
    numbers: int
    """How many numbers a run has."""


@cache
def account(resting: Any, components: int) -> Account:
    """Of runs that rest where ``resting(state, params)`` says so, under a ground of so many
    components."""
    no_ground, at_end = (0.0,) * components, GROUND + components

    @inner_array_kernel
    def both_ends(row):  # type: ignore[no-untyped-def]
        return read_spaced(row, GROUND, 1, no_ground), read_spaced(row, at_end, 1, no_ground)

    @inner_array_kernel
    def opened(numbers, whole, k, state, params, ground):  # type: ignore[no-untyped-def]
        row = numbers[k]
        if whole[k, INDEX] == whole[k, INTERVALS]:  # the piece has ended
            if not math.isfinite(state[0]):
                whole[k, KIND] = FAILURE
                return False
            if whole[k, SAMPLES] >= whole[k, LAST]:
                return False
            if whole[k, TO_REST] and resting(state, params):
                return False
            whole[k, INDEX], whole[k, INTERVALS], whole[k, SHAKING] = 0, whole[k, PIECE], 0
        ground0 = ground1 = no_ground
        if whole[k, SHAKING]:
            at, scale = whole[k, FIRST] + whole[k, INDEX], row[SCALE]
            ground0 = scaled_sample(ground, at, scale)
            ground1 = scaled_sample(ground, at + 1, scale)
        write_spaced(row, GROUND, 1, ground0)
        write_spaced(row, at_end, 1, ground1)
        row[LEFT] = row[DT]
        whole[k, STEPS] = 0
        secure(numbers, whole, k)
        return True

    @array_kernel
    def passed(numbers, whole, k, state, params, used, event, ground):  # type: ignore[no-untyped-def]
        row, dt, left = numbers[k], numbers[k, DT], numbers[k, LEFT]
        before, row[RATE] = row[RATE], abs(state[1])
        if event != NOTHING:
            note(numbers, whole, k, dt - (left - used), event, state[0])
            row[FASTEST] = max(row[FASTEST], row[RATE], before if event == IMPACT else 0.0)
        whole[k, STEPS] += 1
        if used < left and event < OVERTURN:
            ground0, ground1 = both_ends(row)
            write_spaced(row, GROUND, 1, partway(ground0, ground1, used / left))
            row[LEFT] = left - used
            if whole[k, STEPS] < MAX_STEPS:
                return False
            event = whole[k, KIND] = FAILURE
        now = whole[k, SAMPLES] * dt
        whole[k, SAMPLES] += 1
        whole[k, INDEX] += 1
        row[FASTEST] = max(row[FASTEST], row[RATE])
        value = relative(state[0], row[TO_RIGHT], row[TO_LEFT])
        if value > row[TOP]:
            row[TOP], row[TOP + 1], row[TOP + 2] = value, state[0], now
        if whole[k, TO_REST] and not whole[k, SHAKING] and resting(state, params):
            for j in range(4):  # what came after this sample does not belong to the run
                row[MET + j] = row[SURE + j]
            whole[k, IMPACTS], whole[k, KIND] = whole[k, SURE_IMPACTS], whole[k, SURE_KIND]
            return True
        return event >= OVERTURN or not opened(numbers, whole, k, state, params, ground)

    @array_kernel
    def finish(numbers, whole, k, run, state, params, ends, out, counts):  # type: ignore[no-untyped-def]
        """Write down what the run came to, into its row of the tables of `Settled`."""
        row, best = numbers[k], MET if numbers[k, MET] > numbers[k, TOP] else TOP
        for j in range(len(state)):
            ends[run, j] = state[j]
        for j in range(3):
            out[run, j] = row[best + j]
        out[run, 3], out[run, 4] = row[MET + 3], row[FASTEST]
        counts[run, 0], counts[run, 1] = whole[k, SAMPLES], whole[k, IMPACTS]
        counts[run, 2] = whole[k, KIND]
        counts[run, 3] = whole[k, KIND] < OVERTURN and resting(state, params)

    return Account(opened, passed, finish, both_ends, GROUND + 2 * components)


@cache
def make_settle(advance: Any, resting: Any, components: int = 2) -> Any:
    """The driver of one run, around a step and a test of rest, under a ground of so many
    components."""
    may_pass, turning = turning_of(advance)
    opened, passed, finish, both_ends, size = account(resting, components)

    @array_kernel
    def follow(state, params, limits, ground, dt, after, numbers, whole, tables, run):  # type: ignore[no-untyped-def]
        take(numbers, whole, 0, state[0], limits, (0, len(ground[0]), dt), 1.0, after)
        over = not opened(numbers, whole, 0, state, params, ground)
        row = numbers[0]
        while not over:
            (ground0, ground1), left, before = both_ends(row), row[LEFT], state
            state, used, event = advance(before, params, ground0, ground1, left)
            if may_pass and turned_on_the_way(before, state, used):
                t, coordinate = turning(before, params, ground0, ground1, left, used)
                note(numbers, whole, 0, dt - left + t, TURN, coordinate)
            over = passed(numbers, whole, 0, state, params, used, event, ground)
        finish(numbers, whole, 0, run, state, params, *tables)

    def settle(state, params, limits, ground, dt, after, tables, run):  # type: ignore[no-untyped-def]
        """The run into its row of the tables of `Settled`."""
        numbers, whole = np.zeros((1, size)), np.zeros((1, WHOLE), dtype=np.int64)
        follow(state, params, limits, ground, dt, after, numbers, whole, tables, run)

    return driver(settle)
