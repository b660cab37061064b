"""Push an assembly with a load that rises and is held, and see whether it falls: `dynamic_push`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.loads import checked_direction
from rocksteady.analysis.limit_analysis.result import LimitLoad
from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError, held_back
from rocksteady.motion import Motion
from rocksteady.numbers import positive, real
from rocksteady.numerics.types import Array
from rocksteady.simulation import simulate
from rocksteady.theories.contract import Formulation

DT = 0.01  # s, of the load, which is linear between
MOVED = 1e-3  # of the size of a stone: less is rest
LOWEST = 0.05  # of the limit load: a search that goes below is given up


class Push(NamedTuple):
    """One run."""

    multiplier: float
    fell: bool
    displacement: float
    """Of the stone that moved farthest, at the end [m]."""
    residual: float
    """Worst residual of its contact problems, over g h."""


@dataclass(frozen=True, eq=False)
class DynamicPush:
    """Between which loads an assembly falls, if the load rises and is held; without dilatancy."""

    assembly: Assembly
    limit: LimitLoad
    """The associated limit load beside it."""
    holds: float
    """The largest multiplier λ tried at which it stays [-]."""
    falls: float
    """The smallest multiplier λ tried at which it gives way [-]; infinite if none did."""
    pushes: tuple[Push, ...]
    """All runs, in their order."""
    rise: float
    hold: float

    @property
    def residual(self) -> float:
        """Worst residual of the contact problems of all runs, over g h."""
        return max(push.residual for push in self.pushes)

    @property
    def words(self) -> str:
        """What was found, in a few sentences."""
        said = (
            f"With the load raised in {self.rise:g} s and held for {self.hold:g} s it stays at "
            f"λ = {self.holds:.4g}"
        )
        if np.isfinite(self.falls):
            said += f" and gives way at {self.falls:.4g}"
        return (
            f"{said}; the limit load with associated friction is {self.limit.multiplier:.4g}. "
            f"Worst residual of the contact problems: {self.residual:.1e} g h; it says "
            "nothing about the error of the time step. A second push with half the step shows "
            "that: rs.analysis.dynamic_push(..., formulation=rs.BlockDynamics(step=...))."
        )

    def __repr__(self) -> str:
        return f"<DynamicPush: {self.words}>"


def dynamic_push(
    assembly: Assembly,
    direction: Sequence[float] = (1.0, 0.0),
    *,
    rise: float = 1.0,
    hold: float = 2.0,
    tolerance: float = 0.005,
    formulation: Formulation | None = None,
    tell: Callable[[str], Any] = lambda what: None,
) -> DynamicPush:
    """The load at which an assembly gives way, by simulation: weight × λ × direction rises evenly,
    is held, and λ is bisected. Sliding stones do not lift here, so that walls give way below their
    associated limit load.

    Parameters
    ----------
    assembly, direction
        As for `limit_load`.
    rise, hold
        How long the load rises and is held [s].
    tolerance
        The load is found to within ± this share.
    formulation
        `BlockDynamics` with other options than the usual ones.
    tell
        Called with what is done next.
    """
    rise, hold = positive("rise", rise, "s"), positive("hold", hold, "s")
    if not 1e-4 <= real(tolerance) < 0.5:
        raise InputError(f"tolerance = {tolerance!r} is not allowed: it must lie in [0.0001, 0.5).")
    limit = limit_load(assembly, direction)
    if not np.isfinite(limit.multiplier):
        raise InputError(f"There is nothing to push for. {limit.words}")
    toward = checked_direction(direction)
    pushes: list[Push] = []

    def falls(multiplier: float) -> bool:
        tell(f"Pushing it with λ = {multiplier:.4g} (run {len(pushes) + 1})")
        pushes.append(_pushed(assembly, toward, multiplier, rise, hold, formulation))
        return pushes[-1].fell

    high = limit.multiplier * (1 + tolerance)
    low = limit.multiplier * (1 - tolerance)
    if not falls(high):
        return DynamicPush(assembly, limit, high, np.inf, tuple(pushes), rise, hold)
    step, lowest = tolerance, LOWEST * limit.multiplier
    while falls(low):
        if low <= lowest:
            raise InputError(
                f"It gives way at every load tried, down to λ = {low:.3g}: does it stand without "
                "any? Simulate it without a motion and look."
            )
        high, step = low, 2 * step
        low = max(high - step * limit.multiplier, lowest)
    while high - low > 2 * tolerance * high:
        middle = (low + high) / 2
        low, high = (low, middle) if falls(middle) else (middle, high)
    return DynamicPush(assembly, limit, low, high, tuple(pushes), rise, hold)


def _pushed(
    assembly: Assembly,
    toward: Array,
    multiplier: float,
    rise: float,
    hold: float,
    formulation: Formulation | None,
) -> Push:
    time = np.arange(round((rise + hold) / DT) + 1) * DT
    load = multiplier * assembly.g * np.minimum(time / rise, 1.0)
    # The load on the stones is opposite to the acceleration of the ground.
    motion = Motion(-toward[0] * load, DT, vertical=-toward[1] * load)
    with held_back():  # the residual is in the result
        response = simulate(assembly, motion, formulation, until="motion")
    column = {name.partition(" [")[0]: k for k, name in enumerate(response.columns)}
    last = response.states[-1]
    displacement = float(last[column["displacement"]])
    size = float(np.mean([stone.reach for stone in assembly if not stone.fixed]))
    fell = response.status is assembly.ends or not displacement < MOVED * size
    return Push(multiplier, fell, displacement, float(last[column["residual"]]))
