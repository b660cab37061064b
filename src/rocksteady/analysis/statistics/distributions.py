"""Distributions of the largest rotation, and the bands in which they lie.

A single history under an earthquake is chaotic: a change in the last digit may overturn the block.
What can be compared between theories, or with tests, is the distribution of the largest rotation
over many motions alike.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.bodies import Block
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import number_row
from rocksteady.numerics.types import Array
from rocksteady.status import Status
from rocksteady.theories import Formulation

if TYPE_CHECKING:
    import xarray

OVERTURNED = 1.5  # what a run that overturns counts as, in units of α
FARTHEST = math.nextafter(OVERTURNED, 0.0)  # what one that leant further and came back counts as
ABSCISSAE = np.arange(1, 101) / 100  # of max |θ|/α


class Band(NamedTuple):
    """Between which values a distribution lies, at each abscissa."""

    low: Array
    high: Array


def distribution(sample: Array, at: Array = ABSCISSAE) -> Array:
    """F(x): share of the sample that is at most x."""
    return np.asarray(np.mean(sample_of(sample)[:, None] <= at, axis=0))


def confidence_band(sample: Array, at: Array = ABSCISSAE, level: float = LEVEL) -> Band:
    """Pointwise confidence band of the distribution behind a sample.

    At each x the number of values at most x is binomial, whatever the distribution is: the band is
    the exact interval of Clopper and Pearson for its probability. Unlike a bootstrap it has a
    width where the sample has no values.
    """
    n = len(sample_of(sample))
    count = np.round(n * distribution(sample, at))
    return Band(*interval(count, n, level))


def share_inside(sample: Array, band: Band, at: Array = ABSCISSAE) -> float:
    """Share of the abscissae at which the sample's distribution lies inside a band."""
    F = distribution(sample, at)
    return float(np.mean((band.low <= F) & (band.high >= F)))


def as_sample(peak: Any, fell: Any) -> Array:
    """max |θ|/α as a sample of a distribution: 1.5 where the body overturned, and less where it
    leant further and came back. nan where the peak of a body that stood is not known."""
    return np.asarray(np.where(fell, OVERTURNED, np.minimum(peak, FARTHEST)))


def sample_of(values: Array) -> Array:
    """A row of numbers, or an error."""
    sample = number_row("A sample", values)
    if not len(sample) or np.isnan(sample).any():
        raise InputError("A sample must be a row of numbers, one at least and none of them nan.")
    return sample


# -- many runs --------------------------------------------------------------------------------


def largest_rotations(
    block: Block,
    motions: Motion | Sequence[Motion],
    formulation: Formulation | None = None,
    *,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Array:
    """max |θ|/α [-] under each motion, from rest; 1.5 where the block overturns.

    ``backend``, ``executor``, ``store`` and ``progress`` are those of :func:`rocksteady.ensemble`.
    """
    study = Study.of(block, motions, formulation, until="outcome", backend=backend)
    return largest_of(run_study(study, executor=executor, store=store, progress=progress))


def largest_of(data: "xarray.Dataset") -> Array:
    """max |θ|/α of one block under each motion, as a sample of a distribution."""
    status, peak = (data[name].values[0, :, 0] for name in ("status", "peak"))
    failed = np.flatnonzero(status == Status.FAILED)
    if len(failed):
        name = data["motion"].values[failed[0]]
        raise InputError(f"Motion {failed[0]} ({name}) could not be followed to its end.")
    fell = data["fell"].values[0, :, 0]
    return as_sample(peak, fell)
