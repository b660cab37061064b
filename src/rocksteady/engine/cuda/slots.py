"""Chunks of runs under way: memory for them on both sides, and how arrays get to the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.cuda.gpu import the_gpu
from rocksteady.numerics.types import Array

UNDER_WAY = 3  # chunks at a time
COPIERS = 4  # threads each that fill and empty page-locked buffers: one alone is too slow
BUFFERS, BUFFER_BYTES = 3, 16 << 20  # page-locked memory on the way to the GPU


class Slot:
    """A chunk under way: memory for it on both sides, and the stream it travels by."""

    def __init__(self, rows: int, size: int) -> None:
        self.gpu, self.rows, self.size = the_gpu(), rows, size
        self.stream = self.gpu.stream()
        self.result = self.gpu.array((rows * size,), np.float64)
        self.fetched = self.gpu.page_locked(rows * size, np.float64)
        self.counter = self.gpu.array((2,), np.int64)
        self.given: dict[int, Any] = {}
        self.all: dict[str, Any] = {}
        self.part = slice(0)
        self.copies: list[Future[None]] = []

    def room(self, which: int, shape: tuple[int, ...], kind: Any) -> Any:
        """Memory of the GPU for an array, kept: giving memory back halts the GPU."""
        most = (self.size if shape[0] > 1 else 1, *shape[1:])
        kept = self.given.get(which)
        if kept is None or kept.shape != most or kept.dtype != kind:
            kept = self.given[which] = self.gpu.array(most, kind)
        return kept[: shape[0]]

    def room_for_all(self, name: str, shape: tuple[int, ...], kind: Any) -> Any:
        """The same for an array that has no entry for each run: as large as the largest so far."""
        kept = self.all.get(name)
        fits = kept is not None and (kept.shape[1:], kept.dtype) == (shape[1:], kind)
        if kept is None or not fits or kept.shape[0] < shape[0]:
            kept = self.all[name] = self.gpu.array(shape, kind)
        return kept[: shape[0]]

    def fetch(self, part: slice, result: Any) -> None:
        """Have the results of a part of the runs fetched when they are there."""
        self.gpu.fetch(result, self.fetched[: result.size], self.stream)
        self.part = part

    def collect(self, rows: Sequence[NDArray[Any] | None], pool: ThreadPoolExecutor) -> None:
        """Wait for the chunk and have its results copied to their place."""
        part, count = self.part, self.part.stop - self.part.start
        self.stream.synchronize()

        def copy(row: NDArray[Any], fetched: Array) -> None:
            np.copyto(row[part], fetched, casting="unsafe")

        fetched = self.fetched[: self.rows * count].reshape(self.rows, count)
        self.copies = [
            pool.submit(copy, row, values)
            for row, values in zip(rows, fetched, strict=True)
            if row is not None
        ]

    def wait(self) -> None:
        """Until all is copied."""
        for copy in self.copies:
            copy.result()
        self.copies = []


class Upload:
    """Copies to the GPU through page-locked buffers, filled by several threads. (The driver would
    fill them with one.)"""

    def __init__(self) -> None:
        self.gpu = the_gpu()
        self.buffers = [self.gpu.page_locked(BUFFER_BYTES, np.uint8) for _ in range(BUFFERS)]
        self.sent = [self.gpu.event() for _ in self.buffers]
        self.pieces = 0

    def copy(self, array: NDArray[Any], there: Any, stream: Any, pool: ThreadPoolExecutor) -> None:
        """Copy an array to the GPU, in the precision that it has there."""
        row = there.dtype.itemsize * array[0].size
        if row > BUFFER_BYTES:
            self.gpu.send(np.ascontiguousarray(array, there.dtype), there, stream)
            return
        rows = BUFFER_BYTES // row
        for start in range(0, len(array), rows):
            piece, which = array[start : start + rows], self.pieces % BUFFERS
            self.pieces += 1
            self.sent[which].synchronize()
            staged = self.buffers[which][: len(piece) * row].view(there.dtype).reshape(piece.shape)
            share = -(-len(piece) // COPIERS)
            parts = [slice(k, k + share) for k in range(0, len(piece), share)]
            list(pool.map(np.copyto, [staged[k] for k in parts], [piece[k] for k in parts]))
            self.gpu.send(staged, there[start : start + rows], stream)
            self.sent[which].record(stream)


@cache
def upload() -> Upload:
    """Kept for the next batch."""
    return Upload()


@cache
def slot(rows: int, size: int, number: int) -> Slot:
    """Kept for the next batch: memory that a GPU can read directly takes long to get. So the later
    ones get theirs while the GPU is at work on the first."""
    return Slot(rows, size)
