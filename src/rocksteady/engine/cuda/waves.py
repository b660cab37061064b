"""The loop of a GPU for bodies that move in several ways, each with long code of its own.

In `loops.py` a thread keeps its run, and a warp waits while some of its threads do what the others
need not. Where that is long, and a run needs it every forty samples, most threads would wait most
of the time. Here a block of threads has some ten runs for each of its threads, a *pool* in the
GPU's memory (`pool.py`), and does one kind of work at a time, the one that most of its runs wait
for: it writes down runs that are over and begins others, takes ordinary steps, lets bodies land, or
glide. Each warp takes 32 runs that wait for the same, so its threads have the same to do, and all
warps of a block need the same instructions, of which a multiprocessor keeps few at hand.

While they glide, a thread whose run has to wait for another kind of work puts it down and takes the
next, as soon as the samples that threads of its warp have let pass add up to its *patience*, about
what that costs.
"""

from typing import Any

import numpy as np
from numba import cuda, from_dtype, int32

from rocksteady.engine.cuda.layout import (
    AT,
    EVENT,
    FIRST,
    IMPACTS,
    KINDS,
    LAST,
    REACH,
    RUN,
    STEPS,
    Shape,
)
from rocksteady.engine.cuda.pool import (
    GLIDE,
    GLIDE_OTHERWISE,
    IDLE,
    LAND,
    LAND_OTHERWISE,
    OVER,
    POOL,
    STEP,
    Lists,
    choose,
    make_access,
    make_own,
    put_down,
    take_next,
    waiting,
)
from rocksteady.engine.cuda.tools import (
    calls,
    count,
    make_after_motion,
    make_look_ahead,
    make_read,
    make_so_far,
    make_tools,
    make_write,
    which,
)
from rocksteady.engine.drivers import MAX_STEPS, extend, turned_nowhere
from rocksteady.engine.summary import Rules
from rocksteady.numerics.decorators import device
from rocksteady.theories.contract import (
    FAILURE,
    IMPACT,
    LANDS,
    NOTHING,
    OTHERWISE,
    OVERTURN,
    TURN,
    UPLIFT,
)


def make_wave_loop(glide: Any, shape: Shape, rules: Rules | None, over: Any) -> Any:
    """The loop for a formulation with a `Glide` that asks for ``waves``."""
    work, otherwise = _Work(glide, shape, rules, over), glide.otherwise
    end_and_begin, step_all = work.make_end_and_begin(), work.make_step()
    lands = glide.land is not None
    land_all = work.make_land(glide.land, LAND) if lands else step_all
    glide_all = work.make_glide(glide.attempt, GLIDE, LAND if lands else STEP)
    moves_otherwise = otherwise is not None
    lands_otherwise = moves_otherwise and otherwise.land is not None
    land_otherwise, glide_otherwise = step_all, glide_all
    if lands_otherwise:
        land_otherwise = work.make_land(otherwise.land, LAND_OTHERWISE)
    if moves_otherwise:
        then = LAND_OTHERWISE if lands_otherwise else STEP
        glide_otherwise = work.make_glide(otherwise.attempt, GLIDE_OTHERWISE, then)

    def loop(bodies, runs, records, result, counter, patience, each, pool):  # type: ignore[no-untyped-def]
        """``each``: how many runs a block has at a time, at most POOL of them."""
        begins = cuda.shared.array(KINDS, int32)  # (the simulator wants a line for each)
        ends = cuda.shared.array(KINDS, int32)
        taken = cuda.shared.array(1, int32)
        block = cuda.blockIdx.x
        lists, base = Lists(pool.rings, block * KINDS, begins, ends, taken), block * POOL
        for kind in range(KINDS):  # all threads write the same
            begins[kind], ends[kind] = 0, each if kind == OVER else 0
        for k in range(cuda.threadIdx.x, each, cuda.blockDim.x):
            pool.rings[lists.first + OVER, k], pool.whole[base + k, RUN] = k, -1
        given = pool, base, lists, bodies, runs, records
        kind = choose(lists)
        while kind != IDLE:
            if kind == OVER:
                end_and_begin(given, result, counter)
            elif kind == STEP:
                step_all(given)
            elif lands and kind == LAND:
                land_all(given)
            elif lands_otherwise and kind == LAND_OTHERWISE:
                land_otherwise(given)
            elif moves_otherwise and kind == GLIDE_OTHERWISE:
                glide_otherwise(given, patience)
            else:
                glide_all(given, patience)
            kind = choose(lists)

    return loop


