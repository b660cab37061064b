"""The loop of a GPU for bodies that move in several ways, each with long code of its own.

In `loops.py` a thread keeps its run, and a warp waits while some of its threads do what the others
need not. Where that is long, and a run needs it every thirty samples, most threads would wait most
of the time. Here a block of threads has several runs for each of its threads, a *pool* in the GPU's
memory, and does one kind of work after the other: first it writes down runs that are over and
begins others, then all that need the ordinary `step` take it, those that meet an impact `land`,
those that move otherwise glide, and at last the rest glides. Each warp takes the next 32 runs that
wait for the same, so its threads have the same to do, and all warps of a block need the same
instructions at a time, of which a multiprocessor keeps few.

Gliding goes on until every run of the pool has met something, or has a thread: a thread whose run
has to wait for another kind of work puts it back and takes the next, as soon as the samples that
threads of its warp have let pass add up to its *patience*, about what that costs.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda, from_dtype, int32, uint32

from rocksteady.engine.cuda.layout import (
    AT,
    DT,
    EVENT,
    FIRST,
    HIGHEST,
    IMPACTS,
    KNOWN,
    LAST,
    LEFT,
    LOWEST,
    KINDS,
    POOL_OF_BLOCK,
    POOL_SIMULATED,
    REACH,
    RUN,
    SCALE,
    STEPS,
    THREADS,
    Shape,
)
from rocksteady.engine.cuda.tools import (
    LANES,
    calls,
    count,
    count_before,
    make_after_motion,
    make_look_ahead,
    make_read,
    make_so_far,
    make_tools,
    make_write,
    me,
    share,
    which,
)
from rocksteady.engine.drivers import MAX_STEPS, extend, turned_nowhere
from rocksteady.engine.summary import Rules
from rocksteady.formulations.contract import (
    FAILURE,
    IMPACT,
    LANDS,
    NOTHING,
    OTHERWISE,
    OVERTURN,
    TURN,
    UPLIFT,
)
from rocksteady.numerics.decorators import device

POOL = POOL_SIMULATED if config.ENABLE_CUDASIM else POOL_OF_BLOCK

# What a run of the pool waits for; those that are idle have none.
OVER, STEP, LAND, LAND_OTHERWISE, GLIDE_OTHERWISE, GLIDE, IDLE = map(np.int32, range(7))
RING = POOL + THREADS  # each thread may put its run down again while others are taken
LONGER = 2  # patience of those for which there is no other run to take


class Work(NamedTuple):
    """What a block has to do, in memory of its multiprocessor."""

    lists: Any
    """The runs that wait for each kind of work, in rings: a row for each kind. (In the memory of
    the GPU.)"""
    first: Any
    """The block's first row of them."""
    begins: Any
    ends: Any
    """Where the runs of each kind begin and end in them, counted from the start of the loop."""
    taken: Any
    """How many of the kind at hand somebody has taken."""


def make_put(size: int) -> Any:
    """A device function that writes so many numbers into a row of a table, from a column on."""
    last = size - 1

    @device
    def put_last(table, row, column, numbers):  # type: ignore[no-untyped-def]
        table[row, column + last] = numbers[last]

    if size == 1:
        return put_last
    others = make_put(last)

    @device
    def put(table, row, column, numbers):  # type: ignore[no-untyped-def]
        others(table, row, column, numbers)
        put_last(table, row, column, numbers)

    return put


def make_own(size: int) -> tuple[Any, Any]:
    """Device functions that write and read so many numbers of each thread in memory that a block
    shares: those of one thread lie THREADS apart."""
    last = size - 1

    @device
    def put_last(own, numbers):  # type: ignore[no-untyped-def]
        own[uint32(cuda.threadIdx.x) + uint32(last * THREADS)] = numbers[last]

    @device
    def read_last(own):  # type: ignore[no-untyped-def]
        return (own[uint32(cuda.threadIdx.x) + uint32(last * THREADS)],)

    if size == 1:
        return put_last, read_last
    put_others, read_others = make_own(last)

    @device
    def put(own, numbers):  # type: ignore[no-untyped-def]
        put_others(own, numbers)
        put_last(own, numbers)

    @device
    def read(own):  # type: ignore[no-untyped-def]
        return read_others(own) + read_last(own)

    return put, read


