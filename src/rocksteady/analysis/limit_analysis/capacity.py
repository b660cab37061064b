"""Push an assembly slowly by a prescribed displacement: `capacity_curve`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from rocksteady.analysis.limit_analysis.contacts import Corners
from rocksteady.analysis.limit_analysis.limit import limit_of
from rocksteady.analysis.limit_analysis.links import elastic_forces
from rocksteady.analysis.limit_analysis.loads import checked_direction, live_loads, weights
from rocksteady.analysis.limit_analysis.mechanism import Control, Mechanism
from rocksteady.analysis.limit_analysis.program import SOLVED, Equilibrium, Solution
from rocksteady.analysis.limit_analysis.result import LimitLoad, scaled
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import whole, yes_or_no
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOUCH = 1e-8  # of the size: a smaller gap is closed


class Point(NamedTuple):
    """One pose of the curve."""

    displacement: float
    pose: Array
    found: Solution
    mechanism: Mechanism
    exact: bool
    """Whether the forces of the joints were found; otherwise the multiplier is that of virtual
    work."""


@dataclass(frozen=True, eq=False)
class CapacityCurve:
    """The load an assembly carries while its mechanism is displaced; an entry per step.

    The curve falls from the collapse multiplier at rest (negative stiffness) to zero where the
    assembly stands no more on its own.
    """

    assembly: Assembly
    start: LimitLoad
    """The limit load of the assembly as it stands."""
    displacement: Array
    """Displacement of the control point [m]."""
    multiplier: Array
    """Load multiplier λ [-]."""
    poses: Array
    """(steps, stones, 3): displacement (x, y) of each centre of mass [m], and rotation [rad]."""
    control: str
    """The stone whose centre is displaced."""
    exact: NDArray[np.bool_]
    """Whether the joints can carry λ. Beyond, the thrust leaves a joint and the hinges would move:
    λ is the one of virtual work with the hinges where they are, an upper bound."""
    ended: str
    """Why the curve ends, in words; empty if λ fell to zero."""

    @property
    def ultimate_displacement(self) -> float:
        """The displacement of the control point at which λ falls to zero [m]; nan if the curve
        ends before."""
        return float(self.displacement[-1]) if not self.ended else np.nan

    @property
    def stiffness(self) -> float:
        """The slope of the curve at its start, dλ/dd [1/m]: negative, the load falls."""
        d, m = self.displacement, self.multiplier
        # A parabola through the first three points, the first at zero: exact to second order.
        one, two = d[1], d[2]
        first, second = (m[1] - m[0]) / one, (m[2] - m[0]) / two
        return float(first - (second - first) / (two - one) * one)

    @cached_property
    def mass_share(self) -> float:
        """The share e* of the moving mass in the mechanism's motion along the load, (Σ P δ)² over
        Σ P Σ P δ², as the Italian code asks (Circolare 2019, C8.7.1.2.1)."""
        weight, moved = self._participation
        return float((weight @ moved) ** 2 / (weight.sum() * (weight @ moved**2)))

    @property
    def _participation(self) -> tuple[Array, Array]:
        weight = weights(self.assembly)[:, 1]  # downwards, negative: the sign cancels
        toward = self.start.velocities[:, :2] @ np.array([1.0, 0.0])
        taken = np.abs(toward) > 1e-9
        return weight[taken], toward[taken]

    @property
    def spectral_acceleration(self) -> float:
        """The acceleration a₀* of the equivalent oscillator that starts the mechanism [m/s²]:
        λ₀ g/e* over the stones that take part, before any confidence factor."""
        return float(self.assembly.g * self.multiplier[0] / self.mass_share)

    @property
    def words(self) -> str:
        """The curve in a sentence."""
        first = (
            f"Pushed by the centre of stone {self.control!r}, the load falls from "
            f"λ = {self.multiplier[0]:.6g}"
        )
        if self.ended:
            return (
                f"{first} to {self.multiplier[-1]:.6g} at {self.displacement[-1]:.4g} m, where the "
                f"curve ends: {self.ended}."
            )
        said = (
            f"{first} to zero at {self.ultimate_displacement:.4g} m, where the assembly stands no "
            "more on its own."
        )
        if not self.exact.all():
            from_here = self.displacement[np.argmin(self.exact)]
            said += (
                f" From {from_here:.4g} m on the thrust leaves a joint and the hinges would move: "
                "with the hinges kept, the curve is an upper bound."
            )
        return said

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw λ over the displacement."""
        return imported("rocksteady.view.assembly.capacity:plot_capacity")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<CapacityCurve: {self.words}>"


