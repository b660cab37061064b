"""Several runs side by side in one thread: what the `peaks` driver gives for each, sooner.

One run after the other keeps a processor waiting: each operation needs the result of the last. Here
a thread follows `WIDTH` runs at a time, each in its *lane*, and takes all of them through an
interval with a formulation's `glide`, which the compiler turns into vector instructions. Where
`glide` declines (an impact, a turning point), the ordinary step takes that lane past it. A lane
whose run is over takes the next one, so that all stay busy: at the end of its motion, when the body
has fallen, or when it rests and nothing that is left of the motion can move it. `glide` gives the
bits of the ordinary step, so the results are those of single runs.

Where a formulation can `land` several bodies side by side as well, a run that meets an impact waits
for others in a second table, the *queue*, and its lane goes on with one that has its impact behind
it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rocksteady.engine.gliding import make_glide_all, make_glide_on, make_land_all, nobody_lands
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
    OK,
    RATE,
    REACH,
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
from rocksteady.engine.rest import make_rest
from rocksteady.engine.visits import make_visit
from rocksteady.formulations.contract import LANDS, NOTHING, OTHERWISE, OVERTURN
from rocksteady.numerics.decorators import array_kernel, driver, inner_array_kernel, inner_kernel

READY, QUEUED = 0, 1  # counts of a queue
FOLLOWING, BUSY = 0, 1  # the next run that nobody has begun; runs in the main table


class Queue(NamedTuple):
    """A table of runs that wait for others."""

    table: Any
    whole: Any
    counts: Any
    """How many are ready to go on, which come first; how many there are with those that wait."""


@inner_kernel
def never(state):  # type: ignore[no-untyped-def]
    return False


@cache
def make_lanes(
    glide: Any,
    state_size: int,
    params_size: int,
    components: int,
    write: Any,
    over: Any,
    goes_on: bool,
) -> Any:
    """The compiled loop over the runs of one chunk around one formulation's `Glide`, under a ground
    of so many components: what came of each is put down by ``write``. After its motion it ends as
    soon as it is ``over``, or at once unless it ``goes_on``."""
    prepares, prepare = glide.prepared > 0, glide.prepare or nothing
    layout = Layout.of(state_size, params_size, components, glide.prepared)
    glide_all = make_glide_all(glide.attempt, layout)
    next_unrest = make_rest(glide.step, components)
    glide_on, visit = make_glide_on(glide_all, layout), make_visit(glide, next_unrest, layout)
    lands, moves_otherwise = glide.land is not None, glide.otherwise is not None
    glide_otherwise, when = glide_all, never
    if moves_otherwise:
        glide_otherwise, when = (
            make_glide_all(glide.otherwise.attempt, layout),
            glide.otherwise.when,
        )
    land_all = make_land_all(glide.land, layout) if lands else nobody_lands
    no_state, no_params, no_ground = layout.blanks
    first_params, first_prepared, first_row, first_ground0, first_ground1, rows, _ = layout
    # A body at rest at first skips that part at once. Where runs go on after their motions it does
    # so in its first visit: the loop then becomes slower by more than that saves.
    skips = not goes_on
    unfollowed = -1 if glide.unfollowed is None else glide.unfollowed

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
        """Put a run into a lane, or nothing where there is none left."""
        states, params, motions, runs, boxes, still, stop = given
        for j in range(rows):  # an idle lane: a body of unit numbers at rest
            table[j * WIDTH + lane] = 1.0 if j >= state_size else 0.0
        whole[:, lane] = 0
        whole[RUN, lane], whole[LAST, lane] = IDLE, -1
        if run >= stop:
            return
        ground, first, count, dt = motions
        system, motion, scale = run_of(runs, run)
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
        whole[STOP, lane] = last + still[motion]
        fetch(table, whole, lane, ground)

    @array_kernel
    def finish(table, whole, lane, event, time, limits, out):  # type: ignore[no-untyped-def]
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
        write(out, limits, run, system, state, params, dt, time, peaks, impacts, event)

    @array_kernel
    def swap(table, whole, lane, other_table, other_whole, other):  # type: ignore[no-untyped-def]
        """Exchange the runs of two lanes of two tables."""
        for j in range(rows):
            mine, its = j * WIDTH + lane, j * WIDTH + other
            table[mine], other_table[its] = other_table[its], table[mine]
        for j in range(WHOLE):
            whole[j, lane], other_whole[j, other] = other_whole[j, other], whole[j, lane]

    @array_kernel
    def exchange(table, whole, lane, other):  # type: ignore[no-untyped-def]
        """Exchange the runs of two lanes of one table, which may be the same."""
        if lane != other:
            swap(table, whole, lane, table, whole, other)

    @array_kernel
    def is_over(table, whole, lane, event, time, ground, limits, out):  # type: ignore[no-untyped-def]
        """Whether the run of a lane that is through its interval is over, and written down; it has
        its next interval otherwise."""
        if event < OVERTURN:
            if whole[AT, lane] < whole[LAST, lane]:
                fetch(table, whole, lane, ground)
                return False
            if whole[AT, lane] < whole[STOP, lane] and not ends(table, lane):
                still_ground(table, whole, lane)
                return False
        finish(table, whole, lane, event, time, limits, out)
        return True

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
    def renew(table, whole, lane, given, going):  # type: ignore[no-untyped-def]
        """Put the next run that nobody has begun into a lane; whether there is one."""
        run, stop = going[FOLLOWING], given[6]
        take(table, whole, lane, run, given)
        going[FOLLOWING] = min(run + 1, stop)
        return run < stop

    @array_kernel
    def refill(table, whole, lane, queues, given, going):  # type: ignore[no-untyped-def]
        """Give an idle lane of the main table a run that is ready to go on, or the next one."""
        for queue in queues:
            ready, queued = queue.counts
            if ready > 0:
                swap(table, whole, lane, queue.table, queue.whole, ready - 1)
                exchange(queue.table, queue.whole, ready - 1, queued - 1)
                queue.counts[READY], queue.counts[QUEUED] = ready - 1, queued - 1
                going[BUSY] += 1
                return
        if renew(table, whole, lane, given, going):
            going[BUSY] += 1

    @array_kernel
    def hand_over(table, whole, lane, queue, queues, given, going):  # type: ignore[no-untyped-def]
        """Let the run of a lane of the main table wait in a queue, unless that is full, and give the
        lane another."""
        ready, queued = queue.counts
        if ready > 0:
            swap(table, whole, lane, queue.table, queue.whole, ready - 1)
            queue.counts[READY] = ready - 1
        elif queued < WIDTH:
            swap(table, whole, lane, queue.table, queue.whole, queued)
            queue.counts[QUEUED] = queued + 1
            going[BUSY] -= 1
            refill(table, whole, lane, queues, given, going)

    @array_kernel
    def settled(queue, slot, keeps, event, time, ended, given, limits, out, going):  # type: ignore[no-untyped-def]
        """See to a run of a queue after a step: if it is over, the next one takes its place, ready
        to go on, as is one that need not wait any more (``keeps`` is false). The next slot to see
        to."""
        table, whole, counts = queue
        if ended and is_over(table, whole, slot, event, time, given[2].accel, limits, out):
            keeps = False
            if not renew(table, whole, slot, given, going):
                counts[QUEUED] -= 1
                exchange(table, whole, slot, counts[QUEUED])
                return slot
        if not keeps:
            exchange(table, whole, slot, counts[READY])
            counts[READY] += 1
        return slot + 1

    @array_kernel
    def land_queue(queue, given, limits, out, going):  # type: ignore[no-untyped-def]
        """Let all runs land that wait for it; those that cannot take an ordinary step."""
        table, whole, counts = queue
        ground, boxes, slot = given[2].accel, given[4], counts[READY]
        land_all(table)
        while slot < counts[QUEUED]:
            event, time = NOTHING, 0.0
            if table[(first_row + OK) * WIDTH + slot] != 0.0:
                ended = landed(table, whole, slot)
            else:
                event, time, ended = visit(table, whole, slot, ground, boxes[1], boxes[2])
            slot = settled(queue, slot, False, event, time, ended, given, limits, out, going)

    @array_kernel
    def follow_queue(queue, given, limits, out, going):  # type: ignore[no-untyped-def]
        """Follow the runs that move otherwise until half of them do not any more."""
        table, whole, counts = queue
        ground, boxes = given[2].accel, given[4]
        enough = (counts[QUEUED] - counts[READY]) // 2
        while counts[QUEUED] - counts[READY] > enough:
            glide_otherwise(table)
            slot = counts[READY]
            while slot < counts[QUEUED]:
                event, time, ended, keeps = NOTHING, 0.0, True, True
                if table[(first_row + OK) * WIDTH + slot] != 0.0:
                    if whole[AT, slot] < whole[LAST, slot]:  # as most often
                        fetch(table, whole, slot, ground)
                        slot += 1
                        continue
                else:
                    event, time, ended = visit(table, whole, slot, ground, boxes[1], boxes[2])
                    keeps = when(column(table, slot, 0, no_state))
                slot = settled(queue, slot, keeps, event, time, ended, given, limits, out, going)

    def lanes(states, params, ground, boxes, runs, start, stop, still, limits, out):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop``, of motions with two samples at least, each written into
        ``out``."""
        _, in_box, to_end = boxes
        given = states, params, ground, runs, boxes, still, stop
        table, whole = np.zeros(rows * WIDTH), np.zeros((WHOLE, WIDTH), dtype=np.int64)
        going = np.array([start, 0])
        landing = Queue(np.ones(rows * WIDTH), np.zeros_like(whole), np.zeros(2, dtype=np.int64))
        aside = Queue(np.ones(rows * WIDTH), np.zeros_like(whole), np.zeros(2, dtype=np.int64))
        queues = landing, aside
        for lane in range(WIDTH):
            refill(table, whole, lane, queues, given, going)
        while going[BUSY] > 0 or landing.counts[QUEUED] > 0 or aside.counts[QUEUED] > 0:
            if lands or moves_otherwise:
                if going[BUSY] < WIDTH:
                    for lane in range(WIDTH):
                        if whole[RUN, lane] == IDLE:
                            refill(table, whole, lane, queues, given, going)
                least = max(going[BUSY], 1)
                if landing.counts[QUEUED] - landing.counts[READY] >= least:
                    land_queue(landing, given, limits, out, going)
                    continue
                if aside.counts[QUEUED] - aside.counts[READY] >= least:
                    follow_queue(aside, given, limits, out, going)
                    continue
            if goes_on or lands:  # there is something to decide in most intervals
                glide_all(table)
            else:
                glide_on(table, whole, ground.accel)
            for lane in range(WIDTH):
                event, time = NOTHING, 0.0
                if table[(first_row + OK) * WIDTH + lane] == 0.0:
                    if whole[RUN, lane] == IDLE:
                        continue
                    reach = table[(first_row + REACH) * WIDTH + lane]
                    if lands and reach == LANDS:
                        hand_over(table, whole, lane, landing, queues, given, going)
                        continue
                    if moves_otherwise and reach == OTHERWISE:
                        hand_over(table, whole, lane, aside, queues, given, going)
                        continue
                    event, time, ended = visit(table, whole, lane, ground.accel, in_box, to_end)
                    if not ended:
                        continue
                if event < OVERTURN:  # not `is_over`: a call for each sample would cost too much
                    if whole[AT, lane] < whole[LAST, lane]:
                        fetch(table, whole, lane, ground.accel)
                        continue
                    if whole[AT, lane] < whole[STOP, lane] and not ends(table, lane):
                        still_ground(table, whole, lane)
                        continue
                finish(table, whole, lane, event, time, limits, out)
                going[BUSY] -= 1
                take(table, whole, lane, stop, given)
                refill(table, whole, lane, queues, given, going)

    return driver(lanes)
