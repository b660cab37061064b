"""Many bodies under one ground motion, on all cores: what the `peaks` driver gives, for each.

The compiled loop shares the runs among threads (Numba's ``prange``). Which threads those are is
Numba's choice: TBB where it is installed, otherwise OpenMP, otherwise its own "workqueue", which
would abort the process if two Python threads entered it at once. So only one batch runs at a time
in a process: a second one waits for its turn. It would have to share the same cores anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import prange
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from rocksteady.engine.compile import driver
from rocksteady.engine.drivers import make_interval
from rocksteady.formulations.contract import NOTHING, OVERTURN, Array

CHUNK = 2048  # runs between two looks at the keyboard and the progress bar

_one_at_a_time = threading.Lock()

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


@cache
def make_batch_peaks(advance: Any, state_size: int, params_size: int) -> Any:
    """The compiled loop over runs around one formulation's step."""
    interval = make_interval(advance)

    def batch_peaks(states, params, scales, a_h, a_v, dt, out, counts):  # type: ignore[no-untyped-def]
        """Run row i of ``params`` from row i of ``states``, which is overwritten with where it
        ends, under ``scales[i]`` times the ground. ``out`` has a row (time, highest, lowest, time
        of peak) and ``counts`` a row (impacts, last event) per run."""
        for run in prange(len(states)):
            state = to_fixed_tuple(states[run], state_size)
            numbers = to_fixed_tuple(params[run], params_size)
            scale = scales[run]
            highest = lowest = state[0]
            t_peak, impacts, event = 0.0, 0, NOTHING
            time = (len(a_h) - 1) * dt
            for i in range(len(a_h) - 1):
                ground0 = (scale * a_h[i], scale * a_v[i])
                ground1 = (scale * a_h[i + 1], scale * a_v[i + 1])
                state, used, high, low, t, n, event = interval(state, numbers, ground0, ground1, dt)
                if max(high, -low) > max(highest, -lowest):
                    t_peak = i * dt + t
                highest, lowest = max(highest, high), min(lowest, low)
                impacts += n
                if event >= OVERTURN:
                    time = i * dt + used
                    break
            for j in range(state_size):
                states[run, j] = state[j]
            out[run, 0], out[run, 1], out[run, 2], out[run, 3] = time, highest, lowest, t_peak
            counts[run, 0], counts[run, 1] = impacts, event

    return driver(batch_peaks, parallel=True)


def batch_peaks(
    advance: Any,
    states: Array,
    params: Array,
    a_h: Array,
    dt: float,
    *,
    a_v: Array | None = None,
    scales: Array | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> BatchPeaks:
    """Run ``advance`` for every row of ``params`` under one ground motion.

    Parameters
    ----------
    advance
        A formulation's compiled step, ``formulation.advance_for(system)``.
    states, params
        A row per run: ``formulation.start(system)`` and ``formulation.parameters(system)``.
    a_h, a_v, dt
        The ground's acceleration [m/s²] and its time step [s].
    scales
        What to multiply the ground by, a number per run; one unless given.
    progress
        Called with (runs done, all runs) now and then. Between two calls Ctrl-C is heard.
    """
    states, params = np.array(states, dtype=float), np.array(params, dtype=float)
    a_h = np.array(a_h, dtype=float)
    a_v = np.zeros(len(a_h)) if a_v is None else np.array(a_v, dtype=float)
    runs = len(states)
    scales = np.ones(runs) if scales is None else np.array(scales, dtype=float)
    out, counts = np.empty((runs, 4)), np.empty((runs, 2), dtype=np.int64)
    loop = make_batch_peaks(advance, states.shape[1], params.shape[1])
    for start in range(0, runs, CHUNK):
        part = slice(start, min(start + CHUNK, runs))
        with _one_at_a_time:
            loop(states[part], params[part], scales[part], a_h, a_v, dt, out[part], counts[part])
        if progress is not None:
            progress(part.stop, runs)
    return BatchPeaks(states, *out.T.copy(), *counts.T.copy())
