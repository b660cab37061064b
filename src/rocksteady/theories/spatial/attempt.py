"""The attempt at a whole interval on a corner in which nothing happens.

Without branches, so that many bodies can be followed side by side. It declines wherever another
corner comes close to the ground or the step must be shortened: then the careful step takes over.
Work is not followed: it stays as it is. On an edge there is another one (`planar.py`).

The attempt is handed the numbers of the corner behind the parameters (`planar.make_prepare`).
"""

from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel, spliced_fused_kernel
from rocksteady.numerics.triples import cross, level_dot, scale
from rocksteady.theories.contract import LANDS, OTHERWISE
from rocksteady.theories.spatial.leap import called_leap, leap
from rocksteady.theories.spatial.pivots import ALLOWED, HEIGHT, MASS, G, prepared_pivot
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    MODE,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    lean_when_leaning,
)

STEEP = 0.05  # cos θ from which on the careful step follows, before the body lies down
NEAR = 1e-6  # of h: a corner closer to the ground than that may touch it
TOUCH = 1e-11  # of h: a corner closer to the ground than that touches it
COARSE = 30.0  # times the error allowed is what a leap may miss of the last rate: that of degree 3


@inner_fused_kernel
def stays_up(height0, rate0, height1, rate1, touch, near):  # type: ignore[no-untyped-def]
    """Whether a corner that touches the ground at the most stays off it: heights and rates at both
    ends give a cubic that stays between its Bernstein coefficients, and it is much closer to the
    motion than ``near``."""
    inside = (height0 + (1 / 3) * rate0 > near) & (height1 - (1 / 3) * rate1 > near)
    return (height0 >= -touch) & (height1 > near) & inside


@cache
def make_attempt(leap: Any, compiled: Any) -> Any:
    """Build the attempt around a `leap`: (state, reach, ok, work of the ground [J], what the leap
    leaves out); see `contract.Glide`."""

    @compiled
    def attempt_with_work(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
        mode, height, g = state[MODE], params[HEIGHT], params[G]
        pivot = prepared_pivot(params)
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        to = leap(spin, up, ahead, pivot, g, ground0, ground1, dt)
        begin, touch, near = scale(dt, spin), TOUCH * height, NEAR * height
        up_rate, last_rate = cross(up, begin), cross(to.up, to.spin)
        ok = (to.up[2] > STEEP) & (to.left_out <= COARSE * params[ALLOWED])
        steady = ok
        for r in (pivot.one, pivot.other):
            heights = level_dot(up, r), level_dot(up_rate, r), level_dot(to.up, r)
            ok = ok & stays_up(*heights, level_dot(last_rate, r), touch, near)
        ok = ok & (mode == VERTEX)
        foot = -pivot.d[0], -pivot.d[1]
        (lean, per_interval, tilt), leans = lean_when_leaning(to.up, last_rate, foot, height)
        lean_rate = rate * per_interval
        new = (lean, lean_rate, tilt, *to.up, *to.ahead, *scale(rate, to.spin))
        new = new + state[PLACE:]
        ok = ok & leans
        turns = ok & (state[1] > 0.0) & (lean_rate < 0.0)
        outmost = max(state[0], lean) + (abs(state[1]) + abs(lean_rate)) * dt
        reach = LANDS if steady & (not ok) & (mode == VERTEX) else 0.0
        reach = OTHERWISE if mode == EDGE else reach
        work = params[MASS] * (rate * rate * to.work)
        return new, outmost if turns else reach, ok, work, to.left_out

    return attempt_with_work


_tried = make_attempt(leap, spliced_fused_kernel)


@spliced_fused_kernel
def attempt(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    """See `contract.Glide`."""
    return _tried(state, params, ground0, ground1, dt, rate)[:3]


attempt_with_work = make_attempt(called_leap, fused_kernel)  # for single runs
