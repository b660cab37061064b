"""Many bodies side by side: an attempt at a whole interval in which nothing happens.

Without branches, and with the expressions of the step, so that the bits are the same. Work is not
followed: it stays as it is.
"""

from functools import cache

from rocksteady.formulations.contract import Glide
from rocksteady.formulations.spatial.edge import presses
from rocksteady.formulations.spatial.pivots import ALLOWED, HEIGHT, G, make_pivot
from rocksteady.formulations.spatial.series import (
    expand,
    height_series,
    left_out,
    number_at,
    pull_at,
    spin_rate_at,
    squared_up,
    vector_at,
)
from rocksteady.formulations.spatial.state import (
    AHEAD,
    COLUMNS,
    EDGE,
    LEVEL,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    WORK,
)
from rocksteady.formulations.spatial.step import TOUCH, make_advance, written
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import scale

LOW = 0.05  # cos θ at which many bodies side by side are left to the step, before they lie down


@cache
def make_glide(size: int) -> Glide:
    """Build the attempt for bodies with at most ``size`` corners: see `contract.Glide`."""
    pivot_of = make_pivot(size)

    @inner_fused_kernel
    def high_enough(c, touch):  # type: ignore[no-untyped-def]
        """Whether a corner neither touches the ground at first nor comes down on the way."""
        value, slope = number_at(c, 1.0)
        dips = (c[1] < 0.0) & (slope > 0.0)
        rises = (c[0] > touch) | (c[1] > touch)
        return (value > 0.0) & rises & ((c[0] + c[1] > 0.0) | (not dips))

    @inner_fused_kernel
    def glide(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
        mode, g, height = state[MODE], params[G], params[HEIGHT]
        pivot = pivot_of(params, mode, state[PIVOT])
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        series = expand(spin, up, ahead, pivot, g, ground0, ground1, dt)
        touch = TOUCH * height
        clear = high_enough(height_series(series, pivot.one), touch)
        clear = clear & high_enough(height_series(series, pivot.other), touch)
        clear = clear & (number_at(height_series(series, LEVEL), 1.0)[0] > LOW)
        last_up, last_spin = vector_at(series.up, 1.0), vector_at(series.spin, 1.0)
        first0, second0 = presses(up, series.spin[0], series.spin[1], series.pull[0], pivot)
        first1, second1 = presses(
            last_up, last_spin, spin_rate_at(series.spin, 1.0), pull_at(series.pull, 1.0), pivot
        )
        presses_all = (first0 >= 0.0) & (second0 >= 0.0) & (first1 >= 0.0) & (second1 >= 0.0)
        ok = clear & ((mode == VERTEX) | ((mode == EDGE) & presses_all))
        ok = ok & (left_out(series) <= params[ALLOWED])
        new_up, new_ahead = squared_up(last_up, vector_at(series.ahead, 1.0))
        new_spin = scale(1.0 / dt, last_spin)
        new = written(
            state, pivot, new_up, new_ahead, new_spin, state[PLACE:MODE], mode, state[PIVOT],
            state[WORK], state[LOSS],
        )  # fmt: skip
        turns = (state[1] > 0.0) & (new[1] < 0.0)
        outmost = max(state[0], new[0]) + (abs(state[1]) + abs(new[1])) * dt
        return new, outmost if turns else 0.0, ok

    step = make_advance(size, with_work=False)
    unfollowed = COLUMNS.index("work [J]")
    return Glide(glide, step, turning=step.turning, tolerance=ALLOWED, unfollowed=unfollowed)
