"""Run a part of a study: the numbers of its runs, the same as `simulate` gives for each of them.

Most formulations go through the batch engine, many runs at a time. After the motion those runs that
have neither fallen nor come to rest go on, with the ground at rest, in pieces of ten seconds, just
as `simulate` goes on. A body on a soft bed may tremble for long until it is called at rest, and may
keep a workspace: its runs are made one by one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.batch import BatchPeaks
from rocksteady.engine.ground import Ground, Runs
from rocksteady.ensembles.many import Columns, Index, batch_engine
from rocksteady.ensembles.outcome import empty, end_name, quantities, write_response
from rocksteady.ensembles.settling import can_settle, settle
from rocksteady.errors import RocksteadyWarning
from rocksteady.formulations.contract import FAILURE, OVERTURN
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.response import lost
from rocksteady.simulation import AFTERMATH, simulate
from rocksteady.status import Status

if TYPE_CHECKING:
    from rocksteady.ensembles.study import Study

Bools = NDArray[np.bool_]

PIECE = 10.0  # s of still ground at a time, as in `simulate`


def shake(study: Study, numbers: Index) -> Columns:
    """The columns of the runs with these numbers."""
    if one_by_one(study):
        return _one_by_one(study, numbers)
    return _together(study, numbers)


def one_by_one(study: Study) -> bool:
    """Whether the batch engine would not give what `simulate` gives, or hardly ever: a workspace, a
    step that passes turning points (the engine then sees more of them than samples do), a soft bed,
    on which few bodies are at rest when the motion ends, or runs longer than their motions. Steps
    of many small ones have a way of their own, a faster one."""
    how = study.formulation
    if study.backend == "cpu" and how.substeps_for(study.systems[0]) is not None:
        return True
    trembles = how.compliant and study.until == "rest"
    shortest = min(motion.duration for motion in study.motions)
    goes_on = not isinstance(study.until, str) and study.until > shortest
    together = how.turns_are_events and not (trembles or goes_on or study.has_workspace)
    return study.backend == "cpu" and not together


# -- one by one -------------------------------------------------------------------------------


def _one_by_one(study: Study, numbers: Index) -> Columns:
    """In compiled code where it can be; what failed there, and the rest, by `simulate`."""
    if not can_settle(study):
        return _simulated(study, numbers)
    columns, failed = settle(study, numbers)
    if len(failed):
        for name, values in _simulated(study, numbers[failed]).items():
            columns[name][failed] = values
    return columns


def _simulated(study: Study, numbers: Index) -> Columns:
    columns = empty(quantities(study), len(numbers))

    def run(row: int) -> None:
        system, motion = study.run(int(numbers[row]))
        response = simulate(system, motion, study.formulation, until=study.until)
        write_response(study, response, columns, row)

    threads = ThreadPoolExecutor(numba.get_num_threads())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocksteadyWarning)  # told when the study was made
        try:
            for _ in threads.map(run, range(len(numbers))):
                pass
        finally:  # also when interrupted: what has not begun is not begun
            threads.shutdown(cancel_futures=True)
    return columns


# -- together ---------------------------------------------------------------------------------


def _together(study: Study, numbers: Index) -> Columns:
    """By the batch engine; the few that it cannot tell in full once more, one by one."""
    followed = _Followed(study, numbers)
    unsettled = followed.unsettled()
    if study.until == "rest" and (study.exact_rest or study.backend == "cuda"):
        while unsettled.any():
            followed.go_on(np.flatnonzero(unsettled))
            unsettled = followed.unsettled() & followed.more_time()
    elif study.until == "rest":
        followed.unsure |= unsettled
    columns = followed.columns()
    again = np.flatnonzero(followed.unsure)
    if len(again):
        for name, values in _one_by_one(study, numbers[again]).items():
            columns[name][again] = values
    return columns


class _Followed:
    """Runs under way: where each is, and what has happened to it so far."""

    def __init__(self, study: Study, numbers: Index) -> None:
        self.study, self.runs = study, study.runs(numbers)
        system = self.runs.system
        start, stop = int(system.min()), int(system.max()) + 1  # what the engine need not copy
        states, self.params = study.tables[0][start:stop], study.tables[1][start:stop]
        self.row = system - start
        ground, motion = _ground(study, self.runs)
        self.dt, self.samples = ground.dt[motion], ground.count[motion]
        self.last_sample = self.samples + np.ceil(AFTERMATH / self.dt).astype(np.int64)
        runs = Runs(self.row, motion, self.runs.scale)
        found = self._run(states, self.params, ground, runs)
        every = slice(None)
        self.states, self.event, self.impacts = found.states, found.event, found.impacts
        self.farthest = np.maximum(found.highest, np.abs(found.lowest))
        self.peak, self.unsure = self._lean(found, every)
        self.unsure |= self.event == FAILURE  # up to where its extremes count, `simulate` tells
        self.time_of_peak = self._time_of_peak(found, every, np.zeros_like(self.samples))
        self.end = np.where(self.event == OVERTURN, found.time, np.nan)
        self.resting = self._at_rest(np.arange(len(numbers)))

    def _run(self, states: Array, params: Any, ground: Ground, runs: Runs) -> BatchPeaks:
        study = self.study
        run = batch_engine(study.backend, study.precision)
        glide = study.formulation.glide_for(study.systems[0])
        found: BatchPeaks = run(study.advance(), states, params, ground, runs, glide=glide)
        failed = lost(study.columns(), found.states)
        return found._replace(event=np.where(failed, FAILURE, found.event))

    def _lean(self, found: BatchPeaks, part: Any) -> tuple[Array, Bools]:
        """Largest |θ|/α, and whether the engine's time is that of another lean: it asks for the
        largest |θ|, which is not the same where the two sides of a block differ."""
        right, left = self.study.limits[self.runs.system[part]].T
        up, down = np.abs(found.highest) / right, np.abs(found.lowest) / left
        differ = (right != left) & ((down > up) != (-found.lowest > found.highest))
        return np.maximum(up, down), differ

    def _time_of_peak(self, found: BatchPeaks, part: Any, before: Index) -> Array:
        """As `Response` has it: of a peak at a sample, the time of that sample; and so it is of the
        end of a fall, which the next sample keeps. ``before``: samples before this piece's first.
        """
        dt, time = self.dt[part], found.time_of_peak
        nearest = np.rint(time / dt)
        at_sample = np.abs(time - nearest * dt) <= 8e-16 * np.maximum(time, dt)
        fell = (found.event >= OVERTURN) & (time == found.time) & (time > 0)
        sample = np.where(fell & ~at_sample, np.ceil(time / dt), nearest)
        return np.asarray(np.where(at_sample | fell, (before + sample) * dt, before * dt + time))

    # -- after the motion --------------------------------------------------------------------

    def unsettled(self) -> Bools:
        return np.asarray((self.event < OVERTURN) & ~self.resting)

    def more_time(self) -> Bools:
        return np.asarray(self.samples < self.last_sample)

    def go_on(self, part: Index) -> None:
        """Another piece of still ground for these runs."""
        steps, which = np.unique(self.dt[part], return_inverse=True)
        ground = Ground.of([Motion.zeros(PIECE, float(dt)) for dt in steps])
        assert isinstance(self.params, np.ndarray)
        params = self.params[self.row[part]]
        runs = Runs(np.arange(len(part)), which.astype(np.int64), np.ones(len(part)))
        found = self._run(self.states[part], params, ground, runs)

        before = self.samples[part] - 1
        peak, unsure = self._lean(found, part)
        higher = peak > self.peak[part]
        time = self._time_of_peak(found, part, before)
        self.unsure[part] |= (unsure & higher) | (found.event == FAILURE)
        self.time_of_peak[part] = np.where(higher, time, self.time_of_peak[part])
        self.peak[part] = np.maximum(peak, self.peak[part])
        farthest = np.maximum(found.highest, np.abs(found.lowest))
        self.farthest[part] = np.maximum(farthest, self.farthest[part])
        self.states[part], self.event[part] = found.states, found.event
        self.impacts[part] += found.impacts
        end = before * self.dt[part] + found.time
        self.end[part] = np.where(found.event == OVERTURN, end, np.nan)
        self.samples[part] += ground.count[which] - 1
        self.resting[part] = self._at_rest(part)

    # -- what it comes to ----------------------------------------------------------------------

    def columns(self) -> Columns:
        study = self.study
        values = {
            "peak": self.peak,
            "time_of_peak": self.time_of_peak,
            "status": self._status(),
            "impacts": self.impacts,
            "peak_displacement": self.farthest,
            end_name(study): self.end,
        }
        names = study.columns()
        columns = {}
        for name, what in quantities(study).items():
            if what.state:
                value: Any = self.states[:, names.index(what.state)]
            elif name == "slide":
                value = self._slide()
            elif name == "doubtful":
                value = self._doubtful()
            else:
                value = values[name]
            columns[name] = np.ascontiguousarray(value, dtype=what.dtype)
        return columns

    def _status(self) -> Index:
        over = self.event >= OVERTURN
        asked = np.flatnonzero(~over & ~self.resting if self.study.exact_rest else ~over)
        fell = self.event == OVERTURN
        systems, how = self.study.systems, self.study.formulation
        fell[asked] = how.doomed_among(systems, self.runs.system[asked], self.states[asked])
        standing = np.where(self.resting, Status.AT_REST, Status.MOVING)
        status = np.where(fell, systems[0].ends, standing)
        return np.where(self.event == FAILURE, Status.FAILED, status)

    def _slide(self) -> Array:
        names = self.study.columns()
        if "slide" in names:
            return self.states[:, names.index("slide")]
        slide = self.study.formulation.slide
        every = np.arange(len(self.states))
        return np.asarray(self._by_system(slide, every, np.empty(len(every))))

    def _doubtful(self) -> Bools:
        """Only the last state is known of each run, and how many samples it had: that is what a
        formulation that counts something in its state asks for."""
        ended = np.ceil(self.end / self.dt * (1 - 1e-12)) + 1
        rows = np.where(np.isnan(ended), self.samples, ended).astype(np.int64)
        systems = [self.study.systems[i] for i in self.runs.system]
        doubt = self.study.formulation.doubt
        return np.array(
            [
                doubt(system, np.broadcast_to(state, (count, len(state)))) is not None
                for system, state, count in zip(systems, self.states, rows, strict=True)
            ]
        )

    def _at_rest(self, part: Index) -> Bools:
        at_rest = self.study.formulation.at_rest
        if self.study.exact_rest:  # so says the state alone, whatever the block
            return np.asarray(at_rest(self.study.systems[0], self.states[part]))
        return np.asarray(self._by_system(at_rest, part, np.empty(len(part), dtype=bool)))

    def _by_system(self, ask: Callable[..., Any], part: Index, out: Any) -> Any:
        """``ask(system, states)`` of these runs, a system at a time."""
        system = self.runs.system[part]
        order = np.argsort(system, kind="stable")
        ordered = system[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]).tolist()
        for start, stop in zip(starts, [*starts[1:], len(part)], strict=True):
            rows = order[start:stop]
            out[rows] = ask(self.study.systems[ordered[start]], self.states[part[rows]])
        return out


def _ground(study: Study, runs: Runs) -> tuple[Ground, Index]:
    """The motions laid end to end and which of them each run has; resampled where a step is
    prescribed."""
    if study.time_steps is None:
        return study.ground, runs.motion
    pairs, which = np.unique(
        np.stack([study.time_steps[runs.system], runs.motion.astype(float)]),
        axis=1,
        return_inverse=True,
    )
    motions = [
        study.lasting(study.motions[int(motion)].resampled(float(dt))) for dt, motion in pairs.T
    ]
    return Ground.of(motions), np.asarray(which, dtype=np.int64).ravel()
