"""What an ensemble keeps of each run, worked out where the run ends, in compiled code.

The numbers are those that `simulate` and its `Response` give. Where a loop cannot tell, it sets the
status `UNSURE`, and the run has to be made again by `simulate`: after a failure, and for a body
whose two sides differ, where the largest |θ| and the largest |θ|/α may come at different times.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.decorators import array_kernel, fused_kernel, kernel
from rocksteady.numerics.types import Array
from rocksteady.status import Status
from rocksteady.theories.contract import FAILURE, OVERTURN

UNSURE = -1
AT_REST, MOVING = int(Status.AT_REST), int(Status.MOVING)
ROUNDING = 8e-16  # of a time: nearer than that to a sample it is the sample's


@kernel
def never(state, params):  # type: ignore[no-untyped-def]
    return False


class Rules(NamedTuple):
    """How runs end and what is kept of them: what a loop is compiled for."""

    resting: Any = never
    """``resting(state, params)``: whether nothing more will happen on still ground."""
    doomed: Any = never
    """``doomed(state, params)``: whether it will fall though the ground has stopped."""
    outcome: Any = None
    """``outcome(state, params)`` if that is all that is asked for: see `Formulation.outcome_for`.
    """
    ends: int = int(Status.OVERTURNED)
    """The status after a fall."""
    kept: tuple[int, ...] = ()
    """The entries of the last state that are kept."""
    checked: tuple[int, ...] = (0, 1)
    """The entries that are not finite after a failure."""
    exact: bool = False
    """Whether a body at rest keeps every bit of its state, so that rest may be noticed later."""
    at_end: Any = None
    """``at_end(state, params)``: what else is kept, so many numbers."""
    more: int = 0


class Summary(NamedTuple):
    """One entry per run."""

    peak: Array
    """Largest |coordinate| over its limit on that side."""
    time_of_peak: Array
    """[s]; nan if it comes after the part of the run that was followed."""
    end: Array
    """When it fell [s]; nan where it did not, or fell after the part that was followed."""
    farthest: Array
    """Largest |coordinate|; or empty."""
    kept: Array
    """A row for each entry of the last state that is kept, and for what is worked out from it."""
    impacts: NDArray[np.int32]
    status: NDArray[np.int8]
    """A `Status`, or UNSURE."""

    @classmethod
    def empty(cls, runs: int, kept: int, *, farthest: bool = False) -> Summary:
        """To be filled; without ``farthest`` that column stays empty."""
        numbers = np.empty(runs), np.empty(runs), np.empty(runs), np.empty(runs if farthest else 0)
        counts = np.empty(runs, dtype=np.int32), np.empty(runs, dtype=np.int8)
        return cls(*numbers, np.empty((kept, runs)), *counts)

    def part(self, start: int, stop: int) -> Summary:
        """The entries from ``start`` to ``stop``, in the same memory."""
        parts: list[Any] = [values[..., start:stop] for values in self]
        return Summary(*parts)


@cache
def make_over(resting: Any) -> Any:
    """Build the test whether a run need not go on: it is at rest, or has failed."""

    @kernel
    def over(state, params):  # type: ignore[no-untyped-def]
        finite = math.isfinite(state[0]) and math.isfinite(state[1])
        return not finite or resting(state, params)

    return over


@cache
def make_summary(rules: Rules) -> Any:
    """Build the scalar function that sums a run up, the same on a processor and on a GPU."""
    resting, doomed, ends, checked = rules.resting, rules.doomed, rules.ends, rules.checked
    by_energy, outcome = rules.outcome is not None, rules.outcome or foresees_nothing

    @fused_kernel
    def moment(time, dt, fell):  # type: ignore[no-untyped-def]
        """The time of a peak as `Response` has it: that of the sample, if it is at a sample; the
        end of a fall is kept by the next sample."""
        nearest = float(math.floor(time / dt + 0.5))
        if abs(time - nearest * dt) <= ROUNDING * max(time, dt):
            return nearest * dt
        return float(math.ceil(time / dt)) * dt if fell else time

    @fused_kernel
    def summary(state, params, limits, dt, time, peaks, event):  # type: ignore[no-untyped-def]
        """(peak, time of peak, end, farthest, status, impacts to come) of a run that ended with
        this state, time, (highest, lowest, time of the larger) and event."""
        right, left = limits
        highest, lowest, t_peak = peaks
        fell, at_rest, failed = event == OVERTURN, resting(state, params), event == FAILURE
        for j in checked:
            failed = failed or not math.isfinite(state[j])
        end, impacts = time if fell else math.nan, 0
        when = moment(t_peak, dt, event >= OVERTURN and t_peak == time and time > 0)
        up, down = abs(highest) / right, abs(lowest) / left
        sure = right == left or (down > up) == (-lowest > highest)
        if event < OVERTURN and not by_energy:
            fell = doomed(state, params)
        elif event < OVERTURN and not at_rest:
            before = max(up, down)
            fell, high, low, impacts = outcome(state, params)
            at_rest, highest, lowest = not fell, max(highest, high), min(lowest, low)
            up, down = abs(highest) / right, abs(lowest) / left
            if max(up, down) > before:  # nobody knows when
                when, sure = math.nan, True
        status = ends if fell else AT_REST if at_rest else MOVING
        if failed or not sure:
            status = UNSURE
        return max(up, down), when, end, max(highest, abs(lowest)), status, impacts

    return summary


@cache
def make_write_summary(rules: Rules) -> Any:
    """Build what puts a run's summary into the arrays of a `Summary`."""
    summary, count = make_summary(rules), len(rules.kept)
    kept = rules.kept or (0,)  # no entry of an empty tuple could be compiled
    at_end, more = rules.at_end or tells_nothing, rules.more

    @array_kernel
    def write(out, limits, run, system, state, params, dt, time, peaks, impacts, event):  # type: ignore[no-untyped-def]
        its = limits[system, 0], limits[system, 1]
        found = summary(state, params, its, dt, time, peaks, event)
        out.peak[run], out.time_of_peak[run], out.end[run] = found[:3]
        if len(out.farthest) > 0:
            out.farthest[run] = found[3]
        out.status[run], out.impacts[run] = found[4], impacts + found[5]
        for j in range(count):
            out.kept[j, run] = state[kept[j]]
        if more > 0:
            told = at_end(state, params)
            for j in range(more):
                out.kept[count + j, run] = told[j]

    return write


@kernel
def tells_nothing(state, params):  # type: ignore[no-untyped-def]
    return (0.0,)


@kernel
def foresees_nothing(state, params):  # type: ignore[no-untyped-def]
    return False, state[0], state[0], 0
