"""Run a part of a study: the numbers of its runs, the same as `simulate` gives for each of them.

Most formulations go through the batch engine, which follows a run to its end and sums it up in
compiled code. A body on a soft bed may tremble for long until it is called at rest, and may keep a
workspace: its runs are made one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.summary import UNSURE, Rules, Summary, never
from rocksteady.ensembles.last_states import LastStates
from rocksteady.ensembles.many import Columns, Index, Report, batch_engine
from rocksteady.ensembles.outcome import empty, end_name, quantities, write_response
from rocksteady.ensembles.plan import Part
from rocksteady.ensembles.settling import can_settle, settle
from rocksteady.errors import held_back
from rocksteady.motion import Motion
from rocksteady.response import ACCOUNTS
from rocksteady.simulation import PIECE, cut, samples_in, simulate
from rocksteady.status import Status

if TYPE_CHECKING:
    from rocksteady.ensembles.study import Study


def shake(study: Study, numbers: Index | range, report: Report | None = None) -> Columns:
    """The columns of the runs with these consecutive numbers. ``report`` is called with how many
    are done, and all."""
    if one_by_one(study):
        return _one_by_one(study, np.asarray(numbers), report)
    runs = Together(study, numbers)
    runs.follow(report)
    return runs.columns(0, len(numbers))


def shake_parts(
    study: Study, parts: Sequence[Part], deliver: Callable[[Part, Columns], Any]
) -> None:
    """Make the runs of consecutive parts in one go, and hand over each part when it is done."""
    first, todo = parts[0].start, list(parts)
    runs = Together(study, range(first, parts[-1].stop))

    def report(done: int, _total: int) -> None:
        while todo and todo[0].stop - first <= done:
            part = todo.pop(0)
            deliver(part, runs.columns(part.start - first, part.stop - first))

    runs.follow(report)
    report(parts[-1].stop - first, 0)


def one_by_one(study: Study) -> bool:
    """Whether the batch engine would not give what `simulate` gives, or hardly ever: rates, a
    workspace, a step that passes turning points (the engine then sees more of them than samples
    do), or a run to rest where that cannot be told in compiled code, or where rest is long in
    coming, on a soft bed. A step of many small ones has an engine of its own.
    """
    how = study.formulation
    if study.rates:
        return True
    if study.backend == "cpu" and how.substeps_for(study.systems[0]) is not None:
        return True
    to_rest = how.compliant or how.resting_for(study.systems[0]) is None
    together = how.turns_are_events and not (study.to_rest and to_rest) and not study.has_workspace
    return study.backend == "cpu" and not together


# -- one by one -------------------------------------------------------------------------------


def _one_by_one(study: Study, numbers: Index, report: Report | None) -> Columns:
    """In compiled code where that can tell all; what failed, and the rest, by `simulate`."""
    if not can_settle(study):
        return _simulated(study, numbers, report)
    columns, failed = settle(study, numbers, report)
    if len(failed):
        for name, values in _simulated(study, numbers[failed]).items():
            columns[name][failed] = values
    return columns


def _simulated(study: Study, numbers: Index, report: Report | None = None) -> Columns:
    columns = empty(quantities(study), len(numbers))

    def run(row: int) -> None:
        system, motion = study.run(int(numbers[row]))
        response = simulate(system, motion, study.formulation, until=study.until)
        write_response(study, response, columns, row)

    threads = ThreadPoolExecutor(numba.get_num_threads())
    with held_back():  # told when the study was made
        try:
            for done, _ in enumerate(threads.map(run, range(len(numbers))), 1):
                if report is not None:
                    report(done, len(numbers))
        finally:  # also when interrupted: what has not begun is not begun
            threads.shutdown(cancel_futures=True)
    return columns


# -- together ---------------------------------------------------------------------------------


class Together:
    """Runs made by the batch engine; those few of which it cannot tell all are made again, one by
    one."""

    def __init__(self, study: Study, numbers: Index | range) -> None:
        self.study, self.numbers, self.kept = study, numbers, quantities(study)
        names = study.columns()
        self.by_hand = self.untold or "doubtful" in self.kept
        self.by_hand |= "slide" in self.kept and "slide" not in names
        self.worked_out = [n for n, what in study.formulation.kept.items() if not what.state]
        if study.formulation.at_end_for(study.model) is None:
            self.by_hand |= bool(self.worked_out)
            self.worked_out = []
        entries = [what.state for what in self.kept.values() if what.state]
        if "slide" in self.kept and "slide" in names:
            entries.append("slide")
        self.entries = list(names) if self.by_hand else entries
        farthest = "peak_displacement" in self.kept
        rows = len(self.entries) + len(self.worked_out)
        self.found = Summary.empty(len(numbers), rows, farthest=farthest)
        self.runs, self.ground, self.still = _shaking(study, numbers)

    @property
    def untold(self) -> bool:
        """Whether compiled code cannot tell how a run ends."""
        how, system = self.study.formulation, self.study.systems[0]
        return how.resting_for(system) is None or how.doomed_for(system) is None

    def follow(self, report: Report | None) -> None:
        """Make the runs. ``report`` is called with how many from the first on are done, and all."""
        study = self.study
        names = study.columns()
        engine = batch_engine(study.backend, study.precision, name="batch_summary")
        engine(
            study.advance(),
            *study.tables,
            self.ground,
            self.runs,
            _rules(study, tuple(map(names.index, self.entries)), len(self.worked_out)),
            self.found,
            limits=study.limits,
            still=np.maximum(self.still, 0),
            stops=study.to_rest or study.exact_rest,
            glide=study.formulation.glide_for(study.model),
            progress=report,
        )

    def columns(self, start: int, stop: int) -> Columns:
        """The columns of those from ``start`` to ``stop``, counted from the first."""
        found = self.found.part(start, stop)
        last = dict(zip([*self.entries, *self.worked_out], found.kept, strict=True))
        values = {
            "peak": found.peak,
            "time_of_peak": found.time_of_peak,
            "status": found.status,
            "impacts": found.impacts,
            "peak_displacement": found.farthest,
            end_name(self.study): found.end,
            "slide": last.get("slide"),
            **{name: last[name] for name in self.worked_out},
        }
        again = np.flatnonzero(found.status == UNSURE)
        if self.by_hand:
            values |= self.from_states(self.runs.part(start, stop), found)
        columns = {
            name: np.asarray(last[what.state] if what.state else values[name], dtype=what.dtype)
            for name, what in self.kept.items()
        }
        if (self.still < 0).any():  # runs that end before their motion: the ground may save them
            unknown = np.isnan(found.end) & (self.still[self.runs.part(start, stop).motion] < 0)
            fell = columns["status"] == self.study.systems[0].ends
            columns["status"][unknown & fell] = Status.MOVING
        if len(again):
            numbers = np.asarray(self.numbers[start:stop])[again]
            for name, those in _simulated(self.study, numbers).items():
                columns[name][again] = those
        return columns

    def from_states(self, runs: Runs, found: Summary) -> Columns:
        """What only Python can tell, from the last states."""
        states = found.kept[: len(self.entries)]
        last = LastStates(self.study, runs, np.ascontiguousarray(states.T))
        values: Columns = {} if self.worked_out else last.at_end()
        if self.untold:
            standing = (found.status == Status.MOVING) | (found.status == Status.AT_REST)
            status = np.where(standing & last.resting(), Status.AT_REST, found.status)
            status[last.doomed(standing)] = self.study.systems[0].ends
            values["status"] = status
        if "slide" in self.kept:
            values["slide"] = last.slides()
        if "doubtful" in self.kept:
            dt, samples = self.ground.dt[runs.motion], self.ground.count[runs.motion]
            ended = np.ceil(found.end / dt * (1 - 1e-12)) + 1
            values["doubtful"] = last.doubts(np.where(np.isnan(ended), samples, ended).astype(int))
        return values


def _rules(study: Study, kept: tuple[int, ...], worked_out: int) -> Rules:
    """How its runs end, which entries of their last states are kept, and how many numbers that are
    worked out from them."""
    how, system = study.formulation, study.systems[0]
    checked = (j for j, name in enumerate(study.columns()) if name not in ACCOUNTS)
    return Rules(
        how.resting_for(system) or never,
        how.doomed_for(system) or never,
        how.outcome_for(system) if study.by_energy else None,
        int(system.ends),
        kept,
        tuple(checked),
        study.exact_rest,
        how.at_end_for(study.model) if worked_out else None,
        worked_out,
    )


def _shaking(study: Study, numbers: Index | range) -> tuple[Runs, Ground, Index]:
    """Which body meets which motion, the motions laid end to end, and for how many samples the
    ground stands still after each of them."""
    runs, motions = study.runs._replace(first=int(numbers[0])), study.felt
    if study.time_steps is not None:  # resampled to the step of each system
        those = runs.part(0, len(numbers))
        pairs, which = np.unique(
            np.stack([study.time_steps[those.system], those.motion.astype(float)]),
            axis=1,
            return_inverse=True,
        )
        motions = tuple(study.felt[int(m)].resampled(float(dt)) for dt, m in pairs.T)
        runs = those._replace(motion=np.asarray(which, dtype=np.int64).ravel())
    still = np.array([_still(study, motion) for motion in motions], dtype=np.int64)
    if not isinstance(study.until, str):
        motions = tuple(cut(motion, samples_in(study.until, motion.dt)) for motion in motions)
    elif study.time_steps is None:
        return runs, study.ground, still
    return runs, Ground.of(motions, study.formulation.components), still


def _still(study: Study, motion: Motion) -> int:
    """The most samples of still ground after a motion, as in `simulate`; −1 where the run ends
    before the motion does."""
    if not isinstance(study.until, str):
        return max(samples_in(study.until, motion.dt) - len(motion), -1)
    if not study.to_rest or study.by_energy:
        return 0
    piece = len(Motion.zeros(PIECE, motion.dt)) - 1
    longest = math.ceil(study.formulation.aftermath(study.systems[0]) / motion.dt)
    return math.ceil(longest / piece) * piece
