"""Many bodies on an NVIDIA GPU: what `batch.batch_peaks` gives, from the same `advance` functions.

Runs go to the GPU in chunks, two under way at a time: while one is computed, results of the other
are fetched. So the GPU's memory holds two chunks however many runs there are. The loops themselves
are in `cuda_loops.py`. Nothing of CUDA is imported before it is asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.batch import BatchPeaks
from rocksteady.engine.cuda_layout import (
    EXTRAS,
    Bodies,
    Records,
    Shape,
    Table,
    by_run,
    check,
    extremes,
    tabulate,
)
from rocksteady.engine.ground import Ground, Runs
from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array

CHUNK = 1 << 20  # runs of which two are under way at a time
MOST_BODIES = 1 << 22  # rows of parameters that are sent at once; more are sent chunk by chunk
SHARED_BYTES = 48 << 10  # what a block may have of its multiprocessor's own memory
THREADS = 128  # of a block


class Tuning(NamedTuple):
    """How a loop is launched: what was fastest on an H200 (docs/gpu.md)."""

    registers: int
    """Of a thread: the fewer, the more threads at a time."""
    patience: int
    """Samples that a warp's threads let pass, in sum, before their events and ends are seen to."""


GLIDING = Tuning(128, 120)
PLAIN = Tuning(
    128, 1 << 30
)  # a warp begins its runs together: so they meet strong shaking together
WITH_ARRAYS = Tuning(168, 100)

_one_at_a_time = threading.Lock()


# -- is there one? --------------------------------------------------------------------------------


@cache
def _toolkit() -> Any:
    """`numba.cuda`, imported."""
    if not hasattr(np, "row_stack"):  # gone in NumPy 2.5, but numba-cuda 0.30 still asks for it
        np.row_stack = np.vstack
    from numba import cuda

    return cuda


def available() -> tuple[bool, str]:
    """Whether ``backend="cuda"`` can run here, and a sentence that says on what, or why not."""
    advice = 'Use backend="cpu", which gives the same results.'
    try:
        cuda = _toolkit()
    except ImportError as error:
        return False, (
            f"numba-cuda could not be imported ({error}). Install it with "
            f'pip install "rocksteady[cuda]". {advice}'
        )
    if not cuda.is_available():
        return False, (
            "No NVIDIA GPU can be used here: none was found, or its driver or the CUDA toolkit "
            f'(pip install "rocksteady[cuda]") is missing. {advice}'
        )
    if _simulated():
        return True, "Numba's simulator of a GPU: for tests of a few runs."
    gpu = cuda.get_current_device()
    name = gpu.name.decode() if isinstance(gpu.name, bytes) else str(gpu.name)
    return True, f"{name} with {gpu.MULTIPROCESSOR_COUNT} multiprocessors."


def _simulated() -> bool:
    from numba import config

    return bool(config.ENABLE_CUDASIM)


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
    """Follow every run on the GPU.

    Parameters
    ----------
    advance
        A formulation's compiled step, ``formulation.advance_for(system)``.
    states, params
        A row per body: ``formulation.start(system)`` and ``formulation.parameters(system)``. Where
        parameters are arrays, a list of tuples: one per run, as for the CPU, or one per body.
    ground, runs
        The motions, and which body under which of them, multiplied by what.
    glide
        The formulation's attempt at a whole sample, ``formulation.glide_for(system)``, if it has
        one: several times faster. The work of the ground is then not followed (nan).
    precision
        ``"float64"``, or ``"float32"``: see docs/gpu.md for what that costs.
    progress
        Called with (runs done, all runs) after every chunk. Between two calls Ctrl-C is heard.
    """
    able, why = available()
    if not able:
        raise InputError(why)
    table = tabulate(params)
    states, runs = by_run(np.asarray(states, dtype=float), params, runs)
    check(table, states, ground, runs, precision)
    number = np.float32 if precision == "float32" else np.float64
    size, n = states.shape[1], len(runs.system)
    out = np.empty((size + EXTRAS, n))
    if n:
        with _one_at_a_time:
            job = _Job(advance, glide, states, table, ground, number)
            job.run(runs, out, progress or (lambda done, total: None))
    time, highest, lowest, time_of_peak = out[size : size + 4]
    impacts, event = out[size + 4 :].astype(np.int64)
    return BatchPeaks(out[:size].T, time, highest, lowest, time_of_peak, impacts, event)


