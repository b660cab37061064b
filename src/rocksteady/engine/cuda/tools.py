"""What the loops of a GPU are made of: what a warp does together, and what each thread needs."""

import math
from typing import Any

import numpy as np
from numba import config, cuda, float64, from_dtype, int32, types, uint32
from numba.extending import intrinsic

from rocksteady.engine.cuda.layout import BLOCK, EVERY, Shape, in_waves
from rocksteady.engine.summary import Rules, make_summary, tells_nothing
from rocksteady.numerics.decorators import device, kernel
from rocksteady.numerics.fusing import times
from rocksteady.theories.contract import NOTHING, partway

product = kernel(lambda a, b: times(a, b))  # a GPU's compiler would fuse a plain one with a sum

# What a thread is about to do.
MOVING = np.int32(0)
PAUSING = np.int32(1)  # something happens before the next sample: wait, then take the slow way
OVER = np.int32(2)  # write down what came out, and take the next run
IDLE = np.int32(3)  # no run is left

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
    def count_before(those):  # type: ignore[no-untyped-def]
        return 0

    @device
    def share(value, lane):  # type: ignore[no-untyped-def]
        return value

else:

    @device
    def which(yes):  # type: ignore[no-untyped-def]
        """A bit for each thread that says yes."""
        return uint32(cuda.ballot_sync(WARP, yes))

    @device
    def me():  # type: ignore[no-untyped-def]
        return cuda.laneid

    @device
    def count_before(those):  # type: ignore[no-untyped-def]
        """How many threads with a bit in ``those`` come before this one."""
        return int32(cuda.popc(those & uint32((uint32(1) << uint32(cuda.laneid)) - uint32(1))))

    @device
    def share(value, lane):  # type: ignore[no-untyped-def]
        """What one thread has, for all."""
        return cuda.shfl_sync(WARP, value, lane)


@device
def count(yes):  # type: ignore[no-untyped-def]
    """How many threads say yes."""
    return int32(cuda.popc(which(yes)))


@device
def calm_ones(calm):  # type: ignore[no-untyped-def]
    """How many threads are calm before the first that is not."""
    restless = which(not calm)
    return LANES if restless == 0 else cuda.ffs(restless) - 1


