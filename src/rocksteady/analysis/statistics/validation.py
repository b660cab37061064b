"""A theory against a table of tests, or against another theory under the same motions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.measured_tests import MeasuredTests, measured_in, read_tests
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.analysis.statistics.distributions import as_sample
from rocksteady.analysis.statistics.outcomes import Outcomes, compare_outcomes
from rocksteady.analysis.statistics.peaks import DOUBT, Peaks, compare_peaks
from rocksteady.analysis.statistics.runs import runs_of, seen_by_theory, theory_label
from rocksteady.bodies import System
from rocksteady.ensembles.checks import named
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import A_BODY
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.names import csv_table
from rocksteady.numbers import checked_seed, finite, whole
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories import Formulation
from rocksteady.theories.registry import suitable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = 7  # motions with which a theory can be rejected: 2/2⁷ is a p-value below 0.05/2
DRAWS = 100  # runs of each test where something is uncertain
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Validation:
    """What was seen and what a theory predicts, test by test; see `validate`."""

    body: System
    """The first, of several."""
    formulation: Formulation
    against: str
    """What it is compared with, in words."""
    names: tuple[str, ...]
    """Of the tests."""
    clusters: NDArray[np.int64]
    """(n,) the number of each test's motion: tests under one motion are alike."""
    observed: Array
    """(n,) max |θ|/α seen [-]: 1.5 where the body overturned, nan where it is not known."""
    observed_fell: BoolArray
    observed_known: BoolArray
    """(n,) whether it is known if the body overturned."""
    predicted: Array
    """(n, draws) max |θ|/α [-] by the theory: 1.5 where it overturns, nan without an answer."""
    predicted_fell: BoolArray
    level: float = LEVEL

    def __repr__(self) -> str:
        state = "rejected" if self.rejected else "not rejected"
        return f"<Validation: {len(self.names)} tests, {self.formulation.name} {state}>"

    def __len__(self) -> int:
        return len(self.names)

    @property
    def draws(self) -> int:
        """How many runs there are of each test."""
        return int(self.predicted.shape[1])

    @property
    def motions(self) -> int:
        """How many motions the tests have between them."""
        return len(np.unique(self.clusters))

    @property
    def answered(self) -> BoolArray:
        """(n,) the tests of which at least one run gave an answer."""
        return np.asarray(~np.isnan(self.predicted).all(axis=1))

    @property
    def probability(self) -> Array:
        """(n,) the predicted probability of overturning [-]. One run gives 0 or 1; the share of
        several is (k + ½)/(n + 1), as none of n runs does not mean never."""
        runs = (~np.isnan(self.predicted)).sum(axis=1)
        fell = self.predicted_fell.sum(axis=1)
        if self.draws == 1:
            return np.where(runs > 0, fell, np.nan).astype(float)
        return np.asarray(np.where(runs > 0, (fell + 0.5) / (runs + 1), np.nan))

    @cached_property
    def peaks(self) -> Peaks | None:
        """The distributions of the largest rotation; None where no peak was measured."""
        used = ~np.isnan(self.observed) & self.answered
        if not used.any() or (self.observed_fell | ~used).all():
            return None
        # A run that gave no answer is replaced by another of the same test.
        draws = [np.resize(own[~np.isnan(own)], self.draws) for own in self.predicted[used]]
        own: dict[str, Any] = {"clusters": self.clusters[used], "level": self.level}
        return compare_peaks(self.observed[used], np.array(draws), paired=True, **own)

    @cached_property
    def outcomes(self) -> Outcomes | None:
        """Who overturned, and who was said to; None where no outcome is known."""
        used = self.observed_known & self.answered
        if not used.any():
            return None
        own: dict[str, Any] = {"clusters": self.clusters[used], "level": self.level}
        return compare_outcomes(self.observed_fell[used], self.probability[used], **own)

    @property
    def p_values(self) -> list[float]:
        """Of all that was compared: rotations, bias, and probabilities where there are any."""
        found = [] if self.peaks is None else [self.peaks.chance]
        if self.outcomes is not None:
            of_outcomes = self.outcomes.bias_p_value, self.outcomes.calibration_p_value
            found += [p for p in of_outcomes if p is not None]
        return found

    @property
    def rejected(self) -> bool:
        """Whether chance alone would hardly make predictions and tests differ so much: the smallest
        p-value, times their number (Bonferroni), is below 0.05."""
        found = self.p_values
        return bool(found) and min(found) * len(found) < DOUBT

    @property
    def sentences(self) -> list[str]:
        """The verdict in words, and what it rests on."""
        said = [f"{theory_label(self.formulation)} against {self.against}: {self._verdict}"]
        for part in (self.peaks, self.outcomes):
            said += [] if part is None else part.sentences
        return said + self._reservations

    @property
    def _verdict(self) -> str:
        found = self.p_values
        if not found:
            return "nothing can be compared."
        small = f"p = {min(found):.2g}"
        if len(found) > 1:
            small = f"{small}, the smallest of {len(found)}"
        if not self.rejected and self.motions < FEWEST:
            return f"cannot tell. {self.motions} motions are too few to reject any theory."
        if self.rejected:
            return f"rejected. They differ more than chance would make them ({small})."
        if min(found) < DOUBT:
            return (
                f"not rejected. The {len(found)} comparisons together do not show more than chance "
                f"({small}, would have to be below {DOUBT / len(found):.2g})."
            )
        return f"not rejected. They differ no more than by chance ({small})."

    @property
    def _reservations(self) -> list[str]:
        said = []
        n, motions = len(self), self.motions
        if motions < n:
            said.append(
                f"The {n} tests have {motions} motion{'s' * (motions > 1)}. p-values by swaps "
                "count motions. Intervals count tests: where tests under one motion go wrong "
                "together, they promise too much."
            )
        lost = int((~self.answered).sum())
        if lost:
            said.append(f"{lost} of {n} tests gave no answer by the theory and are left out.")
        unmeasured = int((np.isnan(self.observed) & self.observed_known).sum())
        if unmeasured and self.peaks is not None:
            said.append(
                f"{unmeasured} tests that stood have no peak and are missing in the distributions, "
                "which therefore show too many falls, in both."
            )
        return said

    def rows(self) -> list[dict[str, Any]]:
        """A row for each test: seen and predicted."""
        seen = np.where(np.isnan(self.observed), None, self.observed)  # type: ignore[call-overload]
        middle = [float(np.median(own[~np.isnan(own)])) if known else None
                  for own, known in zip(self.predicted, self.answered, strict=True)]  # fmt: skip
        return [
            {
                "test": name,
                "peak [-]": seen[i],
                "overturned": bool(self.observed_fell[i]) if self.observed_known[i] else None,
                "predicted peak [-]": middle[i],
                "predicted probability of overturning [-]": None
                if np.isnan(self.probability[i])
                else float(self.probability[i]),
            }
            for i, name in enumerate(self.names)
        ]

    def write(self, path: str | Path) -> Path:
        """Write `rows` as a CSV file."""
        import pandas

        return write_whole(Path(path), csv_table(pandas.DataFrame(self.rows())))

    def summary(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        return {
            "body": self.body.label,
            "formulation": theory_label(self.formulation),
            "against": self.against,
            "tests": len(self),
            "motions": self.motions,
            "runs of each test": self.draws,
            "without an answer": int((~self.answered).sum()),
            "peaks": None if self.peaks is None else self.peaks.summary(),
            "outcomes": None if self.outcomes is None else self.outcomes.summary(),
            "p_values": self.p_values,
            "rejected": self.rejected,
            "sentences": self.sentences,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Draw the distributions with their bands, and observed beside predicted outcomes."""
        return imported("rocksteady.view.validation:plot_validation")(self, path)  # type: ignore[no-any-return]


def validate(
    body: System | Sequence[System],
    against: str | Path | MeasuredTests | Formulation | Any,
    formulation: Formulation | None = None,
    *,
    motions: Motion | Sequence[Motion] | Mapping[str, Motion] | None = None,
    floor: Floor | None = None,
    spread: float = 0.0,
    draws: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    progress: bool | Progress = True,
) -> Validation:
    """Does a theory agree with tests, or with another theory, in a statistical sense?

    Parameters
    ----------
    body
        What was tested: a block or another body that rocks. Several, such as draws of what is
        uncertain in it, give predicted probabilities.
    against
        A table of tests: a CSV file, a pandas DataFrame, or what `read_tests` has read; for its
        columns see `rocksteady.analysis.measured_tests`. Or another theory, which takes the place
        of the tests under ``motions``.
    formulation
        The theory that is judged; the usual one for the body unless given.
    motions
        For another theory: the ground motions. For tests: motions that the table names.
    floor
        What the body stands on; the ground unless given.
    spread
        How uncertain the strength of each motion is: standard deviation of its logarithm, 0.05 is
        about 5 %. Each test is then run many times, and predictions are probabilities.
    draws
        How many runs of each test with a ``spread``; 100 unless given.
    seed
        Of these draws.
    level
        Of bands and intervals.
    progress
        Show a progress bar, if in a terminal; or a function to call with (runs done, all runs).

    Examples
    --------
    >>> import pandas
    >>> import rocksteady as rs
    >>> pulse = "pulse:sine,a=0.35g,T=0.8"
    >>> rows = [(pulse, 1.0, "no"), (pulse, 3.0, "yes")]
    >>> tests = pandas.DataFrame(rows, columns=["motion", "scale [-]", "overturned"])
    >>> found = validate(rs.Block(height=1.8, width=0.5), tests)
    >>> found.outcomes.accuracy
    1.0
    """
    bodies = named(body, (System,), "bodies", A_BODY)[0]
    if not all(each.rocks for each in bodies):
        raise InputError(f"{type(bodies[0]).__name__} does not rock as one body: give blocks.")
    how = suitable(formulation, bodies[0])
    uncertain = finite("spread", spread, minimum=0.0)
    count = draws if draws is not None else DRAWS if uncertain else 1
    count, seed = whole("draws", count), checked_seed(seed)
    seen: dict[str, Any]
    if isinstance(against, Formulation):
        seen, tests = seen_by_theory(bodies[0], against, motions, floor, progress)
    else:
        tests = _table(against, motions, bodies[0])
        peak = as_sample(tests.peak_over_alpha(bodies[0]), tests.fell)
        source = Path(against).name if isinstance(against, str | Path) else "a table"
        seen = {
            "against": f"{len(tests)} tests of {source}",
            "observed": peak,
            "observed_fell": tests.fell,
            "observed_known": tests.known,
        }
    factors = np.exp(uncertain * np.random.default_rng(seed).standard_normal((count, len(tests))))
    predicted, fell = runs_of(bodies, tests, how, floor, factors, progress)
    return Validation(
        body=bodies[0],
        formulation=how,
        names=tests.names,
        clusters=tests.clusters,
        predicted=predicted,
        predicted_fell=fell,
        level=level,
        **seen,
    )


def _table(against: Any, motions: Any, body: Any) -> MeasuredTests:
    named_motions = motions if isinstance(motions, Mapping) else None
    if isinstance(motions, Motion):
        motions = (motions,)
    if named_motions is None and motions is not None:
        named_motions = {motion.name: motion for motion in motions}
    if isinstance(against, MeasuredTests):
        return against
    if isinstance(against, str | Path):
        return read_tests(against, named_motions)
    if hasattr(against, "columns") and hasattr(against, "iloc"):
        return measured_in(against, named_motions)
    raise InputError(
        f"against = {against!r} is neither a table of tests nor a theory: give a CSV file, a "
        "DataFrame, or a formulation such as rs.Nonsmooth()."
    )