@device
def put_down(work, k, kind, mine):  # type: ignore[no-untyped-def]
    """Have each thread's run k wait for the next work on it, where it has one (``mine``)."""
    left = which(mine)
    while left != 0:
        leader = cuda.ffs(left) - 1
        its = int32(share(kind, leader))
        those, at = which(mine and kind == its), int32(0)
        if me() == leader:
            at = int32(cuda.atomic.add(work.ends, its, int32(cuda.popc(those))))
        at = int32(share(at, leader) + count_before(those))
        if mine and kind == its:
            work.lists[work.first + its, at % RING] = k
        left &= ~those


@device
def choose(work):  # type: ignore[no-untyped-def]
    """The kind of work that most of the block's runs wait for; IDLE if none waits for any."""
    cuda.syncthreads()
    kind, most = IDLE, int32(0)
    for other in range(IDLE):
        those = work.ends[other] - work.begins[other]
        if those > most:
            kind, most = int32(other), those
    work.taken[0] = 0
    cuda.syncthreads()
    return kind


@device
def waiting(work, kind):  # type: ignore[no-untyped-def]
    """(how many runs wait for a kind of work, where they begin); before anybody puts any down."""
    those, begin = work.ends[kind] - work.begins[kind], work.begins[kind]
    cuda.syncthreads()
    work.begins[kind] = begin + those
    return those, begin


@device
def next_of(work, kind, those, begin):  # type: ignore[no-untyped-def]
    """The next runs of a kind, one for each thread of a warp: (whether there is any, whether this
    thread has one, which)."""
    first = int32(0)
    if me() == 0:
        first = int32(cuda.atomic.add(work.taken, 0, LANES))
    first = int32(share(first, 0))
    mine = int32(first + me())
    at = (begin + min(mine, those - 1)) % RING
    return first < those, mine < those, work.lists[work.first + kind, at]


def make_pool_access(shape: Shape, prepared: int, changing: int) -> tuple[Any, ...]:
    """Device functions that read a run of the pool, write it, and write what gliding changes."""
    first_ground = shape.state + prepared
    first = first_ground + shape.components
    read_state = make_read((False,) * shape.state)
    read_prepared = make_read((False,) * prepared, shape.state)
    read_ground = make_read((False,) * shape.components, first_ground)
    put_state, put_prepared = make_put(shape.state), make_put(prepared)
    put_changed, put_ground = make_put(changing), make_put(shape.components)

    @device
    def load(pool, k):  # type: ignore[no-untyped-def]
        """(state, prepared, ground, (left, dt, scale, known), peaks)."""
        numbers, times = pool.numbers, pool.times
        state = read_state(numbers, k, numbers, numbers)
        ready = read_prepared(numbers, k, numbers, numbers)
        ground = read_ground(numbers, k, numbers, numbers)
        left, dt = numbers[k, first + LEFT], numbers[k, first + DT]
        pace = left, dt, numbers[k, first + SCALE], numbers[k, first + KNOWN]
        peaks = numbers[k, first + HIGHEST], numbers[k, first + LOWEST], times[k]
        return state, ready, ground, pace, peaks

    @device
    def store(pool, k, state, ready, ground, pace, peaks):  # type: ignore[no-untyped-def]
        numbers, times = pool.numbers, pool.times
        left, dt, scale, known = pace
        put_state(numbers, k, 0, state)
        put_prepared(numbers, k, shape.state, ready)
        put_ground(numbers, k, first_ground, ground)
        numbers[k, first + LEFT], numbers[k, first + DT] = left, dt
        numbers[k, first + SCALE], numbers[k, first + KNOWN] = scale, known
        numbers[k, first + HIGHEST], numbers[k, first + LOWEST], times[k] = peaks

    @device
    def put_moved(pool, k, state, ground, left):  # type: ignore[no-untyped-def]
        put_changed(pool.numbers, k, 0, state)
        put_ground(pool.numbers, k, first_ground, ground)
        pool.numbers[k, first + LEFT] = left

    return load, store, put_moved


def make_kind_of(glide: Any) -> Any:
    """A device function that tells what a run waits for that has just been seen to."""
    moves_otherwise = glide.otherwise is not None
    when = glide.otherwise.when if moves_otherwise else glide.step

    @device
    def kind_of(state):  # type: ignore[no-untyped-def]
        if state[0] == 0.0 and state[1] == 0.0:
            return STEP
        if moves_otherwise and when(state):
            return GLIDE_OTHERWISE
        return GLIDE

    return kind_of


