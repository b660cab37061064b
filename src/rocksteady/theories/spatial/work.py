"""The work of the shaking ground on a body that turns about a pivot.

A leap sums it up on the way, exactly for a power of degree 4. Where that may not do, for the ground
changes fast, the series are expanded.
"""

from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel
from rocksteady.numerics.triples import scale
from rocksteady.theories.contract import partway
from rocksteady.theories.spatial.pivots import ALLOWED, MASS, G, make_pivot
from rocksteady.theories.spatial.series import axis_at, expand, spin_at, trusted, work_of_ground
from rocksteady.theories.spatial.state import AHEAD, MODE, PIVOT, PLACE, SPIN, UP

EXACT = 0.5  # of the error allowed


@cache
def make_work_over(size: int) -> Any:
    """Build the work of the ground on a body with at most ``size`` corners."""
    pivot_of = make_pivot(size)

    @fused_kernel
    def by_series(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
        """Work of the ground in the time ``used`` of an interval, in which nothing happens [J], by
        the series: in several parts where one would not do."""
        pivot, work, done, all_of_it = (
            pivot_of(params, state[MODE], state[PIVOT]),
            0.0,
            0.0,
            used / dt,
        )
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        while done < all_of_it:
            here, length = partway(ground0, ground1, done), (1.0 - done) * dt
            series = expand(spin, up, ahead, pivot, params[G], here, ground1, length)
            left = (all_of_it - done) / (1.0 - done)
            span = min(trusted(series, EXACT * params[ALLOWED]), left)
            work += work_of_ground(series, pivot, params[G], length, span)
            spin = scale(1.0 / length, spin_at(series.spin, span))
            up, ahead = axis_at(series.up, span), axis_at(series.ahead, span)
            done = all_of_it if span == left else done + span * (1.0 - done)
        return params[MASS] * work

    @fused_kernel
    def work_over(state, params, ground0, ground1, dt, used, leapt, left_out):  # type: ignore[no-untyped-def]
        """The same where a leap over that time has found this work and left out so much."""
        if left_out <= EXACT * params[ALLOWED]:
            return leapt
        return by_series(state, params, ground0, ground1, dt, used)

    return work_over
