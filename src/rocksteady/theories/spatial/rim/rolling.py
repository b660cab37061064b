"""Rolling on the rim, and a step of it of sixth order.

In the frame of `frame.py`, per unit mass, with a_r and a_t the ground's acceleration along and
across the lean, s and c the sine and cosine of θ, N = ρ w_n + h w_u and λ = φ' c:

    I θ'' = w_u (C w_n − λ A) − h λ N + ρ w_u N − (g + a_z)(ρ c − h s) − a_r (ρ s + h c).

*Free* rolling has two more equations. The terms that grow without bound close to flat cancel:

    p' = −s D,   (A + h²) D + h ρ w_n' = h S − C w_t w_n,   h ρ D + (C + ρ²) w_n' = ρ S,
    S = a_t − ρ w_u w_t.

*Restrained* to the circle on which it stood, w_n = φ'(c − 1) = −p/(1 + c), and the momentum
Γ p about the vertical through the circle's centre has the torque of the ground,

    (Γ p)' = −a_t U,   Γ = (ρ τ + h)² + A + C τ²,   U = s (ρ τ + h),   τ = tan(θ/2).

The point of contact runs along the rim, and over the ground, at the speed ρ β' = ρ (φ' c − w_n).
"""

import math

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.spatial.rim.frame import Pose, turned

# How far a step goes, as a share of
SHARE_OF_PASSAGE = 0.05  # θ over its speed, where it passes close to flat
SHARE_OF_SWAY = 0.12  # √(θ/K): the direction of a small lean sways about that of the ground's pull
SHARE_OF_TIME = 0.1  # the time √(I/((h + ρ) s)) in which a pull s changes the motion


@inner_fused_kernel
def slope(y, pull, rim, planar):  # type: ignore[no-untyped-def]
    """Time derivatives of y = (θ', p, w_n, sin θ, cos θ, cos φ, sin φ), and those of what follows
    from them: (θ, φ, β, x, y, work). ``pull`` is the ground's (a_x, a_z, a_y). A ``planar`` motion
    keeps its direction, whatever rounding says. Sines and cosines have equations of their own:
    cheaper than to work them out seven times a step."""
    w_t, p, w_n, s, c, to_x, to_y = y
    a_x, a_z, a_y = pull
    g, _, h, A, C, rho, free = rim[:7]
    a_r, a_t = a_x * to_x + a_y * to_y, a_y * to_x - a_x * to_y
    per_s = 0.0 if planar else 1 / s
    per = 1 / (1 + c)
    w_n = w_n if free > 0 else -p * per
    w_u = -p * per_s
    azimuth_rate = -w_u * per_s
    lam = azimuth_rate * c
    N = rho * w_n + h * w_u
    up, out = rho * c - h * s, rho * s + h * c  # Z' and U'
    gyration = w_u * (C * w_n - lam * A) + N * (rho * w_u - h * lam)
    bend = (gyration - (g + a_z) * up - a_r * out) * rim.per_inertia
    if free > 0:
        S = a_t - rho * w_u * w_t
        twist = C * w_t * w_n
        D = (h * C * S - (C + rho * rho) * twist) * rim.per_det
        p_rate, spin_rate = -s * D, rho * (A * S + h * twist) * rim.per_det
    else:
        tau = s * per
        arm = rho * tau + h
        gamma = arm * arm + A + C * tau * tau
        grows = 2 * per * (rho * arm + C * tau)
        p_rate, spin_rate = -(a_t * s * arm + grows * p * w_t) / gamma, 0.0
    along = lam - w_n
    run = rho * along
    power = a_t * N - w_t * (a_r * out + a_z * up)
    turning = (c * w_t, -s * w_t, -azimuth_rate * to_y, azimuth_rate * to_x)
    follows = (w_t, azimuth_rate, along, -run * to_y, run * to_x, power)
    return (bend, p_rate, spin_rate, *turning), follows


@inner_fused_kernel
def plus(y, share, k):  # type: ignore[no-untyped-def]
    return (
        y[0] + share * k[0],
        y[1] + share * k[1],
        y[2] + share * k[2],
        y[3] + share * k[3],
        y[4] + share * k[4],
        y[5] + share * k[5],
        y[6] + share * k[6],
    )


@inner_fused_kernel
def plus_following(y, share, k):  # type: ignore[no-untyped-def]
    return (
        y[0] + share * k[0],
        y[1] + share * k[1],
        y[2] + share * k[2],
        y[3] + share * k[3],
        y[4] + share * k[4],
        y[5] + share * k[5],
    )


@inner_fused_kernel
def unknowns(pose):  # type: ignore[no-untyped-def]
    """What `slope` works on."""
    sine, cosine = sincos(pose.theta)
    return (pose.rate, pose.p, pose.spin, sine, cosine, pose.to_x, pose.to_y)


