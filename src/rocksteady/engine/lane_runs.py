"""What becomes of a run in its lane: it begins, goes from interval to interval, and ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocksteady.engine.ground import run_of, scaled_sample
from rocksteady.engine.lane_table import (
    AT,
    BOXES,
    DT,
    FIRST,
    HIGHEST,
    IDLE,
    IMPACTS,
    INDEX,
    LAST,
    LEFT,
    LOWEST,
    RATE,
    RUN,
    SCALE,
    STEPS,
    STOP,
    SYSTEM,
    T_PEAK,
    WHOLE,
    WHOLE_RATE,
    WIDTH,
    Layout,
    column,
    nothing,
    put,
)
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.theories.contract import OVERTURN


class Given(NamedTuple):
    """The runs of a chunk, and where what came of them is written."""

    states: Any
    params: Any
    """A row for each body."""
    ground: Any
    runs: Any
    boxes: Any
    still: Any
    """Intervals for which each motion's runs may go on after it."""
    stop: Any
    """The run after the last one."""
    limits: Any
    out: Any


class LaneRuns(NamedTuple):
    """Compiled functions of (table, whole, lane, …)."""

    clear: Any
    """Leave a lane without a run."""
    take: Any
    next_interval: Any
    landed: Any
    finish: Any
    swap: Any


