"""A rigid block in the air: free fall, relative to the ground, until its lower corner lands.

The ground's acceleration is linear in a step, so the centre of mass follows a cubic, and the
rotation is uniform: the motion is exact. Written for the lean y = |θ|; leaning left is mirrored.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.roots import make_root, within
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import NOTHING, OVERTURN
from rocksteady.theories.housner.rocking import LYING, G
from rocksteady.theories.nonsmooth.striking import FLIGHT, corner, lower_corner, rigid

TURN_IN_FLIGHT = 0.1  # rad: a step turns the block by no more than this


@kernel
def beyond_sine(x):  # type: ignore[no-untyped-def]
    """x − sin x, |x| ≤ TURN_IN_FLIGHT, without cancellation."""
    xx = x * x
    return x * xx / 6 * (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72 * (1 - xx / 110))))


class Fall(NamedTuple):
    """Free fall of the lower corner."""

    lift: float  # its height at first
    rate: float
    fall: float  # acceleration of the centre of mass, and its rate of change
    jerk: float
    S: float  # sine and cosine of α − y at first
    C: float
    v: float  # y'
    R: float


@kernel
def gap(motion, t):  # type: ignore[no-untyped-def]
    """Height of the lower corner after the time t and its first four derivatives."""
    lift, rate, fall, jerk, S0, C0, v, R = motion
    x = v * t
    sine, cosine = sincos(0.5 * x)
    square = 2 * sine * sine  # 1 − cos x
    S, C = S0 - S0 * square - 2 * C0 * sine * cosine, C0 - C0 * square + 2 * S0 * sine * cosine
    vv = v * v
    return (
        lift + t * (rate + t * (fall / 2 + t * jerk / 6)) + R * (S0 * beyond_sine(x) + C0 * square),
        rate + t * (fall + t * jerk / 2) + 2 * R * v * (C0 * cosine + S0 * sine) * sine,
        fall + jerk * t + R * C * vv,
        jerk + R * S * vv * v,
        -R * C * vv * vv,
    )


@kernel
def look(problem, t):  # type: ignore[no-untyped-def]
    """What `make_root` asks of the gap (order 0) or a derivative of it."""
    motion, order, falling = problem
    at = gap(motion, t)
    return at[order], t - at[order] / at[order + 1], (at[order] > 0) == falling


root = make_root(look, close=4e-16)


@kernel
def passage(motion, order, falling, low, high, t):  # type: ignore[no-untyped-def]
    """Where the gap (order 0) or a derivative of it passes zero between `low` and `high`, from the
    guess ``t``."""
    return root((motion, order, falling), low, high, within(low, high, t))


@kernel
def change_of_sign(motion, order, low, high):  # type: ignore[no-untyped-def]
    """Where a derivative of the gap changes its sign between `low` and `high`; `high` if it does
    not."""
    first, last = gap(motion, low)[order], gap(motion, high)[order]
    if first * last >= 0:
        return high
    guess = low + (high - low) * first / (first - last)
    return passage(motion, order, first > 0, low, high, guess)


@kernel
def closes(motion, low, high):  # type: ignore[no-untyped-def]
    """When the lower corner closes between `low`, where it is open or opens, and `high`, or
    infinity; the gap's acceleration does not change its sign in between."""
    start, rate, acceleration = gap(motion, low)[:3]
    end, rate_end = gap(motion, high)[:2]
    if rate < 0 < rate_end:
        lowest = passage(motion, 1, False, low, high, low - rate / acceleration)
        if gap(motion, lowest)[0] >= 0:
            return math.inf
        return passage(motion, 0, True, low, lowest, low - start / rate)
    if end >= 0:
        return math.inf
    if rate > 0:
        low = passage(motion, 1, True, low, high, low - rate / acceleration)
        start, rate, acceleration = gap(motion, low)[:3]
    elif start <= 0:
        return low
    root = math.sqrt(max(rate * rate - 2 * acceleration * start, 0.0))
    return passage(motion, 0, True, low, high, low + 2 * start / (root - rate))


@kernel
def landing(motion, span):  # type: ignore[no-untyped-def]
    """When the lower corner closes, or infinity if not within `span`.

    The gap's third derivative changes its sign once at most, so the span falls into at most four
    pieces in which its acceleration keeps its own.
    """
    bend = change_of_sign(motion, 3, 0.0, span)
    low = 0.0
    for end in (bend, span):
        knee = change_of_sign(motion, 2, low, end)
        for high in (knee, end):
            if high > low:
                lands = closes(motion, low, high)
                if lands < math.inf:
                    return lands
                low = high
    return math.inf


@kernel
def fly(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Free fall, relative to the ground, until the lower corner lands. The rotation is uniform."""
    theta, omega, _, way, lift, rate, lift_rate, _, work, loss, least = state
    side = lower_corner(theta, omega, rate)
    alpha, R = corner(side, params)
    g, mass, width = params[G], rigid(params).mass, rigid(params).width
    y, v = side * theta, side * omega
    S, C = sincos(alpha - y)
    vx, vy = side * rate + R * C * v, lift_rate + R * S * v
    pull, pull_rate = -side * ground0[0], -side * (ground1[0] - ground0[0]) / dt
    fall, jerk = -(g + ground0[1]), -(ground1[1] - ground0[1]) / dt
    if lift == 0 and lift_rate == 0:  # it has just left the ground: rounding must not pull it back
        fall = max(fall, -R * C * v * v)
    motion = Fall(lift, lift_rate, fall, jerk, S, C, v, R)

    span = min(dt, TURN_IN_FLIGHT / max(abs(v), 1e-300))
    upright = v < 0 and y + v * span <= 0
    if upright:
        span = -y / v
    event = NOTHING
    if y + v * span >= LYING:
        span, event = (LYING - y) / v, OVERTURN
    lands = landing(motion, span)
    if lands <= span:
        span, event, upright = lands, NOTHING, upright and lands == span
    y1 = 0.0 if upright else y + v * span
    S1, C1 = sincos(alpha - y1)
    vx1 = vx + span * (pull + span * pull_rate / 2)
    vy1 = vy + span * (fall + span * jerk / 2)
    rise = span * (vy + span * (fall / 2 + span * jerk / 6))
    further = span * (vx + span * (pull / 2 + span * pull_rate / 6)) + R * (S1 - S)
    work += mass * (0.5 * (vx1 * vx1 - vx * vx) + 0.5 * (vy1 * vy1 - vy * vy) + g * rise)
    lift, lift_rate = gap(motion, span)[:2]
    lift = max(lift, 0.0)
    if lands <= span:
        lift, lift_rate = 0.0, min(lift_rate, -5e-324)
    elif upright:  # from now on the other corner is the lower one
        lift_rate += width * v
    theta, rate = side * y1, side * (vx1 - R * C1 * v)
    way += side * further
    least = min(least, 0.0)
    return (theta, omega, FLIGHT, way, lift, rate, lift_rate, 0.0, work, loss, least), span, event