class _Loop:
    """What the kinds of work are made of."""

    def __init__(self, glide: Any, shape: Shape, rules: Rules | None, over: Any) -> None:
        self.glide, self.shape, self.over = glide, shape, over
        self.load, self.store, self.put_moved = make_pool_access(
            shape, glide.prepared, glide.changing or shape.state
        )
        _, self.sample, self.between, self.begin, self.take, self.clock = make_tools(shape)
        self.read_params = make_read(shape.arrays)
        self.first = shape.state + glide.prepared + shape.components  # of the other numbers
        self.kind_of = make_kind_of(glide)
        self.watches = rules is not None and not rules.exact
        unfollowed = -1 if glide.unfollowed is None else glide.unfollowed
        self.write = make_write(shape.state, rules, unfollowed, large=True)
        self.zero, self.one = shape.number(0), shape.number(1)
        self.no_ground = (self.zero,) * shape.components
        self.ends, self.so_far = self.make_ends(), make_so_far(self.zero)

    def make_ends(self) -> Any:
        """A device function that tells what a run waits for at the end of an interval."""
        watches, over, zero = self.watches, self.over, self.zero

        @device
        def ends(i, last, scale, state, params, kind):  # type: ignore[no-untyped-def]
            if i == last or (watches and scale == zero and over(state, params)):
                return OVER
            return kind

        return ends

    def make_see_to_ends(self) -> Any:
        """A device function: runs that are over are written down, and others begun."""
        load, store, read_params = self.load, self.store, self.read_params
        sample, take, clock, write = self.sample, self.take, self.clock, self.write
        prepare, kind_of, first_row = self.glide.prepare, self.kind_of, self.first
        after_motion = make_after_motion(self.over)
        zero, no_ground, so_far = self.zero, self.no_ground, self.so_far
        keep_apart = calls(True)
        number = from_dtype(np.dtype(self.shape.number))

        @device
        def see_to_ends(pool, base, work, bodies, runs, records, result, counter):  # type: ignore[no-untyped-def]
            keep_apart()
            workspace = cuda.local.array((1, 1), number)
            those, begin = waiting(work, OVER)
            there, mine, k = next_of(work, OVER, those, begin)
            while there:
                becomes = OVER
                if mine:
                    row = base + k
                    run, i, first = pool.whole[row, RUN], pool.whole[row, AT], pool.whole[row, FIRST]
                    last, event = pool.whole[row, LAST], pool.whole[row, EVENT]
                    if run >= 0:
                        state, ready, ground0, pace, peaks = load(pool, row)
                        left, dt, scale, known = pace
                        system = runs.system[run]
                        params = read_params(bodies.numbers, system, workspace, bodies.lengths)
                        if event < OVERTURN and i == last and scale != zero:
                            last = after_motion(records, runs, run, scale, state, params, last)
                        if i < last and event < OVERTURN and scale != zero:
                            pool.whole[row, LAST] = last
                            pace = left, dt, zero, known
                            store(pool, row, state, ready, no_ground, pace, peaks)
                            becomes = kind_of(state)
                        else:
                            if event < OVERTURN:
                                peaks = extend(peaks, state[0], clock(i - 1, first, dt, zero))
                            end = clock(i, first, dt, left), peaks, pool.whole[row, IMPACTS], event
                            write(result, bodies, runs, run, state, params, dt, end)
                    if becomes == OVER:
                        run, _, (first, last), (dt, _), scale, state, params = take(
                            bodies, runs, records, counter, workspace
                        )
                        peaks = state[0], state[0], 0.0
                        pool.whole[row, RUN], pool.whole[row, AT] = run, first
                        pool.whole[row, FIRST], pool.whole[row, LAST] = first, last
                        pool.whole[row, IMPACTS] = pool.whole[row, STEPS] = 0
                        pool.whole[row, EVENT] = NOTHING
                        pool.numbers[row, first_row + REACH] = zero
                        pace = dt, dt, scale, so_far(peaks, state)
                        ground0 = sample(records.accel, first, scale)
                        store(pool, row, state, prepare(state, params), ground0, pace, peaks)
                        becomes = kind_of(state) if first < last else OVER
                        mine = run < counter[1]  # or there is none left
                put_down(work, k, becomes, mine)
                there, mine, k = next_of(work, OVER, those, begin)

        return see_to_ends

    def make_step(self) -> Any:
        """A device function: ordinary steps until a run may glide again, or its interval ends."""
        glide, load, store, read_params = self.glide, self.load, self.store, self.read_params
        sample, between, clock, prepare = self.sample, self.between, self.clock, glide.prepare
        kind_of, ends, first_row, zero = self.kind_of, self.ends, self.first, self.zero
        look_ahead = make_look_ahead(glide, sample, self.begin, self.shape)
        step, has_whole, whole_step = glide.step, glide.whole is not None, glide.whole or glide.step
        may_pass, turning = glide.turning is not None, glide.turning or turned_nowhere
        keep_apart, so_far = calls(True), self.so_far
        number = from_dtype(np.dtype(self.shape.number))

        @device
        def step_all(pool, base, work, bodies, runs, records):  # type: ignore[no-untyped-def]
            keep_apart()
            workspace = cuda.local.array((1, 1), number)
            those, begin = waiting(work, STEP)
            there, mine, k = next_of(work, STEP, those, begin)
            while there:
                row = base + k
                state, ready, ground0, (left, dt, scale, known), peaks = load(pool, row)
                run, i, first = pool.whole[row, RUN], pool.whole[row, AT], pool.whole[row, FIRST]
                last, event = pool.whole[row, LAST], pool.whole[row, EVENT]
                impacts, steps = pool.whole[row, IMPACTS], pool.whole[row, STEPS]
                reach = pool.numbers[row, first_row + REACH]
                params = read_params(bodies.numbers, runs.system[run], workspace, bodies.lengths)
                becomes = STEP
                still = event != UPLIFT and state[0] == 0.0 and state[1] == 0.0 and left == dt
                if still and scale == zero:
                    becomes = OVER
                resting, here = which(mine and still and becomes == STEP), (i, last, dt)
                j = look_ahead(
                    resting, run, state, here, bodies, runs, records, records.accel, workspace
                )
                if j > i:
                    i, ground0, event = int32(j), sample(records.accel, j, scale), int32(NOTHING)
                    if i == last:
                        becomes = OVER
                if mine:
                    if becomes == STEP:
                        ground1 = sample(records.accel, i + 1, scale)
                        begun = clock(i, first, dt, dt)
                        if left == dt:  # it may have come here by an attempt
                            peaks = extend(peaks, state[0], clock(i - 1, first, dt, zero))
                        ended = may_glide = False
                        while not (ended or may_glide):
                            before = state
                            if has_whole and reach > 0.0:
                                state, used, happened = whole_step(
                                    before, params, ground0, ground1, left
                                )
                            else:
                                state, used, happened = step(before, params, ground0, ground1, left)
                            event = int32(happened)
                            turned = event != IMPACT and before[1] * state[1] < 0
                            if may_pass and turned and not (reach > 0.0 and reach <= known):
                                t, coordinate = turning(
                                    before, params, ground0, ground1, left, used
                                )
                                peaks = extend(peaks, coordinate, begun + (dt - left + t))
                            peaks = extend(peaks, state[0], begun + (dt - (left - used)))
                            known = so_far(peaks, state)
                            impacts, steps = int32(impacts + (event == IMPACT)), int32(steps + 1)
                            ended = used >= left
                            if not ended:
                                ground0 = between(ground0, ground1, used / left)
                                left -= used
                                if steps >= MAX_STEPS:
                                    event = int32(FAILURE)
                            may_glide = event in (TURN, IMPACT) or event >= OVERTURN
                            may_glide = may_glide or (event == NOTHING and state[0] != 0.0)
                            reach = zero
                        ready = prepare(state, params)
                        becomes = OVER if event >= OVERTURN else kind_of(state)
                        if ended and event < OVERTURN:
                            i, left, ground0, steps = int32(i + 1), dt, ground1, int32(0)
                            becomes = ends(i, last, scale, state, params, becomes)
                    pool.whole[row, AT], pool.whole[row, EVENT] = i, event
                    pool.whole[row, IMPACTS], pool.whole[row, STEPS] = impacts, steps
                    store(pool, row, state, ready, ground0, (left, dt, scale, known), peaks)
                put_down(work, k, becomes, mine)
                there, mine, k = next_of(work, STEP, those, begin)

        return step_all

    def make_land(self, land: Any, kind: Any) -> Any:
        """A device function: runs that wait for the usual impact have it together."""
        load, store, read_params = self.load, self.store, self.read_params
        sample, between, clock = self.sample, self.between, self.clock
        kind_of, ends, zero = self.kind_of, self.ends, self.zero
        keep_apart, so_far = calls(True), self.so_far
        number = from_dtype(np.dtype(self.shape.number))

        @device
        def land_all(pool, base, work, bodies, runs, records):  # type: ignore[no-untyped-def]
            keep_apart()
            workspace = cuda.local.array((1, 1), number)
            those, begin = waiting(work, kind)
            there, mine, k = next_of(work, kind, those, begin)
            while there:
                becomes = STEP
                if mine:
                    row = base + k
                    state, ready, ground0, (left, dt, scale, known), peaks = load(pool, row)
                    run, i, first = pool.whole[row, RUN], pool.whole[row, AT], pool.whole[row, FIRST]
                    params = read_params(bodies.numbers, runs.system[run], workspace, bodies.lengths)
                    ground1 = sample(records.accel, i + 1, scale)
                    after, about, used, crest, ok = land(
                        state, params + ready, ground0, ground1, left
                    )
                    so_far_out = peaks
                    if left == dt:
                        so_far_out = extend(peaks, state[0], clock(i - 1, first, dt, zero))
                    most = so_far_out[0] if crest > 0.0 else -so_far_out[1]
                    if ok and abs(crest) <= most:  # no new extreme on the way
                        now = clock(i, first, dt, dt) + (dt - (left - used))
                        peaks = extend(so_far_out, after[0], now)
                        known, becomes = so_far(peaks, after), kind_of(after)
                        if used == left:  # nothing happened after all
                            i, left, ground0 = int32(i + 1), dt, ground1
                            pool.whole[row, AT], pool.whole[row, EVENT] = i, NOTHING
                            pool.whole[row, STEPS] = 0
                            last = pool.whole[row, LAST]
                            becomes = ends(i, last, scale, after, params, becomes)
                        else:
                            ground0, left = between(ground0, ground1, used / left), left - used
                            pool.whole[row, EVENT] = IMPACT
                            pool.whole[row, IMPACTS] += 1
                            pool.whole[row, STEPS] += 1
                        store(pool, row, after, about, ground0, (left, dt, scale, known), peaks)
                put_down(work, k, becomes, mine)
                there, mine, k = next_of(work, kind, those, begin)

        return land_all

    def make_glide(self, attempt: Any, kind: Any, lands: bool, land_kind: Any) -> Any:
        """A device function: intervals in which nothing happens."""
        load, put_moved, read_params = self.load, self.put_moved, self.read_params
        sample, ends, first_row, one = self.sample, self.ends, self.first, self.one
        moves_otherwise, keep_apart = self.glide.otherwise is not None, calls(True)
        put_own, read_own = make_own(self.glide.prepared)
        number = from_dtype(np.dtype(self.shape.number))

        @device
        def glide_all(pool, base, work, bodies, runs, records, patience):  # type: ignore[no-untyped-def]
            keep_apart()
            workspace = cuda.local.array((1, 1), number)
            those, begin = waiting(work, kind)
            becomes, k, row, exhausted = IDLE, int32(0), base, False
            waited, began, moving = int32(0), int32(0), int32(0)
            state, _, ground0, (left, dt, scale, known), _ = load(pool, row)
            params = read_params(bodies.numbers, 0, workspace, bodies.lengths)
            own = cuda.shared.array(0, number)
            i, last, steps, event = int32(0), int32(0), int32(0), int32(NOTHING)
            rate = one
            while True:
                enough = waited > (LONGER * patience if exhausted else patience)
                if moving == 0 or enough:
                    done = exhausted
                    leaves = becomes != IDLE and (done or becomes != kind)
                    if leaves:
                        put_moved(pool, row, state, ground0, left)
                        pool.whole[row, AT], pool.whole[row, STEPS] = i, steps
                        pool.whole[row, EVENT] = event
                    put_down(work, k, becomes, leaves)
                    if leaves:
                        becomes = IDLE
                    if done:
                        return
                    vacant, first = which(becomes == IDLE), int32(0)
                    missing = int32(cuda.popc(vacant))
                    if me() == 0:
                        first = int32(cuda.atomic.add(work.taken, 0, missing))
                    first = int32(share(first, 0))
                    mine = int32(first + count_before(vacant))
                    exhausted = first + missing >= those
                    if becomes == IDLE and mine < those:
                        k = work.lists[work.first + kind, (begin + mine) % RING]
                        row, becomes = base + k, kind
                        state, ready, ground0, (left, dt, scale, known), _ = load(pool, row)
                        put_own(own, ready)
                        i, last = pool.whole[row, AT], pool.whole[row, LAST]
                        steps, event = pool.whole[row, STEPS], pool.whole[row, EVENT]
                        rate, system = one / left, runs.system[pool.whole[row, RUN]]
                        params = read_params(bodies.numbers, system, workspace, bodies.lengths)
                    waited, began = int32(0), count(becomes == kind)
                if becomes == kind:
                    ground1 = sample(records.accel, i + 1, scale)
                    given = params + read_own(own)
                    moved, reach, ok = attempt(state, given, ground0, ground1, left, rate)
                    if ok and reach <= known:  # no new extreme within
                        state, event, ground0 = moved, int32(NOTHING), ground1
                        i, steps = int32(i + 1), int32(0)
                        if left != dt:
                            left, rate = dt, one / dt
                        becomes = ends(i, last, scale, state, params, kind)
                    else:
                        becomes = STEP
                        if lands and not ok and reach == LANDS:
                            becomes = land_kind
                        if moves_otherwise and not ok and reach == OTHERWISE:
                            becomes = GLIDE_OTHERWISE
                        pool.numbers[row, first_row + REACH] = reach
                moving = count(becomes == kind)
                waited = int32(waited + began - moving)

        return glide_all


