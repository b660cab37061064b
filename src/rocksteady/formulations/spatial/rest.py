"""A body at rest: when it is lifted, and when it has come to rest."""

import math
from functools import cache
from typing import Any

from rocksteady.formulations.contract import NOTHING, UPLIFT
from rocksteady.formulations.spatial.pivots import ALLOWED, COUNT, INERTIA, G, make_pivot
from rocksteady.formulations.spatial.series import acceleration, pull_of
from rocksteady.formulations.spatial.state import (
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
from rocksteady.formulations.spatial.strike import STILL, blow_of, make_across
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import scale, subtract


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
def make_fits(size: int, compiled: Any) -> Any:
    """Build the test whether a body on its base is down for good within a time dt, under the pull
    of now. It bounces off over an edge (``here`` is the body about it) with this angular velocity,
    and then over that one and another in turn, ever faster: each time it keeps the same part of its
    speed, so the sum of all bounces is known. Without branches."""
    across = make_across(size, inner_fused_kernel)

    @compiled
    def fits(params, here, edge, spin, pull, dt):  # type: ignore[no-untyped-def]
        inertia, speed, restoring = params[INERTIA:ALLOWED], size_of(spin), -outward(here, pull)
        blow = blow_of(LEVEL, scale(-1.0, spin), here, inertia)
        _, there, back, takes = across(params, blow, inertia, here.r)
        blow = blow_of(LEVEL, scale(-1.0, back), there, inertia)
        again, _, last, takes_again = across(params, blow, inertia, there.r)
        restoring_back = -outward(there, pull)
        bounces = 4.0 * (speed / restoring + size_of(back) / restoring_back)
        down = (restoring > 0.0) & (restoring_back > 0.0)
        down = down & (bounces <= (1.0 - size_of(last) / speed) * dt)
        return down & takes & takes_again & (again == edge)

    return fits


@cache
def make_settles(size: int) -> Any:
    """Build the test whether a body that chatters on its base has come to rest."""
    pivot_of, fits = make_pivot(size), make_fits(size, fused_kernel)

    @fused_kernel
    def quiet(params, pull0, pull1):  # type: ignore[no-untyped-def]
        """Whether every edge is pressed down through the interval, at least half as hard as now."""
        for j in range(int(params[COUNT])):
            pivot = pivot_of(params, EDGE, float(j))
            now = -outward(pivot, pull0)
            if now <= 0.0 or -outward(pivot, pull1) < 0.5 * now:
                return False
        return True

    @fused_kernel
    def settles(params, ahead, edge, spin, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """Whether a body that has struck with its whole base, and bounces off over an edge with
        this angular velocity, only chatters until it rests: if all bounces fit into a quiet
        interval, even under its weakest pressure, it rests at the interval's end, and so it does
        from here on."""
        pull = pull_of(LEVEL, ahead, params[G], ground0)
        if not fits(params, pivot_of(params, EDGE, edge), edge, spin, pull, dt):
            return False
        return quiet(params, pull, pull_of(LEVEL, ahead, params[G], ground1))

    return settles


@inner_fused_kernel
def size_of(spin):  # type: ignore[no-untyped-def]
    """Of an angular velocity about an edge."""
    return math.sqrt(spin[0] * spin[0] + spin[1] * spin[1])
