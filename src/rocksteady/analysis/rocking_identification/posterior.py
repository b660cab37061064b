"""What tests with outcomes say about a block: intervals, predictions, and what they cannot tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.analysis.rocking_identification.likelihood import Evidence, weighted_quantiles
from rocksteady.analysis.rocking_identification.outcome_runs import Shaker, bodies_of
from rocksteady.analysis.rocking_identification.outcome_tests import OutcomeTests
from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import checked_seed, number_row
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories import Housner

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CANNOT_TELL = 0.7  # of the prior's range: an interval that keeps more tells nothing
EDGE, LEANS = 0.05, 0.25  # the ends of the prior's range, and the probability there that is told
UNUSED = 1e-3  # of the posterior: the lightest blocks, which are not run for a prediction
WITHIN = 2.5  # standard deviations of ln(gain) that are covered
SYMBOLS = {"p": "p", "alpha": "α", "alpha_right": "α right", "alpha_left": "α left", "eta": "η"}
UNITS = {"p": "rad/s", "alpha": "rad", "alpha_right": "rad", "alpha_left": "rad", "eta": "-"}


@dataclass(frozen=True)
class Space:
    """The parameters of a block between the bounds of its prior, as a unit cube."""

    prior: dict[str, tuple[float, float]]
    gain: float | None
    """Standard deviation of ln(gain) of a series."""

    @property
    def parameters(self) -> int:
        """How many, a gain included."""
        return len(self.prior) + (self.gain is not None)

    def values(self, at: Array) -> Array:
        """The parameters, a column each in the order of the prior, at points of the unit cube."""
        low, high = np.array(list(self.prior.values())).T
        return np.asarray(low + at[:, : len(low)] * (high - low))

    def blocks(self, at: Array) -> Array:
        """Rows (p, α right, α left, η)."""
        values = self.values(at)
        return values[:, [0, 1, 1, 2]] if len(self.prior) == 3 else values

    def gains(self, at: Array) -> Array | None:
        """The factor on the motions of each point."""
        return None if self.gain is None else self.gain_at(at[:, -1])

    def gain_at(self, at: Array) -> Array:
        assert self.gain is not None
        return np.asarray(np.exp(WITHIN * self.gain * (2 * at - 1)))


@dataclass(frozen=True, eq=False)
class BlockPosterior:
    """What the outcomes of tests say about a block.

    Dictionaries have the parameters' names as keys: ``p`` [rad/s], ``alpha`` [rad] (or
    ``alpha_right`` and ``alpha_left``) and ``eta`` [-].
    """

    tests: OutcomeTests
    space: Space
    evidence: Evidence
    level: float
    """Of the intervals."""
    backend: str = "cpu"

    # -- parameters -----------------------------------------------------------------------------

    @property
    def prior(self) -> dict[str, tuple[float, float]]:
        """The bounds that were given."""
        return self.space.prior

    @cached_property
    def points(self) -> Array:
        """Parameters, a column each, at which the posterior is known."""
        return self.space.values(self.evidence.queries)

    @cached_property
    def weights(self) -> Array:
        """The posterior probability of each point."""
        return np.asarray(self.evidence.weights()[0].sum(axis=0))

    def quantiles(self, name: str, at: ArrayLike) -> Array:
        """Quantiles of a parameter's posterior."""
        column = self.points[:, list(self.prior).index(name)]
        return weighted_quantiles(column, self.weights, np.asarray(at, dtype=float))

    @cached_property
    def medians(self) -> dict[str, float]:
        """The middle of each parameter's posterior."""
        return {name: float(self.quantiles(name, 0.5)) for name in self.prior}

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each parameter."""
        tail = (1 - self.level) / 2
        ends = {name: self.quantiles(name, [tail, 1 - tail]) for name in self.prior}
        return {name: (float(low), float(high)) for name, (low, high) in ends.items()}

    @cached_property
    def kept(self) -> dict[str, float]:
        """The share of its prior range that a parameter's interval keeps."""
        return {
            name: (high - low) / (self.prior[name][1] - self.prior[name][0])
            for name, (low, high) in self.intervals.items()
        }

    @property
    def untold(self) -> tuple[str, ...]:
        """Parameters that these tests cannot tell: the interval keeps over 0.7 of the prior."""
        return tuple(name for name, share in self.kept.items() if share > CANNOT_TELL)

    @cached_property
    def leaning(self) -> dict[str, float]:
        """Parameters that lean on an end of the range assumed, and that end: a quarter of the
        probability lies in the last twentieth of the range. The bounds decide, not the tests."""
        found = {}
        for i, (name, ends) in enumerate(self.prior.items()):
            at = (self.points[:, i] - ends[0]) / (ends[1] - ends[0])
            there = [self.weights[side].sum() for side in (at < EDGE, at > 1 - EDGE)]
            if max(there) > LEANS * self.weights.sum():
                found[name] = ends[int(np.argmax(there))]
        return found

    @cached_property
    def gains(self) -> dict[str, tuple[float, float, float]]:
        """Low end, median and high end of each series' gain; empty if gains were not asked for."""
        if self.space.gain is None:
            return {}
        joint, given = self.evidence.weights()
        tail = (1 - self.level) / 2
        values, found = self.space.gain_at(self.evidence.gains.values), {}
        for i, name in enumerate(self.tests.series_names):
            share = np.einsum("eq,emq->m", joint, given[..., i])
            ends = weighted_quantiles(values, share, np.array([tail, 0.5, 1 - tail]))
            found[name] = (float(ends[0]), float(ends[1]), float(ends[2]))
        return found

    def blocks(self, count: int, seed: int = 0) -> list[tuple[Block, Housner]]:
        """Blocks drawn from the posterior, each with the law of its impacts."""
        rng = np.random.default_rng(checked_seed(seed))
        chosen = rng.choice(len(self.weights), size=count, p=self.weights)
        return list(zip(*bodies_of(self.space.blocks(self.evidence.queries[chosen])), strict=True))

    # -- predictions ----------------------------------------------------------------------------

    @cached_property
    def held_out(self) -> Array:
        """The probability that each test overturns, predicted from tests of other groups: with
        other earthquakes."""
        return self.evidence.held_out()

    @property
    def accuracy(self) -> float:
        """The share of the tests whose outcome was predicted when they were held out."""
        return float(np.mean((self.held_out > 0.5) == self.tests.outcomes))

    @property
    def brier(self) -> float:
        """Mean squared error of the held-out probabilities: 0 is perfect, 0.25 is tossing coins."""
        return float(np.mean((self.held_out - self.tests.outcomes) ** 2))

    def predict(
        self,
        motions: Motion | Sequence[Motion],
        scales: ArrayLike | None = None,
        *,
        series: str | None = None,
    ) -> Array:
        """The probability that each new motion overturns the block: the average over the posterior.

        Parameters
        ----------
        motions
            One or several.
        scales
            A factor for each motion, or one for all; 1 unless given.
        series
            The series of tests in which it happens, if its gain was identified; a new one, with a
            gain as uncertain as before the tests, unless given.
        """
        shocks = (motions,) if isinstance(motions, Motion) else tuple(motions)
        factors = np.ones(1) if scales is None else np.atleast_1d(np.asarray(scales, dtype=float))
        if len(factors) not in (1, len(shocks)):
            raise InputError(
                f"{len(factors)} scales were given for {len(shocks)} motions: give one for each, "
                "or one for all."
            )
        factors = number_row("scales", np.broadcast_to(factors, (len(shocks),)))
        floor, weights = self.evidence.block_weights(self._series(series))
        order = np.argsort(weights)
        light = np.cumsum(weights[order]) < UNUSED * weights.sum()
        used = np.sort(order[~light])
        at = self.evidence.cloud.at[used]
        shaker = Shaker(shocks, np.arange(len(shocks)), factors, self.backend)
        fell = shaker.falls(self.space.blocks(at), gains=self.space.gains(at))
        share = weights[used] / weights[used].sum() * weights.sum()
        return np.asarray(floor + share @ fell)

    def _series(self, name: str | None) -> int | None:
        if self.space.gain is None:
            return 0
        if name is None:
            return None
        if name not in self.tests.series_names:
            raise InputError(
                f"series = {name!r} is not one of the tests': they have "
                f"{', '.join(map(repr, self.tests.series_names))}."
            )
        return self.tests.series_names.index(name)

    # -- words ----------------------------------------------------------------------------------

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words."""
        fell, n = int(self.tests.outcomes.sum()), len(self.tests)
        per_cent = f"{100 * self.level:g} %"
        lines = [f"{fell} of {n} tests overturned the block."]
        for name, (low, high) in self.intervals.items():
            unit = "" if UNITS[name] == "-" else f" {UNITS[name]}"
            if name in self.untold:
                lines.append(
                    f"The tests cannot tell {SYMBOLS[name]}: the {per_cent} interval, {low:.4g} to "
                    f"{high:.4g}{unit}, keeps {self.kept[name]:.2f} of the range assumed."
                )
            else:
                lines.append(
                    f"{SYMBOLS[name]} = {self.medians[name]:.4g}{unit} "
                    f"({per_cent} interval {low:.4g} to {high:.4g})."
                )
        for name, end in self.leaning.items():
            unit = "" if UNITS[name] == "-" else f" {UNITS[name]}"
            lines.append(
                f"{SYMBOLS[name]} leans on an end of the range assumed, {end:.4g}{unit}: the "
                "bounds decide, not the tests. Widen the range if the block may lie beyond."
            )
        for name, (low, middle, high) in self.gains.items():
            of = f" of series {name}" if name else ""
            lines.append(f"The gain{of} is {middle:.3f} ({low:.3f} to {high:.3f}).")
        whose = "tests with other earthquakes"
        if self.tests.group_count < 2:
            whose = "tests with the same earthquake, since there is only one"
        lines.append(
            f"Held-out tests were predicted with an accuracy of {self.accuracy:.3f} (Brier score "
            f"{self.brier:.3f}) from {whose}; good predictions do not prove the parameters."
        )
        return tuple(lines)

    def summary(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        parameters = {
            f"{name} [{UNITS[name]}]": {
                "median": self.medians[name],
                "interval": list(self.intervals[name]),
                "prior": list(self.prior[name]),
                "kept": self.kept[name],
                "told": name not in self.untold,
            }
            for name in self.prior
        }
        return {
            "tests": len(self.tests),
            "overturned": int(self.tests.outcomes.sum()),
            "groups": self.tests.group_count,
            "level": self.level,
            "parameters": parameters,
            "gains": {name: list(ends) for name, ends in self.gains.items()},
            "held_out_accuracy": self.accuracy,
            "held_out_brier": self.brier,
            "sentences": list(self.sentences),
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot the marginals, the pairs and the calibration of held-out predictions."""
        return imported("rocksteady.view.block_posterior:plot_posterior")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        known = ", ".join(f"{name} {value:.4g}" for name, value in self.medians.items())
        return f"<BlockPosterior: {known}; held-out accuracy {self.accuracy:.3f}>"
