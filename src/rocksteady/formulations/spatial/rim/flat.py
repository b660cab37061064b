"""What happens flat on the ground, or so close to it that time no longer resolves the motion.

Close to flat the potential energy no longer counts, and the motion is a straight line in the plane
whose polar coordinates are (θ, κφ). The lowest point of the rim runs around by π/κ, less what the
body came short of flat, and nothing is lost: the *angle of turn* of Srinivasan and Ruina (2008).

A motion that would come closer to flat than PLANAR is planar. Its base strikes the ground as a
whole, and it goes on about the opposite point of the rim with η = (A + h² − ρ²)/(A + h² + ρ²) of
its angular velocity, as Housner's block. The two do not meet in a limit.
"""

import math

from rocksteady.formulations.contract import IMPACT, NOTHING, UPLIFT
from rocksteady.formulations.contract import REST as RESTS
from rocksteady.formulations.spatial.rim.body import Rim
from rocksteady.formulations.spatial.rim.frame import (
    Pose,
    energy_of,
    leaning_to,
    loss_in,
    pose_of,
    resting_state,
    state_of,
    turned,
    wide_sincos,
)
from rocksteady.formulations.spatial.rim.rolling import pulled
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import arctan2

PLANAR = 1e-12  # rad: a motion that comes closer to flat than that is planar
FLUSH = 1e-9  # rad: a body that cannot lift by more than this is at rest
FLAT = 1e-5  # rad: a passage closer than that keeps the ratio r of its kinetic energy
NEGLIGIBLE = 1e-9  # of the kinetic energy: the potential energy where a passage is a straight line
ROUNDING = 1e-14
DEAD = 1e-12  # of g h: a body with less energy than that after a planar impact is at rest


@inner_fused_kernel
def push(rim, pull):  # type: ignore[no-untyped-def]
    """θ'' [rad/s²] that upright rest would take up away from the ground's acceleration; it lifts
    off where this is positive."""
    a = math.sqrt(pull[0] * pull[0] + pull[2] * pull[2])
    return (rim.h * a - rim.rho * (rim.g + pull[1])) / rim.inertia


@inner_fused_kernel
def is_planar(pose, rim, K, pull0, pull1, h):  # type: ignore[no-untyped-def]
    """Whether the motion is in a plane for a time h, but for PLANAR: neither has it a momentum
    about the vertical nor does the ground, from pull0 to pull1, give it one."""
    theta, rate = pose.theta, abs(pose.rate)
    gain = K * h
    fastest = rate + math.sqrt(2 * K * theta) + gain
    reach = theta + h * (rate + gain)
    across0 = abs(pull0[2] * pose.to_x - pull0[0] * pose.to_y)
    across1 = abs(pull1[2] * pose.to_x - pull1[0] * pose.to_y)
    arm = (rim.h + rim.rho) / (rim.A + rim.h * rim.h)
    torque = arm * (across0 + across1) + rim.free * abs(pose.spin) * fastest
    return rim.kappa * (abs(pose.p) + h * reach * torque) <= PLANAR * fastest


# -- at rest -----------------------------------------------------------------------------------


@inner_fused_kernel
def wait(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Stand upright until the horizontal acceleration reaches (g + a_z) ρ/h in any direction."""
    rim = Rim(*params)
    used = lift_time(rim, ground0, ground1) * dt
    if not used <= dt:
        return state, dt, NOTHING
    share = used / dt
    a_x = ground0[0] + share * (ground1[0] - ground0[0])
    a_y = ground0[2] + share * (ground1[2] - ground0[2])
    size = math.sqrt(a_x * a_x + a_y * a_y)
    pose = leaning_to(pose_of(state, rim), rim, -a_x / size, -a_y / size)
    return state_of(pose, rim, loss_in(state), state), used, UPLIFT


@fused_kernel
def lift_time(rim, ground0, ground1):  # type: ignore[no-untyped-def]
    """The part of the interval after which h² |a|² first passes ρ² (g + a_z)² on its way up; 2 if
    it does not. Both are squares of linear functions."""
    x, y, z = rim.h * ground0[0], rim.h * ground0[2], rim.rho * (rim.g + ground0[1])
    dx, dy = rim.h * (ground1[0] - ground0[0]), rim.h * (ground1[2] - ground0[2])
    dz = rim.rho * (ground1[1] - ground0[1])
    q0 = x * x + y * y - z * z
    q1, q2 = 2 * (x * dx + y * dy - z * dz), dx * dx + dy * dy - dz * dz
    if q0 > (0.0 if q1 > 0 else ROUNDING * z * z):  # on its way down rounding does not lift it
        return 0.0
    square = q1 * q1 - 4 * q2 * q0
    if square < 0:
        return 2.0
    root = math.sqrt(square)
    if q1 > 0:
        return -2 * q0 / (q1 + root)
    return (root - q1) / (2 * q2) if q2 > 0 else 2.0


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
def launched(pose, rim, pull, change, left):  # type: ignore[no-untyped-def]
    """(pose, time, event) of a body that the ground lifts from rest, until it leans by FLUSH.

    Its lean is that of the net push, steady and growing; its direction is that of the ground's
    pull, which turns: any deviation would sway ever faster the smaller the lean, and dies away as
    the lean grows. If the push ends before, the body is at rest."""
    a_x, _, a_y = pull
    size2 = a_x * a_x + a_y * a_y
    size = math.sqrt(size2)
    force = push(rim, pull)
    growth = rim.h * (a_x * change[0] + a_y * change[2]) / size - rim.rho * change[1]
    growth = growth / rim.inertia
    rate = max(pose.rate, 0.0)
    time = left
    if rate > 0:
        time = min(time, FLUSH / rate)
    if force > 0:
        time = min(time, math.sqrt(2 * FLUSH / force))
    if growth > 0:
        time = min(time, about_cube_root(6 * FLUSH / growth))
    if force + growth * time <= 0:
        return pose, min(time, max(force, 0.0) / -growth if growth < 0 else time), RESTS
    turning = (a_x * change[2] - a_y * change[0]) / size2
    bend = rim.h * size * turning * turning / rim.inertia  # a pull that turns grows by itself
    lean = time * (0.5 * force + time * (growth * (1 / 6) + time * bend * (1 / 24)))
    lean = pose.theta + time * (rate + lean)
    faster = rate + time * (force + time * (growth * 0.5 + time * bend * (1 / 6)))
    later = pulled(pull, change, time)
    size1 = math.sqrt(later[0] * later[0] + later[2] * later[2])
    turning = turning * (rim.h * size) / (rim.h * size + 2 * rim.across * max(force, 0.0))
    spin = -2 * rim.free * rim.rho * rim.A * turning * lean / (rim.C * rim.h)
    before = energy_of(pose, rim)
    pose = leaning_to(pose, rim, -later[0] / size1, -later[2] / size1)
    to_x, to_y, at_x, at_y, x, y, work = pose[4:]
    new = Pose(lean, faster, turning * lean * lean, spin, to_x, to_y, at_x, at_y, x, y, work)
    work += energy_of(new, rim) - before
    return Pose(lean, faster, new.p, spin, to_x, to_y, at_x, at_y, x, y, work), time, NOTHING


@fused_kernel
def about_cube_root(x):  # type: ignore[no-untyped-def]
    """The cube root within some percent: 1/3 = 1/4 + 1/16 + 1/64 + …, the same on every machine."""
    root = 1.0
    for _ in range(5):
        x = math.sqrt(math.sqrt(x))
        root *= x
    return root


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
