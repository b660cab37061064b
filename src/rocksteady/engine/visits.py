"""The ordinary steps of one lane among many: where it cannot glide."""

from __future__ import annotations

from typing import Any

from rocksteady.engine.drivers import MAX_STEPS, extend, turned_nowhere
from rocksteady.engine.ground import scaled_sample
from rocksteady.engine.lane_table import (
    AT,
    BOXES,
    DT,
    FIRST,
    HIGHEST,
    IMPACTS,
    INDEX,
    LAST,
    LEFT,
    LOWEST,
    RATE,
    REACH,
    SCALE,
    STEPS,
    T_PEAK,
    WIDTH,
    Layout,
    column,
    nothing,
    put,
)
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN, partway


def make_visit(glide: Any, next_unrest: Any, layout: Layout) -> Any:
    """The ordinary steps of one lane; inlined unless it is called in two places, where a body can
    land as well."""
    compiled = inner_array_kernel if glide.land is None else array_kernel
    no_state, no_params, no_ground = layout.blanks
    first_params, first_prepared, first_row, first_ground0, first_ground1 = layout[:5]
    prepares, prepare = glide.prepared > 0, glide.prepare or nothing
    advance = glide.step
    may_pass, turning = glide.turning is not None, glide.turning or turned_nowhere
    has_whole, whole_step = glide.whole is not None, glide.whole or advance

    @compiled
    def visit(table, whole, lane, ground, in_box, to_end):  # type: ignore[no-untyped-def]
        """Take one lane on until it may glide again (it has turned, struck, or a step had to be
        short) or its interval ends: (last event, time, whether the interval has ended)."""
        state = column(table, lane, 0, no_state)
        params = column(table, lane, first_params, no_params)
        at = first_row * WIDTH + lane
        ground0 = column(table, lane, first_ground0, no_ground)
        ground1 = column(table, lane, first_ground1, no_ground)
        dt, left = table[at + DT * WIDTH], table[at + LEFT * WIDTH]
        begin = table[at + INDEX * WIDTH]
        peaks = table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH], table[at + T_PEAK * WIDTH]
        reach = table[at + REACH * WIDTH]
        event, ended, used, may_glide = NOTHING, False, 0.0, False
        theta, omega = state[0], state[1]
        while not (ended or may_glide):
            before = state
            if has_whole and reach > 0.0:
                state, used, event = whole_step(before, params, ground0, ground1, left)
            else:
                state, used, event = advance(before, params, ground0, ground1, left)
            so_far = peaks[0] if before[1] > 0 else -peaks[1]
            turned = event != IMPACT and before[1] * state[1] < 0
            if may_pass and turned and not 0 < reach <= so_far:
                t, coordinate = turning(before, params, ground0, ground1, left, used)
                peaks = extend(peaks, coordinate, begin * dt + (dt - left + t))
            whole[IMPACTS, lane] += event == IMPACT
            whole[STEPS, lane] += 1
            peaks = extend(peaks, state[0], begin * dt + (dt - (left - used)))
            ended = used >= left or event >= OVERTURN
            may_glide = event in (TURN, IMPACT) or (event == NOTHING and state[0] != 0)
            if not ended:
                ground0 = partway(ground0, ground1, used / left)
                if whole[STEPS, lane] >= MAX_STEPS:
                    event, ended = FAILURE, True
            left, reach = left - used, 0.0  # of the attempt that failed; now the next has to tell
        table[at + HIGHEST * WIDTH], table[at + LOWEST * WIDTH] = peaks[:2]
        table[at + T_PEAK * WIDTH] = peaks[2]
        put(table, lane, 0, state)
        if prepares:
            put(table, lane, first_prepared, prepare(state, params))
        following, time = begin, begin * dt + (dt - left)
        if ended:
            following, left, ground0 = begin + 1.0, dt, ground1
            unmoved = event == NOTHING and used == dt and theta == state[0] and omega == state[1]
            if unmoved and whole[AT, lane] < whole[LAST, lane]:
                scale, samples = table[at + SCALE * WIDTH], (whole[FIRST, lane], whole[LAST, lane])
                now, box = int(following), whole[BOXES, lane]
                there = next_unrest(
                    state, params, now, samples, scale, dt, ground, box, in_box, to_end
                )
                following, sample = float(there), samples[0] + there
                whole[AT, lane] = sample
                ground0 = scaled_sample(ground, sample, scale)
        table[at + INDEX * WIDTH], table[at + LEFT * WIDTH] = following, left
        table[at + RATE * WIDTH] = 1 / left
        put(table, lane, first_ground0, ground0)
        return event, time, ended

    return visit
