"""`rs.analysis.rocking_spectrum`: how far bodies of one slenderness lean, over their size."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.draws import independent
from rocksteady.analysis.overturning.axes import Axis, axis
from rocksteady.analysis.overturning.ways import percent
from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.bodies import Block
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.progress import Progress, spaced
from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.status import FALLEN, Status
from rocksteady.theories import Formulation
from rocksteady.theories.registry import suitable

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

PERIODS = (1.0, 10.0)  # s: 2π/p of blocks of 0.37 to 37 m
POINTS, POINTS_OF_MANY = 181, 91  # of a curve, unless given
BAND = (0.16, 0.84)
QUANTITIES = ("peak", "rate")


def rocking_spectrum(
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    *,
    alpha: float | Sequence[float],
    periods: Any = None,
    eta: float | None = None,
    formulation: Formulation | None = None,
    floor: Floor | None = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> RockingSpectrum:
    """The largest lean and angular velocity of rectangular blocks of one slenderness over their
    size, for one motion, or the median and band of many.

    Every point is the run that :func:`rocksteady.simulate` makes.

    Parameters
    ----------
    motions
        One motion, or several; a dictionary of them by name.
    alpha
        Slenderness angle α [rad]: one, or a curve for each of several.
    periods
        2π/p [s], p the frequency parameter; a block of half diagonal R has p² = 3g/(4R). 1 to 10 s
        unless given.
    eta
        Ratio of angular velocities at an impact, for all α; the theory's own for each α unless
        given.
    formulation
        The theory; Housner's unless given.
    floor
        Where the blocks stand: ``rs.Floor(period=0.5, storeys=4)``; on the ground unless given.
    store, progress
        As in :func:`rocksteady.ensemble`. With a ``store`` the same call resumes where it was
        stopped.

    Examples
    --------
    >>> import rocksteady as rs
    >>> pulse = rs.pulses.mavroeidis(velocity=0.8, frequency=1.0, gamma=2.0)
    >>> found = rs.analysis.rocking_spectrum(pulse, alpha=0.25, periods=[2.0, 4.0, 8.0])
    >>> found.fell.ravel().tolist(), found.peak.ravel().round(2).tolist()
    ([True, False, False], [nan, 0.35, 0.08])
    """
    angles = _angles(alpha)
    if periods is None:
        one = isinstance(motions, Motion) or len(motions) == 1
        periods = np.linspace(*PERIODS, POINTS if one else POINTS_OF_MANY)
    x = axis(periods, "period", "s", "2π/p")
    bodies = [
        Block.from_parameters(p=2 * math.pi / period, alpha=angle)
        for angle in angles
        for period in x.values
    ]
    how = _with_eta(suitable(formulation, bodies[0]), eta)
    study = dataclasses.replace(Study.of(bodies, motions, how, floor=floor), rates=True)
    data = run_study(study, store=store, progress=progress)
    shape = len(angles), len(x.values), len(study.motions)

    def values(name: str) -> NDArray[Any]:
        return np.moveaxis(data[name].values.reshape(shape), 1, 2)

    fell = np.isin(values("status"), FALLEN)
    known = fell | (values("status") == Status.AT_REST)
    p = 2 * math.pi / x.values
    return RockingSpectrum(
        study,
        np.array(angles),
        x,
        np.where(known & ~fell, values("peak"), np.nan),
        np.where(known & ~fell, values("peak_rate") / p, np.nan),
        fell,
        known,
    )


def _angles(alpha: Any) -> list[float]:
    try:
        angles = np.atleast_1d(reals(alpha)).ravel().tolist()
    except (TypeError, ValueError):
        angles = []
    if not angles or not all(0 < angle < math.pi / 2 for angle in angles):
        raise InputError(
            f"alpha = {alpha!r} is not allowed: give one or more slenderness angles in radians, "
            "between 0 and π/2 (a slender column has about 0.1)."
        )
    return angles


def _with_eta(how: Formulation, eta: float | None) -> Formulation:
    if eta is None:
        return how
    given: Any = how
    if not hasattr(how, "eta"):
        raise InputError(
            f"eta = {eta!r} was given, but {how.name} takes none: set its loss by its own options."
        )
    if given.eta is not None or getattr(given, "r", None) is not None:
        raise InputError(f"eta = {eta!r} and a formulation with a loss were given: give one.")
    return dataclasses.replace(given, eta=eta)  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class RockingSpectrum:
    """Largest leans and angular velocities over size. Made by
    :func:`rocksteady.analysis.overturning.rocking_spectrum`.

    Arrays are over (alpha, motion, period); they are nan where the block falls.
    """

    study: Study
    alphas: Array
    """[rad]."""
    x: Axis
    """2π/p [s]."""
    peak: Array
    """Largest |θ|/α."""
    rate: Array
    """Largest |ω|/p."""
    fell: NDArray[np.bool_]
    known: NDArray[np.bool_]
    """Whether the run gave an answer."""

    @property
    def periods(self) -> Array:
        """2π/p [s]."""
        return self.x.values

    @property
    def motions(self) -> int:
        """How many."""
        return len(self.study.motions)

    @cached_property
    def heights(self) -> Array:
        """Height [m] of each block, over (alpha, period)."""
        every: Any = self.study.systems
        return np.array([body.height for body in every]).reshape(len(self.alphas), -1)

    @cached_property
    def etas(self) -> Array:
        """Ratio of angular velocities at an impact that Housner's theory has for each α, or the one
        that was given."""
        how: Any = self.study.formulation
        given = getattr(how, "eta", None)
        if given is None and getattr(how, "r", None) is not None:
            given = math.sqrt(how.r)
        every: Any = self.study.systems[:: len(self.periods)]
        return np.array([max(body.eta, 0.0) if given is None else given for body in every])

    @property
    def share(self) -> Array:
        """The share of motions that overturns the block, over (alpha, period)."""
        known = self.known.sum(axis=1)
        return np.where(known > 0, self.fell.sum(axis=1) / np.maximum(known, 1), np.nan)

    def interval(self, level: float = LEVEL) -> Array:
        """Low and high end of each share (Clopper and Pearson), over (end, alpha, period). Motions
        of one record, or of one set of stochastic parameters, count as one."""
        part = independent(self.study.motions) / self.motions
        return interval(part * self.fell.sum(axis=1), part * self.known.sum(axis=1), level)

    def quantile(self, q: float, of: str = "peak") -> Array:
        """The q-quantile over the motions of the largest lean, or ``of="rate"``, over (alpha,
        period). A fall counts as larger than any lean: where the quantile is a fall it is nan."""
        if of not in QUANTITIES:
            raise InputError(f"of = {of!r} is not known: choose 'peak' or 'rate'.")
        values = np.where(self.fell, np.inf, getattr(self, of))
        found = np.full((len(self.alphas), len(self.periods)), np.nan)
        for a, t in np.ndindex(found.shape):
            those = np.sort(values[a, self.known[a, :, t], t])
            if not len(those):
                continue
            place = q * (len(those) - 1)
            low, high = those[math.floor(place)], those[math.ceil(place)]
            if np.isfinite(high):
                found[a, t] = low + (place - math.floor(place)) * (high - low)
        return found

    def response(self, alpha: int, period: int, motion: int = 0) -> Response:
        """The very run behind a point, by the numbers of its α, its period and its motion."""
        sizes = {"alpha": len(self.alphas), "period": len(self.periods), "motion": self.motions}
        for (name, size), number in zip(sizes.items(), (alpha, period, motion), strict=True):
            if not 0 <= number < size:
                raise InputError(f"{name} = {number} is not one of {size}, counted from 0.")
        number = (alpha * len(self.periods) + period) * self.motions + motion
        body, ground = self.study.run(number)
        return simulate(body, ground, self.study.formulation)

    def falls_up_to(self, a: int) -> float | None:
        """The largest 2π/p [s] at which some motion overturns the block of the a-th α."""
        fallen = np.flatnonzero(self.fell[a].any(axis=0))
        return float(self.periods[fallen[-1]]) if len(fallen) else None

    # -- in words, files and a figure --------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """In numbers, with units in the keys."""
        median = self.quantile(0.5)
        return {
            "formulation": self.study.formulation.name,
            "motions": self.motions,
            "runs": len(self.study),
            "without_an_answer": int((~self.known).sum()),
            "period_s": [float(self.periods[0]), float(self.periods[-1])],
            "curves": [
                {
                    "alpha_rad": float(alpha),
                    "eta": float(self.etas[a]),
                    "largest_share_that_falls": float(np.nanmax(self.share[a])),
                    "falls_up_to_s": self.falls_up_to(a),
                    "largest_median_peak": _largest(median[a]),
                }
                for a, alpha in enumerate(self.alphas)
            ],
        }

    @property
    def sentences(self) -> list[str]:
        """What the spectrum shows."""
        said = [self._sentence(a) for a in range(len(self.alphas))]
        missing = int((~self.known).sum())
        if missing:
            said.append(f"{spaced(missing)} of {spaced(len(self.study))} runs gave no answer.")
        return said

    def _sentence(self, a: int) -> str:
        name, last = f"α = {self.alphas[a]:.3g} rad", self.falls_up_to(a)
        if last is None:
            top = _largest(self.peak[a])
            return f"Blocks with {name} stand at every size; the largest lean is {top or 0:.3g} α."
        tall = float(np.interp(last, self.periods, self.heights[a]))
        end = f"up to 2π/p = {last:.3g} s (a height of {tall:.3g} m)"
        if self.motions == 1:
            return f"Blocks with {name} fall at some sizes {end}."
        most, at = float(np.nanmax(self.share[a])), int(np.nanargmax(self.share[a]))
        return (
            f"Blocks with {name} fall under some of {self.motions} motions {end}; most often, "
            f"under {percent(most)}, at {self.periods[at]:.3g} s."
        )

    def to_dataset(self) -> xarray.Dataset:
        """As a labelled dataset over (alpha, motion, period)."""
        return imported("rocksteady.analysis.overturning.files:spectrum_dataset")(self)  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> Path:
        """Write it to ``path``: .csv or .nc, whole or not at all."""
        return imported("rocksteady.analysis.overturning.files:save_spectrum")(self, path)  # type: ignore[no-any-return]

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the spectrum; with ``path`` (.png, .svg, .pdf) write it, too."""
        return imported("rocksteady.view.rocking_spectrum:plot_spectrum")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        angles = ", ".join(f"{alpha:.3g}" for alpha in self.alphas)
        return f"<RockingSpectrum: α = {angles} rad, {self.motions} motion(s), 2π/p {self.x.range}>"


def _largest(values: Array) -> float | None:
    return float(np.nanmax(values)) if np.isfinite(values).any() else None
