"""The loops a GPU runs: every thread follows one body after another.

A warp's 32 threads go through the same instructions at the same time: what one of them does, the
others wait for. So each thread has its own run and its own place in the record. While nothing
happens all take one sample after the other by `glide`, which has no branches. A thread to which
something happens (an impact, a turning point) pauses until others of its warp have come that far,
and those then take the slow way, `advance`, together: as soon as the samples that they have let
pass add up to the warp's *patience*, about what the slow way costs. A thread whose run is over
takes the next one that nobody has begun. Results are written under the run's number, so it does not
matter which thread had it, or when.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, cuda, from_dtype, int64

from rocksteady.engine.cuda_layout import BLOCK, Shape
from rocksteady.engine.drivers import MAX_STEPS
from rocksteady.formulations.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN, partway

device = cuda.jit(device=True)

# What a thread is about to do.
MOVING = 0
PAUSING = 1  # something happens before the next sample: wait for others, then take the slow way
OVER = 2  # write down what came out, and take the next run
IDLE = 3  # no run is left

WARP = 0xFFFFFFFF  # all its threads
LANES = 1 if config.ENABLE_CUDASIM else 32


# -- what a warp does together; the simulator's has one thread -------------------------------------

if config.ENABLE_CUDASIM:

    @device
    def which(yes):  # type: ignore[no-untyped-def]
        return int(yes)

    @device
    def me():  # type: ignore[no-untyped-def]
        return 0

    @device
    def share(value, lane):  # type: ignore[no-untyped-def]
        return value

else:

    @device
    def which(yes):  # type: ignore[no-untyped-def]
        """A bit for each thread that says yes."""
        return cuda.ballot_sync(WARP, yes) & WARP

    @device
    def me():  # type: ignore[no-untyped-def]
        return cuda.laneid

    @device
    def share(value, lane):  # type: ignore[no-untyped-def]
        """What one thread has, for all."""
        return cuda.shfl_sync(WARP, value, lane)


@device
def count(yes):  # type: ignore[no-untyped-def]
    """How many threads say yes."""
    return cuda.popc(which(yes))


@device
def calm_ones(calm):  # type: ignore[no-untyped-def]
    """How many threads are calm before the first that is not."""
    restless = which(not calm)
    return LANES if restless == 0 else cuda.ffs(restless) - 1


def make_share(size: int, k: int = 0) -> Any:
    """`share` for a whole tuple."""

    @device
    def first(numbers, lane):  # type: ignore[no-untyped-def]
        return (share(numbers[k], lane),)

    if k == size - 1:
        return first
    others = make_share(size, k + 1)

    @device
    def all_of(numbers, lane):  # type: ignore[no-untyped-def]
        return first(numbers, lane) + others(numbers, lane)

    return all_of


# -- what every loop needs -------------------------------------------------------------------------


def make_tools(shape: Shape) -> tuple[Any, ...]:
    """Device functions that every loop needs: (load, sample, begin, extend, finish)."""
    read_state = make_read((False,) * shape.state)
    read_params = make_read(shape.arrays)
    vertical, size, zero = shape.vertical, shape.state, shape.number(0)
    number = from_dtype(np.dtype(shape.number))

    @device
    def load(records):  # type: ignore[no-untyped-def]
        """The records' samples, in memory of the multiprocessor's own where they fit."""
        n = len(records.a_h)
        memory = cuda.shared.array(0, number)
        for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
            memory[i] = records.a_h[i]
            if vertical:
                memory[n + i] = records.a_v[i]
        cuda.syncthreads()
        return memory[:n], memory[n:]

    @device
    def load_nothing(records):  # type: ignore[no-untyped-def]
        return records.a_h, records.a_v

    @device
    def sample(a_h, a_v, i, scale):  # type: ignore[no-untyped-def]
        if vertical:
            return scale * a_h[i], scale * a_v[i]
        return scale * a_h[i], zero

    @device
    def begin(bodies, row, workspace):  # type: ignore[no-untyped-def]
        """State and parameters of a body, its arrays copied into the thread's workspace."""
        for j in range(bodies.lengths.shape[1]):
            for k in range(bodies.lengths[row, j]):
                workspace[j, k] = bodies.arrays[row, j, k]
        state = read_state(bodies.states, row, workspace, bodies.lengths)
        return state, read_params(bodies.numbers, row, workspace, bodies.lengths)

    @device
    def extend(peaks, coordinate, time):  # type: ignore[no-untyped-def]
        highest, lowest, t_peak = peaks
        if abs(coordinate) > max(highest, -lowest):
            t_peak = time
        return max(highest, coordinate), min(lowest, coordinate), t_peak

    @device
    def finish(result, run, state, time, peaks, impacts, event):  # type: ignore[no-untyped-def]
        for j in range(size):
            result[j, run] = state[j]
        result[size, run] = time
        result[size + 1, run], result[size + 2, run], result[size + 3, run] = peaks
        result[size + 4, run], result[size + 5, run] = impacts, event

    return load if shape.shared else load_nothing, sample, begin, extend, finish


