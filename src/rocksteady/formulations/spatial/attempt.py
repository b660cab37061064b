"""The attempt at a whole interval in which nothing happens.

Without branches, so that many bodies can be followed side by side. It declines wherever a corner is
close to the ground, an edge may let go of a corner, or the step must be shortened: then the careful
step takes over. Work is not followed: it stays as it is.
"""

from functools import cache
from typing import Any

from rocksteady.formulations.spatial.edge import presses
from rocksteady.formulations.spatial.leap import leap
from rocksteady.formulations.spatial.pivots import ALLOWED, HEIGHT, G, make_pivot
from rocksteady.formulations.spatial.series import squared_up
from rocksteady.formulations.spatial.state import (
    AHEAD,
    EDGE,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    WORK,
    written_inline,
)
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import add, add_cross, cross, dot, level_dot, scale

STEEP = 0.05  # cos θ from which on the careful step follows, before the body lies down
NEAR = 1e-6  # of h: a corner closer to the ground than that may touch it


@inner_fused_kernel
def stays_up(height0, rate0, height1, rate1, near):  # type: ignore[no-untyped-def]
    """Whether a corner stays off the ground: heights and rates at both ends give a cubic that stays
    between its Bernstein coefficients, and it is much closer to the motion than ``near``."""
    inside = (height0 + (1 / 3) * rate0 > near) & (height1 - (1 / 3) * rate1 > near)
    return (height0 > near) & (height1 > near) & inside


@inner_fused_kernel
def presses_both(up, spin, moments, d, r):  # type: ignore[no-untyped-def]
    """Whether both corners of the edge press on the ground, where (W', M, s) are ``moments``."""
    spin_rate, moment, pull = moments
    force = add(add_cross(cross(spin_rate, d), spin, cross(spin, d)), pull)
    first, second = presses(up, moment, dot(up, force), r)
    return (first >= 0.0) & (second >= 0.0)


@cache
def make_attempt(size: int) -> Any:
    """Build the attempt for bodies with at most ``size`` corners: see `contract.Glide`."""
    pivot_of = make_pivot(size).inlined

    @inner_fused_kernel
    def attempt(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
        mode, height = state[MODE], params[HEIGHT]
        pivot = pivot_of(params, mode, state[PIVOT])
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        to = leap(spin, up, ahead, pivot, params[G], ground0, ground1, dt)
        near, begin = NEAR * height, scale(dt, spin)
        up_rate, last_rate = cross(up, begin), cross(to.up, to.spin)
        clear = to.up[2] > STEEP
        for r in (pivot.one, pivot.other):
            heights = level_dot(up, r), level_dot(up_rate, r), level_dot(to.up, r)
            clear = clear & stays_up(*heights, level_dot(last_rate, r), near)
        holds = presses_both(up, begin, to.first, pivot.d, pivot.r)
        holds = holds & presses_both(to.up, to.spin, to.last, pivot.d, pivot.r)
        ok = clear & ((mode == VERTEX) | ((mode == EDGE) & holds))
        ok = ok & (to.left_out <= params[ALLOWED])
        new_up, new_ahead = squared_up(to.up, to.ahead)
        new = written_inline(
            state, pivot, new_up, new_ahead, scale(rate, to.spin), state[PLACE:MODE], mode,
            state[PIVOT], state[WORK], state[LOSS],
        )  # fmt: skip
        turns = ok & (state[1] > 0.0) & (new[1] < 0.0)
        outmost = max(state[0], new[0]) + (abs(state[1]) + abs(new[1])) * dt
        return new, outmost if turns else 0.0, ok

    return attempt
