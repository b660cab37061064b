"""Several runs side by side in one thread: what the `peaks` driver gives for each, sooner.

One run after the other keeps a processor waiting: each operation needs the result of the last. Here
a thread follows `WIDTH` runs at a time, each in its *lane*, and takes all of them through an
interval with a formulation's `glide`, which the compiler turns into vector instructions. Where
`glide` declines (an impact, a turning point), the ordinary step takes that lane past it. A lane
whose run is over takes the next one, so that all stay busy: at the end of its motion, when the body
has fallen, or when it rests and nothing that is left of the motion can move it. `glide` gives the
bits of the ordinary step, so the results are those of single runs.

Where a formulation can `land` several bodies side by side as well, a run that meets an impact waits
in its lane for others (`rounds.py`). Runs that move `otherwise` are followed in a second table
(`aside.py`). They wait there until it is full, and then go on until half of them move as the others
do again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rocksteady.engine.aside import ASIDE, BACK, BUSY, FOLLOWING, Aside, make_aside
from rocksteady.engine.gliding import make_glide_all, make_glide_on
from rocksteady.engine.lane_runs import Given, make_lane_runs
from rocksteady.engine.lane_table import IDLE, REACH, RUN, WHOLE, WIDTH, Layout
from rocksteady.engine.rest import make_rest
from rocksteady.engine.rounds import make_round
from rocksteady.engine.visits import make_visit
from rocksteady.formulations.contract import OTHERWISE
from rocksteady.numerics.decorators import array_kernel, driver, inner_array_kernel


@cache
def make_lanes(
    glide: Any,
    state_size: int,
    params_size: int,
    components: int,
    write: Any,
    over: Any,
    goes_on: bool,
) -> Any:
    """The compiled loop over the runs of one chunk around one formulation's `Glide`, under a ground
    of so many components: what came of each is put down by ``write``. After its motion it ends as
    soon as it is ``over``, or at once unless it ``goes_on``."""
    layout = Layout.of(state_size, params_size, components, glide.prepared)
    next_unrest = make_rest(glide.step, components)
    visit = make_visit(glide, next_unrest, layout)
    # A body at rest at first skips that part at once. Where runs go on after their motions it does
    # so in its first visit: the loop then becomes slower by more than that saves.
    runs = make_lane_runs(glide, layout, next_unrest, write, over, skips=not goes_on)
    clear, take, finish, rows = runs.clear, runs.take, runs.finish, layout.total
    moves_otherwise, reach = glide.otherwise is not None, layout.others + REACH
    others = make_aside(glide.otherwise, layout, runs, visit) if moves_otherwise else Aside()
    hand_over, come_back, follow_aside = others
    glide_all = make_glide_all(glide.attempt, layout)
    glide_on = make_glide_on(glide_all, layout)
    one_by_one = goes_on or glide.land is not None  # there is something to decide in most intervals

    @inner_array_kernel
    def glide_once(table, whole, ground):  # type: ignore[no-untyped-def]
        glide_all(table)

    @array_kernel
    def refill(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
        """Give an idle lane of the main table a run that has come back, or the next one."""
        if going[BACK] > 0:
            come_back(table, whole, lane, aside, given, going)
        elif going[FOLLOWING] < given.stop:
            take(table, whole, lane, going[FOLLOWING], given)
            going[FOLLOWING] += 1
            going[BUSY] += 1

    @array_kernel
    def end(table, whole, lane, event, time, aside, given, going):  # type: ignore[no-untyped-def]
        """See to a lane whose run is over: another one takes its place."""
        finish(table, whole, lane, event, time, given)
        clear(table, whole, lane)
        going[BUSY] -= 1
        refill(table, whole, lane, aside, given, going)

    @inner_array_kernel
    def leaves(table, whole, lane, aside, given, going):  # type: ignore[no-untyped-def]
        """Whether the run of a lane moves otherwise: then another one takes its place."""
        if not moves_otherwise or table[reach * WIDTH + lane] != OTHERWISE:
            return False
        if hand_over(table, whole, lane, aside, given, going):
            refill(table, whole, lane, aside, given, going)
        return True

    glide_round = glide_once if one_by_one else glide_on
    one_round = make_round(glide_round, glide.land, layout, runs, visit, end, leaves)

    def lanes(states, params, ground, boxes, all_runs, start, stop, still, limits, out):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop``, of motions with two samples at least, each written into
        ``out``."""
        given = Given(states, params, ground, all_runs, boxes, still, stop, limits, out)
        table, whole = np.zeros(rows * WIDTH), np.zeros((WHOLE, WIDTH), dtype=np.int64)
        aside = np.zeros(rows * WIDTH), np.zeros((WHOLE, WIDTH), dtype=np.int64)
        going, missed = np.array([start, 0, 0, 0]), 0
        for lane in range(WIDTH):
            clear(table, whole, lane)
            clear(aside[0], aside[1], lane)
            refill(table, whole, lane, aside, given, going)
        while going[BUSY] + going[ASIDE] + going[BACK] > 0:
            if moves_otherwise:
                if going[BACK] > 0 and going[BUSY] < WIDTH:
                    for lane in range(WIDTH):
                        if whole[RUN, lane] == IDLE:
                            refill(table, whole, lane, aside, given, going)
                if going[ASIDE] >= max(going[BUSY], 1):
                    follow_aside(aside, given, going)
                    continue
            missed, _ = one_round(table, whole, missed, aside, given, going)

    return driver(lanes)