def make_lane_runs(
    glide: Any, layout: Layout, next_unrest: Any, write: Any, over: Any, skips: bool
) -> LaneRuns:
    """Build them for one formulation's `Glide`: what came of a run is put down by ``write``; after
    its motion it ends as soon as it is ``over``; if it ``skips``, a body at rest at first begins
    where it may move."""
    prepares, prepare = glide.prepared > 0, glide.prepare or nothing
    no_state, no_params, no_ground = layout.blanks
    first_params, first_prepared, first_row, first_ground0, first_ground1, rows, _ = layout
    state_size, params_size = len(no_state), len(no_params)
    unfollowed = -1 if glide.unfollowed is None else glide.unfollowed

    @array_kernel
    def clear(table, whole, lane):  # type: ignore[no-untyped-def]
        for j in range(rows):  # a body of unit numbers at rest
            table[j * WIDTH + lane] = 1.0 if j >= state_size else 0.0
        for j in range(WHOLE):
            whole[j, lane] = 0
        whole[RUN, lane], whole[LAST, lane] = IDLE, -1

    @inner_array_kernel
    def fetch(table, whole, lane, ground):  # type: ignore[no-untyped-def]
        """Give a lane the end of its next interval."""
        sample, scale = whole[AT, lane] + 1, table[(first_row + SCALE) * WIDTH + lane]
        put(table, lane, first_ground1, scaled_sample(ground, sample, scale))
        whole[AT, lane], whole[STEPS, lane] = sample, 0

    @array_kernel
    def still_ground(table, whole, lane):  # type: ignore[no-untyped-def]
        """Give a lane another interval in which the ground stands still."""
        put(table, lane, first_ground0, no_ground)
        put(table, lane, first_ground1, no_ground)
        whole[AT, lane] += 1
        whole[STEPS, lane] = 0

    @inner_array_kernel
    def ends(table, lane):  # type: ignore[no-untyped-def]
        """Whether a lane's run need not go on."""
        state = column(table, lane, 0, no_state)
        return over(state, column(table, lane, first_params, no_params))

    @array_kernel
    def take(table, whole, lane, run, given):  # type: ignore[no-untyped-def]
        """Put a run into a lane."""
        states, params, boxes = given.states, given.params, given.boxes
        ground, first, count, dt = given.ground
        system, motion, scale = run_of(given.runs, run)
        for j in range(state_size):
            table[j * WIDTH + lane] = states[system, j]
        for j in range(params_size):
            table[(first_params + j) * WIDTH + lane] = params[system, j]
        state = column(table, lane, 0, no_state)
        own = column(table, lane, first_params, no_params)
        if prepares:
            put(table, lane, first_prepared, prepare(state, own))
        at, begin = first_row * WIDTH + lane, first[motion]
        last, box, skipped = begin + count[motion] - 1, boxes[0][motion], 0
        if skips and state[0] == 0 and state[1] == 0:
            samples, step = (begin, last), dt[motion]
            there = next_unrest(
                state, own, 0, samples, scale, step, ground, box, boxes[1], boxes[2]
            )
            skipped = min(there, count[motion] - 2)  # an interval is left in any case
        table[at + HIGHEST * WIDTH] = table[at + LOWEST * WIDTH] = states[system, 0]
        table[at + DT * WIDTH], table[at + SCALE * WIDTH] = dt[motion], scale
        table[at + LEFT * WIDTH] = dt[motion]
        table[at + RATE * WIDTH] = table[at + WHOLE_RATE * WIDTH] = 1 / dt[motion]
        table[at + INDEX * WIDTH], table[at + T_PEAK * WIDTH] = float(skipped), 0.0
        put(table, lane, first_ground0, scaled_sample(ground, begin + skipped, scale))
        whole[RUN, lane], whole[BOXES, lane], whole[SYSTEM, lane] = run, box, system
        whole[AT, lane], whole[FIRST, lane], whole[LAST, lane] = begin + skipped, begin, last
        whole[STOP, lane], whole[IMPACTS, lane] = last + given.still[motion], 0
        fetch(table, whole, lane, ground)

    @array_kernel
    def finish(table, whole, lane, event, time, given):  # type: ignore[no-untyped-def]
        """Write down what came out of a lane's run."""
        at = first_row * WIDTH + lane
        if unfollowed >= 0:
            table[unfollowed * WIDTH + lane] = np.nan
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        dt = table[at + DT * WIDTH]
        if event < OVERTURN:
            time = (whole[LAST, lane] - whole[FIRST, lane]) * dt
        peaks = table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH], table[at + T_PEAK * WIDTH]
        run, system, impacts = whole[RUN, lane], whole[SYSTEM, lane], whole[IMPACTS, lane]
        write(given.out, given.limits, run, system, state, params, dt, time, peaks, impacts, event)

    @inner_array_kernel
    def next_interval(table, whole, lane, event, ground):  # type: ignore[no-untyped-def]
        """Give a lane that is through its interval the next one; whether there is one, or else its
        run is over. Inlined: a call for each sample would cost too much."""
        if event < OVERTURN:
            if whole[AT, lane] < whole[LAST, lane]:
                fetch(table, whole, lane, ground)
                return True
            if whole[AT, lane] < whole[STOP, lane] and not ends(table, lane):
                still_ground(table, whole, lane)
                return True
        return False

    @array_kernel
    def landed(table, whole, lane):  # type: ignore[no-untyped-def]
        """Account for an impact that a lane has behind it; whether it is through its interval, for
        there was none after all."""
        at = first_row * WIDTH + lane
        if table[at + LEFT * WIDTH] > 0.0:
            whole[IMPACTS, lane] += 1
            whole[STEPS, lane] += 1
            return False
        table[at + INDEX * WIDTH] += 1.0
        table[at + LEFT * WIDTH] = table[at + DT * WIDTH]
        table[at + RATE * WIDTH] = table[at + WHOLE_RATE * WIDTH]
        put(table, lane, first_ground0, column(table, lane, first_ground1, no_ground))
        return True

    @array_kernel
    def swap(table, whole, lane, other_table, other_whole, other):  # type: ignore[no-untyped-def]
        """Exchange the runs of two lanes of two tables."""
        for j in range(rows):
            mine, its = j * WIDTH + lane, j * WIDTH + other
            table[mine], other_table[its] = other_table[its], table[mine]
        for j in range(WHOLE):
            whole[j, lane], other_whole[j, other] = other_whole[j, other], whole[j, lane]

    return LaneRuns(clear, take, next_interval, landed, finish, swap)
