"""The second table of a thread: runs that move `otherwise` (`contract.Otherwise`)."""

from __future__ import annotations

from typing import Any, NamedTuple

from rocksteady.engine.gliding import make_glide_all
from rocksteady.engine.lane_runs import LaneRuns
from rocksteady.engine.lane_table import IDLE, RUN, WIDTH, Layout, column
from rocksteady.engine.rounds import make_round
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel

# What a thread counts: the next run that nobody has begun; runs in the main table; those in the
# second one that move otherwise, and those that do so no longer.
FOLLOWING, BUSY, ASIDE, BACK = 0, 1, 2, 3


@array_kernel
def nobody(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
    """Where a formulation has no second way to move."""
    return False


@array_kernel
def nobody_aside(aside, given, going):  # type: ignore[no-untyped-def]
    """The same."""


class Aside(NamedTuple):
    """Compiled functions."""

    hand_over: Any = nobody
    """``(table, whole, lane, aside, given, going)``: the run of a lane of the main table waits in
    the second one, unless that is full; whether the lane is idle now."""
    come_back: Any = nobody
    """The same arguments: an idle lane of the main table is given a run that has come back."""
    follow: Any = nobody_aside
    """``(aside, given, going)``."""


def make_aside(otherwise: Any, layout: Layout, runs: LaneRuns, visit: Any) -> Aside:
    """Build them for a formulation's `Otherwise`."""
    when, no_state, swap, clear = otherwise.when, layout.blanks[0], runs.swap, runs.clear
    finish, glide_all = runs.finish, make_glide_all(otherwise.attempt, layout)

    @inner_array_kernel
    def glide(table, whole, ground):  # type: ignore[no-untyped-def]
        glide_all(table)

    @inner_array_kernel
    def is_back(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
        return not when(column(table, lane, 0, no_state))

    @array_kernel
    def end(table, whole, lane, event, time, aside, given, going):  # type: ignore[no-untyped-def]
        finish(table, whole, lane, event, time, given)
        clear(table, whole, lane)

    one_round = make_round(glide, otherwise.land, layout, runs, visit, end, is_back)

    @array_kernel
    def first_back(aside, given, going):  # type: ignore[no-untyped-def]
        """The first lane with a run that does not move otherwise any more."""
        table, whole = aside
        for lane in range(WIDTH - 1):
            if whole[RUN, lane] != IDLE and is_back(table, whole, lane, aside, given, going):
                return lane
        return WIDTH - 1

    @array_kernel
    def first_idle(whole):  # type: ignore[no-untyped-def]
        for lane in range(WIDTH - 1):
            if whole[RUN, lane] == IDLE:
                return lane
        return WIDTH - 1

    @array_kernel
    def hand_over(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
        back = going[BACK] > 0
        if not back and going[ASIDE] == WIDTH:
            return False
        other = first_back(aside, given, going) if back else first_idle(aside[1])
        swap(table, whole, lane, aside[0], aside[1], other)
        going[ASIDE] += 1
        going[BACK] -= back
        going[BUSY] -= not back
        return not back

    @array_kernel
    def come_back(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
        swap(table, whole, lane, aside[0], aside[1], first_back(aside, given, going))
        going[BACK] -= 1
        going[BUSY] += 1
        return True

    @array_kernel
    def follow(aside, given, going):  # type: ignore[no-untyped-def]
        """Follow the runs that move otherwise until half of them do not any more."""
        table, whole = aside
        enough, active, missed = going[ASIDE] // 2, going[ASIDE], 0
        while active > enough:
            missed, active = one_round(table, whole, missed, aside, given, going)
        going[ASIDE] = going[BACK] = 0
        for lane in range(WIDTH):
            if whole[RUN, lane] != IDLE:
                back = is_back(table, whole, lane, aside, given, going)
                going[BACK] += back
                going[ASIDE] += not back

    return Aside(hand_over, come_back, follow)
