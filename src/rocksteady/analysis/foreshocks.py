"""How much do foreshocks add, for each mass of the building and each strength of the foreshocks?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.analysis.sequence import SequenceResponse, sequence
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError, held_back
from rocksteady.motion import Motion
from rocksteady.motion.upwards import warn_of_verticals
from rocksteady.numbers import number_row
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories.masonry.formulation import Masonry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OUTCOMES = (
    "stands",
    "stands, collapses only after the foreshocks",
    "collapses under the main shock alone",
    "collapses under the main shock alone, but not after the foreshocks",
    "no solution",
)
STANDS, BROUGHT_DOWN, ALONE, SPARED, FAILED = range(len(OUTCOMES))
MOST_SHOCKS = 100  # before the main shock


@dataclass(frozen=True, eq=False)
class ForeshockMap:
    """The increases by foreshocks; arrays have a row per mass and a column per scale."""

    building: MasonryBuilding
    motion: Motion
    """The main shock; the foreshocks are the same motion, scaled."""
    count: int
    """Number of foreshocks."""
    masses: Array
    """Masses of the building [kg]."""
    scales: Array
    """Factors of the foreshocks [-]."""
    wear_increase: Array
    """Wear after the sequence over wear after the main shock alone, minus one [-]; NaN where one of
    the two ends in a collapse, and where the main shock alone causes no wear."""
    hardening_increase: Array
    """The same for the hardening variable α [-]."""
    outcome: NDArray[np.int8]
    """What became of the building: an index of `OUTCOMES`."""
    alone: Array
    """Wear after the main shock alone [-], for each mass."""

    def near(
        self, wear: float, hardening: float, within: tuple[float, float]
    ) -> list[tuple[float, float]]:
        """The masses [kg] and scales [-] that give these increases [-] ``within`` so much [-] of
        each."""
        hit = np.abs(self.wear_increase - wear) <= within[0]
        hit &= np.abs(self.hardening_increase - hardening) <= within[1]
        return [(float(self.masses[i]), float(self.scales[j])) for i, j in np.argwhere(hit)]

    def at_wear(self, increase: float) -> list[tuple[float, float, float]]:
        """For each mass [kg] the least scale [-] at which the wear increases by so much [-], and
        the increase of α there [-]; between neighbouring scales both are taken as linear."""
        found = []
        for mass, wear, alpha in zip(
            self.masses, self.wear_increase, self.hardening_increase, strict=True
        ):
            passed = np.flatnonzero((wear[:-1] < increase) & (wear[1:] >= increase))
            if len(passed):
                j = int(passed[0])
                share = (increase - wear[j]) / (wear[j + 1] - wear[j])
                scale, there = (
                    float(row[j] + share * (row[j + 1] - row[j])) for row in (self.scales, alpha)
                )
                found.append((float(mass), scale, there))
        return found

    def rows(self) -> list[dict[str, Any]]:
        """A row for each mass and scale, by name and unit."""
        return [
            {
                "mass [kg]": float(self.masses[i]),
                "scale [-]": float(self.scales[j]),
                "wear increase [-]": float(self.wear_increase[i, j]),
                "hardening increase [-]": float(self.hardening_increase[i, j]),
                "wear alone [-]": float(self.alone[i]),
                "outcome": OUTCOMES[self.outcome[i, j]],
            }
            for i, j in np.ndindex(self.outcome.shape)
        ]

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Draw the increase of wear over mass and scale, and where the building collapses."""
        return imported("rocksteady.view.foreshocks:plot_foreshock_map")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        low, high = self.masses[[0, -1]] / 1e3
        return (
            f"<ForeshockMap: {len(self.masses)} masses from {low:.4g} to {high:.4g} t, "
            f"{len(self.scales)} scales from {self.scales[0]:.3g} to {self.scales[-1]:.3g}>"
        )


def foreshock_map(
    motion: Motion,
    masses: ArrayLike,
    scales: ArrayLike,
    *,
    count: int = 4,
    building: MasonryBuilding | None = None,
    formulation: Masonry | None = None,
    settle: bool = True,
    gap: float = 10.0,
    progress: Callable[[int, int], Any] | None = None,
) -> ForeshockMap:
    """Put foreshocks before a main shock, for each mass and each strength of the foreshocks.

    The foreshocks are the main shock itself, scaled: this shows how much a result depends on a mass
    and on foreshocks that are not known.

    Parameters
    ----------
    motion
        The main shock.
    masses
        Masses of the building [kg], increasing.
    scales
        Factors of the foreshocks [-], positive and increasing.
    count
        Number of foreshocks.
    building
        The building (default: that of Casalotti et al. 2025); its mass is replaced.
    formulation
        :class:`rocksteady.Masonry` by default.
    settle, gap
        As in :func:`rocksteady.sequence`, but the building settles between shocks by default.
    progress
        Called with (masses done, masses in all).

    Examples
    --------
    >>> import rocksteady as rs
    >>> push = rs.pulses.sine(4.0, period=0.2, dt=0.002)
    >>> rs.analysis.foreshock_map(push, [20e3, 24e3], [0.3, 0.5, 0.7])
    <ForeshockMap: 2 masses from 20 to 24 t, 3 scales from 0.3 to 0.7>
    """
    if building is None:
        building = MasonryBuilding.casalotti2025()
    expect(building, MasonryBuilding, "A map of foreshocks")
    if not isinstance(motion, Motion):
        raise InputError("A map of foreshocks needs a rs.Motion, the main shock.")
    heavy, factors = _increasing("masses", masses), _increasing("scales", scales)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_SHOCKS:
        raise InputError(f"count = {count!r} is not allowed: from 1 to {MOST_SHOCKS} foreshocks.")
    shape = len(heavy), len(factors)
    wear, hardening = np.full(shape, np.nan), np.full(shape, np.nan)
    outcome, alone = np.zeros(shape, np.int8), np.zeros(len(heavy))
    weaker = [motion.scaled(float(factor)) for factor in factors]
    warn_of_verticals([motion])
    with held_back():  # it was said once
        for i, mass in enumerate(heavy):
            house = replace(building, mass=float(mass))
            for j, fore in enumerate(weaker):
                shocks = [fore] * count + [motion]
                run = sequence(house, shocks, formulation, gap=gap, settle=settle, main=count)
                outcome[i, j] = _outcome(run)
                if outcome[i, j] == STANDS:
                    wear[i, j], hardening[i, j] = run.wear_increase, run.hardening_increase
                alone[i] = run.alone.states[-1, 4]
            if progress is not None:
                progress(i + 1, len(heavy))
    return ForeshockMap(building, motion, count, heavy, factors, wear, hardening, outcome, alone)


def _outcome(run: SequenceResponse) -> int:
    if run.failed is not None or run.alone.failed is not None:
        return FAILED
    if run.alone.collapse is None:
        return STANDS if run.collapse is None else BROUGHT_DOWN
    return SPARED if run.collapse is None else ALONE


def _increasing(name: str, values: ArrayLike) -> Array:
    row = np.atleast_1d(number_row(name, values))
    if not row.size or not np.isfinite(row).all() or row[0] <= 0 or (np.diff(row) <= 0).any():
        raise InputError(f"{name} = {values!r} are not allowed: give positive, increasing numbers.")
    return row