@intrinsic  # type: ignore[untyped-decorator]
def _called(context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.none(), generate


@device
def _inlined():  # type: ignore[no-untyped-def]
    pass


def calls(large: bool) -> Any:
    """What a device function has to call so that it is itself called, not inlined, if it is
    ``large``: then the loop around it need not make room for all its numbers."""
    return _called if large and not config.ENABLE_CUDASIM else _inlined


# -- what every loop needs -------------------------------------------------------------------------


def make_tools(shape: Shape) -> tuple[Any, ...]:
    """(load, sample, between, begin, take, clock): device functions of every loop."""
    read_state = make_read((False,) * shape.state)
    read_params = make_read(shape.arrays)
    components, vertical = shape.components, shape.vertical
    zero, one = shape.number(0), shape.number(1)
    number = from_dtype(np.dtype(shape.number))

    @device
    def load(records):  # type: ignore[no-untyped-def]
        """The records' samples, in memory of the multiprocessor's own where they fit."""
        n = len(records.accel[0])
        memory = cuda.shared.array(0, number)
        for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
            memory[i] = records.accel[0][i]
            if vertical:
                memory[n + i] = records.accel[1][i]
            if components == 3:
                memory[2 * n + i] = records.accel[2][i]
        cuda.syncthreads()
        if components == 2:
            return memory[:n], memory[n:]
        return memory[:n], memory[n : 2 * n], memory[2 * n :]

    @device
    def load_nothing(records):  # type: ignore[no-untyped-def]
        return records.accel

    @device
    def sample(ground, i, scale):  # type: ignore[no-untyped-def]
        """The ground at sample i; after the motion it stands still, with a scale of zero."""
        # not signed: that would be checked for counting from the end
        at = uint32(i) if scale != zero else uint32(0)
        along = product(scale, ground[0][at])
        if components == 3:
            return along, product(scale, ground[1][at]), product(scale, ground[2][at])
        if vertical:
            return along, product(scale, ground[1][at])
        return along, zero

    @device
    def between(ground0, ground1, fraction):  # type: ignore[no-untyped-def]
        """The ground after a fraction of what is left of the interval."""
        if vertical:
            return partway(ground0, ground1, fraction)
        return partway(ground0, ground1, fraction)[0], zero

    @device
    def begin(bodies, row, workspace):  # type: ignore[no-untyped-def]
        """State and parameters of a body, its arrays copied into the thread's workspace."""
        for j in range(bodies.lengths.shape[1]):
            for k in range(bodies.lengths[row, j]):
                workspace[j, k] = bodies.arrays[row, j, k]
        state = read_state(bodies.states, row, workspace, bodies.lengths)
        return state, read_params(bodies.numbers, row, workspace, bodies.lengths)

    @device
    def take(bodies, runs, records, counter, workspace):  # type: ignore[no-untyped-def]
        """The next run that nobody has begun: (its number, what to do now, (first sample, last),
        (interval, its inverse), scale, state, parameters). ``counter`` has how many were begun, and
        how many there are."""
        run = cuda.atomic.add(counter, 0, 1)
        row = min(run, counter[1] - 1)
        motion, scale = runs.motion[row], runs.scale[row]
        state, params = begin(bodies, runs.system[row], workspace)
        first, samples, dt = int32(records.first[motion]), records.count[motion], records.dt[motion]
        mode = MOVING if samples > 1 else OVER
        if row < run:
            mode = IDLE
        span = first, int32(first + samples - 1)
        return int32(run), mode, span, (dt, one / dt), scale, state, params

    @device
    def clock(i, first, dt, left):  # type: ignore[no-untyped-def]
        """The time [s] in the interval after sample i of which so much is left."""
        return product(float64(i - first), float64(dt)) + float64(dt - left)

    return load if shape.shared else load_nothing, sample, between, begin, take, clock


def make_so_far(zero: Any) -> Any:
    """A device function that tells how far out a body has been, on the side where it is or goes."""

    @device
    def so_far(peaks, state):  # type: ignore[no-untyped-def]
        outwards = state[1] if state[0] == 0.0 else state[0]
        return max(peaks[0], zero) if outwards > 0.0 else max(-peaks[1], zero)

    return so_far


def make_after_motion(over: Any) -> Any:
    """A device function that finds the last sample of a run whose motion has come to its end."""

    @device
    def after_motion(records, runs, run, scale, state, params, last):  # type: ignore[no-untyped-def]
        """Where it ends: here if it is over, or if the ground has stood still already."""
        if scale == 0.0 or over(state, params):
            return last
        return int32(last + records.still[runs.motion[run]])

    return after_motion


def make_write(size: int, rules: Rules | None, unfollowed: int, large: bool = False) -> Any:
    """A device function that writes down what came out of a run: its summary by these rules; or,
    without any, its last state and the numbers of `BatchPeaks`. The state's entry ``unfollowed`` is
    then nan, if that is one."""
    if rules is None:

        @device
        def write(result, bodies, runs, run, state, params, dt, end):  # type: ignore[no-untyped-def]
            time, peaks, impacts, event = end
            for j in range(size):
                result[j, run] = state[j]
            result[size, run] = time
            result[size + 1, run], result[size + 2, run], result[size + 3, run] = peaks
            result[size + 4, run], result[size + 5, run] = impacts, event
            if unfollowed >= 0:
                result[unfollowed, run] = math.nan

        return write

    summary, entries, more = make_summary(rules), len(rules.kept), rules.more
    kept = rules.kept or (0,)  # no entry of an empty tuple could be compiled
    at_end, status = rules.at_end or tells_nothing, EVERY + entries + more
    keep_apart = calls(large)

    @device
    def write_summary(result, bodies, runs, run, state, params, dt, end):  # type: ignore[no-untyped-def]
        keep_apart()
        time, peaks, impacts, event = end
        system, dt = runs.system[run], float64(dt)
        limits = float64(bodies.limits[system, 0]), float64(bodies.limits[system, 1])
        peaks = float64(peaks[0]), float64(peaks[1]), peaks[2]
        found = summary(state, params, limits, dt, time, peaks, event)
        result[0, run], result[1, run], result[2, run], result[3, run] = found[:4]
        result[4, run], result[status, run] = impacts + found[5], found[4]
        for j in range(entries):
            result[EVERY + j, run] = math.nan if kept[j] == unfollowed else state[kept[j]]
        if more > 0:
            told = at_end(state, params)
            for j in range(more):
                result[EVERY + entries + j, run] = told[j]

    return write_summary


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


def make_share_all(size: int) -> Any:
    """A device function that hands a thread's state of so many numbers to all of its warp."""
    last = size - 1

    @device
    def share_last(state, lane):  # type: ignore[no-untyped-def]
        return (share(state[last], lane),)

    if size == 1:
        return share_last
    others = make_share_all(last)

    @device
    def share_all(state, lane):  # type: ignore[no-untyped-def]
        return others(state, lane) + share_last(state, lane)

    return share_all


def make_look_ahead(glide: Any, sample: Any, begin: Any, shape: Shape) -> Any:
    """A device function that finds how far bodies at rest stay so, the whole warp searching for one
    after the other. Unless they are ``zero_at_rest`` it looks at their own states."""
    components, zeros = shape.components, (shape.number(0),) * shape.state
    step, keep_apart = glide.step, calls(in_waves(glide))
    if glide.zero_at_rest:

        @device
        def rest_of(state, lane):  # type: ignore[no-untyped-def]
            return zeros

    else:
        rest_of = make_share_all(shape.state)

    @device
    def across(box, scale):  # type: ignore[no-untyped-def]
        """From one corner of a box to the opposite one, with the lowest vertical acceleration: what
        moves a body at rest if anything in the box does (see `rest` for the promise)."""
        down = min(product(scale, box[2]), product(scale, box[3]))
        side, other = product(scale, box[0]), product(scale, box[1])
        if components == 2:
            return (side, down), (other, down)
        return (side, down, product(scale, box[4])), (other, down, product(scale, box[5]))

    @device
    def stands(rest, params, here, there, dt):  # type: ignore[no-untyped-def]
        after, used, event = step(rest, params, here, there, dt)
        still = after[0] == rest[0] and after[1] == rest[1]
        return still and event == NOTHING and used == dt

    @device
    def stands_through(rest, params, here, there, dt, in_box):  # type: ignore[no-untyped-def]
        """Whether it stays at rest; in a box with two horizontal components, along both its
        diagonals."""
        if components == 2:
            return stands(rest, params, here, there, dt)
        calm = True
        for _ in range(2 if in_box else 1):
            calm = calm and stands(rest, params, here, there, dt)
            here, there = (here[0], here[1], there[2]), (there[0], there[1], here[2])
        return calm

    @device
    def search(rest, params, records, ground, motion, scale, i, last, dt):  # type: ignore[no-untyped-def]
        """The sample up to which it stays at rest from sample i on. Tries the rest of the record;
        then a block of samples per thread; then, in the first block that fails, one per thread."""
        first, first_box, grain = int32(records.first[motion]), records.first_box[motion], 0
        while i < last:
            box = (i - first) // BLOCK
            end = min(first + (box + 1) * BLOCK, last)
            if grain == 0:
                within, (here, there) = True, across(records.tails[first_box + box], scale)
            elif grain == 1:
                mine = box + me()
                within = first + mine * BLOCK < last
                here, there = across(records.boxes[first_box + (mine if within else box)], scale)
            else:
                mine = i + me()
                within = mine < end
                mine = mine if within else i
                here, there = sample(ground, mine, scale), sample(ground, mine + 1, scale)
            calm = calm_ones(stands_through(rest, params, here, there, dt, grain < 2) and within)
            if grain == 0 and calm > 0:
                return last
            if grain == 1:
                i = min(i + calm * BLOCK, last)
            elif grain == 2:
                i += calm
                if i < end and calm < LANES:
                    return i
            at_start = (i - first) % BLOCK == 0
            grain = 1 if at_start and not (grain == 1 and calm < LANES) else 2
        return i

    @device
    def look_ahead(resting, run, state, place, bodies, runs, records, ground, workspace):  # type: ignore[no-untyped-def]
        """The sample up to which a thread's body rests if it is one of those ``resting``; ``place``
        is (where it is, where its record ends, interval)."""
        keep_apart()
        i, last, dt = place
        ahead = i
        while resting != 0:
            lane = cuda.ffs(resting) - 1
            resting &= resting - 1
            its = share(run, lane)
            params = begin(bodies, runs.system[its], workspace)[1]
            j = search(
                rest_of(state, lane), params, records, ground, runs.motion[its], runs.scale[its],
                share(i, lane), share(last, lane), share(dt, lane),
            )  # fmt: skip
            if me() == lane:
                ahead = j
        return ahead

    return look_ahead
