"""Round after round of a table: every lane goes through an interval, or waits for its impact.

A run that meets an impact which can be taken side by side waits in its lane. When the lanes that
wait have missed about as many steps as a landing of all lanes costs, they land together.

Both tables of a thread go through the same code, for it takes long to compile.
"""

from __future__ import annotations

from typing import Any

from rocksteady.engine.gliding import make_glide_all, make_land_all
from rocksteady.engine.lane_runs import LaneRuns
from rocksteady.engine.lane_table import IDLE, OK, REACH, RUN, WIDTH, Layout
from rocksteady.engine.moves import ASIDE, Moves, is_busy
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.theories.contract import LANDS, NOTHING

PATIENCE = 36  # steps that waiting lanes may miss, in sum


@array_kernel
def nobody_lands(table, whole, second, other, given, going):  # type: ignore[no-untyped-def]
    """Where a formulation has no `land`."""


def make_land_waiting(glide: Any, layout: Layout, runs: LaneRuns, visit: Any, moves: Moves) -> Any:
    """Build the landing of all lanes that wait for it, of the main table or the ``second`` one."""
    if glide.land is None:
        return nobody_lands
    next_interval, landed, end, first_row = (
        runs.next_interval,
        runs.landed,
        moves.end,
        layout.others,
    )
    land_all = land_otherwise = make_land_all(glide.land, layout)
    if glide.otherwise is not None:
        land_otherwise = make_land_all(glide.otherwise.land, layout)

    @array_kernel
    def land_waiting(table, whole, second, other, given, going):  # type: ignore[no-untyped-def]
        """Those that cannot land take an ordinary step."""
        ground, (_, in_box, to_end) = given.ground.accel, given.boxes
        if second:
            land_otherwise(table)
        else:
            land_all(table)
        for lane in range(WIDTH):
            at = first_row * WIDTH + lane
            if table[at + REACH * WIDTH] != LANDS or whole[RUN, lane] == IDLE:
                continue
            event, time = NOTHING, 0.0
            if table[at + OK * WIDTH] != 0.0:
                ended = landed(table, whole, lane)
            else:
                event, time, ended = visit(table, whole, lane, ground, in_box, to_end)
            if ended and not next_interval(table, whole, lane, event, ground):
                end(table, whole, lane, event, time, second, other, given, going)

    return land_waiting


def make_follow(
    glide_once: Any, glide: Any, layout: Layout, runs: LaneRuns, visit: Any, moves: Moves
) -> Any:
    """Build round after round of a table, around ``glide_once(table, whole, ground)``, which takes
    all lanes of the main table through an interval. Inlined, if it is called in one place."""
    lands, two_ways = glide.land is not None, glide.otherwise is not None
    land_waiting = make_land_waiting(glide, layout, runs, visit, moves)
    next_interval, end, elsewhere = runs.next_interval, moves.end, moves.elsewhere
    first_row, compiled = layout.others, array_kernel if two_ways else inner_array_kernel
    glide_otherwise: Any = None
    if two_ways:
        glide_otherwise = make_glide_all(glide.otherwise.attempt, layout)

    @compiled
    def follow(table, whole, second, other, given, going):  # type: ignore[no-untyped-def]
        """Of the main table, until there is something else to do; or of the ``second`` one, until
        half of its runs move in the usual way. ``other`` is the other one."""
        ground, (_, in_box, to_end) = given.ground.accel, given.boxes
        missed, active, enough = 0, going[ASIDE], going[ASIDE] // 2
        while active > enough if second else is_busy(going):
            waiting, active = 0, WIDTH
            if two_ways and second:
                glide_otherwise(table)
            else:
                glide_once(table, whole, ground)
            for lane in range(WIDTH):
                event, time, at = NOTHING, 0.0, first_row * WIDTH + lane
                if table[at + OK * WIDTH] == 0.0:
                    if whole[RUN, lane] == IDLE:
                        active -= 1
                        continue
                    if lands and table[at + REACH * WIDTH] == LANDS:
                        waiting += 1
                        continue
                    if two_ways and elsewhere(table, whole, lane, second, other, given, going):
                        active -= 1
                        continue
                    event, time, ended = visit(table, whole, lane, ground, in_box, to_end)
                    if not ended:
                        continue
                if not next_interval(table, whole, lane, event, ground):
                    end(table, whole, lane, event, time, second, other, given, going)
            missed += waiting
            if lands and waiting > 0 and (missed >= PATIENCE or waiting >= active):
                land_waiting(table, whole, second, other, given, going)
                missed = 0

    return follow
