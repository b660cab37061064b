"""The runs behind a map: every point, or only those that decide where it changes."""

from __future__ import annotations

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
    study: Study, shape: tuple[int, int], store: Path | None, progress: bool | Progress
) -> Points:
    """Run all of them."""
    classes, peak, impacts = _ways(study, run_study(study, store=store, progress=progress))
    ran = np.ones(shape, dtype=bool)
    return Points(classes.reshape(shape), peak.reshape(shape), impacts.reshape(shape), ran)


def shares(
    study: Study, shape: tuple[int, int], store: Path | None, progress: bool | Progress
) -> Counts:
    """Run every motion at every point, and count."""
    data = run_study(study, store=store, progress=progress)
    status = data["status"].values.reshape(shape[0], len(study.motions), shape[1])
    fell = np.isin(status, FALLEN)
    return Counts(fell.sum(axis=1), (fell | (status == Status.AT_REST)).sum(axis=1))


def deciding_points(
    study: Study,
    shape: tuple[int, int],
    store: Path | None,
    progress: bool | Progress,
    *,
    ragged: bool,
) -> Points:
    """Run those along the borders between ways to fall; see `adaptive`."""
    made = _Rounds(study, shape, store, progress)
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
        numbers = np.ravel_multi_index((rows, columns), self.shape)
        picked = Picked.from_study(self.study, numbers)
        folder = None if self.store is None else self.store / f"round-{self.rounds:03d}"
        data = run_study(picked, store=folder, progress=self.report())
        found, peak, impacts = _ways(self.study, data)
        self.classes[rows, columns], self.peak[rows, columns] = found, peak
        self.impacts[rows, columns], self.ran[rows, columns] = impacts, True
        self.rounds, self.made = self.rounds + 1, self.made + len(numbers)

    def report(self) -> bool | Progress:
        """Runs so far; how many there will be nobody knows."""
        told, made = self.progress, self.made
        if isinstance(told, bool):
            return told
        return lambda done, total: told(made + done, made + total)

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
