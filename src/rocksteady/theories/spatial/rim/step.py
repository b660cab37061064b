"""The step of a round body on its rim: rest, uplift, rolling, turning points, impacts, overturning.

Rolling is followed in steps of sixth order, shorter the closer the body is to flat (`rolling.py`).
They stop at every maximum of the tilt (TURN). What steps cannot resolve is in `flat.py`.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import make_root, within
from rocksteady.theories.contract import NOTHING, OVERTURN, TURN
from rocksteady.theories.contract import REST as RESTS
from rocksteady.theories.spatial.rim.body import Rim
from rocksteady.theories.spatial.rim.flat import (
    FLAT,
    FLUSH,
    NEGLIGIBLE,
    brush,
    departed,
    glanced,
    is_planar,
    strike,
)
from rocksteady.theories.spatial.rim.frame import (
    Pose,
    energy_of,
    loss_in,
    pose_of,
    resting_state,
    state_of,
)
from rocksteady.theories.spatial.rim.liftoff import BARELY, launched, push, wait
from rocksteady.theories.spatial.rim.rolling import (
    longest_step,
    pulled,
    rolled,
    step_length,
    strongest,
    tilt_acceleration,
)
from rocksteady.theories.spatial.state import LYING, MODE, REST

MOST_STEPS = 1000  # in one call
STILL = 1e-13  # of √(K θ): a rate too small to speak of a turning point
LEAST = 1e-300  # rad/s: of a body about to strike
SOON = 1e-6  # of a step: an acceleration that vanishes before that does so at its beginning


# -- events within a step: found by steps of other lengths ----------------------------------------


@inner_fused_kernel
def _look_tilt(problem, t):  # type: ignore[no-untyped-def]
    """Where the tilt passes a level: on its way down to zero, on its way up to any other. A body
    that moves away from the level has not passed it yet, though it may have started there."""
    pose, rim, planar, pull, change, level = problem
    at = rolled(pose, rim, planar, pull, change, t)
    excess, falls = at.theta - level, level == 0
    return excess, t - excess / at.rate, (excess > 0) == falls or (at.rate > 0) == falls


@inner_fused_kernel
def _look_rate(problem, t):  # type: ignore[no-untyped-def]
    """Where the rate of the tilt vanishes, on its way down (level 0) or up."""
    pose, rim, planar, pull, change, level = problem
    at = rolled(pose, rim, planar, pull, change, t)
    bend = tilt_acceleration(at, rim, planar, pulled(pull, change, t))
    return at.rate, t - at.rate / bend, (at.rate > 0) == (level == 0)


_find_tilt = make_root(_look_tilt, close=1e-9, rounding=4e-16)
_find_rate = make_root(_look_rate, close=1e-9, rounding=4e-16)


@fused_kernel
def _turn(pose, rim, planar, pull, change, h):  # type: ignore[no-untyped-def]
    """(pose, time) at the maximum of the tilt within a step."""
    time = _find_rate((pose, rim, planar, pull, change, 0.0), 0.0, h, 0.5 * h)
    pose = rolled(pose, rim, planar, pull, change, time)
    return Pose(pose.theta, 0.0, *pose[2:]), time


@fused_kernel
def _landed(pose, rim, pull, change, h):  # type: ignore[no-untyped-def]
    """(pose, time) where a planar motion comes down within a step."""
    guess = -pose.theta / pose.rate if pose.rate < 0 else h
    time = _find_tilt((pose, rim, True, pull, change, 0.0), 0.0, h, within(0.0, h, guess))
    pose = rolled(pose, rim, True, pull, change, time)
    return Pose(0.0, min(pose.rate, -LEAST), 0.0, *pose[3:]), time


# -- the two kinds of motion --------------------------------------------------------------------


@fused_kernel
def swing(pose, rim, pull, change, h):  # type: ignore[no-untyped-def]
    """(pose, time, event) of a planar motion over a time h, or until something happens."""
    start = tilt_acceleration(pose, rim, True, pull)
    new = rolled(pose, rim, True, pull, change, h)
    end = tilt_acceleration(new, rim, True, pulled(pull, change, h))
    if pose.theta == 0 and pose.rate == 0:  # just lifted off, whatever rounding says
        if new.theta > 0:
            return new, h, NOTHING
        return pose, h, RESTS if end <= 0 else NOTHING
    if start * end < 0 and abs(start) > SOON * abs(end):
        h = h * start / (start - end)  # the rate is monotonic on either side
        new = rolled(pose, rim, True, pull, change, h)
    if pose.rate > 0 and new.rate < 0:
        top, time = _turn(pose, rim, True, pull, change, h)
        return top, time, TURN
    if pose.rate < 0 and new.rate > 0:  # it may have come down on the way
        time = _find_rate((pose, rim, True, pull, change, 1.0), 0.0, h, 0.5 * h)
        low = rolled(pose, rim, True, pull, change, time)
        if low.theta < 0:
            new, h = low, time
    if new.theta < 0:
        down, time = _landed(pose, rim, pull, change, h)
        return down, time, NOTHING
    return new, h, NOTHING


@fused_kernel
def wobble(pose, rim, pull, change, K, longest, left):  # type: ignore[no-untyped-def]
    """(pose, time, event) of a motion that is not planar, over a step as long as is trusted."""
    theta = pose.theta
    speed2 = pose.rate * pose.rate + (pose.p / theta) ** 2 if theta > 0 else pose.rate * pose.rate
    if theta < FLUSH and speed2 < 2 * K * FLUSH:
        lifts = push(rim, pull) > 0
        if (lifts and theta < BARELY and speed2 < 2 * K * BARELY) or (theta == 0 and speed2 == 0):
            return launched(pose, rim, pull, change, left)
        if not lifts:
            return pose, 0.0, RESTS
    if theta == 0:
        pose, time = departed(pose, rim, K, pull, left)
        return pose, time, NOTHING
    if pose.rate < 0 and K * theta < NEGLIGIBLE * speed2:
        pose, time = glanced(pose, rim)
        return pose, min(time, left), NOTHING
    h = min(left, longest, step_length(pose, rim, K))
    new = rolled(pose, rim, False, pull, change, h)
    still = STILL * math.sqrt(K * theta)  # of a steady precession only rounding is left
    if pose.rate > still and new.rate < -still:
        top, time = _turn(pose, rim, False, pull, change, h)
        return top, time, TURN
    return new, h, NOTHING


@fused_kernel
def _fallen(pose, rim, planar, pull, change, h):  # type: ignore[no-untyped-def]
    """(pose, time) where it comes to lie on its side within a step."""
    time = _find_tilt((pose, rim, planar, pull, change, LYING), 0.0, h, 0.5 * h)
    pose = rolled(pose, rim, planar, pull, change, time)
    return Pose(LYING, *pose[1:]), time


@inner_fused_kernel
def roll(state, pose, rim, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Roll on the rim until something happens."""
    loss = loss_in(state)
    rate = 1 / dt
    change = (
        rate * (ground1[0] - ground0[0]),
        rate * (ground1[1] - ground0[1]),
        rate * (ground1[2] - ground0[2]),
    )
    K = max(strongest(rim, ground0), strongest(rim, ground1))
    longest = longest_step(rim, ground0, ground1)
    elapsed, event = 0.0, NOTHING
    for _ in range(MOST_STEPS):
        pull, left, before = pulled(ground0, change, elapsed), dt - elapsed, pose
        planar = is_planar(pose, rim, K, pull, ground1, left)
        if planar:
            pose, time, event = swing(pose, rim, pull, change, min(left, longest))
        else:
            pose, time, event = wobble(pose, rim, pull, change, K, longest, left)
        if pose.theta >= LYING:
            pose, time = _fallen(before, rim, planar, pull, change, time)
            event = OVERTURN
        elapsed = dt if time >= left else elapsed + time
        flat = pose.theta == 0 if planar else pose.theta < FLAT and rim.kept < 1
        if event != NOTHING or elapsed >= dt or (flat and pose.rate < 0):
            break
    if event == RESTS:
        loss += rim.mass * energy_of(pose, rim)
        return resting_state(pose, rim, loss, state), elapsed, event
    return state_of(pose, rim, loss, state), elapsed, event


@inner_fused_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """See `contract.py`; the ground is (a_x, a_z, a_y)."""
    if state[MODE] == REST:
        return wait(state, params, ground0, ground1, dt)
    rim = Rim(*params)
    pose = pose_of(state, rim)
    if pose.rate < 0:
        if pose.theta == 0:
            return strike(state, pose, rim, ground0)
        if rim.kept < 1 and pose.theta < FLAT:
            K = max(strongest(rim, ground0), strongest(rim, ground1))
            if not is_planar(pose, rim, K, ground0, ground1, dt):
                return brush(state, pose, rim, ground0)
    return roll(state, pose, rim, ground0, ground1, dt)


ADVANCE = advance


@fused_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its whole base."""
    return state[MODE] == REST


@fused_kernel
def doomed(state, params):  # type: ignore[no-untyped-def]
    """Whether it will fall though the ground never moves again: it is beyond its balance point and
    not on its way back. (Nearer to upright energy alone does not tell: a wobble may hold it.)"""
    return state[0] > 1 and state[1] >= 0
