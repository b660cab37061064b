"""The runs behind a map: every point, or only those that decide where it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.overturning.adaptive import fill
from rocksteady.analysis.overturning.ways import Classes, Way, ways
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.picked import Picked
from rocksteady.ensembles.plan import CUDA_SPEED, run_seconds
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import Study
from rocksteady.numerics.types import Array
from rocksteady.simulation import PIECE
from rocksteady.status import FALLEN, Status

FAST = 120.0  # s of one core, by what the theory declares: up to that every point is run
COARSEST = 32  # points from one to the next in the first of the interlaced passes
ROUND, FEWEST, MOST_ROUNDS = 0.5, 256, 200  # s of one core in a round; runs in it; rounds in all


class Points(NamedTuple):
    """What is known of each point of a map of one motion or pulse, over (x, strength)."""

    classes: Classes
    """A `Way` each."""
    peak: Array
    """Largest |θ|/α; nan where it was not run."""
    impacts: NDArray[np.int32]
    """Until it fell or the motion ended; −1 where it was not run."""
    ran: NDArray[np.bool_]


class Counts(NamedTuple):
    """What many motions do at each point of a map, over (x, strength)."""

    fell: NDArray[np.int64]
    known: NDArray[np.int64]
    """Motions that gave an answer."""


class Round(NamedTuple):
    """Points that have just been run: their numbers along both axes, and what they came to."""

    i: NDArray[np.int64]
    j: NDArray[np.int64]
    found: dict[str, NDArray[Any]]
    """Of one motion or pulse ``way``, ``peak`` and ``impacts``; of many ``fell`` and ``known``."""


Show = Callable[[Round], Any]


def brute_force_seconds(study: Study) -> float:
    """About how long a core takes to run every point, by the cost that the theory declares. Where
    energy does not tell the end, the run goes on for some ten seconds of still ground."""
    steps = np.mean([PIECE / motion.dt for motion in study.motions])
    rest = 0.0 if study.by_energy else 1e-9 * study.formulation.cost * float(steps)
    seconds = len(study) * (run_seconds(study.formulation, study.motions) + rest)
    return seconds / CUDA_SPEED if study.backend == "cuda" else seconds


def _lifts_told(study: Study) -> bool:
    """Whether a body that does not lift off does not move at all."""
    return study.formulation.exact_rest(study.systems[0])


def _ways(study: Study, data: Any) -> tuple[Classes, Array, NDArray[np.int32]]:
    """The way, peak and impacts of each run of a dataset."""
    status, peak = data["status"].values, data["peak"].values
    impacts = data["impacts"].values if "impacts" in data else None
    found = ways(status, impacts, peak, lifts=_lifts_told(study))
    return found, peak, np.zeros(status.shape, np.int32) if impacts is None else impacts


def every_point(
    study: Study,
    shape: tuple[int, int],
    store: Path | None,
    progress: bool | Progress,
    show: Show | None = None,
) -> Points:
    """Run all of them; where they are to be shown meanwhile, in rounds from coarse to fine."""
    if show is not None:
        made = _Rounds(study, shape, store, progress, show, total=len(study))
        for rows, columns in passes(shape, round_size(study)):
            made.run(rows, columns)
        return Points(made.classes, made.peak, made.impacts, made.ran)
    classes, peak, impacts = _ways(study, run_study(study, store=store, progress=progress))
    ran = np.ones(shape, dtype=bool)
    return Points(classes.reshape(shape), peak.reshape(shape), impacts.reshape(shape), ran)


def passes(
    shape: tuple[int, int], size: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """All points once, in interlaced passes from coarse to fine, at most ``size`` at a time."""
    i, j = np.indices(shape)
    step = COARSEST
    while step:
        coarser = 2 * step if step < COARSEST else 0
        those = (i % step == 0) & (j % step == 0)
        if coarser:
            those &= (i % coarser != 0) | (j % coarser != 0)
        rows, columns = np.nonzero(those)
        for start in range(0, len(rows), size):
            yield rows[start : start + size], columns[start : start + size]
        step //= 2


def round_size(study: Study) -> int:
    """How many runs are made before they are shown: some that take about half a second. It does
    not depend on the machine, so that a store resumes on another."""
    seconds = brute_force_seconds(study) / len(study)
    return max(FEWEST, int(ROUND / seconds), len(study) // MOST_ROUNDS)


def shares(
    study: Study,
    shape: tuple[int, int],
    store: Path | None,
    progress: bool | Progress,
    show: Show | None = None,
) -> Counts:
    """Run every motion at every point, and count."""
    if show is not None:
        return _shares_in_rounds(_Rounds(study, shape, store, progress, show, total=len(study)))
    status = run_study(study, store=store, progress=progress)["status"].values
    return _counted(status.reshape(shape[0], len(study.motions), shape[1]), axis=1)


def _counted(status: NDArray[np.int8], axis: int) -> Counts:
    fell = np.isin(status, FALLEN)
    return Counts(fell.sum(axis=axis), (fell | (status == Status.AT_REST)).sum(axis=axis))


def _shares_in_rounds(made: _Rounds) -> Counts:
    counts = Counts(*(np.zeros(made.shape, dtype=np.int64) for _ in Counts._fields))
    motions = np.arange(len(made.study.motions))[:, None]
    size = max(round_size(made.study) // len(motions), 1)
    for rows, columns in passes(made.shape, size):
        numbers = (rows * len(motions) + motions) * made.shape[1] + columns
        status = made.results(numbers.ravel())["status"].values.reshape(numbers.shape)
        found = _counted(status, axis=0)
        for whole, part in zip(counts, found, strict=True):
            whole[rows, columns] = part
        made.show_round(rows, columns, found._asdict())
    return counts


def deciding_points(
    study: Study,
    shape: tuple[int, int],
    store: Path | None,
    progress: bool | Progress,
    show: Show | None = None,
    *,
    ragged: bool,
) -> Points:
    """Run those along the borders between ways to fall; see `adaptive`."""
    made = _Rounds(study, shape, store, progress, show)
    filled = fill(made.falls, shape, ragged=ragged).classes
    if _lifts_told(study):
        flat = np.arange(shape[1]) < made.lowest_that_lifts()[:, None]
        filled[(filled == Way.ROCKS) & flat] = Way.FLAT
    classes = np.where(made.ran, made.classes, filled)
    return Points(classes, made.peak, made.impacts, made.ran)


@dataclass
class _Rounds:
    """Runs made in rounds, each of those that the last one has shown to be needed."""

    study: Study
    shape: tuple[int, int]
    store: Path | None
    progress: bool | Progress
    show: Show | None = None
    """Called after each round with what it found."""
    total: int | None = None
    """How many runs there will be, where that is known."""

    def __post_init__(self) -> None:
        self.classes = np.full(self.shape, Way.UNKNOWN, dtype=np.int8)
        self.peak = np.full(self.shape, np.nan)
        self.impacts = np.full(self.shape, -1, dtype=np.int32)
        self.ran = np.zeros(self.shape, dtype=bool)
        self.rounds = self.made = 0
        if self.store is not None:
            _ = self.study.motion_digests  # once for all rounds
        _ = self.study.ground, self.study.tables, self.study.limits

    def falls(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Classes:
        """The ways of these points, without the difference between those that stand."""
        self.run(rows, columns)
        found = self.classes[rows, columns]
        return np.where(found == Way.FLAT, np.int8(Way.ROCKS), found)

    def run(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> None:
        data = self.results(np.ravel_multi_index((rows, columns), self.shape))
        found, peak, impacts = _ways(self.study, data)
        self.classes[rows, columns], self.peak[rows, columns] = found, peak
        self.impacts[rows, columns], self.ran[rows, columns] = impacts, True
        self.show_round(rows, columns, {"way": found, "peak": peak, "impacts": impacts})

    def results(self, numbers: NDArray[np.int64]) -> Any:
        """What the runs with these numbers, the next round, came to."""
        picked = Picked.from_study(self.study, numbers)
        folder = None if self.store is None else self.store / f"round-{self.rounds:03d}"
        data = run_study(picked, store=folder, progress=self.report())
        self.rounds, self.made = self.rounds + 1, self.made + len(numbers)
        return data

    def show_round(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], found: dict[str, NDArray[Any]]
    ) -> None:
        if self.show is not None:
            self.show(Round(rows, columns, found))

    def report(self) -> bool | Progress:
        """Runs so far, and how many there will be as far as anybody knows."""
        told, made = self.progress, self.made
        if isinstance(told, bool):
            return told
        return lambda done, total: told(made + done, self.total or made + total)

    def lowest_that_lifts(self) -> NDArray[np.int64]:
        """Of each row of the map the number of the lowest strength that lifts the body off, by
        halving. It is the same in all rows where the first, the last and all that ran agree."""
        low, high = self._bounds()
        ends = np.unique([0, len(low) - 1])
        self._halve(low, high, ends)
        at = int(high[0])
        if high[ends[-1]] == at and ((low < at) & (at <= high)).all():
            return np.full(len(low), at)
        self._halve(low, high, np.arange(len(low)))
        return high

    def _bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The highest strength that did not lift it off, and the lowest that did."""
        at, size = np.arange(self.shape[1]), self.shape[1]
        flat = self.ran & (self.classes == Way.FLAT)
        lifted = self.ran & (self.classes != Way.FLAT) & (self.classes != Way.UNKNOWN)
        return np.where(flat, at, -1).max(axis=1), np.where(lifted, at, size).min(axis=1)

    def _halve(
        self, low: NDArray[np.int64], high: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> None:
        """Bring both bounds of these rows side by side."""
        while len(rows := rows[high[rows] - low[rows] > 1]):
            middle = (low[rows] + high[rows]) // 2
            self.run(rows, middle)
            flat = self.classes[rows, middle] == Way.FLAT
            low[rows] = np.where(flat, middle, low[rows])
            high[rows] = np.where(flat, high[rows], middle)
