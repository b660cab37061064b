"""Many motions and many runs, laid out as compiled code reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion import Motion
from rocksteady.numerics.decorators import array_kernel
from rocksteady.numerics.types import Array


class Ground(NamedTuple):
    """Motions laid end to end: motion m has ``count[m]`` samples from ``first[m]`` on."""

    a_h: Array
    a_v: Array
    """Horizontal and vertical acceleration [m/s²] of all samples."""
    first: NDArray[np.int64]
    count: NDArray[np.int64]  # type: ignore[assignment]
    dt: Array
    """Time step of each motion [s]."""

    @classmethod
    def of(cls, motions: Sequence[Motion]) -> Ground:
        count = np.array([len(motion) for motion in motions], dtype=np.int64)
        verticals = [
            np.zeros(len(motion)) if motion.vertical is None else motion.vertical
            for motion in motions
        ]
        return cls(
            np.concatenate([np.asarray(motion.accel) for motion in motions]),
            np.concatenate(verticals),
            np.cumsum(count) - count,
            count,
            np.array([motion.dt for motion in motions]),
        )


EACH = np.ones(3, dtype=np.int64)


class Runs(NamedTuple):
    """Which body under which motion, multiplied by what.

    Run n, counted from ``first``, has the entries n // every of these lists, which begin again when
    they have come to their end: with an ``every`` of one, an entry for each run; otherwise the axes
    of a study, whose last changes fastest.
    """

    system: NDArray[np.int64]
    """Row of the tables of start states and parameters."""
    motion: NDArray[np.int64]
    scale: Array
    every: NDArray[np.int64] = EACH
    first: int = 0

    @classmethod
    def grid(cls, systems: int, motions: int, scales: Array) -> Runs:
        """Every system under every motion times every scale."""
        every = np.array([motions * len(scales), len(scales), 1])
        return cls(np.arange(systems), np.arange(motions), scales, every)

    @property
    def total(self) -> int:
        """How many runs there are."""
        lists = zip(self.every, (self.system, self.motion, self.scale), strict=True)
        return max(int(every) * len(entries) for every, entries in lists) - self.first

    def part(self, start: int, stop: int) -> Runs:
        """The same for the runs from ``start`` to ``stop``, an entry each."""
        start, stop = self.first + start, self.first + stop
        parts: list[Any] = []
        for entries, every in zip(self[:3], self.every.tolist(), strict=True):
            if every == 1 and stop <= len(entries):
                parts.append(entries[start:stop])
            else:
                parts.append(entries[np.arange(start, stop) // every % len(entries)])
        return Runs(*parts)


@array_kernel
def run_of(runs, run):  # type: ignore[no-untyped-def]
    """(system, motion, scale) of a run."""
    n = runs.first + run
    system = runs.system[n // runs.every[0] % len(runs.system)]
    motion = runs.motion[n // runs.every[1] % len(runs.motion)]
    return system, motion, runs.scale[n // runs.every[2] % len(runs.scale)]
