"""The usual end of a swing: one corner comes down once, clearly, while nothing else happens.

Its height over the interval is close to the cubic with the heights and rates at both ends. Where
the Bernstein coefficients of that change their sign just once, it has one zero. A leap takes the
body there, and what is left of the height then, some 1e-10 of h, a first-order correction.
Everything less clear is left to the careful step.
"""

from rocksteady.formulations.contract import partway
from rocksteady.formulations.spatial.attempt import COARSE, NEAR, STEEP, TOUCH, both_press, stays_up
from rocksteady.formulations.spatial.leap import leap
from rocksteady.formulations.spatial.pivots import ALLOWED, HEIGHT, G
from rocksteady.formulations.spatial.series import squared_up
from rocksteady.formulations.spatial.state import AHEAD, EDGE, MODE, PLACE, SPIN, UP
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import make_root
from rocksteady.numerics.triples import add_cross, add_scaled, apply, cross, level_dot, scale

CLOSE = 1e-9  # of an interval: the next step of Newton's method would be its square
SMALL = 1e-5  # of the way to the touch: a correction by which nothing but the first order matters
LEAPS = 4  # at the most


@inner_fused_kernel
def _look(c, t):  # type: ignore[no-untyped-def]
    value = c[0] + t * (c[1] + t * (c[2] + t * c[3]))
    slope = c[1] + t * (2 * c[2] + t * (3 * c[3]))
    return value, t - value / slope, value > 0.0


_root = make_root(_look, close=CLOSE)


@inner_fused_kernel
def comes_down_once(height0, rate0, height1, rate1, touch, near):  # type: ignore[no-untyped-def]
    """Whether the cubic with these ends has one zero, well inside the interval."""
    rises_first = (height0 >= -touch) & (height0 + (1 / 3) * rate0 > near)
    return rises_first & (height1 < -near)


@fused_kernel
def zero_of_cubic(height0, rate0, height1, rate1):  # type: ignore[no-untyped-def]
    """Where it is."""
    drop = height1 - height0
    c = height0, rate0, 3 * drop - 2 * rate0 - rate1, rate0 + rate1 - 2 * drop
    return _root(c, 0.0, 1.0, height0 / (height0 - height1))


@fused_kernel
def touchdown(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """(γ, ξ, W [rad/s], time used, whether a corner comes down this way, what a leap over the whole
    interval leaves out)."""
    spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
    g, height, on_edge = params[G], params[HEIGHT], state[MODE] == EDGE
    near, touch, r = NEAR * height, TOUCH * height, pivot.one
    t, shift, end, length, found, left_out = 1.0, 1.0, ground1, dt, True, 0.0
    for n in range(LEAPS):
        to = leap(spin, up, ahead, pivot, g, ground0, end, length)
        rate = cross(to.up, to.spin)
        if n == 0:
            up_rate = cross(up, scale(dt, spin))
            h0, h1, v0 = level_dot(up, r), level_dot(to.up, r), level_dot(up_rate, r)
            v1, s = level_dot(rate, r), pivot.other
            k0, k1, u0 = level_dot(up, s), level_dot(to.up, s), level_dot(up_rate, s)
            u1 = level_dot(rate, s)
            one = comes_down_once(h0, v0, h1, v1, touch, near)
            other = comes_down_once(k0, u0, k1, u1, touch, near)
            if on_edge:  # the base is level then: both come down together
                found = one & other
            elif one:
                found = stays_up(k0, u0, k1, u1, touch, near)
            else:
                found, r = other & stays_up(h0, v0, h1, v1, touch, near), s
                h0, v0, h1, v1 = k0, u0, k1, u1
            left_out = to.left_out
            found = found & (to.up[2] > STEEP) & (left_out <= COARSE * params[ALLOWED])
            if not found:
                break
            t = zero_of_cubic(max(h0, 0.0), v0, h1, v1)
        else:
            shift = -level_dot(to.up, r) / level_dot(rate, r)
            if abs(shift) <= SMALL:
                break
            t += t * shift
        end, length = partway(ground0, ground1, t), t * dt
        found = 0.0 < t < 1.0
        if not found:
            break
    found = found & (abs(shift) <= SMALL)
    W = to.spin
    if found and on_edge:
        square = length * length
        found = both_press(up, scale(length, spin), to.tip0, square * (g + ground0[1]), pivot)
        found = found & both_press(to.up, W, to.tip, square * (g + end[1]), pivot)
    L = apply(pivot.J, W)
    W_rate = apply(pivot.P, add_cross(to.tip, L, W))
    up, ahead = squared_up(
        add_scaled(to.up, shift, rate), add_scaled(to.ahead, shift, cross(to.ahead, W))
    )
    used = (t + t * shift) * dt
    spin = scale(1.0 / length, add_scaled(W, shift, W_rate))
    return up, ahead, spin, used, found & (used < dt), left_out
