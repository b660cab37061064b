"""Loops over the lanes that become vector instructions: they glide, and they land."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocksteady.engine.lane_table import (
    AT,
    DT,
    HIGHEST,
    INDEX,
    LAST,
    LEFT,
    LOWEST,
    OK,
    RATE,
    REACH,
    ROWS,
    SCALE,
    STEPS,
    T_PEAK,
    WHOLE_RATE,
    WIDTH,
    Layout,
    column,
    put,
)
from rocksteady.numerics.decorators import (
    array_kernel,
    inner_array_kernel,
    inner_kernel,
    vector_kernel,
)
from rocksteady.numerics.vectors import write_picked
from rocksteady.theories.contract import LANDS, partway


def make_glide_all(glide: Any, layout: Layout) -> Any:
    """The loop over lanes that must become vector instructions: all is read first, then there is
    no branch and no call, then all is written."""
    (no_state, _, no_ground), no_rows = layout.blanks, (0.0,) * ROWS
    first_params, _, first, first_ground0, first_ground1 = layout[:5]
    no_params = (0.0,) * (first - first_params)  # with what is prepared

    @vector_kernel(WIDTH)
    def glide_all(table, lane):  # type: ignore[no-untyped-def]
        """Take every lane through the rest of its interval; where OK is 0 then, it is as it was."""
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        row = column(table, lane, first, no_rows)
        ground0 = column(table, lane, first_ground0, no_ground)
        ground1 = column(table, lane, first_ground1, no_ground)
        dt, index, highest, lowest = row[DT], row[INDEX], row[HIGHEST], row[LOWEST]
        after, reach, ok = glide(state, params, ground0, ground1, row[LEFT], row[RATE])
        ok = ok & (reach <= (highest if after[0] > 0 else -lowest))
        state = after if ok else state
        put(table, lane, 0, state)
        # on to the next interval, whose end is still to be filled in
        at = first * WIDTH + lane
        put(table, lane, first_ground0, ground1 if ok else ground0)
        table[at + LEFT * WIDTH] = dt if ok else row[LEFT]
        table[at + RATE * WIDTH] = row[WHOLE_RATE] if ok else row[RATE]
        table[at + INDEX * WIDTH] = index + 1.0 if ok else index
        reached = state[0]
        before = highest if highest > -lowest else -lowest
        now = index * dt + dt
        table[at + T_PEAK * WIDTH] = now if abs(reached) > before else row[T_PEAK]
        table[at + HIGHEST * WIDTH] = reached if reached > highest else highest
        table[at + LOWEST * WIDTH] = reached if reached < lowest else lowest
        table[at + OK * WIDTH] = 1.0 if ok else 0.0
        table[at + REACH * WIDTH] = reach

    return glide_all


def make_glide_on(glide_all: Any, layout: Layout) -> Any:
    """Many intervals in a row, where runs end with their motions."""
    first_row, first_ground1, no_ground = layout.others, layout.ground1, layout.blanks[2]
    no_lanes = (0.0,) * WIDTH

    @array_kernel
    def shortest(whole):  # type: ignore[no-untyped-def]
        """How many intervals every lane still has before it; below 0 where one is idle."""
        least = whole[LAST, 0] - whole[AT, 0]
        for lane in range(1, WIDTH):
            least = min(least, whole[LAST, lane] - whole[AT, lane])
        return least

    @inner_array_kernel
    def all_through(table):  # type: ignore[no-untyped-def]
        """Whether every lane is through its interval."""
        bits, first = table.view(np.int64), (first_row + OK) * WIDTH
        every = bits[first]
        for lane in range(1, WIDTH):  # no bit of a zero is set: quicker than to compare numbers
            every &= bits[first + lane]
        return every != 0

    @inner_array_kernel
    def fetch_all(table, whole, ground, further):  # type: ignore[no-untyped-def]
        """Give every lane the end of the interval that is so much ``further`` than it stands."""
        samples, scales = whole[AT], (first_row + SCALE) * WIDTH
        for k in range(len(no_ground)):
            to = (first_ground1 + k) * WIDTH
            write_picked(table, to, scales, ground[k], samples, further, no_lanes)

    @inner_array_kernel
    def glide_on(table, whole, ground):  # type: ignore[no-untyped-def]
        """Take all lanes through an interval, and on while all of them can glide and none is at the
        end of its motion: until then there is nothing to decide, lane by lane."""
        most, done = shortest(whole), 0
        while True:
            glide_all(table)
            if done >= most or not all_through(table):
                break
            done += 1
            fetch_all(table, whole, ground, done)
        if done > 0:
            for lane in range(WIDTH):
                whole[AT, lane] += done
                whole[STEPS, lane] = 0

    return glide_on


@inner_kernel
def extended(peaks, reached, now, ok):  # type: ignore[no-untyped-def]
    """`extend` without branches, where it is ``ok``."""
    highest, lowest, t_peak = peaks
    most = highest if highest > -lowest else -lowest
    t_peak = now if ok & (abs(reached) > most) else t_peak
    highest = reached if ok & (reached > highest) else highest
    return highest, reached if ok & (reached < lowest) else lowest, t_peak


def make_land_all(land: Any, layout: Layout) -> Any:
    """The landing of all lanes that wait for it: it must become vector instructions, too."""
    (no_state, _, no_ground), no_rows = layout.blanks, (0.0,) * ROWS
    first_params, first_prepared, first, first_ground0, first_ground1 = layout[:5]
    no_params, no_prepared = (0.0,) * (first - first_params), (0.0,) * (first - first_prepared)

    @vector_kernel(WIDTH)
    def land_all(table, lane):  # type: ignore[no-untyped-def]
        """Take every lane past its impact; where OK is 0 then, it is as it was."""
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        before = column(table, lane, first_prepared, no_prepared)
        row = column(table, lane, first, no_rows)
        ground0 = column(table, lane, first_ground0, no_ground)
        ground1 = column(table, lane, first_ground1, no_ground)
        after, prepared, used, crest, ok = land(state, params, ground0, ground1, row[LEFT])
        ok = ok & (abs(crest) <= (row[HIGHEST] if crest > 0.0 else -row[LOWEST]))
        ok = ok & (row[REACH] == LANDS)  # the others have not tried yet to go through theirs
        left = row[LEFT] - used
        here = partway(ground0, ground1, used / row[LEFT])
        put(table, lane, 0, after if ok else state)
        put(table, lane, first_prepared, prepared if ok else before)
        put(table, lane, first_ground0, here if ok else ground0)
        at = first * WIDTH + lane
        table[at + LEFT * WIDTH] = left if ok else row[LEFT]
        table[at + RATE * WIDTH] = 1 / left if ok else row[RATE]
        now = row[INDEX] * row[DT] + (row[DT] - left)
        peaks = extended((row[HIGHEST], row[LOWEST], row[T_PEAK]), after[0], now, ok)
        table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH] = peaks[0], peaks[1]
        table[at + T_PEAK * WIDTH] = peaks[2]
        table[at + OK * WIDTH] = 1.0 if ok else 0.0

    return land_all
