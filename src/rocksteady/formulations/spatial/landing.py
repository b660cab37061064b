"""Many bodies that come down on a corner side by side: touchdown and impact in one, no branches.

It declines whatever is not the usual case (`touchdown.py`), and where the body does not go on from
the corner that strikes: then the careful step takes over. Where it does not decline, it gives the
bits of the careful step.
"""

from functools import cache
from typing import Any

from rocksteady.formulations.contract import partway
from rocksteady.formulations.spatial.pivots import (
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
)
from rocksteady.formulations.spatial.series import pull_of
from rocksteady.formulations.spatial.state import (
    AHEAD,
    LOSS,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    WORK,
    lean_when_leaning,
    moved,
)
from rocksteady.formulations.spatial.strike import blow_of, on_corner, sinks, stays_down
from rocksteady.formulations.spatial.touchdown import touchdown, touches
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.triples import cross, subtract

LOW = 1e-6  # rad: closer to flat than that the careful step decides, for it may come to rest


@cache
def make_landing(size: int) -> Any:
    """Build the landing of a body with at most ``size`` corners: see `contract.Glide`."""
    pivot_of = make_pivot(size, inner=True)

    @inner_fused_kernel
    def land(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        pivot, k, count = prepared_pivot(params), state[PIVOT], params[COUNT]
        up, ahead, spin, used, next_one, ok, _, _ = touchdown(
            state, pivot, params, ground0, ground1, dt, False
        )
        r = pivot.one if next_one else pivot.other
        lands = following(k, count) if next_one else preceding(k, count)
        about, height, g = pivot_of(params, VERTEX, lands), params[HEIGHT], params[G]
        (lean, rate, _), leans = lean_when_leaning(
            up, cross(up, spin), (-pivot.d[0], -pivot.d[1]), height
        )
        same = leans & (state[1] * rate >= 0.0)  # its lean has not turned on the way
        ok = ok & (state[MODE] == VERTEX) & same & touches(up, spin, r, params)[1]

        inertia = params[INERTIA:ALLOWED]
        back = about.other if next_one else about.one
        blow = blow_of(up, spin, pivot, inertia)
        pull = pull_of(up, ahead, g, partway(ground0, ground1, used / dt))
        after, pushes = on_corner(blow, about)
        stays = stays_down(up, after, pull, about, back, height)
        ok = ok & pushes & (not sinks(up, after, back)) & (not stays)

        last, leans = lean_when_leaning(up, cross(up, after), (-about.d[0], -about.d[1]), height)
        place = moved(state[PLACE:MODE], up, ahead, subtract(pivot.d, about.d))
        lost = energy_of(up, spin, pivot, g) - energy_of(up, after, about, g)
        loss = state[LOSS] + params[MASS] * lost
        new = (*last, *up, *ahead, *after, *place, VERTEX, lands, state[WORK], loss) + state[MORE:]  # noqa: RUF005
        return new, numbers_of(about), used, lean, ok & leans & (last[2] > LOW)

    return land
