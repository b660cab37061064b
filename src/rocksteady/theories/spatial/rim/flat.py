"""What happens flat on the ground, or so close to it that time no longer resolves the motion.

Close to flat the potential energy no longer counts, and the motion is a straight line in the plane
whose polar coordinates are (θ, κφ). The lowest point of the rim runs around by π/κ, less what the
body came short of flat, and nothing is lost: the *angle of turn* of Srinivasan and Ruina (2008).

A motion that would come closer to flat than PLANAR is planar. Its base strikes the ground as a
whole, and it goes on about the opposite point of the rim with η = (A + h² − ρ²)/(A + h² + ρ²) of
its angular velocity, as Housner's block. The two do not meet in a limit.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import arctan2
from rocksteady.theories.contract import IMPACT
from rocksteady.theories.spatial.rim.frame import (
    Pose,
    energy_of,
    leaning_to,
    loss_in,
    resting_state,
    state_of,
    turned,
    wide_sincos,
)
from rocksteady.theories.spatial.rim.liftoff import push

PLANAR = 1e-12  # rad: a motion that comes closer to flat than that is planar
ALONG = 1e-12  # of the ground's pull: across a lean that rounding alone has turned out of its line
FLUSH = 1e-9  # rad: a body that cannot lift by more than this is at rest
FLAT = 1e-5  # rad: a passage closer than that keeps the ratio r of its kinetic energy
NEGLIGIBLE = 1e-9  # of the kinetic energy: the potential energy where a passage is a straight line
DEAD = 1e-12  # of g h: a body with less energy than that after a planar impact is at rest


@inner_fused_kernel
def is_planar(pose, rim, K, pull0, pull1, h):  # type: ignore[no-untyped-def]
    """Whether the motion is in a plane for a time h, but for PLANAR: it has no momentum about the
    vertical, and the ground, from pull0 to pull1, pulls along the lean and gives it none."""
    rate, gain = abs(pose.rate), K * h
    fastest = rate + math.sqrt(2 * K * pose.theta) + gain
    momentum = abs(pose.p) + rim.free * h * (pose.theta + h * (rate + gain)) * abs(pose.spin)
    across0 = abs(pull0[2] * pose.to_x - pull0[0] * pose.to_y)
    across1 = abs(pull1[2] * pose.to_x - pull1[0] * pose.to_y)
    along = ALONG * (abs(pull0[0]) + abs(pull0[2]) + abs(pull1[0]) + abs(pull1[2]))
    return rim.kappa * momentum <= PLANAR * fastest and across0 + across1 <= along


# -- impacts -----------------------------------------------------------------------------------


@inner_fused_kernel
def strike(state, pose, rim, ground0):  # type: ignore[no-untyped-def]
    """A planar motion strikes the ground with the whole base and goes on, leaning the other way."""
    before = energy_of(pose, rim)
    speed = rim.eta * -pose.rate
    pose = leaning_to(pose, rim, -pose.to_x, -pose.to_y)
    pose = Pose(0.0, speed, 0.0, pose.spin, *pose[4:])
    after = energy_of(pose, rim)
    if not speed > 0 or (after < DEAD * rim.g * rim.h and not push(rim, ground0) > 0):
        new = resting_state(pose, rim, loss_in(state) + rim.mass * before, state)
    else:
        new = state_of(pose, rim, loss_in(state) + rim.mass * (before - after), state)
    return new, 0.0, IMPACT


@inner_fused_kernel
def brush(state, pose, rim, ground0):  # type: ignore[no-untyped-def]
    """A passage closer to flat than FLAT that keeps the ratio r of its kinetic energy. The time it
    takes is neglected. What then cannot lift by more than FLAT comes to rest."""
    before = energy_of(pose, rim)
    pose, _ = glanced(pose, rim)
    slower = math.sqrt(rim.kept)
    pose = Pose(pose.theta, slower * pose.rate, slower * pose.p, slower * pose.spin, *pose[4:])
    after = energy_of(pose, rim)
    if after < rim.g * rim.rho * FLAT and not push(rim, ground0) > 0:
        new = resting_state(pose, rim, loss_in(state) + rim.mass * before, state)
    else:
        new = state_of(pose, rim, loss_in(state) + rim.mass * (before - after), state)
    return new, 0.0, IMPACT


# -- motions too close to flat for steps in time --------------------------------------------------


@fused_kernel
def glanced(pose, rim):  # type: ignore[no-untyped-def]
    """(pose, time) on the other side of a passage close to flat, at the same tilt."""
    theta, inward = pose.theta, -pose.rate
    across = rim.kappa * abs(pose.p) / theta
    turn = 2 * arctan2(inward, across) / rim.kappa
    turn = math.copysign(turn, pose.p)
    time = 2 * theta * inward / (inward * inward + across * across)
    to_x, to_y = turned(pose.to_x, pose.to_y, *wide_sincos(turn))
    pose = leaning_to(pose, rim, to_x, to_y)
    return Pose(theta, inward, *pose[2:]), time


@fused_kernel
def departed(pose, rim, K, pull, left):  # type: ignore[no-untyped-def]
    """(pose, time) of a body that leaves flat at a speed, as a planar impact left it, until time
    resolves its motion: straight on, while the ground begins to turn it."""
    rate = pose.rate
    time = min(left, NEGLIGIBLE * rate / K)
    lean = rate * time
    sideways = pull[2] * pose.to_x - pull[0] * pose.to_y
    azimuth_rate = -0.5 * rim.h * sideways / (rim.across * rate)
    return Pose(lean, rate, azimuth_rate * lean * lean, *pose[3:]), time
