"""The step of a body that never slides: the attempt at a whole interval, else the careful step."""

from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel, spliced_fused_kernel
from rocksteady.numerics.roots import narrowed
from rocksteady.numerics.triples import cross
from rocksteady.theories.contract import NOTHING, Glide, Otherwise
from rocksteady.theories.spatial.attempt import attempt, attempt_with_work
from rocksteady.theories.spatial.careful import make_careful, series_of
from rocksteady.theories.spatial.landing import make_landing, make_landing_on_edge
from rocksteady.theories.spatial.pivots import ALLOWED, PREPARED, make_pivot
from rocksteady.theories.spatial.planar import make_prepare, make_tip, prepared_edge, tip
from rocksteady.theories.spatial.series import axis_at, spin_at
from rocksteady.theories.spatial.state import (
    COLUMNS,
    EDGE,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    VERTEX,
    WORK,
    lean_of,
)
from rocksteady.theories.spatial.work import make_work_over


@cache
def make_advance(size: int) -> Any:
    """Build the step of a body with at most ``size`` corners."""
    careful, prepare, work_over = make_careful(size), make_prepare(size), make_work_over(size)
    tip_alone = make_tip(with_work=True)

    @fused_kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        if state[MODE] == EDGE:
            all_params = params + prepare(state, params)
            new, ok, _ = tip_alone(state, all_params, ground0, ground1, dt)
            if ok:
                return new, dt, NOTHING
        elif state[MODE] == VERTEX:
            all_params = params + prepare(state, params)
            new, _, ok, leapt, left_out = attempt_with_work(
                state, all_params, ground0, ground1, dt, 1.0 / dt
            )
            if ok:
                work = state[WORK]
                work += work_over(state, params, ground0, ground1, dt, dt, leapt, left_out)
                new = new[:WORK] + (work,) + new[LOSS:]  # noqa: RUF005 (for Numba)
                return new, dt, NOTHING
        return careful(state, params, ground0, ground1, dt)

    advance.turning = make_turning(size)
    return advance


@inner_fused_kernel
def on_edge(state):  # type: ignore[no-untyped-def]
    return state[MODE] == EDGE


@spliced_fused_kernel
def attempt_on_edge(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    """See `contract.Glide`."""
    return tip(state, params, prepared_edge(params), ground0, ground1, dt, rate)[:3]


@cache
def make_glide(size: int) -> Glide:
    """How many bodies with at most ``size`` corners are followed side by side."""
    careful, prepare = make_careful(size, with_work=False, at_once=True), make_prepare(size)
    tip_alone = make_tip(with_work=False)

    @fused_kernel
    def whole(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        all_params = params + prepare(state, params)
        if state[MODE] == EDGE:
            return tip_alone(state, all_params, ground0, ground1, dt)[0], dt, NOTHING
        found = attempt_with_work(state, all_params, ground0, ground1, dt, 1.0 / dt)
        return found[0], dt, NOTHING

    return Glide(
        attempt,
        careful,
        changing=PLACE,
        zero_at_rest=False,
        prepare=prepare,
        prepared=PREPARED,
        land=make_landing(size),
        otherwise=Otherwise(on_edge, attempt_on_edge, make_landing_on_edge(size)),
        whole=whole,
        turning=make_turning(size),
        tolerance=ALLOWED,
        unfollowed=COLUMNS.index("work [J]"),
    )


# -- where within a step the lean is largest: see `contract.py` ------------------------------------


@cache
def make_turning(size: int) -> Any:
    """Build the search for the largest lean within a step: see `contract.py`."""
    pivot_of = make_pivot(size)

    @fused_kernel
    def lean_at(series, pivot, t):  # type: ignore[no-untyped-def]
        up, spin = axis_at(series.up, t), spin_at(series.spin, t)
        return lean_of(up, cross(up, spin), (-pivot.d[0], -pivot.d[1]), pivot.d[2])

    @fused_kernel
    def turning(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
        pivot = pivot_of(params, state[MODE], state[PIVOT])
        series = series_of(state, pivot, params, ground0, ground1, dt)
        low, high = 0.0, used / dt
        start, end, side = lean_at(series, pivot, low)[1], lean_at(series, pivot, high)[1], 0
        for _ in range(60):
            t = (low * end - high * start) / (end - start)
            if not low < t < high or high - low <= 1e-12 * high:
                break
            rate = lean_at(series, pivot, t)[1]
            if abs(rate) <= 1e-15 * (abs(start) + abs(end)):
                low = high = t
                break
            low, high, start, end, side = narrowed((low, high, start, end, side), t, rate)
        t = 0.5 * (low + high)
        return t * dt, lean_at(series, pivot, t)[0]

    return turning
