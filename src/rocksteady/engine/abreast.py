"""Many runs of a theory with many small steps, side by side in one thread: what `settle` gives.

One run after the other keeps a processor waiting: each operation needs the result of the last. Here
a thread follows `WIDTH` runs at a time, each in its *lane*, and all take a small step at once, in
vector instructions. A lane that stops (an interval ends, the rotation has
an extremum, the body falls) is brought to its next interval by itself; one whose run is over takes
the next run. A small step computes for a lane what it computes for a single run, so the bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from rocksteady.engine.batch import share
from rocksteady.engine.ground import Ground, Runs, plain
from rocksteady.engine.settle import LEFT, RUN, WHOLE, Settled, account, take
from rocksteady.numerics.decorators import array_kernel, driver, inner_array_kernel, vector_kernel
from rocksteady.numerics.vectors import read_spaced, write_spaced
from rocksteady.theories.substeps import Substeps

WIDTH = 8  # lanes: with more of them a processor runs out of registers
SHARES = 4  # chunks of runs for each thread
FEWEST, MOST = 4, 16  # runs for each lane in a chunk: lanes stand idle at its end; Ctrl-C waits


def follow_abreast(
    parts: Substeps,
    resting: Any,
    bodies: tuple[Any, ...],
    ground: Ground,
    runs: Runs,
    progress: Callable[[int, int], Any] | None = None,
    threads: int | None = None,
) -> Settled:
    """Follow every run, with ``progress`` and ``threads`` as in `batch.batch_peaks`.

    ``bodies`` are start states, parameters and limits of the coordinate, a row per body, and the
    `After` of each motion, a row per motion.
    """
    (states, params, limits, after), ground = plain(bodies), ground.plain()
    which = tuple(plain(runs[:3]))
    total, threads = len(runs.system), threads or numba.get_num_threads()
    tables = Settled.tables(states[runs.system])
    sizes = states.shape[1], params.shape[1], len(ground.accel)
    loop = make_abreast(parts, resting, *sizes)
    given = states.ravel(), params.ravel(), limits, after
    size = min(max(-(-total // (SHARES * threads)), FEWEST * WIDTH), MOST * WIDTH)

    def work(start: int, stop: int) -> None:
        loop(given, ground, which, start, stop, tables)

    chunks = ((start, min(start + size, total)) for start in range(0, total, size))
    share(work, chunks, total, threads, progress)
    return Settled.of(tables)


@inner_array_kernel
def column(table, lane, row, blank):  # type: ignore[no-untyped-def]
    """As many numbers of one lane as ``blank`` has, from a row on."""
    return read_spaced(table, row * WIDTH + lane, WIDTH, blank)


@inner_array_kernel
def put(table, lane, row, numbers):  # type: ignore[no-untyped-def]
    write_spaced(table, row * WIDTH + lane, WIDTH, numbers)


class Layout(NamedTuple):
    """Where the rows of the table of lanes begin, each WIDTH numbers long."""

    fixed: int  # after the work of the small steps
    params: int
    active: int  # 1 in a lane that has a run
    stopped: int  # 1 in a lane whose small steps have ended
    state: int  # at the start of the small steps
    rows: int

    @classmethod
    def of(cls, sizes: tuple[int, int], state_size: int, params_size: int) -> Layout:
        params = sum(sizes)
        active = params + params_size
        state = active + 2
        return cls(sizes[0], params, active, active + 1, state, state + state_size)


def make_step_all(step: Any, blanks: tuple[Any, ...], layout: Layout) -> Any:
    """The loop over lanes that must become vector instructions: no branch, no call, one array."""
    _, no_params, no_work, no_fixed = blanks
    first_fixed, first_params, active, stopped, _, _ = layout

    @vector_kernel(WIDTH)
    def step_all(table, lane):  # type: ignore[no-untyped-def]
        """A small step of every lane."""
        work = column(table, lane, 0, no_work)
        fixed = column(table, lane, first_fixed, no_fixed)
        work, stop = step(work, fixed, column(table, lane, first_params, no_params))
        put(table, lane, 0, work)
        stop = stop & (table[active * WIDTH + lane] > 0)
        table[stopped * WIDTH + lane] = 1.0 if stop else 0.0

    return step_all


@cache
def make_abreast(
    parts: Substeps, resting: Any, state_size: int, params_size: int, components: int
) -> Any:
    """The compiled loop over the runs of one chunk, under a ground of so many components."""
    begin, step, end, sizes = parts
    opened, passed, finish, both_ends, numbers_size = account(resting, components)
    blanks = tuple((0.0,) * size for size in (state_size, params_size, *sizes))
    no_state, no_params, no_work, no_fixed = blanks
    layout = Layout.of(sizes, state_size, params_size)
    first_fixed, first_params, active, stopped, first_state, rows = layout
    step_all = make_step_all(step, blanks, layout)

    @inner_array_kernel
    def set_out(table, numbers, lane, state, params):  # type: ignore[no-untyped-def]
        """Begin what is left of the lane's interval."""
        ground0, ground1 = both_ends(numbers[lane])
        work, fixed = begin(state, params, ground0, ground1, numbers[lane, LEFT])
        put(table, lane, 0, work)
        put(table, lane, first_fixed, fixed)
        put(table, lane, first_state, state)

    @array_kernel
    def fill(table, numbers, whole, lane, run, stop, bodies, ground, runs, tables):  # type: ignore[no-untyped-def]
        """Put the next run that has an interval into a lane, or nothing where there is none left;
        return the run after it."""
        (states, params, limits, afters), (accel, first, count, dt) = bodies, ground
        while run < stop:
            system, m, scale = runs[0][run], runs[1][run], runs[2][run]
            state = read_spaced(states, system * state_size, 1, no_state)
            own = read_spaced(params, system * params_size, 1, no_params)
            sides, after = (limits[system, 0], limits[system, 1]), afters[m]
            motion, then = (first[m], count[m], dt[m]), (after[0], after[1], after[2])
            take(numbers, whole, lane, state[0], sides, motion, scale, then)
            whole[lane, RUN] = run
            run += 1
            if opened(numbers, whole, lane, state, own, accel):
                put(table, lane, first_params, own)
                set_out(table, numbers, lane, state, own)
                table[active * WIDTH + lane] = 1.0
                return run
            finish(numbers, whole, lane, run - 1, state, own, *tables)
        for j in range(rows):  # an idle lane: zeros, which stay zeros
            table[j * WIDTH + lane] = 0.0
        return run

    @array_kernel
    def visit(table, numbers, whole, lane, ground, tables):  # type: ignore[no-untyped-def]
        """Take a lane that has stopped on to its next small steps; whether its run is over."""
        state = column(table, lane, first_state, no_state)
        params = column(table, lane, first_params, no_params)
        work, fixed = column(table, lane, 0, no_work), column(table, lane, first_fixed, no_fixed)
        state, used, event = end(state, work, fixed, params, numbers[lane, LEFT])
        if passed(numbers, whole, lane, state, params, used, event, ground):
            finish(numbers, whole, lane, whole[lane, RUN], state, params, *tables)
            return True
        set_out(table, numbers, lane, state, params)
        return False

    def abreast(bodies, ground, runs, start, stop, tables):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop`` into their rows of the tables of `Settled`. ``bodies`` are
        those of `follow_abreast`, states and parameters one after the other in flat arrays."""
        space = np.zeros(rows * WIDTH + 8)
        table = space[(-space.ctypes.data % 64) // 8 :]  # whole vectors in a line of the cache
        bits = table.view(np.int64)
        numbers, whole = np.zeros((WIDTH, numbers_size)), np.zeros((WIDTH, WHOLE), dtype=np.int64)
        following, busy = start, 0
        for lane in range(WIDTH):
            following = fill(
                table, numbers, whole, lane, following, stop, bodies, ground, runs, tables
            )
            busy += table[active * WIDTH + lane] > 0
        while busy > 0:
            stops = 0
            while stops == 0:
                step_all(table)
                for lane in range(WIDTH):  # any bit set: quicker than to compare numbers
                    stops |= bits[stopped * WIDTH + lane]
            for lane in range(WIDTH):
                if table[stopped * WIDTH + lane] == 0.0:
                    continue
                if visit(table, numbers, whole, lane, ground.accel, tables):
                    following = fill(
                        table, numbers, whole, lane, following, stop, bodies, ground, runs, tables
                    )
                    busy -= table[active * WIDTH + lane] == 0.0

    return driver(abreast)
