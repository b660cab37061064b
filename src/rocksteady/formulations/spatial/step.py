"""The step of a body that never slides: the attempt at a whole interval, else the careful step."""

from functools import cache
from typing import Any

from rocksteady.formulations.contract import NOTHING, Glide, partway
from rocksteady.formulations.spatial.attempt import attempt
from rocksteady.formulations.spatial.careful import make_careful, trusted
from rocksteady.formulations.spatial.pivots import (
    ALLOWED,
    MASS,
    PREPARED,
    G,
    make_pivot,
    make_prepare,
)
from rocksteady.formulations.spatial.series import axis_at, expand, spin_at, work_of_ground
from rocksteady.formulations.spatial.state import (
    AHEAD,
    COLUMNS,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    REST,
    SPIN,
    UP,
    WORK,
)
from rocksteady.formulations.spatial.turning import make_turning
from rocksteady.numerics.decorators import fused_kernel
from rocksteady.numerics.triples import scale

EXACT = 0.5  # of the error allowed: for the work of the ground


@cache
def make_advance(size: int, *, with_work: bool = True) -> Any:
    """Build the step of a body with at most ``size`` corners."""
    careful = make_careful(size, with_work=with_work)
    pivot_of, prepare = make_pivot(size), make_prepare(size)

    @fused_kernel
    def work_over(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """Work of the ground in an interval in which nothing happens [J], by the series: in several
        parts where one would not do."""
        pivot, work, done = pivot_of(params, state[MODE], state[PIVOT]), 0.0, 0.0
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        while done < 1.0:
            here, length = partway(ground0, ground1, done), (1.0 - done) * dt
            series = expand(spin, up, ahead, pivot, params[G], here, ground1, length)
            span = trusted(series, EXACT * params[ALLOWED])
            work += work_of_ground(series, pivot, params[G], length, span)
            spin = scale(1.0 / length, spin_at(series.spin, span))
            up, ahead = axis_at(series.up, span), axis_at(series.ahead, span)
            done = 1.0 if span == 1.0 else done + span * (1.0 - done)
        return params[MASS] * work

    @fused_kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        if state[MODE] != REST:
            all_params = params + prepare(state, params)
            new, _, ok = attempt(state, all_params, ground0, ground1, dt, 1.0 / dt)
            if ok:
                if with_work:
                    work = state[WORK] + work_over(state, params, ground0, ground1, dt)
                    new = new[:WORK] + (work,) + new[LOSS:]  # noqa: RUF005 (for Numba)
                return new, dt, NOTHING
        return careful(state, params, ground0, ground1, dt)

    advance.turning = make_turning(size)
    return advance


@cache
def make_glide(size: int) -> Glide:
    """How many bodies with at most ``size`` corners are followed side by side."""
    careful, prepare = make_careful(size, with_work=False, at_once=True), make_prepare(size)

    @fused_kernel
    def whole(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        all_params = params + prepare(state, params)
        return attempt(state, all_params, ground0, ground1, dt, 1.0 / dt)[0], dt, NOTHING

    return Glide(
        attempt,
        careful,
        zero_at_rest=False,
        registers=255,
        patience=300,
        prepare=prepare,
        prepared=PREPARED,
        whole=whole,
        turning=make_turning(size),
        tolerance=ALLOWED,
        unfollowed=COLUMNS.index("work [J]"),
    )
