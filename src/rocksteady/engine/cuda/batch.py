"""Many bodies on an NVIDIA GPU: what `batch.batch_peaks` gives, from the same `advance` functions.

Runs go to the GPU in chunks, a few under way at a time: while one is computed, the next is sent and
results of the last are fetched. So the GPU's memory holds a few chunks however many runs there are.
The loops themselves are in `loops.py`, and `slots.py` moves the arrays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.batch import BatchPeaks
from rocksteady.engine.cuda.compile import compiled, compiled_spread
from rocksteady.engine.cuda.gpu import available as available
from rocksteady.engine.cuda.gpu import the_gpu
from rocksteady.engine.cuda.layout import (
    BLOCK,
    COUNTS,
    EXTRAS,
    POOL_OF_BLOCK,
    POOL_SIMULATED,
    THREADS,
    Bodies,
    Pool,
    Records,
    Shape,
    Table,
    by_run,
    check,
    in_waves,
    tabulate,
)
from rocksteady.engine.cuda.slots import COPIERS, UNDER_WAY, Slot, slot, upload
from rocksteady.engine.ground import EACH, Ground, Runs
from rocksteady.engine.rest import Boxes
from rocksteady.engine.summary import Rules, Summary
from rocksteady.errors import InputError
from rocksteady.numerics.first_use import announced
from rocksteady.numerics.types import Array

CHUNK = 1 << 18  # the fewest runs that are sent and fetched at a time
LARGEST_CHUNK = 1 << 20
CHUNK_IN_WAVES = 1 << 21  # the same where a chunk's last runs take long to end
FEW_BODIES = 1 << 16  # rows of parameters that are sent at once
MOST_BODIES = 1 << 22  # the same where runs take them in another order; more go chunk by chunk
SINGLE = 1e3  # times a step's tolerance: what single precision can tell
LANES = 32  # threads of a warp
SHARED_BYTES = 48 << 10  # what a block may have of its multiprocessor's own memory


class Tuning(NamedTuple):
    """How a loop is launched: what was fastest on an H200 (docs/gpu.md)."""

    registers: int  # of a thread: the fewer, the more threads at a time
    patience: int  # samples that a warp lets pass, in sum, before events and ends are seen to
    threads: int = 128  # of a block


PLAIN = Tuning(128, 1 << 30)  # begin together, and so meet strong shaking together
WITH_ARRAYS = Tuning(168, 100)
GLIDING = Tuning(128, 80)
IN_WAVES = Tuning(168, 10, THREADS)  # patience: before others take their places


def tuning(glide: Any, has_arrays: bool) -> Tuning:
    """How the loop for these bodies is launched."""
    if has_arrays:
        return WITH_ARRAYS
    if glide is None:
        return PLAIN
    return IN_WAVES if in_waves(glide) else GLIDING


_one_at_a_time = threading.Lock()


# -- running --------------------------------------------------------------------------------------


def batch_peaks(
    advance: Any,
    states: Array,
    params: Array | Sequence[tuple[Any, ...]],
    ground: Ground,
    runs: Runs,
    *,
    glide: Any = None,
    precision: str = "float64",
    progress: Callable[[int, int], Any] | None = None,
) -> BatchPeaks:
    """Follow every run on the GPU. Arguments are those of `engine.batch.batch_peaks`, with
    ``precision`` (``"float64"``, or ``"float32"``: see docs/gpu.md for what that costs) instead of
    ``threads``; parameters with arrays in them may also come one per body. Without a ``glide`` it
    is several times slower."""
    number, total = _number(precision), runs.total
    table = tabulate(params)
    states, runs = by_run(np.asarray(states, dtype=float), params, runs)
    check(table, states, ground, runs, precision)
    size = states.shape[1]
    numbers = np.empty((size + EXTRAS - COUNTS, total))
    counts = np.empty((COUNTS, total), dtype=np.int64)
    still, limits = np.zeros(len(ground.count), dtype=np.int64), np.ones((1, 2))
    work = _Work(advance, glide, states, table, limits, ground, still)
    _follow(work, runs, total, number, [*numbers, *counts], progress)
    return BatchPeaks(numbers[:size].T, *numbers[size:], *counts)


def batch_summary(
    advance: Any,
    states: Array,
    params: Array | Sequence[tuple[Any, ...]],
    ground: Ground,
    runs: Runs,
    rules: Rules,
    out: Summary,
    *,
    limits: Array,
    still: NDArray[np.int64],
    stops: bool = True,
    glide: Any = None,
    precision: str = "float64",
    progress: Callable[[int, int], Any] | None = None,
) -> None:
    """What `engine.batch.batch_summary` puts into ``out``, from the GPU."""
    number, table = _number(precision), tabulate(params)
    states = np.asarray(states, dtype=float)
    check(table, states, ground, runs, precision)
    work = _Work(advance, glide, states, table, limits, ground, still, rules, stops)
    farthest = out.farthest if len(out.farthest) else None
    rows = [out.peak, out.time_of_peak, out.end, farthest, out.impacts, *out.kept, out.status]
    _follow(work, runs, len(out.peak), number, rows, progress)


def _number(precision: str) -> type[np.floating[Any]]:
    """What numbers of this precision are; an error where no GPU is."""
    able, why = available()
    if not able:
        raise InputError(why)
    return np.float32 if precision == "float32" else np.float64


def _follow(
    work: _Work,
    runs: Runs,
    total: int,
    number: type[np.floating[Any]],
    rows: Sequence[NDArray[Any] | None],
    progress: Callable[[int, int], Any] | None,
) -> None:
    """Follow the first ``total`` of the runs and put what comes out into ``rows``."""
    if total:
        with _one_at_a_time, the_gpu().current():
            job = _Job(work, runs, total, number)
            job.run(rows, progress or (lambda done, total: None))


def _counts_up(numbers: NDArray[Any]) -> bool:
    """Whether each is one more than the one before."""
    return bool(np.all(numbers == np.arange(numbers[0], numbers[0] + len(numbers))))


def chunks(n: int, least: int) -> list[tuple[int, int]]:
    """(Start, stop) of the parts in which n runs travel, ``least`` of them or more: the first is
    small, for the GPU waits for it; then larger ones, for at the end of each some of the GPU's
    threads have nothing to do; and small again, for the computer waits for the last."""
    parts, start = [], 0
    while start < n:
        size = min(start // 4 + least, (n - start) // 2, LARGEST_CHUNK)
        stop = start + max(size, least)
        if n - stop < least:
            stop = n
        parts.append((start, stop))
        start = stop
    return parts


class _Work(NamedTuple):
    """What is to be followed, and what is kept of it."""

    advance: Any
    glide: Any
    states: Array
    table: Table
    limits: Array
    ground: Ground
    still: NDArray[np.int64]
    rules: Rules | None = None
    stops: bool = True


class _Job:
    """One formulation's loop with bodies and records, ready to take chunks of runs."""

    def __init__(self, work: _Work, runs: Runs, total: int, number: type[np.floating[Any]]) -> None:
        advance, glide, states, table, limits, ground, still, rules, stops = work
        self.gpu, self.number, self.runs, self.total = the_gpu(), number, runs, total
        self.step = getattr(advance, "py_func", advance)
        components = len(ground.accel)
        has_arrays, vertical = any(table.kinds), components > 2 or bool(np.any(ground.accel[1]))
        self.tuning = tuning(glide, has_arrays)
        read = components if vertical else 1
        record_bytes = np.dtype(number).itemsize * len(ground.accel[0]) * read
        self.in_waves = glide is not None and in_waves(glide)
        # a thread's own arrays, and runs in waves, need the same memory more
        shared = record_bytes <= SHARED_BYTES and not has_arrays and not self.in_waves
        self.shared_bytes = record_bytes if shared else 0
        longest = table.arrays.shape[2] if has_arrays else 0
        shape = Shape(states.shape[1], table.kinds, longest, components, vertical, shared, number)
        if self.in_waves:
            self.shared_bytes = THREADS * glide.prepared * np.dtype(number).itemsize
            self.kept_of_run = states.shape[1] + glide.prepared + components
        self.loop = compiled(advance, glide, shape, self.tuning.registers, rules, stops)
        accel, *others = ground
        boxes = Boxes.of(ground, BLOCK)
        self.records = Records(
            tuple(map(self.send, accel)), *map(self.send, (*others, still, *boxes))
        )
        numbers = table.numbers
        if number is np.float32 and glide is not None and glide.tolerance is not None:
            numbers = numbers.copy()
            numbers[:, glide.tolerance] *= SINGLE
        self.tables = Bodies(states, numbers, *table[1:3], limits)
        in_order = len(states) == total and _counts_up(runs.system[:CHUNK])
        few = len(states) <= (FEW_BODIES if in_order else MOST_BODIES)
        self.bodies = Bodies(*map(self.send, self.tables)) if few else None
        self.each, self.axes = self.send(EACH), None
        if few and max(map(len, runs[:3])) <= min(FEW_BODIES, total):
            self.axes = Runs(*map(self.send, runs[:4]))

    def kind(self, array: NDArray[Any]) -> Any:
        """As what the GPU wants it: what is not a whole number in the precision asked for."""
        return self.number if array.dtype.kind == "f" else array.dtype

    def send(self, array: NDArray[Any]) -> Any:
        values = np.ascontiguousarray(array, dtype=self.kind(array))
        there = self.gpu.array(values.shape, values.dtype)
        self.gpu.send(values, there)
        return there

    def run(self, rows: Sequence[NDArray[Any] | None], progress: Callable[[int, int], Any]) -> None:
        """Send the runs chunk by chunk, and put what comes back into ``rows``, an entry per run;
        nobody wants those that are None."""
        n = self.total
        self.copying: Slot | None = None
        parts = chunks(n, CHUNK_IN_WAVES if self.in_waves else CHUNK)
        largest = max(stop - start for start, stop in parts)
        size = 1 << (largest - 1).bit_length()
        self.gpu.synchronize()  # an interrupted batch may have left something under way
        under_way: list[Slot] = []
        with ThreadPoolExecutor(COPIERS) as self.loaders, ThreadPoolExecutor(COPIERS) as takers:
            for number, part in enumerate(parts):
                if number == UNDER_WAY:
                    progress(0, n)
                if len(under_way) == UNDER_WAY:
                    progress(self.collect(under_way.pop(0), rows, takers), n)
                free = slot(len(rows), size, number % (UNDER_WAY + 1))  # one is being emptied
                free.wait()
                with announced(self.step) if number == 0 else nullcontext():
                    self.launch(free, slice(*part))
                under_way.append(free)
            if len(parts) <= UNDER_WAY:
                progress(0, n)
            for last in under_way:
                progress(self.collect(last, rows, takers), n)
            for last in under_way:
                last.wait()
            progress(n, n)

    def collect(
        self, slot: Slot, rows: Sequence[NDArray[Any] | None], pool: ThreadPoolExecutor
    ) -> int:
        """Have a chunk's results copied to their place; how many runs are there for sure, those of
        the chunks before."""
        slot.collect(rows, pool)
        if self.copying is not None:
            self.copying.wait()
        self.copying = slot
        return int(slot.part.start)

    def launch(self, slot: Slot, part: slice) -> None:
        count, bodies = part.stop - part.start, self.bodies
        if self.axes is not None:
            axes = self.axes._replace(first=self.runs.first + part.start)
            lists = [slot.room(-1 - k, (count,), a.dtype) for k, a in enumerate(axes[:3])]
            chunk = self.listed(lists)
            grid = (1, count) if self.gpu.simulated else (-(-count // 256), 256)
            compiled_spread().launch(self.gpu, grid, slot.stream, 0, axes, chunk)
        else:
            those = self.runs.part(part.start, part.stop)
            if bodies is None:  # only those of this chunk
                rows = those.system
                own = slice(rows[0], rows[0] + count) if _counts_up(rows) else rows
                tables = [a[own] if len(a) > 1 else a for a in self.tables]
                bodies = Bodies(*(self.upload(slot, k, a) for k, a in enumerate(tables)))
                those = those._replace(system=np.arange(count))
            lists = [self.upload(slot, -1 - k, np.asarray(a)) for k, a in enumerate(those[:3])]
            chunk = self.listed(lists)
        self.gpu.send(np.array([0, count]), slot.counter, slot.stream)
        result = slot.result[: slot.rows * count]
        grid = self.grid(count)
        self.loop.launch(
            self.gpu,
            grid,
            slot.stream,
            self.shared_bytes,
            bodies,
            chunk,
            self.records,
            result.reshape(slot.rows, count),
            slot.counter,
            np.int32(self.tuning.patience),
            *self.pool(slot, grid[0], count),
        )
        slot.fetch(part, result)

    def pool(self, slot: Slot, blocks: int, count: int) -> tuple[Any, ...]:
        """(how many runs a block has at a time, memory for them) where they wait in waves."""
        if not self.in_waves:
            return ()
        runs = POOL_SIMULATED if self.gpu.simulated else POOL_OF_BLOCK
        kinds = self.number, np.float64, np.int32, np.int32
        shapes = Pool.shapes(blocks, runs, self.kept_of_run)
        memory = Pool(*map(slot.room_for_all, shapes._fields, shapes, kinds))
        return np.int32(min(runs, -(-count // blocks))), memory

    def listed(self, lists: Sequence[Any]) -> Runs:
        """Runs that have an entry each in these lists."""
        system, motion, scale = lists
        return Runs(system, motion, scale, self.each)

    def upload(self, slot: Slot, which: int, array: NDArray[Any]) -> Any:
        """A copy on the GPU, where the last chunk's was."""
        there = slot.room(which, array.shape, self.kind(array))
        if array.size:
            upload().copy(array, there, slot.stream, self.loaders)
        return there

    def grid(self, runs: int) -> tuple[int, int]:
        """(blocks, threads of each): as many as the GPU holds at a time, or as there are runs."""
        if self.gpu.simulated:
            return 1, 1
        threads = self.tuning.threads
        blocks = self.gpu.multiprocessors * (65536 // (self.tuning.registers * threads))
        fewest = LANES if self.in_waves else threads  # runs of a block
        return min(blocks, -(-runs // fewest)), threads
