"""Many bodies on edges whose bases come down side by side: fall and impact in one, no branches.

As `landing.py` for corners: it declines whatever is not the usual case, that the edge across takes
the impact and the body goes on over that one (`flat.py`). Where it does not decline, it gives the
bits of the careful step.
"""

from functools import cache
from typing import Any

from rocksteady.formulations.contract import partway
from rocksteady.formulations.spatial.flat import make_bounce
from rocksteady.formulations.spatial.pivots import without_prepared
from rocksteady.formulations.spatial.planar import (
    bounced,
    edge_between,
    fall,
    numbers_of_edge,
    prepared_edge,
)
from rocksteady.formulations.spatial.state import EDGE, MODE, PIVOT, PLACE
from rocksteady.formulations.spatial.touchdown import gentle
from rocksteady.numerics.decorators import spliced_fused_kernel


@cache
def make_landing_on_edge(size: int) -> Any:
    """Build the landing from an edge of a body with at most ``size`` corners: see
    `contract.Glide`."""
    bounce = make_bounce(size)

    @spliced_fused_kernel
    def land(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        edge, params = prepared_edge(params), without_prepared(params)
        to = fall(state, params, edge, ground0, ground1, dt)
        used, place = to.part * dt, state[PLACE:MODE]
        here = partway(ground0, ground1, used / dt)
        found = bounce(params, state[PIVOT], to.ahead, to.spin, place, here, dt - used)
        strikes = edge.width * to.rate < -2.0 * gentle(params)  # beyond doubt
        ok = (state[MODE] == EDGE) & to.found & strikes & found.goes_on & (not found.settles)
        outmost = state[0] + (abs(state[1]) + abs(edge.per_alpha * to.rate)) * used
        outmost = outmost if state[1] > 0.0 else 0.0
        about = edge_between(found.corners, params)
        return bounced(state, found, about), numbers_of_edge(about), used, outmost, ok

    return land
