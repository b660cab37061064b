"""Runs of theories that the batch engine does not follow: in compiled code from start to rest.

What is kept of them is what `simulate` gives, and they are run as `simulate` runs them: see
`engine/settle.py`. A theory of many small steps has its runs side by side (`engine/abreast.py`),
any other one at a time in each thread.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.abreast import follow_abreast
from rocksteady.engine.ground import Ground, Runs, directions, samples_of
from rocksteady.engine.settle import After, Settled, make_settle
from rocksteady.engine.summary import never
from rocksteady.ensembles.last_states import Bools, LastStates
from rocksteady.ensembles.many import Columns, Index, Report
from rocksteady.ensembles.outcome import end_name, quantities
from rocksteady.motion import Motion
from rocksteady.response import lost
from rocksteady.simulation import PIECE, cut, samples_in
from rocksteady.status import Status
from rocksteady.theories.contract import FAILURE, OVERTURN

if TYPE_CHECKING:
    from rocksteady.ensembles.study import Study


def can_settle(study: Study) -> bool:
    """Whether all that decides where its runs end is compiled, and a state is a row of numbers
    (that of an assembly is an array, which its step overwrites)."""
    how, system = study.formulation, study.systems[0]
    told = not study.to_rest or how.resting_for(system) is not None
    return told and isinstance(how.start(system), tuple)


def settle(study: Study, numbers: Index, report: Report | None) -> tuple[Columns, Index]:
    """The columns of the runs with these consecutive numbers, and the rows of those that failed: up
    to where their extremes count, only `simulate` tells."""
    how, runs = study.formulation, study.runs.part(int(numbers[0]), int(numbers[-1]) + 1)
    side_by_side = how.substeps_for(study.systems[0]) is not None and study.time_steps is None
    found, whole = (_abreast if side_by_side else _alone)(study, runs, report)
    failed = (found.event == FAILURE) | lost(study.columns(), found.states)
    return _columns(study, runs, found, whole), np.flatnonzero(failed)


def _resting(study: Study) -> Any:
    return study.formulation.resting_for(study.systems[0]) or never


# -- the runs -----------------------------------------------------------------------------------


class _Shaking(NamedTuple):
    """A motion as the runs of a study see it."""

    motion: Motion
    after: After
    whole: bool
    """Whether the run sees all of the motion."""

    @classmethod
    def of(cls, motion: Motion, study: Study) -> _Shaking:
        dt, count = motion.dt, len(motion)
        if study.to_rest:
            piece = len(Motion.zeros(PIECE, dt)) - 1
            longest = math.ceil(study.formulation.aftermath(study.systems[0]) / dt)
            return cls(motion, After(True, piece, count + longest), True)
        samples = count if isinstance(study.until, str) else samples_in(study.until, dt)
        after = After(False, samples - count, samples if samples > count else 0)
        return cls(cut(motion, samples), after, samples >= count)


def _abreast(study: Study, runs: Runs, report: Report | None) -> tuple[Settled, Bools]:
    """Side by side; and which runs saw all of their motion."""
    states, params = study.tables
    used, which = np.unique(runs.motion, return_inverse=True)
    shaking = [_Shaking.of(study.felt[i], study) for i in used]
    ground = Ground.of([each.motion for each in shaking], study.formulation.components)
    after = np.array([each.after for each in shaking], dtype=np.int64)
    parts: Any = study.formulation.substeps_for(study.systems[0])
    runs = runs._replace(motion=which.astype(np.int64).ravel())
    bodies = states, params, study.limits, after
    found = follow_abreast(parts, _resting(study), bodies, ground, runs, report)
    return found, np.array([each.whole for each in shaking])[runs.motion]


def _alone(study: Study, runs: Runs, report: Report | None) -> tuple[Settled, Bools]:
    """One at a time in each thread; and which runs saw all of their motion."""
    states, params = study.tables
    components = study.formulation.components
    run = make_settle(study.advance(), _resting(study), len(directions(components)))
    tables = Settled.tables(states[runs.system])
    whole = np.ones(len(runs.system), dtype=bool)

    def follow(row: int) -> None:
        system, scale = int(runs.system[row]), float(runs.scale[row])
        whole_motion = study.shaking(system, int(runs.motion[row]), scale)
        motion, after, whole[row] = _Shaking.of(whole_motion, study)
        ground = samples_of(motion, components)
        state, limits = tuple(states[system].tolist()), tuple(study.limits[system].tolist())
        run(state, _fresh(params[system]), limits, ground, motion.dt, after, tables, row)

    threads = ThreadPoolExecutor(numba.get_num_threads())
    try:
        for done, _ in enumerate(threads.map(follow, range(len(whole))), 1):
            if report is not None:
                report(done, len(whole))
    finally:  # also when interrupted: what has not begun is not begun
        threads.shutdown(cancel_futures=True)
    return Settled.of(tables), whole


def _fresh(params: Any) -> Any:
    """Parameters of a run of its own: it may write to arrays, unless they are frozen."""
    if isinstance(params, np.ndarray):
        return tuple(params.tolist())
    own = (x.copy() if isinstance(x, np.ndarray) and x.flags.writeable else x for x in params)
    return type(params)(*own)


# -- what they come to -----------------------------------------------------------------------------


def _columns(study: Study, runs: Runs, found: Settled, whole: Bools) -> Columns:
    kept, names, last = quantities(study), study.columns(), LastStates(study, runs, found.states)
    values: dict[str, Any] = {
        "peak": found.peak,
        "time_of_peak": found.time_of_peak,
        "impacts": found.impacts,
        "peak_displacement": np.abs(found.coordinate),
        "peak_rate": found.fastest,
        end_name(study): np.where(found.event == OVERTURN, found.end, np.nan),
        "status": _status(study, last, found, whole),
        **last.at_end(),
    }
    if "slide" in kept:
        values["slide"] = last.slides()
    if "doubtful" in kept:
        values["doubtful"] = last.doubts(found.samples)
    return {
        name: np.ascontiguousarray(
            found.states[:, names.index(what.state)] if what.state else values[name], what.dtype
        )
        for name, what in kept.items()
    }


def _status(study: Study, last: LastStates, found: Settled, whole: Bools) -> NDArray[np.int64]:
    told = study.formulation.resting_for(study.systems[0]) is not None
    rests = found.rests > 0 if told else last.resting()
    fell = (found.event == OVERTURN) | last.doomed((found.event < OVERTURN) & whole)
    standing = np.where(rests, Status.AT_REST, Status.MOVING)
    return np.asarray(np.where(fell, study.systems[0].ends, standing))
