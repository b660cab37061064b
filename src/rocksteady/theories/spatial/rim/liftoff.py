"""How a round body lifts off.

At rest it lifts where the ground's horizontal pull h |a| exceeds ρ (g + a_z), and leans away from
it. How the lean begins no step can follow: its direction sways about that of the pull, the faster
the smaller the lean. But any such sway dies away as the lean grows. What is left is smooth: with e
= (inertia against a change of direction)/(h |a|), the direction φ of the lean trails that of the
pull, φ₀, by

    δ = −e (2 θ' φ' + θ φ''),   φ = φ₀ + δ,

in which δ itself is put in once. θ follows from the net push, which grows, and which a pull that
turns lets grow a little more.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import NOTHING, UPLIFT
from rocksteady.theories.contract import REST as RESTS
from rocksteady.theories.spatial.rim.body import Rim
from rocksteady.theories.spatial.rim.frame import (
    Pose,
    energy_of,
    leaning_to,
    loss_in,
    pose_of,
    state_of,
    turned,
)
from rocksteady.theories.spatial.rim.rolling import pulled

LIFTED = 1e-10  # rad: so far a lift-off is smooth; from there on steps follow it
BARELY = 1e-13  # rad: a lean below that is still part of the lift-off
ROUNDING = 1e-14


@inner_fused_kernel
def push(rim, pull):  # type: ignore[no-untyped-def]
    """θ'' [rad/s²] that upright rest would take up away from the ground's acceleration; it lifts
    off where this is positive."""
    a = math.sqrt(pull[0] * pull[0] + pull[2] * pull[2])
    return (rim.h * a - rim.rho * (rim.g + pull[1])) / rim.inertia


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


@fused_kernel
def launched(pose, rim, pull, change, left):  # type: ignore[no-untyped-def]
    """(pose, time, event) of a body that the ground lifts from rest, until it leans by LIFTED. If
    the push ends before, the body is at rest."""
    a_x, _, a_y = pull
    size2 = a_x * a_x + a_y * a_y
    size = math.sqrt(size2)
    swells = (a_x * change[0] + a_y * change[2]) / size2
    turning = (a_x * change[2] - a_y * change[0]) / size2
    force, rate = push(rim, pull), max(pose.rate, 0.0)
    growth = (rim.h * size * swells - rim.rho * change[1]) * rim.per_inertia
    # a pull that turns grows by itself, and the body that turns with it is flung outward
    flung = turning * turning * rim.kappa * rim.kappa
    flung += rim.free * turning * turning * 2 * rim.rho * rim.rho * rim.A / rim.C * rim.per_inertia
    bend = rim.h * size * turning * turning * rim.per_inertia + flung * force
    snap = flung * growth - 3 * swells * bend
    time = _lift_off(rate, force, growth, bend, left)
    if force + growth * time <= 0:
        return pose, min(time, max(force, 0.0) / -growth if growth < 0 else time), RESTS
    series = growth * (1 / 6) + time * (bend * (1 / 24) + time * snap * (1 / 120))
    lean = pose.theta + time * (rate + time * (0.5 * force + time * series))
    series = growth * 0.5 + time * (bend * (1 / 6) + time * snap * (1 / 24))
    faster = rate + time * (force + time * series)
    pushes = (force, time * (growth + 0.5 * time * bend), growth + time * bend)
    later = pulled(pull, change, time)
    to_x, to_y, azimuth_rate = _trailing(rim, later, change, lean, faster, pushes)
    spin = -2 * rim.free * rim.rho * rim.A * azimuth_rate * lean / (rim.C * rim.h)
    before = energy_of(pose, rim)
    pose = leaning_to(pose, rim, to_x, to_y)
    to_x, to_y, at_x, at_y, x, y, work = pose[4:]
    p = azimuth_rate * lean * lean
    work += energy_of(Pose(lean, faster, p, spin, to_x, to_y, at_x, at_y, x, y, work), rim) - before
    return Pose(lean, faster, p, spin, to_x, to_y, at_x, at_y, x, y, work), time, NOTHING


@inner_fused_kernel
def _lift_off(rate, force, growth, bend, left):  # type: ignore[no-untyped-def]
    """The time [s] until the lean is about LIFTED, at most what is left."""
    time = left
    if rate > 0:
        time = min(time, LIFTED / rate)
    if force > 0:
        time = min(time, math.sqrt(2 * LIFTED / force))
    if growth > 0:
        time = min(time, about_cube_root(6 * LIFTED / growth))
    if bend > 0:
        time = min(time, math.sqrt(math.sqrt(24 * LIFTED / bend)))
    return time


@inner_fused_kernel
def _trailing(rim, pull, change, lean, rate, pushes):  # type: ignore[no-untyped-def]
    """(cos φ, sin φ, φ') of a lean that trails the pull. ``pushes``: θ'' at lift-off, what it has
    gained since, and the rate of that."""
    at_first, gained, growth = pushes
    size2 = pull[0] * pull[0] + pull[2] * pull[2]
    size = math.sqrt(size2)
    swells = (pull[0] * change[0] + pull[2] * change[2]) / size2  # |a|'/|a|; φ₀'' = −2 φ₀' of it
    turning = (pull[0] * change[2] - pull[2] * change[0]) / size2  # φ₀'
    e = rim.across / (rim.h * size)
    turning = turning / (1 + 2 * e * max(at_first, 0.0))  # pushed at once, it trails as t
    first = -e * turning * (2 * gained - 8 * swells * rate + 6 * swells * swells * lean)  # δ'
    second = -e * turning * (2 * growth - 14 * swells * gained)  # δ''
    trails = -e * (2 * rate * (turning + first) + lean * (second - 2 * swells * turning))
    to_x, to_y = turned(-pull[0] / size, -pull[2] / size, *sincos(trails))
    return to_x, to_y, turning + first


@fused_kernel
def about_cube_root(x):  # type: ignore[no-untyped-def]
    """The cube root within some percent: 1/3 = 1/4 + 1/16 + 1/64 + …, the same on every machine."""
    root = 1.0
    for _ in range(5):
        x = math.sqrt(math.sqrt(x))
        root *= x
    return root
