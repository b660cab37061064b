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
from rocksteady.engine.ground import Ground, Runs, plain, run_of, scaled_sample
from rocksteady.engine.lanes import make_lanes
from rocksteady.engine.rest import Boxes
from rocksteady.engine.summary import Rules, Summary, make_over, make_write_summary, never
from rocksteady.numerics.decorators import array_kernel, driver
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import NOTHING, OVERTURN

CHUNK_SAMPLES = 2_000_000  # in most chunks: some tens of milliseconds, then Ctrl-C is heard
LONGEST_CHUNK = 10 * CHUNK_SAMPLES  # where all its runs have the longest motion
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
        Called with (how many runs from the first on are done, all runs) now and then. Between two
        calls Ctrl-C is heard.
    threads
        How many; all that Numba would use unless given.
    """
    states = np.ascontiguousarray(states, dtype=float)
    total, threads = runs.total, threads or numba.get_num_threads()
    ends, out = np.empty((total, states.shape[1])), np.empty((total, 4))
    tables = ends, out, np.empty((total, 2), dtype=np.int64)
    if isinstance(params, np.ndarray):
        still, limits = np.zeros(len(ground.count), dtype=np.int64), np.ones((len(states), 2))
        loop = make_work(advance, glide, states, params, ground, write_peaks, never, goes_on=False)
        share(
            lambda start, stop: loop(runs, start, stop, still, limits, tables),
            _chunks(ground, total, threads, goes_on=False), total, threads, progress,
        )  # fmt: skip
    else:
        work = _one_by_one(advance, states, params, ground, runs.part(0, total), tables)
        share(work, ((i, i + 1) for i in range(total)), total, threads, progress)
    return BatchPeaks(ends, *out.T.copy(), *tables[2].T.copy())


def batch_summary(
    advance: Any,
    states: Array,
    params: Array,
    ground: Ground,
    runs: Runs,
    rules: Rules,
    out: Summary,
    *,
    limits: Array,
    still: NDArray[np.int64],
    stops: bool = True,
    glide: Any = None,
    progress: Callable[[int, int], Any] | None = None,
    threads: int | None = None,
) -> None:
    """Follow every run and put into ``out`` what an ensemble keeps of it; see `batch_peaks`.

    ``limits`` has a row per body: what the coordinate is divided by, to the right and to the left.
    After a motion the ground stands still, for as many samples as ``still`` says of that motion or,
    if it ``stops`` then, until the body is at rest.
    """
    total, threads = len(out.peak), threads or numba.get_num_threads()
    write, over = make_write_summary(rules), make_over(rules.resting if stops else never)
    limits, still = plain((limits, still))
    goes_on = bool(still.any())
    loop = make_work(advance, glide, states, params, ground, write, over, goes_on=goes_on)
    share(
        lambda start, stop: loop(runs, start, stop, still, limits, out),
        _chunks(ground, total, threads, goes_on=goes_on), total, threads, progress, progress,
    )  # fmt: skip


@array_kernel
def write_peaks(out, limits, run, system, state, params, dt, time, peaks, impacts, event):  # type: ignore[no-untyped-def]
    """Put what a run came to into the tables of `BatchPeaks`."""
    ends, extremes, counts = out
    for j in range(len(state)):
        ends[run, j] = state[j]
    extremes[run, 0], (extremes[run, 1], extremes[run, 2], extremes[run, 3]) = time, peaks
    counts[run, 0], counts[run, 1] = impacts, event


def make_work(
    advance: Any,
    glide: Any,
    states: Array,
    params: Array,
    ground: Ground,
    write: Any,
    over: Any,
    *,
    goes_on: bool,
) -> Callable[..., Any]:
    """What follows runs from one number to another, in compiled code, and ``goes_on`` after their
    motions unless they are ``over``."""
    states, params = plain((states, params))
    ground = ground.plain()
    sizes = states.shape[1], params.shape[1]
    given: tuple[Any, ...] = states, params, ground
    if glide is None or ground.count.min(initial=2) < 2:
        loop = make_loop(advance, *sizes, len(ground.accel), write, over)
    else:
        loop, given = (
            make_lanes(glide, *sizes, len(ground.accel), write, over, goes_on),
            (*given, Boxes.of(ground)),
        )

    def work(runs: Runs, *rest: Any) -> None:
        system, motion, scale, every = plain(runs[:4])
        loop(*given, Runs(system, motion, scale, every, runs.first), *rest)

    return work


@cache
def make_loop(
    advance: Any, state_size: int, params_size: int, components: int, write: Any, over: Any
) -> Any:
    """The compiled loop over the runs of one chunk, one after the other, under a ground of so many
    components."""
    interval, still_ground = make_interval(advance), (0.0,) * components

    def loop(states, params, ground, runs, start, stop, still, limits, out):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop``, each written into ``out``."""
        for run in range(start, stop):
            system, motion, scale = run_of(runs, run)
            state = to_fixed_tuple(states[system], state_size)
            numbers = to_fixed_tuple(params[system], params_size)
            first, dt = ground.first[motion], ground.dt[motion]
            reached = state[0], state[0], 0.0
            impacts, event = 0, NOTHING
            moves = max(ground.count[motion] - 1, 0)  # intervals in which the ground moves
            time = moves * dt
            for i in range(moves + still[motion]):
                if i < moves:
                    at = first + i
                    ground0 = scaled_sample(ground.accel, at, scale)
                    ground1 = scaled_sample(ground.accel, at + 1, scale)
                elif over(state, numbers):
                    break
                else:
                    ground0 = ground1 = still_ground
                state, used, high, low, t, n, event = interval(state, numbers, ground0, ground1, dt)
                reached = widen(reached, high, low, i * dt + t)
                impacts += n
                if event >= OVERTURN:
                    time = i * dt + used
                    break
            write(out, limits, run, system, state, numbers, dt, time, reached, impacts, event)

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
            shaken = tuple(scale * values[part] for values in ground.accel)
            state = tuple(states[runs.system[i]].tolist())
            ends[i], *out[i], counts[i, 0], counts[i, 1] = peaks(
                state, params[i], shaken, float(ground.dt[m])
            )

    return work


