"""Many bodies side by side: an attempt at a whole interval in which nothing happens.

Without branches, and with the expressions of the step, so that the bits are the same. Work is not
followed: it stays as it is.
"""

from functools import cache

from rocksteady.formulations.contract import Glide
from rocksteady.formulations.spatial.edge import presses_at, presses_at_first
from rocksteady.formulations.spatial.pivots import ALLOWED, HEIGHT, G, make_pivot
from rocksteady.formulations.spatial.series import (
    expand,
    height_series,
    left_out,
    low_bound,
    squared_up,
    vector_at,
)
from rocksteady.formulations.spatial.state import (
    AHEAD,
    COLUMNS,
    EDGE,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    WORK,
)
from rocksteady.formulations.spatial.step import TOUCH, make_advance, written_inline
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import scale

LOW = 0.05  # cos θ at which many bodies side by side are left to the step, before they lie down


@cache
def make_glide(size: int) -> Glide:
    """Build the attempt for bodies with at most ``size`` corners: see `contract.Glide`."""
    pivot_of = make_pivot(size).inlined

    @inner_fused_kernel
    def high_enough(c, touch):  # type: ignore[no-untyped-def]
        """Whether a corner neither touches the ground at first nor comes down on the way."""
        rises = (c[0] > touch) | ((c[1] > touch) & (c[0] >= 0.0))
        return rises & (low_bound(c) >= 0.0)

    @inner_fused_kernel
    def glide(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
        mode, g, height = state[MODE], params[G], params[HEIGHT]
        pivot = pivot_of(params, mode, state[PIVOT])
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        series = expand(spin, up, ahead, pivot, g, ground0, ground1, dt)
        touch = TOUCH * height
        clear = high_enough(height_series(series, pivot.one), touch)
        clear = clear & high_enough(height_series(series, pivot.other), touch)
        last_up = vector_at(series.up, 1.0)
        clear = clear & (last_up[2] > LOW)
        first0, second0 = presses_at_first(series, pivot)
        first1, second1 = presses_at(series, pivot, 1.0)
        presses_all = (first0 >= 0.0) & (second0 >= 0.0) & (first1 >= 0.0) & (second1 >= 0.0)
        ok = clear & ((mode == VERTEX) | ((mode == EDGE) & presses_all))
        ok = ok & (left_out(series) <= params[ALLOWED])
        new_up, new_ahead = squared_up(last_up, vector_at(series.ahead, 1.0))
        new_spin = scale(1.0 / dt, vector_at(series.spin, 1.0))
        new = written_inline(
            state, pivot, new_up, new_ahead, new_spin, state[PLACE:MODE], mode, state[PIVOT],
            state[WORK], state[LOSS],
        )  # fmt: skip
        turns = (state[1] > 0.0) & (new[1] < 0.0)
        outmost = max(state[0], new[0]) + (abs(state[1]) + abs(new[1])) * dt
        return new, outmost if turns else 0.0, ok

    step = make_advance(size, with_work=False)
    unfollowed = COLUMNS.index("work [J]")
    return Glide(
        glide,
        step,
        turning=step.turning,
        tolerance=ALLOWED,
        unfollowed=unfollowed,
        zero_at_rest=False,
    )
