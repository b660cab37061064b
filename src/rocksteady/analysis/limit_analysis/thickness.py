"""The least thickness at which a round arch stands: `least_thickness`."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from rocksteady.analysis.limit_analysis.contacts import Corners
from rocksteady.analysis.limit_analysis.loads import weights
from rocksteady.analysis.limit_analysis.program import Equilibrium
from rocksteady.analysis.limit_analysis.result import STILL, scaled
from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError
from rocksteady.numbers import real, whole, yes_or_no
from rocksteady.numerics.types import Array

WIDEST = 180.0  # degrees; beyond it hinges form elsewhere


@dataclass(frozen=True)
class LeastThickness:
    """The thinnest round arch that stands under its own weight."""

    ratio: float
    """Least thickness over the radius of the middle line [-]."""
    hinge_angle: float
    """Where the haunches open, from the crown [degrees]."""
    thrust: float
    """Horizontal thrust over weight density × thickness × radius, per unit of depth [-]."""
    voussoirs: int | None
    """Their number; None for infinitely many."""
    embrace: float
    """The angle it embraces [degrees]."""

    @property
    def words(self) -> str:
        """The result as a sentence."""
        made = "infinitely many" if self.voussoirs is None else str(self.voussoirs)
        return (
            f"An arch of {made} voussoirs that embraces {self.embrace:g}° stands if its thickness "
            f"is at least {self.ratio:.6g} of its radius; at that thickness it opens at the crown, "
            f"at {self.hinge_angle:.4g}° from it and at the springings, provided that nothing "
            "slides."
        )

    def __repr__(self) -> str:
        return f"<LeastThickness: {self.words}>"


def least_thickness(
    embrace: float = 180.0, voussoirs: int | None = None, *, sectors: bool = True
) -> LeastThickness:
    """The least thickness of a round arch under its own weight, over the radius of its middle line.

    Parameters
    ----------
    embrace
        The angle that the arch embraces [degrees], at most 180.
    voussoirs
        Their number: linear programming and bisection on the thickness. None: infinitely many with
        radial joints, by the line of thrust (Milankovitch 1907).
    sectors
        Whether voussoirs weigh as the sectors that they are, or as polygons with straight chords.

    Examples
    --------
    >>> round(least_thickness().ratio, 6), round(least_thickness().hinge_angle, 3)
    (0.107478, 54.484)
    """
    angle = real(embrace)
    if not 0.0 < angle <= WIDEST:
        raise InputError(
            f"embrace = {embrace!r} degrees is not allowed: it must be above 0 and at most "
            f"{WIDEST:g}; 180 is a semicircle."
        )
    if voussoirs is None:
        return _continuous(angle)
    return _bisected(angle, whole("voussoirs", voussoirs, 4), yes_or_no("sectors", sectors))


# -- infinitely many voussoirs ---------------------------------------------------------------------


def _continuous(embrace: float) -> LeastThickness:
    half = math.radians(embrace) / 2

    def lacking(ratio: float) -> float:
        return _haunch(ratio, half)[1] - _springing(ratio, half)

    # The springing of a thicker arch takes more thrust than the haunch asks for.
    # The least one is about 0.018 of the fourth power of half the angle.
    low, high = 3e-3 * half**4, min(0.1 * half**4, 1.0)
    ratio = float(brentq(lacking, low, high, xtol=1e-16, rtol=1e-14))
    angle, thrust = _haunch(ratio, half)
    return LeastThickness(ratio, math.degrees(angle), thrust / ratio, None, embrace)


def _part(ratio: float, angle: float) -> tuple[float, float]:
    """Area of the ring from the crown to an angle, and its first moment about the axis of symmetry
    (radius of the middle line = 1)."""
    inner, outer = 1 - ratio / 2, 1 + ratio / 2
    area = angle * (outer**2 - inner**2) / 2
    return area, (outer**3 - inner**3) / 3 * (1 - math.cos(angle))


def _needed(ratio: float, angle: float) -> float:
    """The thrust at the top of the crown whose line passes the inner face at an angle: moments
    about that point."""
    inner, outer = 1 - ratio / 2, 1 + ratio / 2
    area, moment = _part(ratio, angle)
    return (area * inner * math.sin(angle) - moment) / (outer - inner * math.cos(angle))


def _haunch(ratio: float, half: float) -> tuple[float, float]:
    """The angle at which the line of thrust touches the inner face, and the thrust."""
    # The thrust needed grows from the crown to one largest value, and falls from there.
    low = 0.05 * half
    if _needed_slope(ratio, half) > 0:
        return half, _needed(ratio, half)
    angle = float(brentq(lambda at: _needed_slope(ratio, at), low, half, xtol=1e-15, rtol=1e-14))
    return angle, _needed(ratio, angle)


def _needed_slope(ratio: float, angle: float) -> float:
    """The sign of d(thrust)/d(angle)."""
    inner, outer = 1 - ratio / 2, 1 + ratio / 2
    area, moment = _part(ratio, angle)
    per_angle = (outer**2 - inner**2) / 2
    top = area * inner * math.sin(angle) - moment
    top_slope = (
        per_angle * inner * math.sin(angle)
        + area * inner * math.cos(angle)
        - (outer**3 - inner**3) / 3 * math.sin(angle)
    )
    bottom = outer - inner * math.cos(angle)
    return top_slope * bottom - top * inner * math.sin(angle)


def _springing(ratio: float, half: float) -> float:
    """The thrust at the top of the crown whose line passes the outer face at the springing."""
    outer = 1 + ratio / 2
    area, moment = _part(ratio, half)
    return (area * outer * math.sin(half) - moment) / (outer - outer * math.cos(half))


# -- some voussoirs --------------------------------------------------------------------------------


def _bisected(embrace: float, voussoirs: int, sectors: bool) -> LeastThickness:
    def problem(ratio: float) -> tuple[Equilibrium, Corners]:
        arch = Assembly.arch(voussoirs, ratio, radius=1.0, embrace=embrace, sectors=sectors)
        corners = Corners.of(arch)
        nothing = np.zeros((len(arch), 3))
        return Equilibrium(arch, corners.start, False, weights(arch), nothing), corners

    low, high = 0.0, 1.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        if problem(middle)[0].stands():
            high = middle
        else:
            low = middle
    # Just below the least thickness it falls in the mechanism that decides.
    below = low * (1 - 1e-5)
    falling, corners = problem(below)
    standing, _ = problem(high)
    at_rest = standing.rest()
    half = math.radians(embrace) / 2
    angle = _inner_hinge(corners, scaled(falling.fall()), (1 - below / 2) * math.cos(half))
    thrust = math.nan if at_rest is None else _thrust(standing, at_rest[0]) / high
    return LeastThickness(high, angle, thrust, voussoirs, embrace)


def _inner_hinge(corners: Corners, velocities: Array, depth: float) -> float:
    """The angle from the crown [degrees] at which the arch turns about its inner face; its centre
    is ``depth`` below the springing of that face."""
    openings, _ = corners.start.rates(velocities)
    from_centre = corners.start.points + np.array([0.0, depth])
    radius = np.hypot(from_centre[..., 0], from_centre[..., 1])
    inner = np.argmin(radius, axis=1)
    joint = np.arange(len(inner))
    turns = openings[joint, 1 - inner] - openings[joint, inner]
    place = from_centre[joint, inner]
    angles = np.abs(np.arctan2(place[:, 0], place[:, 1]))
    return math.degrees(float(np.mean(angles[turns > STILL])))


def _thrust(problem: Equilibrium, forces: Array) -> float:
    """Horizontal force on the left abutment over the weight per area [m²]."""
    contacts = problem.contacts
    fixed = np.array([stone.fixed for stone in problem.assembly])
    left = [
        j
        for j in range(len(contacts.a))
        if fixed[contacts.a[j]] != fixed[contacts.b[j]] and contacts.points[j, 0, 0] < 0
    ]
    pushes = sum(
        forces[j, :2].sum() * contacts.normals[j, 0, 0] + forces[j, 2] * contacts.tangents[j, 0, 0]
        for j in left
    )
    stone = problem.assembly.stones[0]  # all are of one density and thickness
    return abs(float(pushes)) / (problem.assembly.g * stone.density * stone.thickness)