def make_read(arrays: tuple[bool, ...], n: int = 0, m: int = 0) -> Any:
    """A device function that puts a body's parameters together: a tuple of numbers, from its row of
    a table, and arrays, from the thread's own workspace."""
    if arrays[0]:

        @device
        def first(numbers, row, workspace, lengths):  # type: ignore[no-untyped-def]
            return (workspace[m, : lengths[row, m]],)

    else:

        @device
        def first(numbers, row, workspace, lengths):  # type: ignore[no-untyped-def]
            return (numbers[row, n],)

    if len(arrays) == 1:
        return first
    others = make_read(arrays[1:], n + (not arrays[0]), m + arrays[0])

    @device
    def read(numbers, row, workspace, lengths):  # type: ignore[no-untyped-def]
        return first(numbers, row, workspace, lengths) + others(numbers, row, workspace, lengths)

    return read


def make_search(advance: Any, sample: Any) -> Any:
    """A device function that finds how far a body at rest stays so, the whole warp searching."""

    @device
    def across(box, scale):  # type: ignore[no-untyped-def]
        """From one extreme of a box to the other, with the lowest vertical acceleration: what moves
        a body at rest if anything in the box does (see `lanes` for the promise)."""
        down = min(scale * box[2], scale * box[3])
        return (scale * box[0], down), (scale * box[1], down)

    @device
    def search(state, params, records, a_h, a_v, motion, scale, i, last, dt):  # type: ignore[no-untyped-def]
        """The sample up to which it stays at rest from sample i on. Tries the rest of the record;
        then a block of samples per thread; then, in the first block that fails, one per thread."""
        begin, first_box, grain = records.first[motion], records.first_box[motion], 0
        while i < last:
            box = (i - begin) // BLOCK
            end = min(begin + (box + 1) * BLOCK, last)
            if grain == 0:
                within, (here, there) = True, across(records.tails[first_box + box], scale)
            elif grain == 1:
                mine = box + me()
                within = begin + mine * BLOCK < last
                here, there = across(records.boxes[first_box + (mine if within else box)], scale)
            else:
                mine = i + me()
                within = mine < end
                mine = mine if within else i
                here, there = sample(a_h, a_v, mine, scale), sample(a_h, a_v, mine + 1, scale)
            after, used, event = advance(state, params, here, there, dt)
            still = after[0] == state[0] and after[1] == state[1]
            calm = calm_ones(within and still and event == NOTHING and used == dt)
            if grain == 0 and calm > 0:
                return last
            if grain == 1:
                i = min(i + calm * BLOCK, last)
            elif grain == 2:
                i += calm
                if i < end and calm < LANES:
                    return i
            at_start = (i - begin) % BLOCK == 0
            grain = 1 if at_start and not (grain == 1 and calm < LANES) else 2
        return i

    return search


