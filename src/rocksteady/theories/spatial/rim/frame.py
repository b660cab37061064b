"""A round body on its rim, seen from the lowest point of the rim.

Its axis leans by θ in the direction φ. Unit vectors: n along the axis, u in the base towards the
lowest point of the rim, t = n × u, horizontal. In them the angular velocity is

    w_u = −φ' sin θ,   w_t = θ',   w_n,          and   p = φ' sin² θ

is used in place of w_u: it stays finite and nearly steady while the body passes close to flat.
β is the angle of u in the body: which point of the rim touches. The state keeps it as its `pivot`
[rad], and needs it where the body is flat on the ground and about to lean.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import arctan2, sincos
from rocksteady.theories.spatial.state import (
    AHEAD,
    LEAN_RATE,
    LEVEL,
    LOSS,
    MORE,
    PIVOT,
    PLACE,
    REST,
    RIM,
    SPIN,
    TILT,
    UP,
    WORK,
)

AXIS = 1e-15  # what rounding leaves of a sine of π


class Pose(NamedTuple):
    """How it leans and moves."""

    theta: float  # tilt [rad]
    rate: float  # θ' [rad/s]
    p: float  # φ' sin² θ [rad/s]
    spin: float  # w_n [rad/s]
    to_x: float  # (cos φ, sin φ), in which direction of the ground it leans
    to_y: float
    at_x: float  # (cos β, sin β), which point of the rim touches
    at_y: float
    x: float  # where on the ground [m]
    y: float
    work: float  # of the ground so far [J/kg]


@fused_kernel
def wide_sincos(angle):  # type: ignore[no-untyped-def]
    """(sin, cos) of an angle of up to 4 π, that of an eighth doubled three times; along the axes
    exactly zero, so that a motion along one of them stays in its plane."""
    sine, cosine = sincos(angle * (1 / 8))
    for _ in range(3):
        sine, cosine = 2 * sine * cosine, 1 - 2 * sine * sine
    return 0.0 if abs(sine) < AXIS else sine, 0.0 if abs(cosine) < AXIS else cosine


@inner_fused_kernel
def angle_of(x, y):  # type: ignore[no-untyped-def]
    """The angle of a vector from the x axis, in (−π, π]."""
    angle = arctan2(abs(y), abs(x))
    angle = math.pi - angle if x < 0 else angle
    return -angle if y < 0 else angle


@inner_fused_kernel
def turned(x, y, sine, cosine):  # type: ignore[no-untyped-def]
    """A unit vector turned by an angle, without the drift of its length by rounding."""
    x, y = x * cosine - y * sine, y * cosine + x * sine
    scale = 1.5 - 0.5 * (x * x + y * y)
    return scale * x, scale * y


@inner_fused_kernel
def pose_of(state, rim):  # type: ignore[no-untyped-def]
    """The pose in a state."""
    theta, up_x, up_y = state[TILT], state[UP], state[UP + 1]
    size = math.sqrt(up_x * up_x + up_y * up_y)
    if size > 1e-150:  # its square is not lost
        at_x, at_y = -up_x / size, -up_y / size
    else:
        at_y, at_x = wide_sincos(state[PIVOT])
    sine, cosine = sincos(theta)
    a_x, a_y, a_z = state[AHEAD], state[AHEAD + 1], state[AHEAD + 2]
    to_x = (a_x * at_x + a_y * at_y) * cosine + a_z * sine
    to_y = a_x * at_y - a_y * at_x
    to_x, to_y = turned(to_x, to_y, 0.0, 1.0)
    w_x, w_y, spin = state[SPIN], state[SPIN + 1], state[SPIN + 2]
    # not from w_x and w_y: rounding would undo a rate of zero
    rate, p = state[LEAN_RATE] * rim.alpha, -sine * (w_x * at_x + w_y * at_y)
    x, y = state[PLACE], state[PLACE + 1]
    work = state[WORK] / rim.mass
    return Pose(theta, rate, p, spin, to_x, to_y, at_x, at_y, x, y, work)


@inner_fused_kernel
def state_of(pose, rim, loss, state):  # type: ignore[no-untyped-def]
    """The state with this pose and loss [J]; what else is in it comes from ``state``."""
    sine, cosine = sincos(pose.theta)
    to_x, to_y, at_x, at_y = pose.to_x, pose.to_y, pose.at_x, pose.at_y
    w_u = -pose.p / sine if pose.theta > 0 else 0.0
    lean = (pose.theta / rim.alpha, pose.rate / rim.alpha, pose.theta)
    up = (-sine * at_x, -sine * at_y, cosine)
    level = to_x * cosine
    ahead = (level * at_x + to_y * at_y, level * at_y - to_y * at_x, to_x * sine)
    turning = (w_u * at_x - pose.rate * at_y, w_u * at_y + pose.rate * at_x, pose.spin)
    contact = (pose.x, pose.y, RIM, angle_of(at_x, at_y))
    new = (*lean, *up, *ahead, *turning, *contact, pose.work * rim.mass, loss)
    return new + state[MORE:]


@fused_kernel
def resting_state(pose, rim, loss, state):  # type: ignore[no-untyped-def]
    """The state of rest on the whole base, turned as it is."""
    cosine = pose.to_x * pose.at_x + pose.to_y * pose.at_y  # of the yaw φ − β
    sine = pose.to_y * pose.at_x - pose.to_x * pose.at_y
    cosine, sine = turned(cosine, sine, 0.0, 1.0)
    still = (0.0, 0.0, 0.0)
    contact = (pose.x, pose.y, REST, angle_of(pose.at_x, pose.at_y))
    new = (*still, *LEVEL, cosine, -sine, 0.0, *still, *contact, pose.work * rim.mass, loss)
    return new + state[MORE:]


@fused_kernel
def energy_of(pose, rim):  # type: ignore[no-untyped-def]
    """Energy above rest [J/kg]."""
    sine, cosine = sincos(pose.theta)
    w_u = -pose.p / sine if pose.theta > 0 else 0.0
    w_t, w_n = pose.rate, pose.spin
    across = rim.rho * w_n + rim.h * w_u
    turning = rim.inertia * w_t * w_t + rim.A * w_u * w_u + rim.C * w_n * w_n
    rise = rim.rho * sine - rim.h * sine * sine / (1 + cosine)
    return 0.5 * (turning + across * across) + rim.g * rise


@fused_kernel
def leaning_to(pose, rim, to_x, to_y):  # type: ignore[no-untyped-def]
    """The pose with the lowest point of the rim in another direction. The point of contact runs
    along the rim, around the circle on which the body stands."""
    cosine = to_x * pose.to_x + to_y * pose.to_y
    sine = to_y * pose.to_x - to_x * pose.to_y
    at_x, at_y = turned(pose.at_x, pose.at_y, sine, cosine)
    x, y = pose.x + rim.rho * (to_x - pose.to_x), pose.y + rim.rho * (to_y - pose.to_y)
    theta, rate, p, spin = pose[:4]
    return Pose(theta, rate, p, spin, to_x, to_y, at_x, at_y, x, y, pose.work)


@inner_fused_kernel
def loss_in(state):  # type: ignore[no-untyped-def]
    return state[LOSS]
