"""When a corner comes down, and whether one on the ground stays there: by the series of its height.

A height is a polynomial of seven terms over the interval (`series.py`).
"""

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import make_root
from rocksteady.theories.spatial.series import beginning_at, falling, low_bound, number_at

ROUNDING = 4e-16
MOST_PARTS = 200  # of an interval, in the search for a touch
SHORTEST = 1e-9  # of them
CLOSE = 1e-9  # of the time searched: the next step of Newton's method would be its square
NEVER = 2.0  # later than the end of any interval


@inner_fused_kernel
def _look_down(c, t):  # type: ignore[no-untyped-def]
    """A corner that rises has not come down yet, though it may have started on the ground."""
    value, slope = number_at(c, t)
    return value, t - value / slope, (value > 0.0) | (slope > 0.0)


down_at = make_root(_look_down, close=CLOSE, rounding=ROUNDING)


@fused_kernel
def comes_down(c, span, deep):  # type: ignore[no-untyped-def]
    """When a corner whose height has the series c touches the ground within the part ``span`` of an
    interval; NEVER if it does not. It may touch it between two extremes, so the interval is halved
    until the bounds of the height or of its slope leave no doubt."""
    c0, c1, c2, c3, c4, c5, c6 = c
    c = max(c0, 0.0), c1, c2, c3, c4, c5, c6  # it may begin within TOUCH below the ground
    if span == 1.0 and low_bound(c) >= -deep:
        return NEVER
    begin, length = 0.0, span
    for _ in range(MOST_PARTS):
        part = beginning_at(c, begin, length)
        if low_bound(part) >= -deep:
            begin += length
            if begin >= span:
                return NEVER
            length = min(2.0 * length, span - begin)
        elif falling(part) or length < SHORTEST * span:
            high = begin + length
            if number_at(c, high)[0] < -deep:
                return down_at(c, begin, high, begin)
            begin += length
            length = span - begin
            if length <= 0.0:
                return NEVER
        else:
            length *= 0.5
    return NEVER


@fused_kernel
def falls(c, least):  # type: ignore[no-untyped-def]
    """Whether a corner on the ground, whose height would have the series c, is pressed onto it. If
    its acceleration is none but for rounding (``least``), what follows decides."""
    return c[2] < -least or (c[2] <= 0.0 and c[3] < 0.0)
