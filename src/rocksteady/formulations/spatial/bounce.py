"""Many bodies on edges whose bases come down side by side: fall and impact in one, no branches.

As `landing.py` for corners: it declines whatever is not the usual case, that the edge across takes
the impact and the body goes on over that one. Where it does not decline, it gives the bits of the
careful step.
"""

from functools import cache
from typing import Any

from rocksteady.formulations.contract import partway
from rocksteady.formulations.spatial.pivots import (
    ALLOWED,
    HEIGHT,
    INERTIA,
    MASS,
    G,
    energy_of,
    make_pivot,
)
from rocksteady.formulations.spatial.planar import edge_of, fall, numbers_of_edge, prepared_edge
from rocksteady.formulations.spatial.rest import make_fits
from rocksteady.formulations.spatial.series import levelled, pull_of
from rocksteady.formulations.spatial.state import (
    EDGE,
    LEVEL,
    LOSS,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    WORK,
    lean_when_level,
    moved,
)
from rocksteady.formulations.spatial.strike import DEAD, blow_of, make_across
from rocksteady.formulations.spatial.touchdown import touches
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import cross, subtract


@cache
def make_bounce(size: int) -> Any:
    """Build the landing from an edge of a body with at most ``size`` corners: see
    `contract.Glide`."""
    pivot_of, across = make_pivot(size, inner=True), make_across(size, inner_fused_kernel)
    fits = make_fits(size, inner_fused_kernel)

    @inner_fused_kernel
    def land(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        edge, pivot = prepared_edge(params), pivot_of(params, EDGE, state[PIVOT])
        g, height, inertia = params[G], params[HEIGHT], params[INERTIA:ALLOWED]
        to = fall(state, params, edge, ground0, ground1, dt)
        spin, ahead, used = to.spin, levelled(to.ahead), to.part * dt
        one, other = (
            touches(LEVEL, spin, pivot.one, params),
            touches(LEVEL, spin, pivot.other, params),
        )
        ok = (state[MODE] == EDGE) & to.found & (used < dt) & (one[1] | other[1])

        new_edge, about, after, takes = across(
            params, blow_of(LEVEL, spin, pivot, inertia), inertia, pivot.r
        )
        pull = pull_of(LEVEL, ahead, g, partway(ground0, ground1, used / dt))
        goes_on = not fits(params, about, new_edge, after, pull, dt - used)
        before, left = energy_of(LEVEL, spin, pivot, g), energy_of(LEVEL, after, about, g)
        foot = -about.d[0], -about.d[1]
        leaning, leans = lean_when_level(cross(LEVEL, after), foot, height)
        ok = ok & takes & goes_on & leans & (left >= DEAD * (g * height))

        place = moved(state[PLACE:MODE], LEVEL, ahead, subtract(pivot.d, about.d))
        loss = state[LOSS] + params[MASS] * (before - left)
        new = (*leaning, *LEVEL, *ahead, *after, *place, EDGE, new_edge, state[WORK], loss)
        crest = state[0] + (abs(state[1]) + abs(edge.per_alpha * to.rate)) * used
        crest = crest if state[1] > 0.0 else 0.0
        return new + state[MORE:], numbers_of_edge(edge_of(about, g)), used, crest, ok

    return land
