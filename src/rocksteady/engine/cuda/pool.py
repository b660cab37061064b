"""Runs that wait in a GPU's memory: what is kept of each, and lists of them by what they wait for.

Each block of threads has as many runs as `POOL` says, and its own lists of them (see `waves.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda, int32, uint32

from rocksteady.engine.cuda.layout import (
    DT,
    HIGHEST,
    KNOWN,
    LEFT,
    LOWEST,
    POOL_OF_BLOCK,
    POOL_SIMULATED,
    SCALE,
    THREADS,
    Shape,
)
from rocksteady.engine.cuda.tools import count_before, make_read, me, share, which
from rocksteady.engine.drivers import extend
from rocksteady.numerics.decorators import device

POOL = POOL_SIMULATED if config.ENABLE_CUDASIM else POOL_OF_BLOCK
RING = POOL + THREADS  # each thread may put its run down again while others are still taken

# What a run waits for; one that is idle does not wait, for there is none left.
OVER, STEP, LAND, LAND_OTHERWISE, GLIDE_OTHERWISE, GLIDE, IDLE = map(np.int32, range(7))


# -- lists -----------------------------------------------------------------------------------------


class Lists(NamedTuple):
    """The runs of a block by what they wait for: a ring for each kind of work. What is counted is
    counted from the start of the loop, in memory of the multiprocessor."""

    rings: Any
    first: Any
    """The row of the block's first ring."""
    begins: Any
    ends: Any
    """Where the runs of each kind begin and end."""
    taken: Any
    """How many of the kind at hand somebody has taken."""


@device
def choose(lists):  # type: ignore[no-untyped-def]
    """The kind of work that most of the block's runs wait for; IDLE if none waits for any."""
    cuda.syncthreads()
    kind, most = IDLE, int32(0)
    for other in range(IDLE):
        those = lists.ends[other] - lists.begins[other]
        if those > most:
            kind, most = int32(other), those
    lists.taken[0] = 0
    cuda.syncthreads()
    return kind


@device
def waiting(lists, kind):  # type: ignore[no-untyped-def]
    """(how many runs wait for a kind of work, where they begin): they are all taken now, before
    anybody puts one down."""
    begin = lists.begins[kind]
    those = lists.ends[kind] - begin
    cuda.syncthreads()
    lists.begins[kind] = begin + those
    return those, begin


@device
def take_next(lists, kind, those, begin, wants):  # type: ignore[no-untyped-def]
    """The next of the runs that are ``waiting``, one for each thread of the warp that ``wants`` it:
    (whether it has one, which; how many are left)."""
    wanted, first = which(wants), int32(0)
    if me() == 0:
        first = int32(cuda.atomic.add(lists.taken, 0, int32(cuda.popc(wanted))))
    first = int32(share(first, 0))
    mine = int32(first + count_before(wanted))
    k = lists.rings[lists.first + kind, (begin + min(mine, those - 1)) % RING]
    return wants and mine < those, k, int32(those - first - cuda.popc(wanted))


@device
def put_down(lists, k, kind, has):  # type: ignore[no-untyped-def]
    """Have the run k of each thread of the warp that ``has`` one wait for its kind of work."""
    left = which(has)
    while left != 0:
        leader = cuda.ffs(left) - 1
        its = int32(share(kind, leader))
        those, at = which(has and kind == its), int32(0)
        if me() == leader:
            at = int32(cuda.atomic.add(lists.ends, its, int32(cuda.popc(those))))
        at = int32(share(at, leader) + count_before(those))
        if has and kind == its:
            lists.rings[lists.first + its, at % RING] = k
        left &= ~those


# -- what is kept of a run -------------------------------------------------------------------------


def make_put(size: int) -> Any:
    """A device function that writes so many numbers into a row of a table, from a column on."""
    last = size - 1

    @device
    def put_last(table, row, column, numbers):  # type: ignore[no-untyped-def]
        table[row, column + last] = numbers[last]

    if size == 1:
        return put_last
    put_others = make_put(last)

    @device
    def put(table, row, column, numbers):  # type: ignore[no-untyped-def]
        put_others(table, row, column, numbers)
        put_last(table, row, column, numbers)

    return put


def make_access(shape: Shape, prepared: int, changing: int) -> tuple[Any, ...]:
    """Device functions that read a run of the pool, write it, write what gliding changes, and an
    extreme."""
    first_ground = shape.state + prepared
    first = first_ground + shape.components
    read_state = make_read((False,) * shape.state)
    read_prepared = make_read((False,) * prepared, shape.state)
    read_ground = make_read((False,) * shape.components, first_ground)
    put_state, put_prepared = make_put(shape.state), make_put(prepared)
    put_changed, put_ground = make_put(changing), make_put(shape.components)

    @device
    def load(pool, row):  # type: ignore[no-untyped-def]
        """(state, prepared, ground, (left, dt, scale, known), peaks)."""
        table = pool.numbers
        state, ready = read_state(table, row, table, table), read_prepared(table, row, table, table)
        ground = read_ground(table, row, table, table)
        left, dt = table[row, first + LEFT], table[row, first + DT]
        pace = left, dt, table[row, first + SCALE], table[row, first + KNOWN]
        peaks = table[row, first + HIGHEST], table[row, first + LOWEST], pool.times[row]
        return state, ready, ground, pace, peaks

    @device
    def store(pool, row, state, ready, ground, pace, peaks):  # type: ignore[no-untyped-def]
        table, (left, dt, scale, known) = pool.numbers, pace
        put_state(table, row, 0, state)
        put_prepared(table, row, shape.state, ready)
        put_ground(table, row, first_ground, ground)
        table[row, first + LEFT], table[row, first + DT] = left, dt
        table[row, first + SCALE], table[row, first + KNOWN] = scale, known
        table[row, first + HIGHEST], table[row, first + LOWEST], pool.times[row] = peaks

    @device
    def put_moved(pool, row, state, ground, left, known):  # type: ignore[no-untyped-def]
        put_changed(pool.numbers, row, 0, state)
        put_ground(pool.numbers, row, first_ground, ground)
        pool.numbers[row, first + LEFT], pool.numbers[row, first + KNOWN] = left, known

    @device
    def put_peak(pool, row, coordinate, time):  # type: ignore[no-untyped-def]
        """A new extreme of the coordinate."""
        table = pool.numbers
        peaks = table[row, first + HIGHEST], table[row, first + LOWEST], pool.times[row]
        peaks = extend(peaks, coordinate, time)
        table[row, first + HIGHEST], table[row, first + LOWEST], pool.times[row] = peaks

    return load, store, put_moved, put_peak


def make_own(size: int) -> tuple[Any, Any]:
    """Device functions that write and read so many numbers of each thread in memory that a block
    shares, where registers are scarce: those of one thread lie THREADS apart."""
    last = size - 1
    far = last * THREADS

    @device
    def put_last(own, numbers):  # type: ignore[no-untyped-def]
        own[uint32(cuda.threadIdx.x) + uint32(far)] = numbers[last]

    @device
    def read_last(own):  # type: ignore[no-untyped-def]
        return (own[uint32(cuda.threadIdx.x) + uint32(far)],)

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