def _chunks(
    ground: Ground, total: int, threads: int, *, goes_on: bool
) -> Iterator[tuple[int, int]]:
    """Runs (from, to): enough chunks that all threads end together, none that lasts long. How long
    a run lasts that ``goes_on`` after its motion is not known: then each counts as the longest."""
    counts = ground.count if len(ground.count) else np.ones(1)
    most = CHUNK_SAMPLES if goes_on else LONGEST_CHUNK
    size = min(CHUNK_SAMPLES // counts.mean(), most // counts.max())
    size = max(min(int(size), total // (SHARES * threads), MOST), FEWEST)
    for start in range(0, total, size):
        yield start, min(start + size, total)


def share(
    work: Callable[[int, int], Any],
    parts: Iterator[tuple[int, int]],
    total: int,
    threads: int,
    progress: Callable[[int, int], Any] | None,
    begun: Callable[[int, int], Any] | None = None,
) -> None:
    """Let threads do the parts, a few waiting for each; stop handing out when one fails. ``begun``
    is called when they are at work: what the caller makes ready then costs them little."""
    handed_out = 0
    with ThreadPoolExecutor(threads) as pool:
        waiting: dict[Future[Any], int] = {}
        try:
            while True:
                for start, stop in islice(parts, 4 * threads - len(waiting)):
                    waiting[pool.submit(work, start, stop)] = start
                    handed_out = stop
                if not waiting:
                    return
                if begun is not None:
                    begun(0, total)
                    begun = None
                for finished in wait(waiting, return_when=FIRST_COMPLETED).done:
                    finished.result()
                    del waiting[finished]
                if progress is not None:
                    progress(min(waiting.values(), default=handed_out), total)
        finally:
            for future in waiting:
                future.cancel()
