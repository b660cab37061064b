"""A rigid body on springs: its equations of motion and its six motion states.

The body has three degrees of freedom at its centre of mass, relative to the ground: u to the right,
v up, and the rotation ψ counter-clockwise (θ = −ψ). It stands on three springs (Peña, Eqs. 1–4;
geometry to first order in the small rotation): an axial spring K without tension at each corner x_i
of the base, and one shear spring K_s with Coulomb friction in its middle, each with a dashpot β
times as strong beside it:

    gap of a corner   δ_i = v + x_i ψ + h ψ²/2        N_i = max(0, −K (δ_i + β δ_i')) where δ_i < 0
    shear             d = u + h ψ                     T = −K_s (d − s + β d'),  |T| ≤ μ ΣN

    m u'' = T − m a_h,   m v'' = ΣN − m (g + a_v),   I_c ψ'' = Σ (x_i + h ψ) N_i + h T.

The slide s is what the shear spring has slipped: where friction gives way, s follows so that the
spring alone carries the friction; without contact s = d.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numerics.decorators import inner_kernel, kernel
from rocksteady.numerics.types import Array

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "u [m]",
    "u_rate [m/s]",
    "v [m]",
    "v_rate [m/s]",
    "slide [m]",
    "N_left [N]",
    "N_right [N]",
    "shear [N]",
    "motion state [-]",
)

SLENDER = math.radians(20)  # the paper's limit for sin α ≈ α

STATE_NAMES = ("rest", "slide", "rotation", "slide-rotation", "translation-jump", "rotation-jump")
REST, SLIDE, ROTATION, SLIDE_ROTATION, TRANSLATION_JUMP, ROTATION_JUMP = range(6)
FLAT = 0.01  # of α, and of pα for the rate: a body in the air that turns less than this translates
MINIMUM_DURATION = 0.02  # s; what lasts less is a passage, such as the whole base during an impact


class Bed(NamedTuple):
    """What a body stands on."""

    K: float  # each corner's axial spring [N/m]
    K_s: float  # shear spring [N/m]
    beta: float  # dashpots over springs [s]
    step: float  # longest time step used [s]


class Body(NamedTuple):
    """The parameters of the step: the body and its bed."""

    per_mass: float  # 1/m
    per_inertia: float  # 1/I_c
    h: float  # height of the centre of mass
    x_left: float  # of the corners, from the centre of mass
    x_right: float
    g: float
    K: float
    K_s: float
    beta: float  # β
    mu: float  # μ
    longest: float  # step [s]
    fallen_right: float  # rotations [rad] at which it has overturned
    fallen_left: float
    flat: float  # a body in the air that has turned less, and turns slower, translates
    slow: float
    mass: float
    inertia: float
    upright: float = 0.0  # energy [J] where it stands still
    quiet: float = 0.0  # and how much more it may have there at rest


def pack(block: Block, bed: Bed, friction: float) -> Body:
    """What the step knows of the body and its bed."""
    return Body(
        per_mass=1 / block.mass,
        per_inertia=1 / block.inertia,
        h=block.com_height,
        x_left=-block.left.b,
        x_right=block.right.b,
        g=block.g,
        K=bed.K,
        K_s=bed.K_s,
        beta=bed.beta,
        mu=float(friction),
        longest=bed.step,
        # 20° beyond the balance point, where the small rotations end
        fallen_right=block.right.b / block.com_height + SLENDER,
        fallen_left=block.left.b / block.com_height + SLENDER,
        flat=FLAT * block.alpha,
        slow=FLAT * block.alpha * block.p,
        mass=block.mass,
        inertia=block.inertia,
    )


# -- forces and motion -------------------------------------------------------------------------


@inner_kernel
def axial_force(gap, rate, K, beta):  # type: ignore[no-untyped-def]
    """A corner's spring and dashpot push, and never pull."""
    force = max(0.0, -K * (gap + beta * rate))
    return force if gap < 0 else 0.0


@inner_kernel
def bed_forces(u, v, psi, du, dv, dpsi, slide, body):  # type: ignore[no-untyped-def]
    """(N_left, N_right, shear T, slide, whether friction gives way) of the bed (Eqs. 2–4)."""
    h, x_left, x_right, K, K_s, beta = (
        body.h,
        body.x_left,
        body.x_right,
        body.K,
        body.K_s,
        body.beta,
    )
    sway = h * psi
    gap_left = v + psi * (x_left + 0.5 * sway)
    gap_right = v + psi * (x_right + 0.5 * sway)
    N_left = axial_force(gap_left, dv + (x_left + sway) * dpsi, K, beta)
    N_right = axial_force(gap_right, dv + (x_right + sway) * dpsi, K, beta)
    d = u + sway
    shear = -K_s * ((d - slide) + beta * (du + h * dpsi))
    grip = body.mu * (N_left + N_right)
    slips = abs(shear) > grip
    shear = math.copysign(grip, shear) if slips else shear
    slide = d + shear / K_s if slips else slide
    return N_left, N_right, shear, slide, slips