@inner_fused_kernel
def pulled(pull, change, time):  # type: ignore[no-untyped-def]
    """The ground's acceleration after a time, with ``change`` per second."""
    return (pull[0] + change[0] * time, pull[1] + change[1] * time, pull[2] + change[2] * time)


@fused_kernel
def rolled(pose, rim, planar, pull, change, h):  # type: ignore[no-untyped-def]
    """The pose after a time h: Butcher's method of sixth order with seven stages."""
    y = unknowns(pose)
    k1, q1 = slope(y, pull, rim, planar)
    third, half = pulled(pull, change, h * (1 / 3)), pulled(pull, change, h * (1 / 2))
    k2, _ = slope(plus(y, h * (1 / 3), k1), third, rim, planar)
    k3, q3 = slope(plus(y, h * (2 / 3), k2), pulled(pull, change, h * (2 / 3)), rim, planar)
    z = plus(plus(plus(y, h * (1 / 12), k1), h * (1 / 3), k2), h * (-1 / 12), k3)
    k4, q4 = slope(z, third, rim, planar)
    z = plus(plus(y, h * (-1 / 16), k1), h * (9 / 8), k2)
    k5, q5 = slope(plus(plus(z, h * (-3 / 16), k3), h * (-3 / 8), k4), half, rim, planar)
    z = plus(plus(y, h * (9 / 8), k2), h * (-3 / 8), k3)
    k6, q6 = slope(plus(plus(z, h * (-3 / 4), k4), h * (1 / 2), k5), half, rim, planar)
    z = plus(plus(plus(y, h * (9 / 44), k1), h * (-9 / 11), k2), h * (63 / 44), k3)
    z = plus(plus(z, h * (18 / 11), k4), h * (-16 / 11), k6)
    k7, q7 = slope(z, pulled(pull, change, h), rim, planar)
    ends, thirds, halves = h * (11 / 120), h * (27 / 40), h * (-4 / 15)
    z = plus(plus(plus(y, ends, k1), thirds, k3), thirds, k4)
    y = plus(plus(plus(z, halves, k5), halves, k6), ends, k7)
    run = (pose.theta, 0.0, 0.0, pose.x, pose.y, pose.work)
    run = plus_following(plus_following(run, ends, q1), thirds, q3)
    run = plus_following(plus_following(run, thirds, q4), halves, q5)
    run = plus_following(plus_following(run, halves, q6), ends, q7)
    return _placed(pose, rim, y, run)


@inner_fused_kernel
def _placed(pose, rim, y, run):  # type: ignore[no-untyped-def]
    """The pose at the end of a step. A restrained body is put back on its circle."""
    rate, p, spin = y[:3]
    theta, turn, along, x, ground_y, work = run
    to_x, to_y = turned(pose.to_x, pose.to_y, *sincos(turn))
    if not rim.free > 0:
        spin, along = -p / (1 + y[4]), turn
        x, ground_y = pose.x + rim.rho * (to_x - pose.to_x), pose.y + rim.rho * (to_y - pose.to_y)
    at_x, at_y = turned(pose.at_x, pose.at_y, *sincos(along))
    return Pose(theta, rate, p, spin, to_x, to_y, at_x, at_y, x, ground_y, work)


@inner_fused_kernel
def tilt_acceleration(pose, rim, planar, pull):  # type: ignore[no-untyped-def]
    """θ'' [rad/s²]."""
    return slope(unknowns(pose), pull, rim, planar)[0][0]


@inner_fused_kernel
def strongest(rim, pull):  # type: ignore[no-untyped-def]
    """K: what gravity and the ground together can give a small lean [rad/s²]."""
    a = math.sqrt(pull[0] * pull[0] + pull[2] * pull[2])
    return (abs(rim.g + pull[1]) * rim.rho + a * rim.h) / rim.inertia


@inner_fused_kernel
def longest_step(rim, pull0, pull1):  # type: ignore[no-untyped-def]
    """The time [s] over which a step is trusted anywhere."""
    most = 0.0
    for a_x, a_z, a_y in (pull0, pull1):
        most = max(most, abs(rim.g + a_z) + abs(a_x) + abs(a_y))
    return SHARE_OF_TIME * math.sqrt(rim.inertia / ((rim.h + rim.rho) * most))


@inner_fused_kernel
def step_length(pose, rim, K):  # type: ignore[no-untyped-def]
    """The time [s] over which a step is trusted where the motion is not planar."""
    theta = pose.theta
    across, about = pose.p / theta, theta * pose.spin
    speed2 = pose.rate * pose.rate + across * across + about * about
    passage = speed2 * (1 / SHARE_OF_PASSAGE**2)
    sway = K * theta * (1 / SHARE_OF_SWAY**2)
    return theta / math.sqrt(passage + sway)
