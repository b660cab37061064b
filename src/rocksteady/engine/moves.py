"""Who goes where: runs begin, end, and change between the two tables of a thread.

The second table has the runs that move `otherwise` (`contract.Otherwise`), if a formulation's
bodies can do so. They wait there until it is full. Those that have come back from it to the usual
way wait there for a lane of the main table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rocksteady.engine.lane_runs import LaneRuns
from rocksteady.engine.lane_table import IDLE, REACH, RUN, WIDTH, Layout, column
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.theories.contract import OTHERWISE

# What a thread counts: the next run that nobody has begun; runs in the main table; those in the
# second one that move otherwise, and those that do so no longer.
FOLLOWING, BUSY, ASIDE, BACK = 0, 1, 2, 3


@inner_array_kernel
def is_busy(going):  # type: ignore[no-untyped-def]
    """Whether the main table is to go on: it has runs, more than the second one, and no idle lane
    that a run could take which is back."""
    room = going[BUSY] < WIDTH and going[BACK] > 0
    return going[BUSY] > going[ASIDE] and not room


class Moves(NamedTuple):
    """Compiled functions of (table, whole, lane, …, second, other, given, going): the lane belongs
    to the main table or the ``second`` one, and ``other`` is (table, whole) of the other one."""

    refill: Any
    """Of an idle lane of the main table: a run that has come back, or the next one, is put into it.
    (There is no ``second``.)"""
    end: Any
    """What came of its run is written down, and another takes its place."""
    elsewhere: Any
    """Whether its run has no business in this table; one of the main table is exchanged then, if
    there is room in the second one."""
    recount: Any
    """``(table, whole, going)`` of the second table."""


@array_kernel
def nowhere(table, whole, lane, second, other, given, going):  # type: ignore[no-untyped-def]
    """Where a formulation's bodies have no second way to move."""
    return False


def make_moves(glide: Any, layout: Layout, runs: LaneRuns) -> Moves:
    """Build them for one formulation's `Glide`."""
    two_ways, no_state, reach = glide.otherwise is not None, layout.blanks[0], layout.others + REACH
    take, clear, finish, swap = runs.take, runs.clear, runs.finish, runs.swap
    when: Any = glide.otherwise.when if two_ways else None

    @array_kernel
    def is_back(table, lane):  # type: ignore[no-untyped-def]
        """Whether a run of the second table moves in the usual way."""
        return not when(column(table, lane, 0, no_state))

    @array_kernel
    def find(table, whole, idle):  # type: ignore[no-untyped-def]
        """The first lane of the second table that is idle, or that has a run which is back."""
        for lane in range(WIDTH - 1):
            if (whole[RUN, lane] == IDLE) == idle and (idle or is_back(table, lane)):
                return lane
        return WIDTH - 1

    @array_kernel
    def refill(table, whole, lane, other, given, going):  # type: ignore[no-untyped-def]
        if two_ways and going[BACK] > 0:
            swap(table, whole, lane, other[0], other[1], find(other[0], other[1], False))
            going[BACK] -= 1
            going[BUSY] += 1
        elif going[FOLLOWING] < given.stop:
            take(table, whole, lane, going[FOLLOWING], given)
            going[FOLLOWING] += 1
            going[BUSY] += 1

    @array_kernel
    def end(table, whole, lane, event, time, second, other, given, going):  # type: ignore[no-untyped-def]
        finish(table, whole, lane, event, time, given)
        clear(table, whole, lane)
        if not second:
            going[BUSY] -= 1
            refill(table, whole, lane, other, given, going)

    @array_kernel
    def elsewhere(table, whole, lane, second, other, given, going):  # type: ignore[no-untyped-def]
        if second:
            return is_back(table, lane)
        if table[reach * WIDTH + lane] != OTHERWISE:
            return False
        back = going[BACK] > 0
        if back or going[ASIDE] < WIDTH:
            swap(table, whole, lane, other[0], other[1], find(other[0], other[1], not back))
            going[ASIDE] += 1
            if back:
                going[BACK] -= 1
            else:
                going[BUSY] -= 1
                refill(table, whole, lane, other, given, going)
        return True

    @array_kernel
    def recount(table, whole, going):  # type: ignore[no-untyped-def]
        going[ASIDE] = going[BACK] = 0
        for lane in range(WIDTH):
            if whole[RUN, lane] != IDLE:
                going[BACK if is_back(table, lane) else ASIDE] += 1

    return Moves(refill, end, elsewhere, recount) if two_ways else Moves(refill, end, nowhere, None)