@inner_kernel
def acceleration(psi, N_left, N_right, shear, a_h, a_v, body):  # type: ignore[no-untyped-def]
    """(u'', v'', ψ'') under the bed's forces and a ground accelerated by (a_h, a_v) (Eq. 1)."""
    h = body.h
    moment = (body.x_left + h * psi) * N_left + (body.x_right + h * psi) * N_right + h * shear
    return (
        shear * body.per_mass - a_h,
        (N_left + N_right) * body.per_mass - body.g - a_v,
        moment * body.per_inertia,
    )


@kernel
def motion_state(theta, omega, N_left, N_right, slips, body):  # type: ignore[no-untyped-def]
    """Which of the six states this is: by the corners that carry, and by friction giving way."""
    if N_left == 0 and N_right == 0:
        if abs(theta) <= body.flat and abs(omega) <= body.slow:
            return float(TRANSLATION_JUMP)
        return float(ROTATION_JUMP)
    if N_left == 0 or N_right == 0:
        return float(SLIDE_ROTATION) if slips else float(ROTATION)
    return float(SLIDE) if slips else float(REST)


@kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner is above the bed, not only pressed less than the other."""
    body = Body(*params)
    theta, _, _, _, v = state[:5]
    psi = -theta
    rise = 0.5 * body.h * psi * psi
    return v + body.x_left * psi + rise > 0 or v + body.x_right * psi + rise > 0


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether its energy is so little above that of rest: `energy_of`, operation by operation."""
    body = Body(*params)
    theta, omega, u, du, v, dv, slide = state[:7]
    stretch = u + body.h * -theta - slide
    energy = 0.5 * (body.mass * (du * du + dv * dv) + body.inertia * (omega * omega))
    energy = energy + body.mass * body.g * v + 0.5 * body.K_s * (stretch * stretch)
    rise = 0.5 * body.h * (theta * theta)
    left, right = (
        min(v - body.x_left * theta + rise, 0.0),
        min(v - body.x_right * theta + rise, 0.0),
    )
    energy = energy + 0.5 * body.K * (left * left) + 0.5 * body.K * (right * right)
    return energy - body.upright <= body.quiet


# -- the whole of it --------------------------------------------------------------------------


def stable_step(block: Block, K: float, K_s: float, beta: float) -> float:
    """Longest stable time step [s]: (2/ω)(√(1 + ξ²) − ξ), ξ = β ω/2, for the highest frequency ω of
    the body on its whole base. (Central differences, dashpots fed with the last half step's
    velocity.) On one corner ω is lower, as long as it leans less than twice its balance angle."""
    per_mass, per_inertia = 1 / math.sqrt(block.mass), 1 / math.sqrt(block.inertia)
    stretch = np.array(  # of each spring per unit of (√m u, √m v, √I ψ): Eq. 2
        [
            (0.0, per_mass, -block.left.b * per_inertia),
            (0.0, per_mass, block.right.b * per_inertia),
            (per_mass, 0.0, block.com_height * per_inertia),
        ]
    )
    omega = math.sqrt(np.linalg.eigvalsh(stretch.T @ np.diag([K, K, K_s]) @ stretch)[-1])
    xi = beta * omega / 2
    return 2 / omega / (math.sqrt(1 + xi**2) + xi)


def energy_of(block: Block, bed: Bed, states: Array) -> Array:
    theta, omega, u, du, v, dv, slide = np.moveaxis(np.asarray(states), -1, 0)[:7]
    psi, h = -theta, block.com_height
    stretch = u + h * psi - slide
    energy = 0.5 * (block.mass * (du**2 + dv**2) + block.inertia * omega**2)
    energy = energy + block.mass * block.g * v + 0.5 * bed.K_s * stretch**2
    for gap in corner_gaps(block, states):
        energy = energy + 0.5 * bed.K * np.minimum(gap, 0.0) ** 2
    return np.asarray(energy)


def corner_gaps(block: Block, states: Array) -> tuple[Array, Array]:
    """How high the left and the right corner are above the bed [m]; below 0 they press on it."""
    theta, v = (np.asarray(states)[..., i] for i in (0, 4))
    rise = 0.5 * block.com_height * theta**2
    return v + block.left.b * theta + rise, v - block.right.b * theta + rise


# -- the six states over time -------------------------------------------------------------------


def motion_states(
    response: Any, minimum: float = MINIMUM_DURATION
) -> list[tuple[float, float, str]]:
    """The states a body on springs went through: (start [s], end [s], name), one after the other.

    A state that lasts less than ``minimum`` [s] is counted to the one before it (at the beginning,
    to the one after it), so that the few milliseconds on the whole base during an impact are no
    rest. Times are those of the samples.
    """
    if not minimum >= 0:
        raise InputError(f"minimum = {minimum!r} s is not allowed: a duration is 0 or more.")
    codes = response.column("motion state").astype(int)
    time = response.time
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    edges = np.append(time[first], time[-1])
    kept: list[list[Any]] = []
    for start, end, code in zip(edges[:-1], edges[1:], codes[first], strict=True):
        name = STATE_NAMES[code]
        if kept and (end - start < minimum or kept[-1][2] == name):
            kept[-1][1] = end
        elif kept and kept[-1][1] - kept[-1][0] < minimum:  # only the very first can be so short
            kept[-1] = [kept[-1][0], end, name]
        else:
            kept.append([start, end, name])
    return [(float(start), float(end), name) for start, end, name in kept]
