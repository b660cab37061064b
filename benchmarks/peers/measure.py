"""Error and time of one peer at one setting."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.peers.cases import (
    BLOCK,
    HALF_CYCLES,
    Array,
    Case,
    FreeRocking,
    energy_of,
    free_rocking,
)
from benchmarks.peers.history import History, Peer, Setting

import rocksteady as rs

TESTS = Path(__file__).parents[2] / "tests"
REFERENCE_RTOL = 3e-13
ENOUGH, MOST_REPEATS = 0.2, 20  # s of measuring, and times, for a run that is quick


@dataclass(frozen=True)
class FreeError:
    """Free rocking against the closed form; relative errors."""

    quarter: float
    """Of the time to the first impact, which no law of impact has touched."""
    r: float
    """Mean ratio of energies at an impact; Housner's is ``BLOCK.r``."""
    periods: float
    """Largest of the half periods', against Housner's r ..."""
    periods_own: float
    """... and against the closed form with the peer's own r."""


@dataclass(frozen=True)
class ShakenError:
    """Under records, against the reference; errors of the peak |θ|/α where both stand."""

    outcomes: dict[str, tuple[int, int]]
    """For each kind of record: how many outcomes, stands or falls, are right, of how many."""
    median: float
    largest: float
    median_own: float | None
    """Against the reference with the peer's own r from free rocking."""


@dataclass(frozen=True)
class Outcome:
    """One row of the tables; times are those of one core, per run [s]."""

    name: str
    version: str
    setting: Setting
    free: FreeError | None
    shaken: ShakenError
    free_time: float
    shaken_time: float


def measure(peer: Peer, version: str, setting: Setting, cases: list[Case]) -> Outcome:
    """Run one peer at one setting through all cases."""
    peer.prepare(setting, cases[0])()  # the first call compiles, or loads
    free, free_time = None, float("nan")
    if setting.runs == 1:
        history, free_time = timed(peer, setting, free_rocking())
        free = free_error(history)
    runs = [timed(peer, setting, case) for case in cases]
    standing = [
        took for case, (_, took) in zip(cases, runs, strict=True) if not _reference(case)[1]
    ]
    shaken = shaken_error([history for history, _ in runs], cases, free.r if free else None)
    mean = float(np.mean(standing)) if standing else float("nan")
    return Outcome(peer.NAME, version, setting, free, shaken, free_time, mean)


def timed(peer: Peer, setting: Setting, case: Case) -> tuple[History, float]:
    """The history, and the least processor time of a run [s], all cores together: what it costs,
    whatever else the machine is doing."""
    took: list[float] = []
    while True:
        run = peer.prepare(setting, case)
        start = time.process_time()
        history = run()
        took.append(time.process_time() - start)
        if sum(took) > ENOUGH or len(took) == MOST_REPEATS:
            return history, min(took) / setting.runs


# -- free rocking ------------------------------------------------------------------------------


def free_error(history: History) -> FreeError | None:
    """None where it did not rock through the half cycles that are compared."""
    peaks, periods = history.swings
    if len(periods) < HALF_CYCLES or len(peaks) < HALF_CYCLES + 1:
        return None
    energies = energy_of(peaks)
    r = float((energies[HALF_CYCLES] / energies[0]) ** (1 / HALF_CYCLES))
    if not 0 < r <= 1:
        return None
    own = _period_errors(periods, r)
    housner = _period_errors(periods, BLOCK.r)
    return FreeError(float(housner[0]), r, float(housner.max()), float(own.max()))


def _period_errors(periods: Array, r: float) -> Array:
    exact = FreeRocking(r).half_periods[:HALF_CYCLES]
    return np.asarray(np.abs(periods[:HALF_CYCLES] / exact - 1))


# -- shaken ------------------------------------------------------------------------------------


def shaken_error(histories: list[History], cases: list[Case], r: float | None) -> ShakenError:
    right: dict[str, list[bool]] = {}
    errors, own = [], []
    for history, case in zip(histories, cases, strict=True):
        peak, fell = _reference(case)
        right.setdefault(case.kind, []).append(history.fell == fell)
        if history.fell:
            continue
        if not fell:
            errors.append(abs(history.peak - peak))
        if r is not None:
            matched = rs.simulate(case.block, case.motion, rs.Housner(r=r), duration=case.duration)
            if matched.status is not rs.Status.OVERTURNED:
                own.append(abs(history.peak - matched.peak))
    return ShakenError(
        {kind: (sum(flags), len(flags)) for kind, flags in right.items()},
        float(np.median(errors)) if errors else float("nan"),
        max(errors, default=float("nan")),
        float(np.median(own)) if own else None,
    )


@cache
def _reference(case: Case) -> tuple[float, bool]:
    """(peak |θ|/α, whether it fell), by the tests' own solution with SciPy, which shares nothing
    with our kernels, from sample to sample with tight tolerances."""
    found = _solve(case.block, case.motion.accel, case.motion.dt, rtol=REFERENCE_RTOL)
    return float(found.peak), bool(found.overturned)


def _solve(*args: Any, **options: Any) -> Any:
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from reference import solve

    return solve(*args, **options)
