"""Who overturned, and who was said to: predictions of yes and no, or of a probability."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.draws import label_numbers
from rocksteady.analysis.shares.interval import LEVEL, checked_level, interval
from rocksteady.analysis.statistics.peaks import DOUBT
from rocksteady.errors import InputError
from rocksteady.numbers import number_row
from rocksteady.numerics.types import Array

BINS = 5  # of predicted shares, equally wide


class Confusion(NamedTuple):
    """How many tests ended how, and were predicted to."""

    fell_as_said: int
    fell_unforeseen: int
    """Fell, and was said to stand: the dangerous error."""
    stood_unforeseen: int
    """Stood, and was said to fall."""
    stood_as_said: int


class Bin(NamedTuple):
    """Tests with about the same predicted share."""

    low: float
    high: float
    tests: int
    predicted: float
    """Their mean predicted share [-]."""
    fell: int
    interval: tuple[float, float]
    """Exact interval of the share that falls."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What was seen, yes or no, and the share that was predicted; see `compare_outcomes`."""

    observed: NDArray[np.bool_]
    predicted: Array
    """Probability of overturning [-]; 0 or 1 where one run decided."""
    clusters: NDArray[np.int64]
    """The motion of each."""
    level: float = LEVEL

    @property
    def said(self) -> NDArray[np.bool_]:
        """The likelier outcome: whether it is said to overturn."""
        return np.asarray(self.predicted >= 0.5)

    @property
    def graded(self) -> bool:
        """Whether there are probabilities between no and yes."""
        return bool(((self.predicted > 0) & (self.predicted < 1)).any())

    @property
    def confusion(self) -> Confusion:
        fell, said = self.observed, self.said
        counts = (fell & said, fell & ~said, ~fell & said, ~fell & ~said)
        return Confusion(*(int(each.sum()) for each in counts))

    @property
    def right(self) -> int:
        """How many outcomes were foreseen."""
        return int((self.observed == self.said).sum())

    @property
    def accuracy(self) -> float:
        """Share of outcomes that were foreseen [-]."""
        return self.right / len(self.observed)

    @property
    def accuracy_interval(self) -> tuple[float, float]:
        """Exact interval of that share (Clopper and Pearson)."""
        return _interval(self.right, len(self.observed), self.level)

    @property
    def commoner(self) -> float:
        """The accuracy of always saying what happened more often [-]: what must be beaten."""
        share = float(self.observed.mean())
        return max(share, 1 - share)

    @property
    def bias_p_value(self) -> float:
        """Of the predictions being wrong as often to one side as to the other. Of yes and no: when
        seen and predicted change places at random under each motion (McNemar's exact test, where
        each test has a motion of its own). Of probabilities: by the exact distribution of the
        number that falls (Poisson's binomial)."""
        if self.graded:
            return _two_sided(_poisson_binomial(self.predicted), int(self.observed.sum()))
        errors = np.bincount(self.clusters, self.observed.astype(float) - self.said)
        chances = np.ones(1)  # of their sum, each with either sign
        for size in np.abs(errors[errors != 0]).astype(int):
            chances = (np.pad(chances, (2 * size, 0)) + np.pad(chances, (0, 2 * size))) / 2
        middle = (len(chances) - 1) / 2
        far = np.abs(np.arange(len(chances)) - middle) >= abs(errors.sum()) - 1e-9
        return float(min(1.0, chances[far].sum()))

    @property
    def calibration_p_value(self) -> float | None:
        """Of the probabilities being true, by Spiegelhalter's test of the Brier score; None for
        predictions of yes and no."""
        from scipy.stats import norm

        p = self.predicted
        weight = 1 - 2 * p
        variance = float((weight**2 * p * (1 - p)).sum())
        if variance == 0:
            return None
        if ((p == 0) & self.observed | (p == 1) & ~self.observed).any():
            return 0.0  # what was said to be impossible has happened
        z = float(((self.observed - p) * weight).sum()) / np.sqrt(variance)
        return float(2 * norm.sf(abs(z)))

    @property
    def brier(self) -> float:
        """Mean squared error of the probabilities [-]; 0 is perfect."""
        return float(np.mean((self.predicted - self.observed) ** 2))

    @property
    def bins(self) -> list[Bin]:
        """Observed beside predicted shares, in five equal bins; empty ones are left out."""
        edges = np.linspace(0, 1, BINS + 1)
        which = np.clip(np.searchsorted(edges, self.predicted, side="right") - 1, 0, BINS - 1)
        found = []
        for k in range(BINS):
            own = which == k
            tests, fell = int(own.sum()), int(self.observed[own].sum())
            if tests:
                mean = float(self.predicted[own].mean())
                low, high = float(edges[k]), float(edges[k + 1])
                found.append(Bin(low, high, tests, mean, fell, _interval(fell, tests, self.level)))
        return found

    @property
    def biased(self) -> bool:
        """Whether errors go to one side more often than chance would have it (p below 0.05)."""
        return self.bias_p_value < DOUBT

    @property
    def miscalibrated(self) -> bool:
        """Whether the probabilities cannot be true (p below 0.05)."""
        p = self.calibration_p_value
        return p is not None and p < DOUBT

    @property
    def rejected(self) -> bool:
        """Whether the prediction is biased or its probabilities cannot be true."""
        return self.biased or self.miscalibrated

    def summary(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        low, high = self.accuracy_interval
        return {
            "tests": len(self.observed),
            "fell": int(self.observed.sum()),
            "predicted to fall": float(self.predicted.sum()),
            **self.confusion._asdict(),
            "accuracy [-]": self.accuracy,
            "accuracy, low end [-]": low,
            "accuracy, high end [-]": high,
            "accuracy of the commoner outcome [-]": self.commoner,
            "p of no bias": self.bias_p_value,
            "p of true probabilities": self.calibration_p_value,
            "brier score [-]": self.brier,
            "level": self.level,
            "bins": [each._asdict() for each in self.bins],
            "rejected": self.rejected,
        }

    @property
    def sentences(self) -> list[str]:
        """The verdict, and what it rests on."""
        n, table = len(self.observed), self.confusion
        low, high = (100 * end for end in self.accuracy_interval)
        said = [
            f"{self.right} of {n} outcomes were foreseen: {100 * self.accuracy:.0f} % "
            f"({100 * self.level:.0f} % interval {low:.0f} to {high:.0f} %). {self._against_guess}",
            f"{table.fell_unforeseen} fell though said to stand, {table.stood_unforeseen} stood "
            f"though said to fall: {self._bias}",
        ]
        if self.calibration_p_value is not None:
            verdict = "cannot be true" if self.miscalibrated else "may be true"
            said.append(
                f"The predicted probabilities {verdict} (p = {self.calibration_p_value:.2g}, "
                f"Brier score {self.brier:.3f})."
            )
        return said

    @property
    def _against_guess(self) -> str:
        always = "stands" if self.observed.mean() < 0.5 else "overturns"
        guess = f"Always saying that it {always} is right in {100 * self.commoner:.0f} %"
        if self.accuracy_interval[0] > self.commoner:
            return f"{guess}: the prediction is better."
        return f"{guess}: that the prediction is better is not shown."

    @property
    def _bias(self) -> str:
        if not self.biased:
            return f"no bias is seen (p = {self.bias_p_value:.2g})."
        way = "too few" if self.predicted.sum() < self.observed.sum() else "too many"
        return f"it predicts {way} falls (p = {self.bias_p_value:.2g})."


def compare_outcomes(
    observed: Any, predicted: Any, *, clusters: Any = None, level: float = LEVEL
) -> Outcomes:
    """How well it was foreseen who overturns.

    Parameters
    ----------
    observed
        Whether each body overturned.
    predicted
        The same by a theory: yes and no, or the probability of overturning.
    clusters
        The motion of each, if some have the same.
    level
        Of the intervals.

    Examples
    --------
    >>> found = compare_outcomes([True, True, False, False], [True, False, False, False])
    >>> found.accuracy, found.confusion.fell_unforeseen
    (0.75, 1)
    """
    level = checked_level(level)
    seen = number_row("observed", observed, truths=True)
    said = number_row("predicted", predicted, truths=True)
    if not len(seen) or len(seen) != len(said):
        raise InputError(
            f"There are {len(seen)} observed and {len(said)} predicted outcomes: give as many of "
            "both, one at least."
        )
    if not np.isin(seen, (0, 1)).all():
        raise InputError("An observed outcome is neither yes nor no: give True or False.")
    if not ((said >= 0) & (said <= 1)).all():
        worst = said[~((said >= 0) & (said <= 1))][0]
        raise InputError(f"A predicted probability is {worst:g}: it must lie between 0 and 1.")
    own = np.arange(len(seen))
    if clusters is not None:
        label_numbers("clusters", clusters, len(seen), "outcomes")
        own = np.unique(clusters, return_inverse=True)[1]
    return Outcomes(seen.astype(bool), said, np.asarray(own), level)


def _interval(count: int, n: int, level: float) -> tuple[float, float]:
    low, high = interval(count, n, level)
    return float(low), float(high)


def _poisson_binomial(p: Array) -> Array:
    """The probability of each number of falls, one test after the other."""
    chances = np.ones(1)
    for each in p:
        chances = np.convolve(chances, [1 - each, each])
    return chances


def _two_sided(chances: Array, seen: int) -> float:
    """The probability of all numbers that are not likelier than the one seen."""
    return float(min(1.0, chances[chances <= chances[seen] * (1 + 1e-7)].sum()))
