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
(`moves.py`). They wait there until it is full, and then go on until half of them move as the others
do again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rocksteady.engine.gliding import make_glide_all, make_glide_on
from rocksteady.engine.lane_runs import Given, make_lane_runs
from rocksteady.engine.lane_table import IDLE, RUN, WHOLE, WIDTH, Layout
from rocksteady.engine.moves import ASIDE, BUSY, FOLLOWING, is_busy, make_moves
from rocksteady.engine.rest import make_rest
from rocksteady.engine.rounds import make_follow
from rocksteady.engine.visits import make_visit
from rocksteady.numerics.decorators import driver, inner_array_kernel
from rocksteady.numerics.types import Array


def aligned(count: int) -> Array:
    """An array that begins with a line of the processor's cache, 64 bytes: it takes twice as long
    to read a vector of eight numbers that lies in two of them."""
    space = np.empty(count + 7)
    first = -space.__array_interface__["data"][0] % 64 // 8
    return space[first : first + count]


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
    moves, two_ways = make_moves(glide, layout, runs), glide.otherwise is not None
    clear, refill, recount = runs.clear, moves.refill, moves.recount
    glide_all = make_glide_all(glide.attempt, layout)
    glide_on = make_glide_on(glide_all, layout)

    @inner_array_kernel
    def glide_once(table, whole, ground):  # type: ignore[no-untyped-def]
        glide_all(table)

    often = goes_on or glide.land is not None  # there is something to decide in most intervals
    follow = make_follow(glide_once if often else glide_on, glide, layout, runs, visit, moves)

    def lanes(tables, states, params, ground, boxes, all_runs, start, stop, still, limits, out):  # type: ignore[no-untyped-def]
        """The runs ``start`` to ``stop``, of motions with two samples at least, each written into
        ``out``."""
        given = Given(states, params, ground, all_runs, boxes, still, stop, limits, out)
        main, second, going = tables
        for lane in range(WIDTH):
            clear(main[0], main[1], lane)
            clear(second[0], second[1], lane)
        going[FOLLOWING] = start
        while True:
            for lane in range(WIDTH):
                if main[1][RUN, lane] == IDLE:
                    refill(main[0], main[1], lane, second, given, going)
            if going[BUSY] + going[ASIDE] == 0:
                break
            if is_busy(going):
                follow(main[0], main[1], False, second, given, going)
            elif two_ways:
                follow(second[0], second[1], True, main, given, going)
                recount(second[0], second[1], going)

    compiled = driver(lanes)

    def new_table() -> Any:
        return aligned(layout.total * WIDTH), np.empty((WHOLE, WIDTH), dtype=np.int64)

    def with_tables(*given: Any) -> None:
        """Tables are made here: to compile that takes half a second."""
        compiled((new_table(), new_table(), np.zeros(4, dtype=np.int64)), *given)

    return with_tables
