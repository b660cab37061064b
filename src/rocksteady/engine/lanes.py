"""Several runs side by side in one thread: what the `peaks` driver gives for each, sooner.

One run after the other keeps a processor waiting: each operation needs the result of the last. Here
a thread follows `WIDTH` runs at a time, each in its *lane*, and takes all of them through an
interval with a formulation's `glide`, which the compiler turns into vector instructions. Where
`glide` declines (an impact, a turning point), the ordinary step takes that lane past it. A lane
whose run is over takes the next one, so that all stay busy: at the end of its motion, when the body
has fallen, or when it rests and nothing that is left of the motion can move it. `glide` gives the
bits of the ordinary step, so the results are those of single runs.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rocksteady.engine.drivers import MAX_STEPS, extend, turned_nowhere
from rocksteady.engine.ground import run_of, scaled_sample
from rocksteady.engine.rest import make_rest
from rocksteady.formulations.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN, partway
from rocksteady.numerics.decorators import (
    array_kernel,
    driver,
    inner_array_kernel,
    inner_kernel,
    vector_kernel,
)
from rocksteady.numerics.vectors import read_spaced, write_picked, write_spaced

WIDTH = 16  # lanes: two vectors of eight, so that one can be computed while the other waits

# Rows of the table of lanes after those of state and parameters, each WIDTH numbers long: what is
# left of the interval, the interval's number and length. Behind them: the components of the ground
# at both ends of what is left of the interval.
LEFT, INDEX, DT, OK, HIGHEST, LOWEST, T_PEAK = 0, 1, 2, 3, 4, 5, 6
SCALE, RATE, WHOLE_RATE, REACH = 7, 8, 9, 10
ROWS = 11
# Rows of the table of whole numbers: the run, the sample at the end of the interval, the first and
# the last sample of its motion, its first box; impacts so far, ordinary steps in this interval; the
# last sample of the run, still ground included, and the body.
RUN, AT, FIRST, LAST, BOXES, IMPACTS, STEPS, STOP, SYSTEM = 0, 1, 2, 3, 4, 5, 6, 7, 8
WHOLE = 9
IDLE = -1


@inner_kernel
def column(table, lane, row, blank):  # type: ignore[no-untyped-def]
    """As many numbers of one lane as ``blank`` has, from a row on."""
    return read_spaced(table, row * WIDTH + lane, WIDTH, blank)


@inner_kernel
def put(table, lane, row, numbers):  # type: ignore[no-untyped-def]
    """Numbers of one lane into as many rows."""
    write_spaced(table, row * WIDTH + lane, WIDTH, numbers)


@inner_kernel
def nothing(state, params):  # type: ignore[no-untyped-def]
    return ()


class Layout(NamedTuple):
    """Where the rows of the table of lanes begin: first those of the state."""

    params: int
    prepared: int
    others: int
    ground0: int
    ground1: int
    total: int
    blanks: tuple[tuple[float, ...], ...]
    """A state, parameters and a ground of zeros: they say how many numbers each has."""

    @classmethod
    def of(cls, state: int, params: int, components: int, prepared: int = 0) -> Layout:
        others = state + params + prepared
        ground0 = others + ROWS
        ground1 = ground0 + components
        blanks = tuple((0.0,) * size for size in (state, params, components))
        total = ground1 + components
        return cls(state, state + params, others, ground0, ground1, total, blanks)


def make_glide_all(glide: Any, layout: Layout) -> Any:
    """The loop over lanes that must become vector instructions: all is read first, then there is
    no branch and no call, then all is written."""
    (no_state, _, no_ground), no_rows = layout.blanks, (0.0,) * ROWS
    first_params, _, first, first_ground0, first_ground1 = layout[:5]
    no_params = (0.0,) * (first - first_params)  # with what is prepared

    @vector_kernel(WIDTH)
    def glide_all(table, lane):  # type: ignore[no-untyped-def]
        """Take every lane through the rest of its interval; where OK is 0 then, it is as it was."""
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        row = column(table, lane, first, no_rows)
        ground0 = column(table, lane, first_ground0, no_ground)
        ground1 = column(table, lane, first_ground1, no_ground)
        dt, index, highest, lowest = row[DT], row[INDEX], row[HIGHEST], row[LOWEST]
        after, reach, ok = glide(state, params, ground0, ground1, row[LEFT], row[RATE])
        ok = ok & (reach <= (highest if after[0] > 0 else -lowest))
        state = after if ok else state
        put(table, lane, 0, state)
        # on to the next interval, whose end is still to be filled in
        at = first * WIDTH + lane
        put(table, lane, first_ground0, ground1 if ok else ground0)
        table[at + LEFT * WIDTH] = dt if ok else row[LEFT]
        table[at + RATE * WIDTH] = row[WHOLE_RATE] if ok else row[RATE]
        table[at + INDEX * WIDTH] = index + 1.0 if ok else index
        reached = state[0]
        before = highest if highest > -lowest else -lowest
        now = index * dt + dt
        table[at + T_PEAK * WIDTH] = now if abs(reached) > before else row[T_PEAK]
        table[at + HIGHEST * WIDTH] = reached if reached > highest else highest
        table[at + LOWEST * WIDTH] = reached if reached < lowest else lowest
        table[at + OK * WIDTH] = 1.0 if ok else 0.0
        table[at + REACH * WIDTH] = reach

    return glide_all


def make_glide_on(glide_all: Any, layout: Layout) -> Any:
    """Many intervals in a row, where runs end with their motions."""
    first_row, first_ground1, no_ground = layout.others, layout.ground1, layout.blanks[2]
    no_lanes = (0.0,) * WIDTH

    @array_kernel
    def shortest(whole):  # type: ignore[no-untyped-def]
        """How many intervals every lane still has before it; below 0 where one is idle."""
        least = whole[LAST, 0] - whole[AT, 0]
        for lane in range(1, WIDTH):
            least = min(least, whole[LAST, lane] - whole[AT, lane])
        return least

    @inner_array_kernel
    def all_through(table):  # type: ignore[no-untyped-def]
        """Whether every lane is through its interval."""
        bits, first = table.view(np.int64), (first_row + OK) * WIDTH
        every = bits[first]
        for lane in range(1, WIDTH):  # no bit of a zero is set: quicker than to compare numbers
            every &= bits[first + lane]
        return every != 0

    @inner_array_kernel
    def fetch_all(table, whole, ground, further):  # type: ignore[no-untyped-def]
        """Give every lane the end of the interval that is so much ``further`` than it stands."""
        samples, scales = whole[AT], (first_row + SCALE) * WIDTH
        for k in range(len(no_ground)):
            to = (first_ground1 + k) * WIDTH
            write_picked(table, to, scales, ground[k], samples, further, no_lanes)

    @inner_array_kernel
    def glide_on(table, whole, ground):  # type: ignore[no-untyped-def]
        """Take all lanes through an interval, and on while all of them can glide and none is at the
        end of its motion: until then there is nothing to decide, lane by lane."""
        most, done = shortest(whole), 0
        while True:
            glide_all(table)
            if done >= most or not all_through(table):
                break
            done += 1
            fetch_all(table, whole, ground, done)
        if done > 0:
            for lane in range(WIDTH):
                whole[AT, lane] += done
                whole[STEPS, lane] = 0

    return glide_on


def make_visit(glide: Any, next_unrest: Any, layout: Layout) -> Any:
    """The ordinary steps of one lane."""
    no_state, no_params, no_ground = layout.blanks
    first_params, first_prepared, first_row, first_ground0, first_ground1 = layout[:5]
    prepares, prepare = glide.prepared > 0, glide.prepare or nothing
    advance = glide.step
    may_pass, turning = glide.turning is not None, glide.turning or turned_nowhere
    has_whole, whole_step = glide.whole is not None, glide.whole or advance

    @inner_array_kernel
    def visit(table, whole, lane, ground, in_box, to_end):  # type: ignore[no-untyped-def]
        """Take one lane on until it may glide again (it has turned, struck, or a step had to be
        short) or its interval ends: (last event, time, whether the interval has ended)."""
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        at = first_row * WIDTH + lane
        ground0 = column(table, lane, first_ground0, no_ground)
        ground1 = column(table, lane, first_ground1, no_ground)
        dt, left = table[at + DT * WIDTH], table[at + LEFT * WIDTH]
        begin = table[at + INDEX * WIDTH]
        peaks = table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH], table[at + T_PEAK * WIDTH]
        reach = table[at + REACH * WIDTH]
        event, ended, used, may_glide = NOTHING, False, 0.0, False
        theta, omega = state[0], state[1]
        while not (ended or may_glide):
            before = state
            if has_whole and reach > 0.0:
                state, used, event = whole_step(before, params, ground0, ground1, left)
            else:
                state, used, event = advance(before, params, ground0, ground1, left)
            so_far = peaks[0] if before[1] > 0 else -peaks[1]
            if may_pass and before[1] * state[1] < 0 and not 0 < reach <= so_far:
                t, coordinate = turning(before, params, ground0, ground1, left, used)
                peaks = extend(peaks, coordinate, begin * dt + (dt - left + t))
            whole[IMPACTS, lane] += event == IMPACT
            whole[STEPS, lane] += 1
            peaks = extend(peaks, state[0], begin * dt + (dt - (left - used)))
            ended = used >= left or event >= OVERTURN
            may_glide = event in (TURN, IMPACT) or (event == NOTHING and state[0] != 0)
            if not ended:
                ground0 = partway(ground0, ground1, used / left)
                if whole[STEPS, lane] == MAX_STEPS:
                    event, ended = FAILURE, True
            left, reach = left - used, 0.0  # of the attempt that failed; now the next has to tell
        table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH] = peaks[:2]
        table[at + T_PEAK * WIDTH] = peaks[2]
        put(table, lane, 0, state)
        if prepares:
            put(table, lane, first_prepared, prepare(state, params))
        following, time = begin, begin * dt + (dt - left)
        if ended:
            following, left, ground0 = begin + 1.0, dt, ground1
            unmoved = event == NOTHING and used == dt and theta == state[0] and omega == state[1]
            if unmoved and whole[AT, lane] < whole[LAST, lane]:
                scale, samples = table[at + SCALE * WIDTH], (whole[FIRST, lane], whole[LAST, lane])
                now, box = int(following), whole[BOXES, lane]
                there = next_unrest(
                    state, params, now, samples, scale, dt, ground, box, in_box, to_end
                )
                following, sample = float(there), samples[0] + there
                whole[AT, lane] = sample
                ground0 = scaled_sample(ground, sample, scale)
        table[at + INDEX * WIDTH], table[at + LEFT * WIDTH] = following, left
        table[at + RATE * WIDTH] = 1 / left
        put(table, lane, first_ground0, ground0)
        return event, time, ended

    return visit


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
    def take(table, whole, lane, run, stop, states, params, motions, runs, boxes, still):  # type: ignore[no-untyped-def]
        """Put a run into a lane, or nothing where there is none left."""
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

    def lanes(states, params, ground, boxes, runs, start, stop, still, limits, out):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop``, of motions with two samples at least, each written into
        ``out``."""
        _, in_box, to_end = boxes
        table = np.zeros(rows * WIDTH)
        whole = np.zeros((WHOLE, WIDTH), dtype=np.int64)
        for lane in range(WIDTH):
            run = start + lane
            take(table, whole, lane, run, stop, states, params, ground, runs, boxes, still)
        following, busy = start + WIDTH, min(WIDTH, stop - start)
        while busy > 0:
            if goes_on:
                glide_all(table)
            else:
                glide_on(table, whole, ground.accel)
            for lane in range(WIDTH):
                event, time = NOTHING, 0.0
                if table[(first_row + OK) * WIDTH + lane] == 0.0:
                    if whole[RUN, lane] == IDLE:
                        continue
                    event, time, ended = visit(table, whole, lane, ground.accel, in_box, to_end)
                    if not ended:
                        continue
                if event < OVERTURN:
                    if whole[AT, lane] < whole[LAST, lane]:
                        fetch(table, whole, lane, ground.accel)
                        continue
                    if whole[AT, lane] < whole[STOP, lane] and not ends(table, lane):
                        still_ground(table, whole, lane)
                        continue
                finish(table, whole, lane, event, time, limits, out)
                run = following
                take(table, whole, lane, run, stop, states, params, ground, runs, boxes, still)
                following += 1
                busy -= whole[RUN, lane] == IDLE

    return driver(lanes)