def make_params_of(shape: Shape) -> Any:
    """A device function that reads the parameters of a run's body, which has no arrays."""
    read = make_read(shape.arrays)

    @device
    def params_of(bodies, runs, run):  # type: ignore[no-untyped-def]
        return read(bodies.numbers, runs.system[run], bodies.lengths, bodies.lengths)

    return params_of


class _Work:
    """Device functions for the kinds of work, and what they share. Each is called, not inlined: so
    it has all registers for itself."""

    def __init__(self, glide: Any, shape: Shape, rules: Rules | None, over: Any) -> None:
        self.glide, self.shape, self.over = glide, shape, over
        changing = glide.changing or shape.state
        self.load, self.store, self.put_moved, self.put_peak = make_access(
            shape, glide.prepared, changing
        )
        _, self.sample, self.between, self.begin, self.take, self.clock = make_tools(shape)
        self.params_of, self.number = make_params_of(shape), from_dtype(np.dtype(shape.number))
        self.first = shape.state + glide.prepared + shape.components  # of the other numbers
        unfollowed = -1 if glide.unfollowed is None else glide.unfollowed
        self.write = make_write(shape.state, rules, unfollowed, large=True)
        self.zero, self.one = shape.number(0), shape.number(1)
        self.so_far, self.keep_apart = make_so_far(self.zero), calls(True)
        self.watches = rules is not None and not rules.exact
        self.kind_of, self.after_interval = self.make_kind_of(), self.make_after_interval()

    def make_kind_of(self) -> Any:
        """A device function: what a body waits for that moves like this."""
        moves_otherwise = self.glide.otherwise is not None
        when = self.glide.otherwise.when if moves_otherwise else self.glide.step

        @device
        def kind_of(state):  # type: ignore[no-untyped-def]
            if state[0] == 0.0 and state[1] == 0.0:
                return STEP
            if moves_otherwise and when(state):
                return GLIDE_OTHERWISE
            return GLIDE

        return kind_of

    def make_after_interval(self) -> Any:
        """A device function: what a run waits for at the end of an interval."""
        watches, over, zero = self.watches, self.over, self.zero

        @device
        def after_interval(i, last, scale, state, params, kind):  # type: ignore[no-untyped-def]
            if i == last or (watches and scale == zero and over(state, params)):
                return OVER
            return kind

        return after_interval

    def make_end_and_begin(self) -> Any:
        """Runs that are over are written down, and others begun. At the end of its motion a run may
        go on, under a ground that stands still."""
        load, store, params_of, number = self.load, self.store, self.params_of, self.number
        sample, take, clock, write = self.sample, self.take, self.clock, self.write
        prepare, kind_of, first_row = self.glide.prepare, self.kind_of, self.first
        so_far, zero, keep_apart = self.so_far, self.zero, self.keep_apart
        after_motion, no_ground = make_after_motion(self.over), (zero,) * self.shape.components

        @device
        def end_and_begin(given, result, counter):  # type: ignore[no-untyped-def]
            keep_apart()
            pool, base, lists, bodies, runs, records = given
            whole = pool.whole
            workspace = cuda.local.array((1, 1), number)
            those, begin = waiting(lists, OVER)
            left_over = those
            while left_over > 0:
                has, k, left_over = take_next(lists, OVER, those, begin, True)
                becomes = OVER
                if has:
                    row = base + k
                    run, i, first = whole[row, RUN], whole[row, AT], whole[row, FIRST]
                    last, event = whole[row, LAST], whole[row, EVENT]
                    if run >= 0:
                        state, ready, _, (left, dt, scale, known), peaks = load(pool, row)
                        params = params_of(bodies, runs, run)
                        in_motion = event < OVERTURN and scale != zero
                        if in_motion and i == last:
                            last = after_motion(records, runs, run, scale, state, params, last)
                        if in_motion and i < last:
                            whole[row, LAST], pace = last, (left, dt, zero, known)
                            store(pool, row, state, ready, no_ground, pace, peaks)
                            becomes = kind_of(state)
                        else:
                            end = clock(i, first, dt, left), peaks, whole[row, IMPACTS], event
                            write(result, bodies, runs, run, state, params, dt, end)
                    if becomes == OVER:
                        run, _, (first, last), (dt, _), scale, state, params = take(
                            bodies, runs, records, counter, workspace
                        )
                        whole[row, RUN], whole[row, AT] = run, first
                        whole[row, FIRST], whole[row, LAST] = first, last
                        whole[row, IMPACTS] = whole[row, STEPS] = 0
                        whole[row, EVENT] = NOTHING
                        pool.numbers[row, first_row + REACH] = zero
                        ground0 = sample(records.accel, first, scale)
                        peaks = state[0], state[0], 0.0
                        pace = dt, dt, scale, so_far(peaks, state)
                        store(pool, row, state, prepare(state, params), ground0, pace, peaks)
                        becomes = kind_of(state) if first < last else OVER
                        has = run < counter[1]  # or there is none left
                put_down(lists, k, becomes, has)

        return end_and_begin

    def make_step(self) -> Any:
        """Ordinary steps, until a run may glide again or its interval ends."""
        glide, load, store, params_of = self.glide, self.load, self.store, self.params_of
        sample, between, clock, prepare = self.sample, self.between, self.clock, glide.prepare
        kind_of, after_interval, first_row = self.kind_of, self.after_interval, self.first
        so_far, zero, number, keep_apart = self.so_far, self.zero, self.number, self.keep_apart
        look_ahead = make_look_ahead(glide, sample, self.begin, self.shape)
        step, has_whole, whole_step = glide.step, glide.whole is not None, glide.whole or glide.step
        may_pass, turning = glide.turning is not None, glide.turning or turned_nowhere

        @device
        def step_all(given):  # type: ignore[no-untyped-def]
            keep_apart()
            pool, base, lists, bodies, runs, records = given
            whole = pool.whole
            ground, workspace = records.accel, cuda.local.array((1, 1), number)
            those, begin = waiting(lists, STEP)
            left_over = those
            while left_over > 0:
                has, k, left_over = take_next(lists, STEP, those, begin, True)
                row = base + k
                state, ready, ground0, (left, dt, scale, known), peaks = load(pool, row)
                run, i, first = whole[row, RUN], whole[row, AT], whole[row, FIRST]
                last, event = whole[row, LAST], whole[row, EVENT]
                impacts, steps = whole[row, IMPACTS], whole[row, STEPS]
                reach = pool.numbers[row, first_row + REACH]
                params = params_of(bodies, runs, run)
                still = event != UPLIFT and state[0] == 0.0 and state[1] == 0.0 and left == dt
                becomes = OVER if still and scale == zero else STEP
                resting, here = which(has and still and becomes == STEP), (i, last, dt)
                j = look_ahead(resting, run, state, here, bodies, runs, records, ground, workspace)
                if j > i:
                    i, ground0, event = int32(j), sample(ground, j, scale), int32(NOTHING)
                    if i == last:
                        becomes = OVER
                if has and becomes == STEP:
                    ground1, begun = sample(ground, i + 1, scale), clock(i, first, dt, dt)
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
                            t, coordinate = turning(before, params, ground0, ground1, left, used)
                            peaks = extend(peaks, coordinate, begun + (dt - left + t))
                        peaks = extend(peaks, state[0], begun + (dt - (left - used)))
                        known, reach = so_far(peaks, state), zero
                        impacts, steps = int32(impacts + (event == IMPACT)), int32(steps + 1)
                        ended = used >= left
                        if not ended:
                            ground0 = between(ground0, ground1, used / left)
                            left -= used
                            if steps >= MAX_STEPS:
                                event = int32(FAILURE)
                        may_glide = event in (TURN, IMPACT) or event >= OVERTURN
                        may_glide = may_glide or (event == NOTHING and state[0] != 0.0)
                    ready = prepare(state, params)
                    becomes = OVER if event >= OVERTURN else kind_of(state)
                    if ended and event < OVERTURN:
                        i, left, ground0, steps = int32(i + 1), dt, ground1, int32(0)
                        becomes = after_interval(i, last, scale, state, params, becomes)
                if has:
                    whole[row, AT], whole[row, EVENT] = i, event
                    whole[row, IMPACTS], whole[row, STEPS] = impacts, steps
                    store(pool, row, state, ready, ground0, (left, dt, scale, known), peaks)
                put_down(lists, k, becomes, has)

        return step_all

    def make_land(self, land: Any, kind: Any) -> Any:
        """The usual impact; where it is another, or a new extreme is passed on the way, the run
        takes an ordinary step."""
        load, store, params_of = self.load, self.store, self.params_of
        sample, between, clock = self.sample, self.between, self.clock
        kind_of, after_interval, so_far = self.kind_of, self.after_interval, self.so_far
        keep_apart = self.keep_apart

        @device
        def land_all(given):  # type: ignore[no-untyped-def]
            keep_apart()
            pool, base, lists, bodies, runs, records = given
            whole = pool.whole
            those, begin = waiting(lists, kind)
            left_over = those
            while left_over > 0:
                has, k, left_over = take_next(lists, kind, those, begin, True)
                becomes = STEP
                if has:
                    row = base + k
                    state, ready, ground0, (left, dt, scale, known), peaks = load(pool, row)
                    run, i, first = whole[row, RUN], whole[row, AT], whole[row, FIRST]
                    params = params_of(bodies, runs, run)
                    ground1 = sample(records.accel, i + 1, scale)
                    after, about, used, crest, ok = land(
                        state, params + ready, ground0, ground1, left
                    )
                    if ok and abs(crest) <= (peaks[0] if crest > 0.0 else -peaks[1]):
                        now = clock(i, first, dt, dt) + (dt - (left - used))
                        peaks = extend(peaks, after[0], now)
                        known, becomes = so_far(peaks, after), kind_of(after)
                        if used == left:  # nothing happened after all
                            i, left, ground0 = int32(i + 1), dt, ground1
                            whole[row, AT], whole[row, EVENT] = i, NOTHING
                            whole[row, STEPS] = 0
                            last = whole[row, LAST]
                            becomes = after_interval(i, last, scale, after, params, becomes)
                        else:
                            ground0, left = between(ground0, ground1, used / left), left - used
                            whole[row, EVENT] = IMPACT
                            whole[row, IMPACTS] += 1
                            whole[row, STEPS] += 1
                        store(pool, row, after, about, ground0, (left, dt, scale, known), peaks)
                put_down(lists, k, becomes, has)

        return land_all

    def make_glide(self, attempt: Any, kind: Any, lands: Any) -> Any:
        """Intervals in which nothing happens; ``lands`` is what waits for the usual impact."""
        load, put_moved, params_of = self.load, self.put_moved, self.params_of
        sample, after_interval, first_row = self.sample, self.after_interval, self.first
        number, zero, one, keep_apart = self.number, self.zero, self.one, self.keep_apart
        put_peak, clock = self.put_peak, self.clock
        moves_otherwise = self.glide.otherwise is not None
        put_own, read_own = make_own(self.glide.prepared)

        @device
        def glide_all(given, patience):  # type: ignore[no-untyped-def]
            keep_apart()
            pool, base, lists, bodies, runs, records = given
            whole = pool.whole
            own = cuda.shared.array(0, number)
            those, begin = waiting(lists, kind)
            becomes, k, row, left_over = IDLE, int32(0), base, those
            waited, began, moving = int32(0), int32(0), int32(0)
            state, _, ground0, (left, dt, scale, known), _ = load(pool, row)
            params = params_of(bodies, runs, 0)
            i, last, steps, event, rate = int32(0), int32(0), int32(0), int32(NOTHING), one
            while True:
                if moving == 0 or waited > patience:
                    done = left_over <= 0
                    leaves = becomes != IDLE and (done or becomes != kind)
                    if leaves:
                        put_moved(pool, row, state, ground0, left, known)
                        whole[row, AT], whole[row, STEPS] = i, steps
                        whole[row, EVENT] = event
                    put_down(lists, k, becomes, leaves)
                    if done:
                        return
                    wants = leaves or becomes == IDLE
                    has, other, left_over = take_next(lists, kind, those, begin, wants)
                    if has:
                        k, row, becomes = other, base + other, kind
                        state, ready, ground0, (left, dt, scale, known), _ = load(pool, row)
                        put_own(own, ready)
                        i, last = whole[row, AT], whole[row, LAST]
                        steps, event = whole[row, STEPS], whole[row, EVENT]
                        rate, params = one / left, params_of(bodies, runs, whole[row, RUN])
                    elif wants:
                        becomes = IDLE
                    waited, began = int32(0), count(becomes == kind)
                if becomes == kind:
                    ground1 = sample(records.accel, i + 1, scale)
                    numbers = params + read_own(own)
                    moved, reach, ok = attempt(state, numbers, ground0, ground1, left, rate)
                    if ok and reach <= known:  # no new extreme within
                        state, event, ground0 = moved, int32(NOTHING), ground1
                        i, steps = int32(i + 1), int32(0)
                        if left != dt:
                            left, rate = dt, one / dt
                        if abs(state[0]) > known:
                            known = abs(state[0])
                            put_peak(pool, row, state[0], clock(i - 1, whole[row, FIRST], dt, zero))
                        becomes = after_interval(i, last, scale, state, params, kind)
                    else:
                        becomes = lands if not ok and reach == LANDS else STEP
                        if moves_otherwise and not ok and reach == OTHERWISE:
                            becomes = GLIDE_OTHERWISE
                        pool.numbers[row, first_row + REACH] = reach
                moving = count(becomes == kind)
                waited = int32(waited + began - moving)

        return glide_all
