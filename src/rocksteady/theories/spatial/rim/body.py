"""What the step needs to know of a round body, and the states it can start in."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Body
from rocksteady.errors import InputError
from rocksteady.numbers import check_ratio
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.spatial.state import LEVEL, MODE, REST, RIM

ROLLING = ("restrained", "free")


class Rim(NamedTuple):
    """A round body on its rim; inertia per unit mass."""

    g: float  # [m/s²]
    mass: float  # [kg]
    h: float  # height of the centre of mass above the base [m]
    A: float  # moment of inertia about a horizontal axis through the centre of mass [m²]
    C: float  # and about the body's axis [m²]
    rho: float  # radius of the base [m]
    free: float  # 1 if it rolls wherever it likes, 0 if it stays on the circle it stood on
    kept: float  # ratio r of kinetic energies at a flat passage
    eta: float  # ratio of angular velocities at a planar impact
    alpha: float  # tilt at which gravity stops pulling it back [rad]
    inertia: float  # I = A + h² + ρ², about the tangent at the point of contact [m²]
    kappa: float  # √((A + h²)/I): in the plane (θ, κφ) a passage close to flat is a straight line
    across: float  # inertia against a change of direction close to flat [m²]
    per_inertia: float  # 1/I [1/m²]
    per_det: float  # 1/(A C + A ρ² + C h²), of the equations of free rolling [1/m⁴]


def check(rolling: str, flat_loss: float) -> None:
    """Refuse a kind of rolling that there is not, or a ratio outside (0, 1]."""
    if rolling not in ROLLING:
        raise InputError(
            f"rolling = {rolling!r} is not allowed: give 'restrained' (it stays on the circle on "
            "which it stood) or 'free' (it may roll away)."
        )
    check_ratio("flat_loss", flat_loss, ". It is the ratio of kinetic energies; 1 loses nothing.")


def parameters(body: Body, rolling: str = "restrained", flat_loss: float = 1.0) -> Rim:
    """What the step needs to know of a round body.

    Parameters
    ----------
    rolling
        ``"restrained"`` to the circle on which it stood, or ``"free"`` to roll away.
    flat_loss
        Ratio r of the kinetic energy that a passage close to flat leaves, in (0, 1].
    """
    check(rolling, flat_loss)
    if body.radius is None or not body.axisymmetric:
        raise InputError(
            "Only a body of revolution rolls on its rim: it needs a circular base (`radius`), its "
            "centre of mass on the axis, equal inertia about x and y, and no products of inertia. "
            "Give it a polygon as `base` instead."
        )
    A, C = body.inertia[0][0] / body.mass, body.inertia[2][2] / body.mass
    h, rho, g = body.centre[2], body.radius, body.g
    upright, inertia = A + h**2, A + h**2 + rho**2
    det = A * C + A * rho**2 + C * h**2
    free = rolling == "free"
    return Rim(
        g=g,
        mass=body.mass,
        h=h,
        A=A,
        C=C,
        rho=rho,
        free=float(free),
        kept=float(flat_loss),
        eta=(upright - rho**2) / inertia,
        alpha=math.atan2(rho, h),
        inertia=inertia,
        kappa=math.sqrt(upright / inertia),
        across=det / C if free else upright,
        per_inertia=1 / inertia,
        per_det=1 / det,
    )


def start(
    body: Body,
    tilt: float = 0.0,
    rate: float = 0.0,
    direction: float = 0.0,
    azimuth_rate: float = 0.0,
    spin: float | None = None,
) -> Numbers:
    """The state of a round body whose base was around the origin before it was tilted.

    Parameters
    ----------
    tilt, rate
        Tilt [rad], below π/2, and its rate [rad/s].
    direction
        In which it leans, from x towards y [deg].
    azimuth_rate
        Rate of that direction [rad/s], as of a body that wobbles.
    spin
        Angular velocity about its own axis [rad/s]; unless given, that with which the point of
        contact stays on the circle. A restrained body has no other.
    """
    if not 0.0 <= tilt < math.pi / 2:
        raise InputError(f"tilt = {tilt!r} is not allowed: give one of at least 0 and below π/2.")
    azimuth, rho = math.radians(direction), float(body.radius or 0.0)
    # exact along the axes, so that a motion along one of them stays in its plane
    cos, sin = _exact(math.cos(azimuth)), _exact(math.sin(azimuth))
    s, c = math.sin(tilt), math.cos(tilt)
    wn = azimuth_rate * (c - 1) if spin is None else spin
    wu = -azimuth_rate * s
    alpha = math.atan2(rho, body.centre[2])
    if tilt == 0 and rate == 0:
        return (0.0, 0.0, 0.0, *LEVEL, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, rho, 0.0, REST, 0.0, 0.0, 0.0)
    up = (-s * cos, -s * sin, c)
    ahead = (cos * c * cos + sin * sin, cos * c * sin - sin * cos, cos * s)
    turning = (wu * cos - rate * sin, wu * sin + rate * cos, wn)
    place = (rho * cos, rho * sin)
    lean = (tilt / alpha, rate / alpha, tilt)
    return (*lean, *up, *ahead, *turning, *place, RIM, azimuth, 0.0, 0.0)


def _exact(value: float) -> float:
    return 0.0 if abs(value) < 1e-15 else value


def at_rest(body: Body, states: Array) -> NDArray[np.bool_]:
    """Which rows of ``states`` stand on the whole base."""
    return np.asarray(states[..., MODE] == REST)
