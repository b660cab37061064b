"""The usual end of a swing: one corner comes down once, clearly, while nothing else happens.

Its height over the interval is close to the cubic with the heights and rates at both ends. Where
the Bernstein coefficients of that change their sign just once, it has one zero. A leap takes the
body there, and what is left of the height then, some 1e-10 of h, a first-order correction. If the
other neighbour comes down in the same interval, the earlier of the two counts.
Everything less clear is left to the careful step. Without branches, so that many bodies can come
down side by side (`landing.py`).
"""

import math
from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import inner_fused_kernel, spliced_fused_kernel
from rocksteady.numerics.triples import add_cross, add_scaled, apply, cross, level_dot, scale
from rocksteady.theories.contract import partway
from rocksteady.theories.spatial.attempt import COARSE, STEEP, TOUCH, stays_up
from rocksteady.theories.spatial.pivots import ALLOWED, HEIGHT, MASS, G
from rocksteady.theories.spatial.series import squared_up
from rocksteady.theories.spatial.state import AHEAD, PLACE, SPIN, UP

GENTLE = 1e-11  # of √(g h): one that comes down slower lands without an impact
UNSURE = 1e-2  # of the fourth derivative: well above 1/384, what a cubic may miss of a height
SMALL = 1e-5  # of the way to the touch: a correction by which nothing but the first order matters


class Touchdown(NamedTuple):
    """Where a corner comes down in an interval."""

    up: Any
    ahead: Any
    spin: Any
    """γ, ξ and W [rad/s] then."""
    used: Any
    """Time until then [s]."""
    work: Any
    left_out: Any
    """Work of the ground until then [J], and what the leap leaves out."""
    next_one: Any
    """Whether it is the next corner; or else the one before."""
    found: Any
    """Whether one comes down this way at all."""
    whole: Any
    """The leap over the whole interval."""
    calm: Any
    """Whether nothing happens in it after all."""


@inner_fused_kernel
def comes_down_once(height0, rate0, height1, rate1, touch, near):  # type: ignore[no-untyped-def]
    """Whether the cubic with these ends has one zero, well inside the interval: of its Bernstein
    coefficients, the heights at both ends among them, only those after the zero are negative."""
    second, third = height0 + (1 / 3) * rate0, height1 - (1 / 3) * rate1
    up_at_first = (height0 >= -touch) & (second > near)
    down_at_once = (height0 > near) & (third < -near)
    return (up_at_first | down_at_once) & (height1 < -near)


@inner_fused_kernel
def zero_of_cubic(height0, rate0, height1, rate1):  # type: ignore[no-untyped-def]
    """Where it is: first that of a parabola with the heights at both ends and the first rate."""
    drop = height1 - height0
    bend = drop - rate0
    root = math.sqrt(max(rate0 * rate0 - 4.0 * (height0 * bend), 0.0))
    rises = rate0 > 0.0
    top, bottom = rate0 + root if rises else 2.0 * height0, -2.0 * bend if rises else root - rate0
    c = height0, rate0, 3.0 * drop - 2.0 * rate0 - rate1, rate0 + rate1 - 2.0 * drop
    return closer(c, closer(c, top / (bottom if bottom > 0.0 else 1.0)))


@inner_fused_kernel
def closer(c, t):  # type: ignore[no-untyped-def]
    """Newton's method."""
    value = c[0] + t * (c[1] + t * (c[2] + t * c[3]))
    slope = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3]))
    return t - value / (slope if slope < 0.0 else -1.0)


@inner_fused_kernel
def width(r):  # type: ignore[no-untyped-def]
    return abs(r[0]) + abs(r[1])


@inner_fused_kernel
def heights_of(up, up_rate, to, rate, r):  # type: ignore[no-untyped-def]
    """(height, rate, last height, last rate) of a corner at r from the pivot."""
    return level_dot(up, r), level_dot(up_rate, r), level_dot(to.up, r), level_dot(rate, r)


@inner_fused_kernel
def comes_down_first(h, k, touch, near):  # type: ignore[no-untyped-def]
    """(Whether one corner comes down before the other, both clearly; whether it is the first of the
    two; after which part of the interval), for the heights h and k of both, as `heights_of` has
    them."""
    one, other = comes_down_once(*h, touch, near), comes_down_once(*k, touch, near)
    clear = (one | stays_up(*h, touch, near)) & (other | stays_up(*k, touch, near))
    found = (one | other) & clear
    first, second = zero_of_cubic(max(h[0], 0.0), *h[1:]), zero_of_cubic(max(k[0], 0.0), *k[1:])
    is_first = one & ((first <= second) | (not other))
    t = first if is_first else second
    inside = (t > 0.0) & (t < 1.0)
    return found & inside, is_first, t if inside else 0.5


@cache
def make_touchdown(leap: Any) -> Any:
    """Build it around a `leap`."""

    @spliced_fused_kernel
    def touchdown(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """The motion up to where a corner comes down."""
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        g, touch, r, s = params[G], TOUCH * params[HEIGHT], pivot.one, pivot.other
        whole = leap(spin, up, ahead, pivot, g, ground0, ground1, dt)
        up_rate, rate = cross(up, scale(dt, spin)), cross(whole.up, whole.spin)
        h, k = heights_of(up, up_rate, whole, rate, r), heights_of(up, up_rate, whole, rate, s)
        near = 2.0 * touch + UNSURE * (whole.fourth * max(width(r), width(s)))
        sure = (whole.up[2] > STEEP) & (whole.left_out <= COARSE * params[ALLOWED])
        found, next_one, t = comes_down_first(h, k, touch, near)
        calm = sure & stays_up(*h, touch, near) & stays_up(*k, touch, near)

        end, length = partway(ground0, ground1, t), t * dt
        to = leap(spin, up, ahead, pivot, g, ground0, end, length)
        W, rate, (r, s) = to.spin, cross(to.up, to.spin), (r, s) if next_one else (s, r)
        fall, square = level_dot(rate, r), length * length
        shift = -level_dot(to.up, r) / (fall if fall < 0.0 else -1.0)
        found = found & sure & (level_dot(to.up, s) > near)
        used = (t + t * shift) * dt
        found = found & (fall < 0.0) & (abs(shift) <= SMALL) & (used < dt)

        # what is left of the height, to first order
        W_rate = apply(pivot.P, add_cross(to.tip, apply(pivot.J, W), W))
        up, ahead = squared_up(
            add_scaled(to.up, shift, rate), add_scaled(to.ahead, shift, cross(to.ahead, W))
        )
        spin = scale(1.0 / length, add_scaled(W, shift, W_rate))
        work = params[MASS] * (to.work + shift * to.power) / square
        return Touchdown(up, ahead, spin, used, work, to.left_out, next_one, found, whole, calm)

    return touchdown


@inner_fused_kernel
def gentle(params):  # type: ignore[no-untyped-def]
    """The speed [m/s] below which a corner lands without an impact."""
    return GENTLE * math.sqrt(params[G] * params[HEIGHT])


@inner_fused_kernel
def touches(up, spin, r, params):  # type: ignore[no-untyped-def]
    """Whether a corner (touches the ground, strikes it, lies on it or leaves it gently)."""
    height, speed = level_dot(up, r), level_dot(cross(up, spin), r)
    near, least = height <= TOUCH * params[HEIGHT], gentle(params)
    return near, near & (speed < -least), near & (abs(speed) <= least)
