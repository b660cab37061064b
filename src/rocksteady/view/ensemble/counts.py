"""An ensemble as its figure needs it: counted once, a part of a large one in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.statistics import confidence_band
from rocksteady.ensembles.dataset import check_ensemble
from rocksteady.ensembles.labels import system_labels
from rocksteady.ensembles.outcome import CODE
from rocksteady.ensembles.strength import PGA, PGV, Measure, common
from rocksteady.ensembles.summary import FALLEN
from rocksteady.formulations.contract import Array
from rocksteady.status import Status

if TYPE_CHECKING:
    import xarray

FEW = 5  # bodies that are drawn one by one; of more only the extremes and the one between
AT_ONCE = 5_000_000  # runs in memory


class Kind(NamedTuple):
    """The words for bodies that lean and fall, or for buildings that wear and collapse."""

    one: str
    many: str
    falls: str
    fall: str
    fallen: str
    measure: str
    """The variable that says how far it came."""
    title: str
    axis: str
    limit: str
    """What a measure of 1 is."""


BODIES = Kind(
    "body",
    "bodies",
    "overturns",
    "overturn",
    "overturned",
    "peak",
    "Largest lean",
    "|θ|/α [–]",
    "balance point",
)
BUILDINGS = Kind(
    "building",
    "buildings",
    "collapses",
    "collapse",
    "collapsed",
    "wear",
    "Wear at the end",
    "w [–]",
    "worn out",
)


class Counted:
    """How many runs fell, on the whole and of each system at each scale; and how many gave an
    answer at all, of which the shares are."""

    def __init__(self, data: xarray.Dataset) -> None:
        check_ensemble(data)
        self.data = data
        self.kind = BUILDINGS if "wear" in data else BODIES
        self.paired = data["status"].dims == ("run",)
        self.runs, self.down, self.failed = int(data["status"].size), 0, 0
        counts, known = [], []
        for status in _pieces(data["status"]):
            fell, told = np.isin(status, FALLEN), status != CODE[Status.FAILED]
            self.down += int(fell.sum())
            self.failed += int((~told).sum())
            if not self.paired:
                counts.append(fell.sum(axis=1))
                known.append(told.sum(axis=1))
        self.answered = self.runs - self.failed
        """Runs that gave an answer."""
        if self.paired:
            return
        self.bodies, self.motions, self.scales = data["status"].shape
        self.labels = system_labels(data)
        self.all = f"all {self.kind.many}"
        self.fallen: NDArray[np.int64] = np.concatenate(counts)
        """How many motions overturn each system at each scale."""
        self.known: NDArray[np.int64] = np.concatenate(known)
        """Of how many motions that is known."""
        often = _ratio(self.fallen.sum(axis=1), np.maximum(self.known.sum(axis=1), 1))
        self.ranking = np.argsort(-often, kind="stable")
        """The systems, those that fall most often first; under one motion, of those that fall as
        often, the one that came farther."""
        if self.motions == 1:
            far = np.where(self.known > 0, data[self.kind.measure].values[:, 0], 0.0).sum(axis=1)
            self.ranking = np.lexsort((-far, -often))

    @property
    def shares(self) -> Array:
        """The share of motions that overturn each system at each scale; nan where no run gave an
        answer."""
        return _ratio(self.fallen, self.known)

    @property
    def whole(self) -> Array:
        """The share of all runs that fell at each scale; nan where none gave an answer. It has no
        interval: all bodies stood under the same motions, so their runs are not independent."""
        return _ratio(self.fallen.sum(axis=0), self.known.sum(axis=0))

    def intervals(self, body: int) -> Array:
        """Low and high end of its share at each scale."""
        both = zip(self.fallen[body].tolist(), self.known[body].tolist(), strict=True)
        return np.array([interval(count, n) for count, n in both]).T

    def moved(self, body: int) -> NDArray[np.bool_]:
        """At which scales a run lifted it off, or none gave an answer."""
        status, peak = self.data["status"][body].values, self.data["peak"][body].values
        flat = ((peak == 0) | (status == CODE[Status.FAILED])).all(axis=0)
        return np.asarray(~flat | (self.known[body] == 0))

    @property
    def chosen(self) -> list[int]:
        """The systems that are drawn one by one, those that fall most often first."""
        if self.bodies <= FEW:
            return [int(i) for i in self.ranking]
        return [int(self.ranking[i]) for i in (0, (self.bodies - 1) // 2, -1)]

    @property
    def others(self) -> list[int]:
        """The systems that are not `chosen`."""
        return [] if self.bodies <= FEW else sorted({*range(self.bodies)} - {*self.chosen})

    @property
    def measure(self) -> Measure:
        """What strengths are measured by: the ground's peak acceleration, or its peak velocity
        where that is what all motions share."""
        return PGV if list(common(self.data)) == [PGV] else PGA

    def strength(self) -> Array:
        """How strong the ground moves in each run, by `measure`: over (motion, scale), or over
        run."""
        peak = self.data[self.measure.coordinate].values / self.measure.si
        scale = np.abs(self.data["scale"].values)
        if self.paired:
            return np.broadcast_to(peak * scale, (self.runs,))
        return np.asarray(np.multiply.outer(peak, scale))

    def some(self, most: int) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Of all runs, or of about ``most`` evenly chosen ones: how strong the ground moved, how
        far it came, and whether it fell."""
        strength = self.strength()
        if self.paired:
            every = {"run": slice(None, None, -(-self.runs // most))}
            strength = strength[every["run"]]
        else:
            pairs = max(1, most // self.scales)
            bodies = min(self.bodies, max(pairs // self.motions, int(np.sqrt(pairs))))
            motions = min(self.motions, max(1, pairs // bodies))
            every = {
                "system": slice(None, None, -(-self.bodies // bodies)),
                "motion": slice(None, None, -(-self.motions // motions)),
            }
            strength = strength[every["motion"]]
        runs = self.data[["status", self.kind.measure]].isel(every)
        status, far = runs["status"].values, runs[self.kind.measure].values
        known = status != CODE[Status.FAILED]
        strength = np.broadcast_to(strength, far.shape)
        return strength[known], far[known], np.isin(status[known], FALLEN)


def interval(count: int, n: int) -> tuple[float, float]:
    """The 90 % interval of a share, by Clopper and Pearson, where ``count`` of ``n`` were found;
    nan of none."""
    if n == 0:
        return np.nan, np.nan
    sample = np.repeat((0.0, 1.0), (count, n - count))  # the share is its distribution at zero
    low, high = confidence_band(sample, np.zeros(1))
    return float(low[0]), float(high[0])


def _ratio(count: Any, n: Any) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.divide(count, n))


def _pieces(variable: xarray.DataArray) -> Iterator[Any]:
    """Its values, some of the first axis at a time."""
    rows = max(1, AT_ONCE * len(variable) // max(variable.size, 1))
    for start in range(0, len(variable), rows):
        yield variable[start : start + rows].values