def make_glide_loop(advance: Any, glide: Any, shape: Shape) -> Any:
    """The loop for a formulation that offers `glide`."""
    load, sample, begin, extend, finish = make_tools(shape)
    number, zero = from_dtype(np.dtype(shape.number)), shape.number(0)
    search, share_all = make_search(advance, sample), make_share(shape.state)

    def loop(bodies, runs, records, result, counter, patience):  # type: ignore[no-untyped-def]
        workspace = cuda.local.array((1, 1), number)
        a_h, a_v = load(records)
        state, params = begin(bodies, 0, workspace)
        mode, run, i, origin, last = OVER, int64(-1), 0, 0, 0
        dt = left = scale = zero
        ground0, peaks, impacts, event, steps = (zero, zero), (zero, zero, 0.0), 0, NOTHING, 0
        busy = moving = 0
        while True:
            waited = 0
            while moving > 0 and waited <= patience:
                if mode == MOVING:
                    ground1 = sample(a_h, a_v, i + 1, scale)
                    moved, ok = glide(state, params, ground0, ground1, dt)
                    if ok:
                        state, ground0 = moved, ground1
                        i += 1
                        if i == last:
                            mode, event = OVER, NOTHING
                    else:
                        mode = PAUSING
                moving = count(mode == MOVING)
                waited += busy - moving
            # perhaps at rest: then it may stay so for long
            still = mode == PAUSING and state[1] == 0.0 and event != TURN and left == dt
            resting = which(still)
            while resting != 0:
                lane = cuda.ffs(resting) - 1
                resting &= resting - 1
                its = share(run, lane)
                resting_state, motion = share_all(state, lane), runs.motion[its]
                resting_params = begin(bodies, runs.system[its], workspace)[1]
                j = search(
                    resting_state, resting_params, records, a_h, a_v, motion, runs.scale[its],
                    share(i, lane), share(last, lane), share(dt, lane),
                )  # fmt: skip
                if me() == lane and j > i:
                    i, event, ground0 = j, NOTHING, sample(a_h, a_v, j, scale)
                    if i == last:
                        mode = OVER
            if mode == PAUSING:
                ground1 = sample(a_h, a_v, i + 1, scale)
                for _ in range(2):  # an impact follows on touching the ground: take both
                    now = (i - origin) * dt + (dt - left)
                    peaks = extend(peaks, state[0], now)
                    state, used, event = advance(state, params, ground0, ground1, left)
                    peaks = extend(peaks, state[0], now + used)
                    impacts += event == IMPACT
                    steps += 1
                    if steps == MAX_STEPS:
                        event = FAILURE
                    if used >= left or event >= OVERTURN:
                        break
                    ground0 = partway(ground0, ground1, used / left)
                    left -= used
                    used = zero
                    if state[0] != 0.0 or event == IMPACT:
                        break
                if event < OVERTURN and used < left:  # the rest of the sample
                    moved, ok = glide(state, params, ground0, ground1, left)
                    if ok:
                        state, used, event = moved, left, NOTHING
                if event >= OVERTURN:
                    mode = OVER
                    left -= used
                elif used >= left:
                    i, left, ground0, steps = i + 1, dt, ground1, 0
                    mode = MOVING if i < last else OVER
            if mode == OVER:
                if run >= 0:
                    time = (i - origin) * dt + (dt - left)
                    peaks = extend(peaks, state[0], time)
                    finish(result, run, state, time, peaks, impacts, event)
                run = cuda.atomic.add(counter, 0, 1)
                mode = IDLE
                if run < len(runs.system):
                    motion, scale = runs.motion[run], runs.scale[run]
                    state, params = begin(bodies, runs.system[run], workspace)
                    origin, dt = records.first[motion], records.dt[motion]
                    i, last, left = origin, origin + records.count[motion] - 1, dt
                    ground0, peaks = sample(a_h, a_v, i, scale), (state[0], state[0], 0.0)
                    impacts, event, steps = 0, NOTHING, 0
                    mode = MOVING if i < last else OVER
            busy, moving = count(mode != IDLE), count(mode == MOVING)
            if busy == 0:
                break

    return loop


def make_plain_loop(advance: Any, shape: Shape) -> Any:
    """The loop for any other formulation: each thread takes one step after the other."""
    load, sample, begin, extend, finish = make_tools(shape)
    number, zero = from_dtype(np.dtype(shape.number)), shape.number(0)
    space = (max(sum(shape.arrays), 1), max(shape.longest, 1))

    def loop(bodies, runs, records, result, counter, patience):  # type: ignore[no-untyped-def]
        workspace = cuda.local.array(space, number)
        a_h, a_v = load(records)
        state, params = begin(bodies, 0, workspace)
        mode, run, i, origin, last = OVER, int64(-1), 0, 0, 0
        dt = left = scale = zero
        ground0, peaks, impacts, event, steps = (zero, zero), (zero, zero, 0.0), 0, NOTHING, 0
        busy = moving = 0
        while True:
            waited = 0
            while moving > 0 and waited <= patience:
                if mode == MOVING:
                    ground1 = sample(a_h, a_v, i + 1, scale)
                    now = (i - origin) * dt + (dt - left)
                    state, used, event = advance(state, params, ground0, ground1, left)
                    peaks = extend(peaks, state[0], now + used)
                    impacts += event == IMPACT
                    steps += 1
                    if used >= left:
                        i, left, ground0, steps = i + 1, dt, ground1, 0
                    else:
                        ground0 = partway(ground0, ground1, used / left)
                        left -= used
                    if steps == MAX_STEPS:
                        event = FAILURE
                    if i == last or event >= OVERTURN:
                        mode = OVER
                moving = count(mode == MOVING)
                waited += busy - moving
            if mode == OVER:
                if run >= 0:
                    time = (i - origin) * dt + (dt - left)
                    finish(result, run, state, time, peaks, impacts, event)
                run = cuda.atomic.add(counter, 0, 1)
                mode = IDLE
                if run < len(runs.system):
                    motion, scale = runs.motion[run], runs.scale[run]
                    state, params = begin(bodies, runs.system[run], workspace)
                    origin, dt = records.first[motion], records.dt[motion]
                    i, last, left = origin, origin + records.count[motion] - 1, dt
                    ground0, peaks = sample(a_h, a_v, i, scale), (state[0], state[0], 0.0)
                    impacts, event, steps = 0, NOTHING, 0
                    mode = MOVING if i < last else OVER
            busy, moving = count(mode != IDLE), count(mode == MOVING)
            if busy == 0:
                break

    return loop
