"""How many runs of an ensemble fell, counted once: for figures, tables and the command line."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.shares.interval import interval
from rocksteady.ensembles.dataset import check_ensemble
from rocksteady.ensembles.labels import PGA, PGV, Measure, common, system_labels
from rocksteady.numerics.types import Array
from rocksteady.status import FALLEN, Status

if TYPE_CHECKING:
    import xarray

FEW = 5  # bodies that are shown one by one; if there are more, the extremes and the one between
AT_ONCE = 5_000_000  # runs in memory
BIN = 20  # runs, at least, from which a share is taken where each has a motion of its own
MOST_BINS = 8
Counts = NDArray[np.int64]


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


def fell(status: Any) -> Any:
    """Where a run ended lying on its side, or collapsed."""
    return np.isin(status, FALLEN)


def answered(status: Any) -> Any:
    """Where a run gave an answer: it did not fail."""
    return np.asarray(status) != Status.FAILED


class Counted:
    """How many runs fell, in total and of each system at each scale; and how many gave an answer at
    all: shares are of these."""

    def __init__(self, data: "xarray.Dataset") -> None:
        check_ensemble(data)
        self.data = data
        self.kind = BUILDINGS if "wear" in data else BODIES
        self.paired = data["status"].dims == ("run",)
        self.runs = int(data["status"].size)
        self.by_status = np.zeros(len(Status), dtype=np.int64)
        """How many runs ended in each way."""
        if not self.paired:
            self.bodies, self.motions, self.scales = data["status"].shape
            self.labels = system_labels(data)
            self.all = f"all {self.kind.many}"
            self.fallen: Counts = np.zeros((self.bodies, self.scales), dtype=np.int64)
            """How many motions overturn each system at each scale."""
            self.known = np.zeros_like(self.fallen)
            """How many of these runs gave an answer."""
            self.fallen_by_motion: Counts = np.zeros(self.motions, dtype=np.int64)
            self.known_by_motion = np.zeros_like(self.fallen_by_motion)
        for rows, status in pieces(data, "status"):
            self._count(rows, status)
        self.down = int(self.by_status[list(FALLEN)].sum())
        self.failed = int(self.by_status[Status.FAILED])
        self.answered = self.runs - self.failed
        """Runs that gave an answer."""

    def _count(self, rows: slice, status: Any) -> None:
        self.by_status += np.bincount(status.ravel(), minlength=len(Status))
        if not self.paired:
            down, known = fell(status), answered(status)
            self.fallen[rows], self.known[rows] = down.sum(axis=1), known.sum(axis=1)
            self.fallen_by_motion += down.sum(axis=(0, 2))
            self.known_by_motion += known.sum(axis=(0, 2))

    # -- shares -----------------------------------------------------------------------------------

    @property
    def shares(self) -> Array:
        """The share of motions that overturn each system at each scale; nan where no run gave an
        answer."""
        return ratio(self.fallen, self.known)

    @property
    def whole(self) -> Array:
        """The share of all runs that fell at each scale; nan where none gave an answer. It has no
        interval: all bodies stood under the same motions, so their runs are not independent."""
        return ratio(self.fallen.sum(axis=0), self.known.sum(axis=0))

    @cached_property
    def intervals(self) -> Array:
        """Low and high end of each share: (2, systems, scales)."""
        return interval(self.fallen, self.known)

    def by_strength(self) -> list[tuple[Array, float, Array]]:
        """The runs of a paired ensemble in groups of similar strength: how strong the ground moved
        in each run, the share that fell, and its interval."""
        status = self.data["status"].values
        known = answered(status)
        strength, down = self.strength()[known], fell(status[known])
        order = np.argsort(strength, kind="stable")
        return [
            (strength[runs], float(down[runs].mean()), interval(down[runs].sum(), len(runs)))
            for runs in np.array_split(order, min(MOST_BINS, self.answered // BIN))
        ]

    # -- which bodies and levels to show ---------------------------------------------------------

    @cached_property
    def ranking(self) -> NDArray[np.intp]:
        """The systems, those that fall most often first; under one motion, of those that fall as
        often, the one that came farther."""
        often = ratio(self.fallen.sum(axis=1), np.maximum(self.known.sum(axis=1), 1))
        if self.motions > 1:
            return np.argsort(-often, kind="stable")
        far = self.data[self.kind.measure].values[:, 0]
        return np.lexsort((-np.where(self.known > 0, far, 0.0).sum(axis=1), -often))

    @property
    def chosen(self) -> list[int]:
        """The systems that are shown one by one, those that fall most often first."""
        if self.bodies <= FEW:
            return [int(i) for i in self.ranking]
        return [int(self.ranking[i]) for i in (0, (self.bodies - 1) // 2, -1)]

    @property
    def others(self) -> list[int]:
        """The systems that are not `chosen`."""
        return [] if self.bodies <= FEW else sorted({*range(self.bodies)} - {*self.chosen})

    @property
    def telling_level(self) -> int:
        """The scale at which the bodies differ most: about half of the runs fall there."""
        fallen, known = self.fallen.sum(axis=0), np.maximum(self.known.sum(axis=0), 1)
        return int(np.argmin(np.abs(2 * fallen - known) / known))

    def moved(self, body: int) -> NDArray[np.bool_]:
        """At which scales a run lifted it off, or none gave an answer."""
        status, peak = self.data["status"][body].values, self.data["peak"][body].values
        flat = ((peak == 0) | ~answered(status)).all(axis=0)
        return np.asarray(~flat | (self.known[body] == 0))

    # -- how strong the ground moved -------------------------------------------------------------

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
        """All runs, or about ``most`` evenly chosen ones: how strong the ground moved, how
        far the body came, and whether it fell."""
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
        known = answered(status)
        strength = np.broadcast_to(strength, far.shape)
        return strength[known], far[known], fell(status[known])


def ratio(count: Any, n: Any) -> Array:
    """A share; nan where n is 0."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.divide(count, n))


def pieces(data: "xarray.Dataset", *names: str) -> Iterator[tuple[Any, ...]]:
    """The values of some variables, a few rows of the first axis at a time: where, and what."""
    size = data["status"].size
    rows = max(1, AT_ONCE * len(data["status"]) // max(size, 1))
    for start in range(0, len(data["status"]), rows):
        where = slice(start, start + rows)
        yield where, *(data[name][where].values for name in names)
