"""Identify a block from tests of which only the outcome is known: overturned, or not."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, qmc

from rocksteady.analysis.rocking_identification.likelihood import (
    NO_GAIN,
    Cloud,
    Evidence,
    Gains,
    weighted_quantiles,
)
from rocksteady.analysis.rocking_identification.outcome_runs import Shaker
from rocksteady.analysis.rocking_identification.outcome_tests import OutcomeTests
from rocksteady.analysis.rocking_identification.posterior import BlockPosterior, Space
from rocksteady.errors import InputError
from rocksteady.numbers import checked_seed, real
from rocksteady.numerics.types import Array

Pair = tuple[float, float]
MOST_GAIN = 0.5  # a larger standard deviation is no knowledge of a gain
GAIN_NODES = 9
STEEPEST = math.pi / 4  # a block with a larger α is wider than high


def identify_from_outcomes(
    tests: OutcomeTests | str | Path,
    *,
    p: Pair,
    alpha: Pair,
    eta: Pair = (0.8, 0.99),
    symmetric: bool = True,
    gain: float | None = None,
    level: float = 0.90,
    seed: int = 0,
    backend: str = "cpu",
    progress: Callable[[int, int], Any] | None = None,
) -> BlockPosterior:
    """Find which blocks explain the outcomes of tests, and predict the next ones.

    The prior is uniform between the bounds given. Blocks spread over it are shaken in every test,
    then more blocks where they explain the outcomes. The posterior allows for a share of wrong
    outcomes and for outcomes that change from one block to a similar one.

    Parameters
    ----------
    tests
        The tests, or the CSV file that lists them: see :meth:`OutcomeTests.read`.
    p, alpha, eta
        The lowest and highest value that is possible of the frequency parameter [rad/s], the
        slenderness angle [rad] and the ratio of angular velocities at an impact [-].
    symmetric
        False for a body with different angles to the right and to the left: ``alpha`` bounds both,
        and ``p`` is that of the weak side.
    gain
        Standard deviation of an unknown factor on all motions of a series (the gain of its table
        or sensor), 0.05 for 5 %; None: the motions are right.
    level
        Of the intervals.
    seed
        Of the points at which the posterior is computed.
    backend
        ``"cpu"``, or ``"cuda"``: a GPU.
    progress
        Called with (runs done, runs of this stage).

    Examples
    --------
    >>> import rocksteady as rs
    >>> pushes = [rs.pulses.sine(amplitude=a, period=0.5) for a in (2.0, 3.0, 4.0, 5.0, 6.0, 7.0)]
    >>> tests = OutcomeTests(pushes, [False, False, False, True, True, True])
    >>> found = identify_from_outcomes(tests, p=(3, 5), alpha=(0.1, 0.3))
    >>> low, high = found.intervals["alpha"]
    >>> bool(0.1 < low < high < 0.3)
    True
    """
    tests = tests if isinstance(tests, OutcomeTests) else OutcomeTests.read(tests)
    if not 0 < real(level) < 1:
        raise InputError(f"level = {level!r} is not allowed: give a share between 0 and 1.")
    seed = checked_seed(seed)
    space = Space(_prior(p, alpha, eta, symmetric), _gain(gain))
    shaker = Shaker(*tests.distinct, tests.scale_values, backend)
    stage = 0

    def begin(number: int) -> None:
        nonlocal stage
        stage = number

    def source(box: Array, count: int, chosen: NDArray[np.intp]) -> tuple[Array, NDArray[np.bool_]]:
        at = evenly(box, count, seed + stage)
        return at, shaker.falls(space.blocks(at), chosen, space.gains(at), progress)

    evidence = search(
        source,
        space.parameters,
        tests.outcomes,
        tests.series_numbers,
        tests.folds,
        gain_nodes(space),
        seed=seed,
        tell=begin,
    )
    return BlockPosterior(tests, space, evidence, float(level), backend)


def gain_nodes(space: Space) -> Gains:
    """The values of a series' gain over which the posterior is summed."""
    if space.gain is None:
        return NO_GAIN
    at = np.linspace(0.0, 1.0, GAIN_NODES)
    prior = norm.pdf(np.log(space.gain_at(at)) / space.gain)
    return Gains(at, np.asarray(prior / prior.sum()))


def _prior(p: Pair, alpha: Pair, eta: Pair, symmetric: bool) -> dict[str, Pair]:
    p = _bounds("p", p, "rad/s", math.inf)
    alpha = _bounds("alpha", alpha, "rad", STEEPEST)
    eta = _bounds("eta", eta, "", 1.0)
    sides = {"alpha": alpha} if symmetric else {"alpha_right": alpha, "alpha_left": alpha}
    return {"p": p, **sides, "eta": eta}


def _bounds(name: str, pair: Pair, unit: str, most: float) -> Pair:
    try:
        low, high = (real(value) for value in pair)
    except (TypeError, ValueError):
        low = high = math.nan
    if not 0 < low < high <= most or math.isinf(high):
        limit = "" if math.isinf(most) else f", at most {most:.4g}"
        raise InputError(
            f"{name} = {pair!r} is not a range: give the lowest and the highest possible value"
            f"{f' [{unit}]' if unit else ''}, both positive{limit}."
        )
    return low, high


def _gain(gain: float | None) -> float | None:
    if gain is None:
        return None
    if not 0 < real(gain) <= MOST_GAIN:
        raise InputError(
            f"gain = {gain!r} is not allowed: give the standard deviation of the factor on a "
            f"series' motions, 0.05 for 5 %, at most {MOST_GAIN:g}."
        )
    return float(gain)


# -- where the posterior is: blocks all over the prior first, then more where it counts ------------
# A regular grid over four parameters would take 20 million runs. Each stage spreads blocks evenly
# (Sobol's sequence) in a box; the next box holds what is left of the posterior, and a margin. Tests
# in which all blocks of the box end alike are not run again: they tell nothing about its inside.


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
