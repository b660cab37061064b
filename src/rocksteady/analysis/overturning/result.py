"""An overturning map: what each point came to, in numbers, words, files and a figure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.draws import independent
from rocksteady.analysis.overturning import closed_forms, words
from rocksteady.analysis.overturning.axes import Axis
from rocksteady.analysis.overturning.runs import Counts, Points
from rocksteady.analysis.overturning.ways import Island, Way, islands
from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.bodies import Rocker, System
from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.response import Response
from rocksteady.simulation import simulate

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class OverturningMap:
    """What becomes of a body over the frequency and strength of a pulse, or over its size and the
    strength of motions. Made by :func:`rocksteady.analysis.overturning.overturning_map`.

    Arrays have a row for each value of ``x`` and a column for each strength.
    """

    system: Rocker
    study: Study
    """All runs that the map stands for."""
    x: Axis
    """ω/p, or the height of the body [m]."""
    y: Axis
    """The strength: a/(g tan α), PGA [g] or PGV [m/s]."""
    pulse: str | None
    """The name of the pulse; None for motions."""
    method: str
    """"brute force" or "adaptive"."""
    points: Points | None = None
    """Of one motion or pulse."""
    counts: Counts | None = None
    """Of many motions."""
    seconds: float | None = None
    """About how long one core takes to run every point [s], by a sample that was timed; None where
    that is less than a minute."""

    # -- what was found -------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.x.values), len(self.y.values)

    @property
    def motions(self) -> int:
        """How many motions each point has; 1 for a pulse."""
        return 1 if self.pulse is not None else len(self.study.motions)

    @property
    def one(self) -> Points:
        """What one motion or pulse does; an error for a map of many."""
        if self.points is None:
            raise InputError(
                f"This map is of {self.motions} motions: it has shares, not ways to fall. Make one "
                "of a single motion."
            )
        return self.points

    @property
    def fell(self) -> NDArray[np.bool_]:
        """Where one motion or pulse overturns it."""
        return np.asarray(self.one.classes >= Way.AT_ONCE)

    @cached_property
    def share(self) -> Array:
        """The share of motions that overturns it; of one motion 0 or 1, nan without an answer."""
        if self.counts is None:
            return np.where(self.one.classes == Way.UNKNOWN, np.nan, self.fell.astype(float))
        with np.errstate(invalid="ignore"):
            return np.asarray(self.counts.fell / self.counts.known)

    def interval(self, level: float = LEVEL) -> Array:
        """Low and high end of each share (Clopper and Pearson), over (end, x, strength). Motions of
        one record, or of one set of stochastic parameters, count as one."""
        counts = self.counts or Counts(
            self.fell.astype(int), (self.one.classes != Way.UNKNOWN).astype(int)
        )
        part = self.independent / self.motions
        return interval(part * counts.fell, part * counts.known, level)

    @cached_property
    def independent(self) -> float:
        """As how many motions they count: see `rocksteady.analysis.draws`."""
        return independent(self.study.motions) if self.motions > 1 else 1.0

    @property
    def runs(self) -> int:
        """How many runs were made."""
        return len(self.study) if self.points is None else int(self.points.ran.sum())

    @cached_property
    def islands(self) -> list[Island]:
        """Patches that fall apart from the largest, and patches that stand; largest first."""
        return islands(self.one.classes)

    @cached_property
    def stands_again(self) -> float:
        """The share of frequencies, or sizes, at which a stronger motion lets it stand after a
        weaker one has overturned it."""
        later = np.logical_or.accumulate(self.fell, axis=1)
        return float((later & ~self.fell & (self.one.classes != Way.UNKNOWN)).any(axis=1).mean())

    # -- one point ------------------------------------------------------------------------------

    def way(self, i: int, j: int) -> Way:
        """What became of the run at ``x.values[i]`` and ``y.values[j]``."""
        return Way(int(self.one.classes[i, j]))

    def nearest(self, x: float, strength: float) -> tuple[int, int]:
        """The numbers (i, j) of the point next to these values."""
        return (
            int(np.argmin(np.abs(self.x.values - x))),
            int(np.argmin(np.abs(self.y.values - strength))),
        )

    def response(self, i: int, j: int, motion: int = 0) -> Response:
        """The very run behind a point, with all its histories; of many motions the one with this
        number."""
        body, ground = self.run_at(i, j, motion)
        return simulate(body, ground, self.study.formulation)

    def run_at(self, i: int, j: int, motion: int = 0) -> tuple[System, Motion]:
        """The body and the motion of a point, as :func:`rocksteady.simulate` takes them."""
        for number, size, what in ((i, self.shape[0], "i"), (j, self.shape[1], "j")):
            if not -size <= number < size:
                raise InputError(f"{what} = {number} is outside the map: it has {size} points.")
        if not 0 <= motion < self.motions:
            raise InputError(f"motion = {motion} is not one of {self.motions}, counted from 0.")
        row, column = range(self.shape[0])[i], range(self.shape[1])[j]
        number = (row * self.motions + motion) * self.shape[1] + column
        return self.study.run(number)

    # -- closed forms ---------------------------------------------------------------------------

    @property
    def eta(self) -> float:
        """Ratio of angular velocities at an impact, as the theory was told it; else Housner's."""
        how: Any = self.study.formulation
        if getattr(how, "eta", None) is not None:
            return float(how.eta)
        if getattr(how, "r", None) is not None:
            return math.sqrt(how.r)
        return max(float(getattr(self.system, "eta", 0.0)), 0.0)

    @cached_property
    def closed_forms(self) -> dict[str, Array]:
        """Boundaries a/(g α) of linear theory over ``x``, by name; none where there is none."""
        if self.pulse not in closed_forms.PULSES or not self.eta > 0:
            return {}
        return closed_forms.boundaries(self.pulse, self.x.values, self.eta)

    # -- in words, files and a figure --------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """In numbers, with units in the keys."""
        return words.summary(self)

    @property
    def sentences(self) -> list[str]:
        """What the map shows, how it was made and what it may miss."""
        return words.sentences(self)

    def to_dataset(self) -> xarray.Dataset:
        """As a labelled dataset over both axes."""
        return imported("rocksteady.analysis.overturning.files:map_dataset")(self)  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> Path:
        """Write every point to ``path``: .csv or .nc, whole or not at all."""
        return imported("rocksteady.analysis.overturning.files:save_map")(self, path)  # type: ignore[no-any-return]

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the map; with ``path`` (.png, .svg, .pdf) write it, too."""
        return imported("rocksteady.view.overturning:plot_map")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<OverturningMap: {words.title(self)}>"
