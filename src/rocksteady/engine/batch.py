"""Many runs on all cores: what the `peaks` driver gives, for each.

A pool of threads shares the runs. Compiled code releases Python's lock, so the threads run at the
same time; each takes the next chunk of runs when it has finished its last, so all end together. A
run depends only on its own body, motion and scale: the numbers are those of the run alone, for any
order of runs, any size of chunks and any number of threads.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from rocksteady.engine.drivers import make_interval, make_peaks, widen
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.lanes import make_lanes
from rocksteady.engine.rest import Boxes
from rocksteady.formulations.contract import NOTHING, OVERTURN
from rocksteady.numerics.decorators import driver
from rocksteady.numerics.types import Array

CHUNK_SAMPLES = 2_000_000  # in a chunk: some tens of milliseconds, then Ctrl-C is heard
SHARES = 8  # chunks for each thread
FEWEST, MOST = 64, 16_384  # runs in a chunk

if numba.config.DISABLE_JIT:  # an intrinsic: plain Python has no such function

    def to_fixed_tuple(row, size):  # type: ignore[no-untyped-def]
        return tuple(float(number) for number in row[:size])


class BatchPeaks(NamedTuple):
    """One entry per run, as the `peaks` driver returns them."""

    states: Array
    """The state each ended in, a row per run."""
    time: Array
    """How long it was followed [s]: less than the motion where it fell or collapsed."""
    highest: Array
    lowest: Array
    """Largest and smallest coordinate."""
    time_of_peak: Array
    """When the coordinate was largest in size [s]."""
    impacts: NDArray[np.int64]
    event: NDArray[np.int64]
    """What the last step met; OVERTURN or above ends a run."""


def batch_peaks(
    advance: Any,
    states: Array,
    params: Array | Sequence[tuple[Any, ...]],
    ground: Ground,
    runs: Runs,
    *,
    glide: Any = None,
    progress: Callable[[int, int], Any] | None = None,
    threads: int | None = None,
) -> BatchPeaks:
    """Follow every run, a body under a motion multiplied by a scale, and keep its extremes.

    Parameters
    ----------
    advance
        A formulation's compiled step, ``formulation.advance_for(system)``.
    states, params
        A row per body: ``formulation.start(system)`` and ``formulation.parameters(system)``.
        Parameters with arrays in them (a bed of contact points) come as a list of tuples, a new
        one per *run*, for they hold what the run remembers.
    ground, runs
        The motions laid end to end, and which body meets which of them at what scale.
    glide
        The formulation's attempt at several runs side by side, ``formulation.glide_for(system)``.
        What it does not follow (the work of the ground) comes back as nan.
    progress
        Called with (runs done, all runs) now and then. Between two calls Ctrl-C is heard.
    threads
        How many; all that Numba would use unless given.
    """
    states = np.ascontiguousarray(states, dtype=float)
    total, threads = len(runs.system), threads or numba.get_num_threads()
    ends = states[runs.system]  # where a motion has no interval, it ends as it starts
    out = np.zeros((total, 4))
    out[:, 1:3] = ends[:, :1]
    counts = np.zeros((total, 2), dtype=np.int64)
    tables = ends, out, counts
    if isinstance(params, np.ndarray):
        work = _compiled(advance, glide, states, params, ground, runs, tables)
        parts = _chunks(ground, runs, threads)
    else:
        work = _one_by_one(advance, states, params, ground, runs, tables)
        parts = ((i, i + 1) for i in range(total))
    share(work, parts, total, threads, progress)
    return BatchPeaks(ends, *out.T.copy(), *counts.T.copy())


def _compiled(
    advance: Any,
    glide: Any,
    states: Array,
    params: Array,
    ground: Ground,
    runs: Runs,
    tables: tuple[Any, ...],
) -> Callable[[int, int], Any]:
    """What follows the runs from one number to another, in compiled code."""
    params = np.ascontiguousarray(params, dtype=float)
    ground, runs = plain(ground), plain(runs)
    sizes = states.shape[1], params.shape[1]
    if glide is None or ground.count.min(initial=2) < 2:
        loop = make_loop(advance, *sizes)
        return lambda start, stop: loop(states, params, ground, runs, start, stop, *tables)
    lanes, boxes = make_lanes(glide, *sizes), Boxes.of(ground)
    return lambda start, stop: lanes(states, params, ground, boxes, runs, start, stop, *tables)


@cache
def make_loop(advance: Any, state_size: int, params_size: int) -> Any:
    """The compiled loop over the runs of one chunk, one after the other."""
    interval = make_interval(advance)

    def loop(states, params, ground, runs, start, stop, ends, out, counts):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop`` into the rows of ``ends``, ``out`` (time, highest, lowest,
        time of peak) and ``counts`` (impacts, last event)."""
        for run in range(start, stop):
            motion, scale = runs.motion[run], runs.scale[run]
            state = to_fixed_tuple(states[runs.system[run]], state_size)
            numbers = to_fixed_tuple(params[runs.system[run]], params_size)
            first, dt = ground.first[motion], ground.dt[motion]
            reached = state[0], state[0], 0.0
            impacts, event = 0, NOTHING
            time = max(ground.count[motion] - 1, 0) * dt
            for i in range(ground.count[motion] - 1):
                at = first + i
                ground0 = scale * ground.a_h[at], scale * ground.a_v[at]
                ground1 = scale * ground.a_h[at + 1], scale * ground.a_v[at + 1]
                state, used, high, low, t, n, event = interval(state, numbers, ground0, ground1, dt)
                reached = widen(reached, high, low, i * dt + t)
                impacts += n
                if event >= OVERTURN:
                    time = i * dt + used
                    break
            for j in range(state_size):
                ends[run, j] = state[j]
            out[run, 0], (out[run, 1], out[run, 2], out[run, 3]) = time, reached
            counts[run, 0], counts[run, 1] = impacts, event

    return driver(loop)


