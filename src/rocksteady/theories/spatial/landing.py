"""Many bodies that come down side by side: touchdown and impact in one, no branches.

First those that stand on a corner, then those on an edge.

It declines whatever is not the usual case (`touchdown.py`), and where the body does not go on from
the corner that strikes: then the careful step takes over. Where it does not decline, it gives the
bits of the careful step. A corner that only comes close to the ground makes it an interval in which
nothing happens.
"""

from functools import cache
from typing import Any

from rocksteady.numerics.decorators import spliced_fused_kernel
from rocksteady.numerics.triples import cross, scale, subtract
from rocksteady.theories.contract import partway
from rocksteady.theories.spatial.flat import make_bounce
from rocksteady.theories.spatial.leap import leap
from rocksteady.theories.spatial.pivots import (
    ALLOWED,
    COUNT,
    HEIGHT,
    INERTIA,
    MASS,
    G,
    energy_of,
    following,
    make_pivot,
    numbers_of,
    preceding,
    prepared_pivot,
    without_prepared,
)
from rocksteady.theories.spatial.planar import (
    bounced,
    edge_between,
    fall,
    numbers_of_edge,
    prepared_edge,
)
from rocksteady.theories.spatial.series import pull_of
from rocksteady.theories.spatial.state import (
    EDGE,
    LOSS,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    VERTEX,
    WORK,
    lean_when_leaning,
    moved,
)
from rocksteady.theories.spatial.strike import blow_of, on_corner, sinks, stays_down
from rocksteady.theories.spatial.touchdown import gentle, make_touchdown, touches

LOW = 1e-6  # rad: closer to flat than that the careful step decides, for it may come to rest


@cache
def make_landing(size: int) -> Any:
    """Build the landing of a body with at most ``size`` corners: see `contract.Glide`."""
    pivot_of, touchdown = make_pivot(size, inner=True), make_touchdown(leap)

    @spliced_fused_kernel
    def land(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        pivot, params = prepared_pivot(params), without_prepared(params)
        k, count, height, place = state[PIVOT], params[COUNT], params[HEIGHT], state[PLACE:MODE]
        down = touchdown(state, pivot, params, ground0, ground1, dt)
        whole, calm, next_one = down.whole, down.calm, down.next_one
        up, ahead = (whole.up, whole.ahead) if calm else (down.up, down.ahead)
        spin, used = (scale(1.0 / dt, whole.spin), dt) if calm else (down.spin, down.used)
        foot = -pivot.d[0], -pivot.d[1]
        (lean, rate, tilt), leans = lean_when_leaning(up, cross(up, spin), foot, height)
        ok = (state[MODE] == VERTEX) & leans & (tilt > LOW)
        turns = (state[1] > 0.0) & (rate < 0.0)
        outmost = max(state[0], lean) + (abs(state[1]) + abs(rate)) * used if turns else lean

        lands = following(k, count) if next_one else preceding(k, count)
        about, r = pivot_of(params, VERTEX, lands), pivot.one if next_one else pivot.other
        back = about.other if next_one else about.one
        blow = blow_of(up, spin, pivot, params[INERTIA:ALLOWED])
        after, pushes = on_corner(blow, about)
        pull = pull_of(up, ahead, params[G], partway(ground0, ground1, used / dt))
        stays = stays_down(up, after, pull, about, back, height)
        leaves = pushes & (not sinks(up, after, back)) & (not stays)
        foot = -about.d[0], -about.d[1]
        (last, last_rate, last_tilt), leans = lean_when_leaning(up, cross(up, after), foot, height)
        strikes = down.found & touches(up, spin, r, params)[1] & leaves & leans

        lost = energy_of(up, spin, pivot, params[G]) - energy_of(up, after, about, params[G])
        loss = state[LOSS] + params[MASS] * lost
        there = moved(place, up, ahead, subtract(pivot.d, about.d))
        leaning = (lean, rate, tilt) if calm else (last, last_rate, last_tilt)
        turning, place = (spin, place) if calm else (after, there)
        k, loss = (k, state[LOSS]) if calm else (lands, loss)
        new = (*leaning, *up, *ahead, *turning, *place, VERTEX, k, state[WORK], loss)
        numbers = numbers_of(pivot) if calm else numbers_of(about)
        return new + state[MORE:], numbers, used, outmost, ok & (calm | strikes)

    return land


# -- many bodies on edges whose bases come down side by side: fall and impact in one, no branches --
# As for corners: it declines whatever is not the usual case, that the edge across takes the impact
# and the body goes on over that one (`flat.py`). Where it does not, it gives the bits of the
# careful step.


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
