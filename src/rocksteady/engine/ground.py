"""Many motions and many runs, laid out as compiled code reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion import Motion
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


class Runs(NamedTuple):
    """Which body under which motion, multiplied by what: an entry per run."""

    system: NDArray[np.int64]
    """Row of the tables of start states and parameters."""
    motion: NDArray[np.int64]
    scale: Array