def _one_by_one(
    advance: Any,
    states: Array,
    params: Sequence[tuple[Any, ...]],
    ground: Ground,
    runs: Runs,
    tables: tuple[Any, ...],
) -> Callable[[int, int], Any]:
    """What follows one run by the single-run driver."""
    peaks = make_peaks(advance)
    ends, out, counts = tables

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            m, scale = runs.motion[i], runs.scale[i]
            part = slice(ground.first[m], ground.first[m] + ground.count[m])
            a_h, a_v = scale * ground.a_h[part], scale * ground.a_v[part]
            state = tuple(states[runs.system[i]].tolist())
            ends[i], *out[i], counts[i, 0], counts[i, 1] = peaks(
                state, params[i], a_h, a_v, float(ground.dt[m])
            )

    return work


def plain(arrays: Any) -> Any:
    """The same, as compiled code knows them: contiguous, and writeable where someone froze them."""
    return type(arrays)(*(np.require(array, requirements=["C", "W"]) for array in arrays))


def _chunks(ground: Ground, runs: Runs, threads: int) -> Iterator[tuple[int, int]]:
    """Runs (from, to): enough chunks that all threads end together, none that lasts long."""
    total = len(runs.motion)
    longest = max(int(ground.count.max(initial=1)), 1)
    size = min(CHUNK_SAMPLES // longest, total // (SHARES * threads), MOST)
    size = max(size, FEWEST)
    for start in range(0, total, size):
        yield start, min(start + size, total)


def share(
    work: Callable[[int, int], Any],
    parts: Iterator[tuple[int, int]],
    total: int,
    threads: int,
    progress: Callable[[int, int], Any] | None,
) -> None:
    """Let threads do the parts, a few waiting for each; stop handing out when one fails."""
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        waiting: dict[Future[Any], int] = {}
        try:
            while True:
                for start, stop in islice(parts, 4 * threads - len(waiting)):
                    waiting[pool.submit(work, start, stop)] = stop - start
                if not waiting:
                    return
                for finished in wait(waiting, return_when=FIRST_COMPLETED).done:
                    finished.result()
                    done += waiting.pop(finished)
                if progress is not None:
                    progress(done, total)
        finally:
            for future in waiting:
                future.cancel()