def make_wave_loop(glide: Any, shape: Shape, rules: Rules | None, over: Any) -> Any:
    """The loop for a formulation with a `Glide` whose ``step`` is ``large``."""
    parts = _Loop(glide, shape, rules, over)
    see_to_ends, step_all = parts.make_see_to_ends(), parts.make_step()
    lands, otherwise = glide.land is not None, glide.otherwise
    land_all = parts.make_land(glide.land, LAND) if lands else None
    glide_all = parts.make_glide(glide.attempt, GLIDE, lands, LAND)
    moves_otherwise = otherwise is not None
    falls = moves_otherwise and otherwise.land is not None
    fall_all = parts.make_land(otherwise.land, LAND_OTHERWISE) if falls else None
    tip_all = None
    if moves_otherwise:
        tip_all = parts.make_glide(otherwise.attempt, GLIDE_OTHERWISE, falls, LAND_OTHERWISE)

    def loop(bodies, runs, records, result, counter, patience, each, pool):  # type: ignore[no-untyped-def]
        """``each``: how many runs a block has at a time, at most POOL of them."""
        begins = cuda.shared.array(KINDS, int32)  # (the simulator wants a line for each)
        ends = cuda.shared.array(KINDS, int32)
        taken = cuda.shared.array(1, int32)
        block = cuda.blockIdx.x
        work, base = Work(pool.lists, block * KINDS, begins, ends, taken), block * POOL
        for kind in range(KINDS):  # all threads write the same
            begins[kind], ends[kind] = 0, each if kind == OVER else 0
        for k in range(cuda.threadIdx.x, each, cuda.blockDim.x):
            pool.lists[work.first + OVER, k], pool.whole[base + k, RUN] = k, -1
        kind = choose(work)
        while kind != IDLE:
            if kind == OVER:
                see_to_ends(pool, base, work, bodies, runs, records, result, counter)
            elif kind == STEP:
                step_all(pool, base, work, bodies, runs, records)
            elif lands and kind == LAND:
                land_all(pool, base, work, bodies, runs, records)
            elif falls and kind == LAND_OTHERWISE:
                fall_all(pool, base, work, bodies, runs, records)
            elif moves_otherwise and kind == GLIDE_OTHERWISE:
                tip_all(pool, base, work, bodies, runs, records, patience)
            else:
                glide_all(pool, base, work, bodies, runs, records, patience)
            kind = choose(work)

    return loop
