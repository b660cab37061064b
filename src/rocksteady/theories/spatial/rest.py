"""A body at rest: when it is lifted, and whether it is left alone."""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import subtract
from rocksteady.theories.contract import NOTHING, UPLIFT
from rocksteady.theories.spatial.pivots import COUNT, G, make_pivot
from rocksteady.theories.spatial.series import acceleration, pull_of
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LEVEL,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    SPIN,
    WORK,
    moved,
    written,
)
from rocksteady.theories.spatial.strike import STILL


@cache
def make_wait(size: int) -> Any:
    """Build the wait of a body at rest: until the moment of the pull about one of its edges turns
    outward. It is linear in time, so the instant is exact."""
    pivot_of, any_pivot = make_pivot(size), make_pivot(size, inner=True)

    @fused_kernel
    def wait(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        ahead, g = state[AHEAD:SPIN], params[G]
        pull0 = pull_of(LEVEL, ahead, g, ground0)
        pull1 = pull_of(LEVEL, ahead, g, ground1)
        used, edge, most = dt, -1.0, 0.0
        for j in range(int(params[COUNT])):
            pivot = any_pivot(params, EDGE, float(j))
            push0, push1 = outward(pivot, pull0), outward(pivot, pull1)
            if push0 > 0.0:  # at once; over the edge over which it turns fastest
                if used > 0.0 or push0 > most:
                    used, edge, most = 0.0, float(j), push0
            elif push1 > 0.0:
                instant = dt * push0 / (push0 - push1)
                if instant < used or edge < 0.0:
                    used, edge = instant, float(j)
        if edge < 0.0:
            return state, dt, NOTHING
        place = state[PLACE:MODE]
        about, was = pivot_of(params, EDGE, edge), pivot_of(params, EDGE, state[PIVOT])
        place = moved(place, LEVEL, ahead, subtract(was.d, about.d))
        new = written(
            state, about, LEVEL, ahead, STILL, place, EDGE, edge, state[WORK], state[LOSS]
        )
        return new, used, UPLIFT

    return wait


@inner_fused_kernel
def outward(pivot, pull):  # type: ignore[no-untyped-def]
    """The angular acceleration [rad/s²] with which a body at rest would lift off over an edge;
    negative where it is pressed down."""
    r = pivot.r
    spin_rate = acceleration(STILL, pull, pivot.d, pivot.J, pivot.P)
    return (r[0] * spin_rate[0] + r[1] * spin_rate[1]) / math.sqrt(r[0] * r[0] + r[1] * r[1])


@cache
def make_quiet(size: int) -> Any:
    """Build the test whether a body that chatters on its base is left alone."""
    pivot_of = make_pivot(size)

    @fused_kernel
    def quiet(params, ahead, ground0, ground1):  # type: ignore[no-untyped-def]
        """Whether every edge is pressed down through the interval, at least half as hard as now: a
        body whose bounces all fit into it rests at its end, and so it does from here on."""
        pull0 = pull_of(LEVEL, ahead, params[G], ground0)
        pull1 = pull_of(LEVEL, ahead, params[G], ground1)
        for j in range(int(params[COUNT])):
            pivot = pivot_of(params, EDGE, float(j))
            now = -outward(pivot, pull0)
            if now <= 0.0 or -outward(pivot, pull1) < 0.5 * now:
                return False
        return True

    return quiet
