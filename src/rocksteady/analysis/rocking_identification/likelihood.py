"""How well blocks explain which tests overturned the real one.

Outcomes jump from block to block, however similar the blocks are: a table of 0 and 1 over the
parameters says too much. It is therefore smoothed over the parameters, by a Gaussian as wide as the
mean distance between the blocks of a regular grid: S is the share of the neighbours that fall. An
outcome is wrong with the probability ε (a mistake in the list, or a block that does not quite obey
the theory), so that the real block overturns with the probability

    q = ε + (1 − 2ε) S,

and the posterior is summed over ε.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from rocksteady.numerics.types import Array

EPSILONS = np.geomspace(0.002, 0.1, 9)
CHUNK = 512  # queries that are smoothed at a time
TINY = np.float32(1e-30)


@dataclass(frozen=True, eq=False)
class Cloud:
    """Blocks whose outcomes are known, in the unit cube of the prior."""

    at: Array
    """(blocks, parameters), a gain last where there is one."""
    fell: NDArray[np.float32]
    """(blocks, tests): 0 or 1."""
    box: Array
    """(2, parameters): the lowest and highest values; blocks lie evenly between them."""

    @cached_property
    def width(self) -> Array:
        """Of the Gaussian, for each parameter: one cell of a grid with as many blocks."""
        count, parameters = self.at.shape
        return np.asarray(count ** (-1 / parameters) * (self.box[1] - self.box[0]))

    def shares(self, queries: Array, gains: Array | None = None) -> NDArray[np.float32]:
        """S at each query and each gain: (gains, queries, tests)."""
        near_gain = self._near_gains(gains)
        tests = self.fell.shape[1]
        # the shares of all gains at once: what falls, and what counts, for each of them
        columns = [
            np.column_stack([self.fell, np.ones(len(self.at))]) * g[:, None] for g in near_gain
        ]
        together = np.concatenate(columns, axis=1).astype(np.float32)
        out = np.empty((len(near_gain), len(queries), tests), dtype=np.float32)
        for part, weight in self._near(queries):
            sums = (weight @ together).reshape(len(weight), len(near_gain), tests + 1)
            share = sums[..., :-1] / (sums[..., -1:] + TINY)
            out[:, part] = np.clip(share, 0.0, 1.0).swapaxes(0, 1)
        return out

    def shared(self, weights: Array, queries: Array, gains: Array | None = None) -> Array:
        """Weights of gains and queries, handed on to the blocks around them."""
        near_gain, out = self._near_gains(gains), np.zeros(len(self.at))
        for part, weight in self._near(queries):
            counts = weight @ near_gain.T + TINY
            out += np.sum((weights[:, part] / counts.T) @ weight * near_gain, axis=0)
        return out

    def _near(self, queries: Array) -> Iterator[tuple[slice, Array]]:
        """The Gaussian at each query about each block, without gains; a few queries at a time."""
        known = queries.shape[1]
        near = (self.at[:, :known] / self.width[:known]).astype(np.float32)
        here = (queries / self.width[:known]).astype(np.float32)
        size = np.sum(near**2, axis=1)
        for start in range(0, len(here), CHUNK):
            part = slice(start, start + CHUNK)
            log = here[part] @ near.T - size / 2
            yield part, np.exp(log - log.max(axis=1, keepdims=True))

    def _near_gains(self, gains: Array | None) -> NDArray[np.float32]:
        """The Gaussian at each gain about each block's."""
        if gains is None:
            return np.ones((1, len(self.at)), dtype=np.float32)
        gap = (gains[:, None] - self.at[:, -1]) / self.width[-1]
        return np.asarray(np.exp(-0.5 * gap**2), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Gains:
    """The unknown factor of a series of tests: a few values and their prior probabilities."""

    values: Array
    """As parameters of the cloud, in its unit cube."""
    prior: Array


NO_GAIN = Gains(np.array([math.nan]), np.ones(1))


class Evidence:
    """The posterior at queries that lie evenly in the prior, from all tests or without some."""

    def __init__(
        self,
        cloud: Cloud,
        queries: Array,
        overturned: NDArray[np.bool_],
        series: NDArray[np.intp],
        folds: NDArray[np.intp],
        gains: Gains = NO_GAIN,
    ) -> None:
        self.cloud, self.queries, self.gains = cloud, queries, gains
        self.overturned, self.series, self.folds = overturned, series, folds
        self.shares = cloud.shares(queries, self.gain_values)
        self.groups = (int(folds.max()) + 1, int(series.max()) + 1)
        self.parts = self._log_parts()

    @property
    def gain_values(self) -> Array | None:
        return None if self.gains is NO_GAIN else self.gains.values

    def _log_parts(self) -> Array:
        """Log likelihood of each fold and series: (ε, gain, query, fold, series)."""
        agree = np.where(self.overturned, self.shares, 1 - self.shares)
        group = self.folds * self.groups[1] + self.series
        member = np.eye(self.groups[0] * self.groups[1])[group]
        parts = [np.log(e + (1 - 2 * e) * agree) @ member for e in EPSILONS]
        whole = np.stack(parts).astype(np.float32)
        return np.asarray(whole.reshape(len(parts), *agree.shape[:2], *self.groups))

    def weights(self, without: int | None = None) -> tuple[Array, Array]:
        """(posterior over ε and queries, that of each series' gain given both): shapes (ε, query)
        and (ε, gain, query, series). ``without`` leaves a fold out."""
        kept = [fold for fold in range(self.groups[0]) if fold != without]
        log = self.parts[:, :, :, kept].sum(axis=3, dtype=float)
        log = log + np.log(self.gains.prior)[None, :, None, None]
        of_series = logsumexp(log, axis=1)
        joint = of_series.sum(axis=2)
        return np.exp(joint - logsumexp(joint)), np.exp(log - of_series[:, None])

    def reading(self, series: int | None, without: int | None = None) -> tuple[float, Array]:
        """(floor, weights) with which a test of a series is predicted: its probability to overturn
        is floor + Σ weights · S over (gain, query). None: a series without tests."""
        joint, gain = self.weights(without)
        floor = float(np.sum(EPSILONS[:, None] * joint))
        heavy = (1 - 2 * EPSILONS)[:, None] * joint
        if series is None:
            return floor, np.asarray(self.gains.prior[:, None] * heavy.sum(axis=0))
        return floor, np.einsum("eq,emq->mq", heavy, gain[..., series])

    def held_out(self) -> Array:
        """The probability that each test overturns, predicted from the other folds."""
        found = np.empty(len(self.overturned))
        for fold in range(self.groups[0]):
            for series in np.unique(self.series[self.folds == fold]):
                those = np.flatnonzero((self.folds == fold) & (self.series == series))
                floor, weights = self.reading(int(series), fold)
                found[those] = floor + np.einsum("mq,mqt->t", weights, self.shares[:, :, those])
        return found

    def block_weights(self, series: int | None) -> tuple[float, Array]:
        """(floor, weights) with which the blocks of the cloud predict a test of a series."""
        floor, weights = self.reading(series)
        return floor, self.cloud.shared(weights, self.queries, self.gain_values)


def weighted_quantiles(values: Array, weights: Array, at: Array) -> Array:
    """Quantiles of a weighted sample, linear between the middles of its steps."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    middle = (total - weights[order] / 2) / total[-1]
    return np.interp(at, middle, values[order])
