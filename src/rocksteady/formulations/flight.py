"""A rigid block in the air: free fall, relative to the ground, until its lower corner lands.

The ground's acceleration is linear in a step, so the centre of mass follows a cubic, and the
rotation is uniform: the motion is exact. Written for the lean y = |θ|; leaning left is mirrored.
"""

from __future__ import annotations

import math

from rocksteady.formulations._trig import sincos
from rocksteady.formulations.contract import NOTHING, OVERTURN, kernel
from rocksteady.formulations.rocking import LYING
from rocksteady.formulations.striking import FLIGHT, corner, lower_corner

TURN_IN_FLIGHT = 0.1  # rad: a step turns the block by no more than this
MAX_ITERATIONS = 60


@kernel
def gap(motion, t):  # type: ignore[no-untyped-def]
    """Height of the lower corner after the time t, its rate and acceleration."""
    lift, vy, fall, jerk, lean, v, R = motion  # lean: α − y
    rise = t * (vy + t * (fall / 2 + t * jerk / 6))
    half = 0.5 * v * t
    middle = sincos(lean - half)[0]
    turn = 2 * R * middle * sincos(half)[0]  # R cos(α − y) gained, without cancellation
    S, C = sincos(lean - v * t)
    rate = vy + t * (fall + t * jerk / 2) - R * S * v
    return lift + rise - turn, rate, fall + jerk * t + R * C * v * v


@kernel
def passage(motion, order, falling, low, high):  # type: ignore[no-untyped-def]
    """Where the gap (order 0) or its rate (order 1) passes zero between `low` and `high`."""
    t = 0.5 * (low + high)
    for _ in range(MAX_ITERATIONS):
        at = gap(motion, t)
        if (at[order] > 0) == falling:
            low = t
        else:
            high = t
        newton = t - at[order] / at[order + 1]
        if not low <= newton <= high:
            newton = 0.5 * (low + high)
        if abs(newton - t) <= 4e-16 * high:
            return newton
        t = newton
    return t


@kernel
def landing(motion, span):  # type: ignore[no-untyped-def]
    """When the lower corner closes, or infinity if not within `span`."""
    rate = gap(motion, 0.0)[1]
    end, rate_end, _ = gap(motion, span)
    if end < 0:
        if motion[0] > 0 and rate <= 0:
            return passage(motion, 0, True, 0.0, span)
        if rate > 0:
            return passage(motion, 0, True, passage(motion, 1, True, 0.0, span), span)
        top = span  # it has just left the ground without any velocity
        for _ in range(MAX_ITERATIONS):
            top *= 0.5
            if gap(motion, top)[0] > 0:
                return passage(motion, 0, True, top, 2 * top)
        return 0.0
    if rate < 0 < rate_end:
        lowest = passage(motion, 1, False, 0.0, span)
        if gap(motion, lowest)[0] < 0:
            return passage(motion, 0, True, 0.0, lowest)
    return math.inf


@kernel
def fly(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Free fall, relative to the ground, until the lower corner lands. The rotation is uniform."""
    theta, omega, _, way, lift, rate, lift_rate, _, work, loss = state
    side = lower_corner(theta, omega, rate)
    alpha, R = corner(side, params)
    g, mass, width = params[0], params[17], params[19]
    y, v = side * theta, side * omega
    S, C = sincos(alpha - y)
    vx, vy = side * rate + R * C * v, lift_rate + R * S * v
    pull, pull_rate = -side * ground0[0], -side * (ground1[0] - ground0[0]) / dt
    fall, jerk = -(g + ground0[1]), -(ground1[1] - ground0[1]) / dt
    motion = (lift, vy, fall, jerk, alpha - y, v, R)

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
    lift, lift_rate, _ = gap(motion, span)
    lift = max(lift, 0.0)
    if lands <= span:
        lift, lift_rate = 0.0, min(lift_rate, -5e-324)
    elif upright:  # from now on the other corner is the lower one
        lift_rate += width * v
    theta, rate = side * y1, side * (vx1 - R * C1 * v)
    way += side * further
    return (theta, omega, FLIGHT, way, lift, rate, lift_rate, 0.0, work, loss), span, event
