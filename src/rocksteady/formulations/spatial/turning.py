"""Where within a step the lean is largest: see `contract.py`."""

from functools import cache
from typing import Any

from rocksteady.formulations.spatial.careful import series_of
from rocksteady.formulations.spatial.pivots import make_pivot
from rocksteady.formulations.spatial.series import axis_at, spin_at
from rocksteady.formulations.spatial.state import MODE, PIVOT, lean_of
from rocksteady.numerics.decorators import fused_kernel
from rocksteady.numerics.roots import narrowed
from rocksteady.numerics.triples import cross


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
