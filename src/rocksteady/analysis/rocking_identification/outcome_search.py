"""Where the posterior of a block is: blocks all over the prior first, then more where it counts.

A regular grid over four parameters would take 20 million runs. Each stage spreads blocks evenly
(Sobol's sequence) in a box; the next box holds what is left of the posterior, and a margin. Tests
in which all blocks of the box end alike are not run again: they tell nothing about its inside.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from rocksteady.analysis.rocking_identification.likelihood import (
    NO_GAIN,
    Cloud,
    Evidence,
    Gains,
    weighted_quantiles,
)
from rocksteady.numerics.types import Array

STAGES = 3
QUERIES = 4096
LEFT_OUT = 1e-3  # of the posterior, on either side of a box
MARGIN = 2.0  # widths of the Gaussian beyond that
SHRINKS = 0.5  # of the volume: a smaller box is worth another stage
ENOUGH = 64  # blocks that end alike before a test counts as decided


Source = Callable[[Array, int, NDArray[np.intp]], tuple[Array, NDArray[np.bool_]]]
"""From (box of the unit cube, count, tests): about so many blocks in the box, and whether they fall
in these tests."""


def count_of(parameters: int) -> int:
    """Blocks in each stage."""
    return int(2 ** (8 + parameters))


def evenly(box: Array, count: int, seed: int) -> Array:
    """Points of Sobol's sequence in a box."""
    low, high = box
    unit = qmc.Sobol(len(low), seed=seed).random_base2(int(count).bit_length() - 1)
    return np.asarray(low + unit * (high - low))


def search(
    source: Source,
    parameters: int,
    overturned: NDArray[np.bool_],
    series: NDArray[np.intp],
    folds: NDArray[np.intp],
    gains: Gains = NO_GAIN,
    *,
    seed: int = 0,
    tell: Callable[[int], Any] = lambda stage: None,
) -> Evidence:
    """The posterior in the last box. ``parameters`` counts those of the cloud, a gain included."""
    n, gained = len(overturned), gains is not NO_GAIN
    box = np.array([np.zeros(parameters), np.ones(parameters)])
    at, fell = np.empty((0, parameters)), np.empty((0, n), dtype=np.float32)
    undecided, all_alike = np.arange(n), np.zeros(n, dtype=np.float32)
    for stage in range(STAGES):
        tell(stage)
        new, found = source(box, count_of(parameters), undecided)
        rows = np.tile(all_alike, (len(new), 1))
        rows[:, undecided] = found
        at, fell = np.concatenate([at, new]), np.concatenate([fell, rows])
        queries = evenly(box[:, : parameters - gained], QUERIES >> gained, seed + 100)
        evidence = Evidence(Cloud(at, fell, box), queries, overturned, series, folds, gains)
        if stage == STAGES - 1:
            break
        smaller = _smaller(evidence, box, gained)
        ratio = float(np.prod((smaller[1] - smaller[0]) / (box[1] - box[0])))
        if stage > 0 and ratio > SHRINKS:
            break
        box = smaller
        inside = np.all((box[0] <= at) & (at <= box[1]), axis=1)
        at, fell = at[inside], fell[inside]
        if len(at) >= ENOUGH:
            share = fell.mean(axis=0)
            undecided = np.flatnonzero((share > 0) & (share < 1))
            all_alike = np.round(share).astype(np.float32)
    return evidence


def _smaller(evidence: Evidence, box: Array, gained: bool) -> Array:
    """The box of what is left of the posterior; a gain keeps its range."""
    weights = evidence.weights()[0].sum(axis=0)
    smaller, width = box.copy(), evidence.cloud.width
    for k in range(box.shape[1] - gained):
        ends = np.array([LEFT_OUT, 1 - LEFT_OUT])
        low, high = weighted_quantiles(evidence.queries[:, k], weights, ends)
        smaller[0, k] = max(low - MARGIN * width[k], box[0, k])
        smaller[1, k] = min(high + MARGIN * width[k], box[1, k])
    return smaller
