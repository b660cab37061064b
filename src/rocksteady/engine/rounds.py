"""One round of a table: every lane goes through an interval, or waits for its impact.

A run that meets an impact which can be taken side by side waits in its lane. When the lanes that
wait have missed about as many steps as a landing of all lanes costs, they land together.
"""

from __future__ import annotations

from typing import Any

from rocksteady.engine.gliding import make_land_all
from rocksteady.engine.lane_runs import LaneRuns
from rocksteady.engine.lane_table import IDLE, OK, REACH, RUN, WIDTH, Layout
from rocksteady.formulations.contract import LANDS, NOTHING
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel

PATIENCE = 48  # steps that waiting lanes may miss, in sum


@array_kernel
def nobody_lands(table, whole, aside, given, going):  # type: ignore[no-untyped-def]
    """Where a formulation has no `land`."""


def make_round(
    glide: Any, land: Any, layout: Layout, runs: LaneRuns, visit: Any, end: Any, elsewhere: Any
) -> Any:
    """Build it around ``glide(table, whole, ground)``, which takes all lanes through an interval,
    and a formulation's ``land``, or None. ``end`` sees to a lane whose run is over. A lane that has
    no business in this table is left alone, once ``elsewhere`` has said so. Called, not inlined,
    where there is a ``land``."""
    lands, land_waiting = land is not None, nobody_lands
    next_interval, landed, first_row = runs.next_interval, runs.landed, layout.others
    compiled = array_kernel if lands else inner_array_kernel
    if lands:
        land_all = make_land_all(land, layout)

        @array_kernel
        def land_waiting(table, whole, aside, given, going):  # type: ignore[no-untyped-def]
            """Let all lanes land that wait for it; those that cannot take an ordinary step."""
            ground, (_, in_box, to_end) = given.ground.accel, given.boxes
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
                    end(table, whole, lane, event, time, aside, given, going)

    @compiled
    def one_round(table, whole, missed, aside, given, going):  # type: ignore[no-untyped-def]
        """(Steps that lanes have missed that wait, runs that have business here)."""
        ground, (_, in_box, to_end) = given.ground.accel, given.boxes
        waiting, active = 0, WIDTH
        glide(table, whole, ground)
        for lane in range(WIDTH):
            event, time, at = NOTHING, 0.0, first_row * WIDTH + lane
            if table[at + OK * WIDTH] == 0.0:
                if whole[RUN, lane] == IDLE:
                    active -= 1
                    continue
                if lands and table[at + REACH * WIDTH] == LANDS:
                    waiting += 1
                    continue
                if elsewhere(table, whole, lane, aside, given, going):
                    active -= 1
                    continue
                event, time, ended = visit(table, whole, lane, ground, in_box, to_end)
                if not ended:
                    continue
            if not next_interval(table, whole, lane, event, ground):
                end(table, whole, lane, event, time, aside, given, going)
        missed += waiting
        if lands and waiting > 0 and (missed >= PATIENCE or waiting >= active):
            land_waiting(table, whole, aside, given, going)
            missed = 0
        return missed, active

    return one_round