def capacity_curve(
    assembly: Assembly,
    direction: Sequence[float] = (1.0, 0.0),
    *,
    control: str | int | None = None,
    sliding: bool = True,
    steps: int = 40,
) -> CapacityCurve:
    """The load multiplier λ over the displacement of a control point: a pushover with displacement
    control, which follows the curve down to zero.

    The mechanism of `limit_load` is moved step by step; its closed contacts are kept exactly, and
    in every pose the linear program is solved anew with the contacts that still touch, so hinges
    may move to other joints. Where no forces in the joints balance the stones any more, the hinges
    are kept and λ follows from virtual work, as codes ask; ``exact`` tells where. Links pull with
    the force of their length.

    Parameters
    ----------
    assembly, direction, sliding
        As for `limit_load`. Sliding stones do not lift here, but the multiplier of each pose is
        the associated one.
    control
        The stone whose centre of mass is displaced along ``direction``: the one that moves most in
        that direction unless given.
    steps
        Number of points of the curve, about.

    Examples
    --------
    >>> from rocksteady.bodies.assembly import Stone
    >>> floor = Stone.box(-2, -0.5, 4, 0.5, fixed=True, name="ground")
    >>> pillar = Assembly((floor, Stone.box(-0.25, 0, 0.5, 2, name="pillar")))
    >>> round(capacity_curve(pillar).ultimate_displacement, 6)
    0.25
    """
    steps = whole("steps", steps, 5, 10_000)
    expect(assembly, Assembly, "A capacity curve")
    toward = checked_direction(direction)
    path = _Path(assembly, Corners.of(assembly), toward, yes_or_no("sliding", sliding))
    start = limit_of(path.problem(np.zeros((len(assembly), 3)))[0], path.corners)
    if not np.isfinite(start.multiplier):
        raise InputError(f"There is no capacity curve. {start.words}")
    path.control = chosen = _control(assembly, start, toward, control)
    points, ended = path.followed(steps)
    return CapacityCurve(
        assembly,
        start,
        np.array([point.displacement for point in points]),
        np.array([point.found.multiplier for point in points]),
        np.array([point.pose for point in points]),
        assembly.stones[chosen.stone].name,
        np.array([point.exact for point in points]),
        ended,
    )


def _control(
    assembly: Assembly, start: LimitLoad, toward: Array, stone: str | int | None
) -> Control:
    along = start.velocities[:, :2] @ toward
    number = int(np.argmax(along)) if stone is None else assembly.number(stone)
    if along[number] <= 1e-9:
        movers = ", ".join(repr(assembly.stones[i].name) for i in np.argsort(-along)[:3])
        raise InputError(
            f"Stone {assembly.stones[number].name!r} does not move along the load in the "
            f"mechanism: choose another control, such as {movers}."
        )
    return Control(number, toward)


class _Path:
    """The way along the curve."""

    control: Control

    def __init__(
        self, assembly: Assembly, corners: Corners, direction: Array, sliding: bool
    ) -> None:
        self.assembly, self.corners, self.sliding = assembly, corners, sliding
        free = [corner for stone in assembly if not stone.fixed for corner in stone.corners]
        self.size = float(np.ptp(free, axis=0).max()) if free else 0.0
        self.weights = weights(assembly)
        self.live = live_loads(assembly, direction, None)

    def problem(self, pose: Array) -> tuple[Equilibrium, Array]:
        """The equilibrium in a pose, and how far joints have slipped; links pull with the force of
        their length."""
        now, _, slips = self.corners.moved(pose, TOUCH * self.size)
        dead = self.weights + elastic_forces(self.assembly, pose, now.centres)
        problem = Equilibrium(self.assembly, now, self.sliding, dead, self.live, with_links=False)
        return problem, slips

    def at(self, pose: Array, before: Mechanism | None = None) -> Point:
        """The multiplier and the mechanism in a pose that was reached by a mechanism."""
        problem, slips = self.problem(pose)
        found = problem.largest()
        exact = found.status == SOLVED
        if exact:
            velocities = scaled(found.velocities)
            before = Mechanism.of(self.corners, problem.contacts, slips, velocities, self.size)
        elif before is not None and before.stuck.sum() == before.kept.any(axis=1).sum():
            velocities = before.velocities(pose, self.control)
            work = float(np.sum(self.live * velocities))
            found = found._replace(multiplier=-float(np.sum(problem.dead * velocities)) / work)
        if before is None:
            raise InputError("The mechanism of the limit load does not move the stones.")
        return Point(self.control.displacement(pose), pose, found, before, exact)

    def moved(self, point: Point, target: float) -> Point:
        """From a point to another displacement of the control point [m]."""
        pose = point.mechanism.followed(point.pose, self.control, target)
        return self.at(pose, point.mechanism)

    def followed(self, steps: int) -> tuple[list[Point], str]:
        """All points, and why the curve ends before the load is zero."""
        points = [self.at(np.zeros((len(self.assembly), 3)))]
        step = self._first_step(points[0], steps)
        while points[-1].displacement < 2 * self.size:
            here = points[-1]
            try:
                there = self.moved(here, here.displacement + step)
            except InputError:
                return points, "the mechanism jams, or its contacts part"
            if np.isnan(there.found.multiplier):
                return points, "a contact is lost, and no load can hold the stones"
            if there.found.multiplier <= 0:
                return [*points, self._zero(here, there)], ""
            points.append(there)
        return points, "the load does not fall to zero within twice the size of the assembly"

    def _first_step(self, start: Point, steps: int) -> float:
        """The displacement at which λ would be zero if it fell evenly, over the steps."""
        small = 1e-5 * self.size
        try:
            after = self.moved(start, small)
        except InputError:
            raise InputError(
                f"The mechanism at λ = {start.found.multiplier:.4g} cannot be followed: stones "
                "lift as they slide in it (associated friction), real ones do not, and without "
                "lifting it jams. For the curve about hinges alone give sliding=False; for the "
                "load at which stones give way that slide without lifting, see dynamic_push."
            ) from None
        fall = start.found.multiplier - after.found.multiplier
        if not fall > 1e-9 * start.found.multiplier:  # nan as well
            return self.size / steps
        return min(small * start.found.multiplier / fall, self.size) / steps

    def _zero(self, before: Point, after: Point) -> Point:
        """The point between these two at which the load is zero."""

        def multiplier(displacement: float) -> float:
            return self.moved(before, displacement).found.multiplier

        ends = before.displacement, after.displacement
        root = brentq(multiplier, *ends, xtol=1e-12 * self.size, rtol=1e-12)
        there = self.moved(before, float(root))
        return there._replace(found=there.found._replace(multiplier=0.0))  # to rounding, it is