class _Job:
    """One formulation's loop with bodies and records, ready to take chunks of runs."""

    def __init__(
        self,
        advance: Any,
        glide: Any,
        states: Array,
        table: Table,
        ground: Ground,
        number: type[np.floating[Any]],
    ) -> None:
        self.cuda, self.number = _toolkit(), number
        has_arrays, vertical = any(table.kinds), bool(np.any(ground.a_v))
        self.tuning = WITH_ARRAYS if has_arrays else PLAIN if glide is None else GLIDING
        record_bytes = np.dtype(number).itemsize * len(ground.a_h) * (1 + vertical)
        # a thread's own arrays need the same memory more
        shared = record_bytes <= SHARED_BYTES and not has_arrays
        self.shared_bytes = record_bytes if shared else 0
        longest = table.arrays.shape[2] if has_arrays else 0
        shape = Shape(states.shape[1], table.kinds, longest, vertical, shared, number)
        self.loop = _compiled(advance, glide, shape, self.tuning.registers)
        self.records = Records(*map(self.send, (*ground, *extremes(ground))))
        self.tables = Bodies(states, *table[:3])
        few = len(states) <= MOST_BODIES
        self.bodies = Bodies(*map(self.send, self.tables)) if few else None

    def send(self, array: NDArray[Any], stream: Any = 0) -> Any:
        """A copy on the GPU; what is not a whole number in the precision asked for."""
        kind = self.number if array.dtype.kind == "f" else array.dtype
        return self.cuda.to_device(np.ascontiguousarray(array, dtype=kind), stream=stream)

    def run(self, runs: Runs, out: Array, progress: Callable[[int, int], Any]) -> None:
        """Send the runs chunk by chunk, and put what comes back into ``out``, a column per run."""
        n = out.shape[1]
        slots = _slots(len(out), min(CHUNK, 1 << (n - 1).bit_length()))
        for slot in slots:  # an interrupted batch may have left something there
            slot.stream.synchronize()
            slot.part = None
        for number, start in enumerate(range(0, n, CHUNK)):
            slot = slots[number % 2]
            if slot.part is not None:
                progress(slot.collect(out), n)
            self.launch(slot, runs, slice(start, min(start + CHUNK, n)))
        for slot in sorted(slots, key=lambda slot: slot.part.start if slot.part else n):
            if slot.part is not None:
                progress(slot.collect(out), n)

    def launch(self, slot: _Slot, runs: Runs, part: slice) -> None:
        system, bodies = runs.system[part], self.bodies
        if bodies is None:  # only those of this chunk
            rows = [a[system] if len(a) > 1 else a for a in self.tables]
            bodies = Bodies(*(self.send(a, slot.stream) for a in rows))
            system = np.arange(len(system))
        given = (system, runs.motion[part], runs.scale[part])
        chunk = Runs(*(self.send(np.asarray(a), slot.stream) for a in given))
        slot.counter.copy_to_device(np.zeros(1, dtype=np.int64), stream=slot.stream)
        blocks, threads = self.grid(len(system))
        self.loop[blocks, threads, slot.stream, self.shared_bytes](
            bodies, chunk, self.records, slot.result, slot.counter, self.tuning.patience
        )
        slot.result.copy_to_host(slot.fetched, stream=slot.stream)
        slot.part, slot.inputs = part, (bodies, chunk)

    def grid(self, runs: int) -> tuple[int, int]:
        """(blocks, threads of each): as many as the GPU holds at a time, or as there are runs."""
        if _simulated():
            return 1, 1
        multiprocessors = self.cuda.get_current_device().MULTIPROCESSOR_COUNT
        blocks = multiprocessors * (65536 // (self.tuning.registers * THREADS))
        return min(blocks, -(-runs // THREADS)), THREADS


class _Slot:
    """A chunk under way: memory for its results on both sides, and the stream it travels by."""

    def __init__(self, rows: int, size: int) -> None:
        cuda = _toolkit()
        self.stream = cuda.stream()
        self.result = cuda.device_array((rows, size))
        self.fetched = cuda.pinned_array((rows, size))
        self.counter = cuda.device_array(1, dtype=np.int64)
        self.part: slice | None = None
        self.inputs: Any = None  # kept until they have been read

    def collect(self, out: Array) -> int:
        """Wait for the chunk and copy its results to their place; where it ends."""
        assert self.part is not None
        part, self.part = self.part, None
        self.stream.synchronize()
        self.inputs = None
        out[:, part] = self.fetched[:, : part.stop - part.start]
        return int(part.stop)


@cache
def _slots(rows: int, size: int) -> tuple[_Slot, _Slot]:
    """Kept for the next batch: memory that a GPU can read directly takes long to get."""
    return _Slot(rows, size), _Slot(rows, size)


@cache
def _compiled(advance: Any, glide: Any, shape: Shape, registers: int) -> Any:
    cuda = _toolkit()
    from rocksteady.engine.cuda_loops import make_glide_loop, make_plain_loop
    from rocksteady.formulations.housner_on_gpu import leaner

    single = shape.number is np.float32
    advance, glide = leaner(advance, glide, single)
    if single:
        from rocksteady.engine.cuda_single import in_single

        advance, glide = in_single(advance), None if glide is None else in_single(glide)
    if glide is None:
        loop = make_plain_loop(advance, shape)
    else:
        loop = make_glide_loop(advance, glide, shape)
    return cuda.jit(loop) if _simulated() else cuda.jit(loop, max_registers=registers)
