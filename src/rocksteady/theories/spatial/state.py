"""What the state of a body in space holds, and how far it leans.

R turns vectors of the body into vectors of the ground. The state keeps two rows of it, the vertical
and the ground's x axis as the body sees them: γ = Rᵀz and ξ = Rᵀx; the third is η = γ × ξ. Heights
then need no trigonometry: a point r of the body lies γ·r above the centre of mass.

The *lean* is the tilt θ over the tilt α(φ) at which gravity stops pulling the body back in the
direction φ in which it leans: with c the corner it stands on, seen from the centre of mass at
height h, and u the unit vector of the base that points downhill,

    cos θ = γ₃,   u = −(γ₁, γ₂)/sin θ,   tan α = u·c / h.
"""

import math

from rocksteady.numerics.decorators import driver, fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import arctan2, two_angles
from rocksteady.numerics.triples import cross, dot

COLUMNS = (
    "lean [-]",
    "lean_rate [1/s]",
    "tilt [rad]",
    "up_x [-]",
    "up_y [-]",
    "up_z [-]",
    "ahead_x [-]",
    "ahead_y [-]",
    "ahead_z [-]",
    "spin_x [rad/s]",
    "spin_y [rad/s]",
    "spin_z [rad/s]",
    "pivot_x [m]",
    "pivot_y [m]",
    "mode [-]",
    "pivot [-]",
    "work [J]",
    "loss [J]",
)
LOOSE_COLUMNS = ("pivot_z [m]", "drift_x [m/s]", "drift_y [m/s]", "drift_z [m/s]")
# up, ahead: γ and ξ; spin: angular velocity W in the body's axes; pivot_x, pivot_y: place on the
# ground of the point it turns about; mode: one of those below; pivot: the number of the corner;
# work: done by the shaking ground since the start; loss: in impacts since the start. A body that
# may slide also keeps the height and the velocity of the point.
LEAN, LEAN_RATE, TILT, UP, AHEAD, SPIN, PLACE, MODE, PIVOT, WORK, LOSS = (
    0, 1, 2, 3, 6, 9, 12, 14, 15, 16, 17,
)  # fmt: skip
MORE = 18

REST, EDGE, VERTEX, RIM, LOOSE = 0.0, 1.0, 2.0, 3.0, 4.0  # modes
MODE_NAMES = ("at rest", "on an edge", "on a corner", "on its rim", "loose")

LEVEL = (0.0, 0.0, 1.0)  # γ of a body that stands upright
LYING = math.pi / 2


@inner_fused_kernel
def lean_when_leaning(up, up_rate, foot, height):  # type: ignore[no-untyped-def]
    """((lean, its rate, tilt), whether it leans at all) on a foot at (x, y) from the centre of
    mass, which lies ``height`` above the base. Without branches, and with as few divisions as can
    be: with s = sin θ and m = s u·c, tan α = m/(h s),

        θ' = (cos θ (s²)'/2 − s² γ₃')/s,   α' = h (m' s² − m (s²)'/2)/(s (h² s² + m²)).
    """
    x, y, cosine = up
    square = x * x + y * y
    sine = math.sqrt(square)
    arm = -(x * foot[0] + y * foot[1])
    limit, tilt = two_angles(arm, height * sine, sine, cosine)
    outward = x * up_rate[0] + y * up_rate[1]
    swing = -(up_rate[0] * foot[0] + up_rate[1] * foot[1])
    slant = height * height * square + arm * arm
    bottom = limit * (sine * slant)
    leans = (arm > 0.0) & (bottom > 0.0)  # else it has sunk into the ground by rounding
    per = 1.0 / (bottom if leans else 1.0)
    lean = tilt * (per * (sine * slant))
    turn = height * (swing * square - arm * outward)
    rate = slant * (cosine * outward - square * up_rate[2]) - lean * turn
    return (lean, per * rate, tilt), leans


@inner_fused_kernel
def lean_of(up, up_rate, foot, height):  # type: ignore[no-untyped-def]
    """(lean, its rate, tilt): see above. Just lifted, a body leans the way it moves."""
    if up[0] != 0.0 or up[1] != 0.0:
        found, leans = lean_when_leaning((up[0], up[1], max(up[2], 0.0)), up_rate, foot, height)
        return found if leans else (0.0, 0.0, 0.0)
    x, y = up_rate[0], up_rate[1]
    arm, speed = -(x * foot[0] + y * foot[1]), math.sqrt(x * x + y * y)
    if arm <= 0.0:
        return 0.0, 0.0, 0.0
    return 0.0, speed / arctan2(arm, height * speed), 0.0  # θ = 0: its rate is that of the sine


@driver
def lean_once(up, up_rate, foot, height):  # type: ignore[no-untyped-def]
    """`lean_of`, called from Python: compiled once on a machine, not in every process."""
    return lean_of(up, up_rate, foot, height)


@fused_kernel
def written(state, pivot, up, ahead, spin, place, mode, k, work, loss):  # type: ignore[no-untyped-def]
    """The state with these parts, its lean worked out."""
    foot = -pivot.d[0], -pivot.d[1]
    lean = lean_of(up, cross(up, spin), foot, pivot.d[2])
    return (*lean, *up, *ahead, *spin, *place, mode, k, work, loss) + state[MORE:]  # noqa: RUF005


@inner_fused_kernel
def moved(place, up, ahead, r):  # type: ignore[no-untyped-def]
    """The place on the ground of a point at r from the one at ``place``."""
    left = cross(up, ahead)
    return place[0] + dot(ahead, r), place[1] + dot(left, r)
