"""Kind "theories": several theories under the same motions, beside each other as distributions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, model_validator

from rocksteady.names import csv_table
from rocksteady.specs import BodySpec, FloorSpec, MotionSpec, Spec, TheorySpec
from rocksteady.studio.jobs.kinds import inputs
from rocksteady.studio.jobs.limits import THEORIES
from rocksteady.studio.jobs.tell import Tell

if TYPE_CHECKING:
    from rocksteady.analysis.statistics.validation import Validation


class TheoriesRequest(Spec):
    """Several theories of one body under the same motions. Single histories are chaotic;
    distributions can be compared."""

    kind: Literal["theories"] = "theories"
    body: BodySpec
    motions: list[MotionSpec] = Field(min_length=1, max_length=inputs.SOURCES)
    """As strong as they are, or as ``pga``, ``pgv`` or ``scale`` of each says."""
    floor: FloorSpec | None = None
    theories: list[TheorySpec] = Field(min_length=2, max_length=THEORIES)
    """The others are compared with the first."""
    confidence: float = Field(default=0.9, gt=0, lt=1)
    """Of intervals and bands."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        inputs.check_count(self.motions)
        return self


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """Distributions of the largest lean and of the outcome, and what differs beyond chance."""
    asked = TheoriesRequest.checked(request)
    tell.progress("making the motions")
    motions = inputs.motions(asked.motions, tell.studio, tell.progress)
    known = [found["of"] for found in tell.known()]
    made = _Made(asked, motions, tell)
    for number in range(len(asked.theories)):
        if number < len(known):
            made.take(number, known[number])
            continue
        tell.partial({"theory": number, "of": made.run(number), **made.curves(number)})
    tell.progress("comparing")
    compared = [made.compared(number) for number in range(1, len(asked.theories))]
    _write(made, compared, folder / "files")
    return {
        "motions": list(motions),
        "body": made.body.label,
        "theories": [made.curves(number) for number in range(len(asked.theories))],
        "compared": [each.summary() for each in compared],
        "sentences": [sentence for each in compared for sentence in each.sentences],
    }


class _Made:
    """The runs of each theory so far."""

    def __init__(self, asked: TheoriesRequest, motions: Any, tell: Tell) -> None:
        from rocksteady.theories.registry import suitable

        self.asked, self.motions, self.tell = asked, motions, tell
        self.body: Any = asked.body.build(tell.studio)
        self.floor = None if asked.floor is None else asked.floor.build()
        self.theories = [suitable(theory.build(), self.body) for theory in asked.theories]
        self.seen: dict[int, dict[str, Any]] = {}

    def run(self, number: int) -> dict[str, Any]:
        """Run a theory under all motions; what JSON keeps of it."""
        from rocksteady.analysis.statistics.runs import seen_by_theory, theory_label

        name = theory_label(self.theories[number])

        def progress(done: int, total: int) -> None:
            told = number * total + done, len(self.theories) * total
            self.tell.progress(f"shaking the body: {name}", *told)

        seen, _ = seen_by_theory(
            self.body, self.theories[number], self.motions, self.floor, progress
        )
        self.seen[number] = seen
        return {"peak": seen["observed"], "fell": seen["observed_fell"]}

    def take(self, number: int, kept: dict[str, Any]) -> None:
        """The same from what an earlier process has shown."""
        import numpy as np

        peak = np.array([np.nan if x is None else x for x in kept["peak"]], dtype=float)
        self.seen[number] = {
            "against": self._against(number),
            "observed": peak,
            "observed_fell": np.array(kept["fell"], dtype=bool),
            "observed_known": ~np.isnan(peak),
        }

    def _against(self, number: int) -> str:
        from rocksteady.analysis.statistics.runs import theory_label

        n = len(self.motions)
        return f"{theory_label(self.theories[number])} under {n} motion{'s' * (n > 1)}"

    def curves(self, number: int) -> dict[str, Any]:
        """The distribution of the largest lean with its band, and the share that falls."""
        import numpy as np

        from rocksteady.analysis.shares.interval import interval
        from rocksteady.analysis.statistics.distributions import (
            ABSCISSAE,
            OVERTURNED,
            confidence_band,
            distribution,
        )
        from rocksteady.analysis.statistics.runs import theory_label

        seen, level = self.seen[number], self.asked.confidence
        known = seen["observed_known"]
        sample = seen["observed"][known]
        fell, n = int(seen["observed_fell"].sum()), int(known.sum())
        curve: dict[str, Any] = {}
        if n:
            band = confidence_band(sample, ABSCISSAE, level)
            curve = {"F": distribution(sample), "low": band.low, "high": band.high}
            curve["median"] = float(np.median(sample))
            curve["median_fell"] = curve["median"] >= OVERTURNED
        low, high = interval(fell, n, level)
        return {
            "name": theory_label(self.theories[number]),
            "at": ABSCISSAE,
            **curve,
            "fell": {"count": fell, "of": n, "low": float(low), "high": float(high)},
        }

    def compared(self, number: int) -> Validation:
        """A theory against the first, as `rs.analysis.validate` judges it."""
        from rocksteady.analysis.statistics.runs import tests_of
        from rocksteady.analysis.statistics.validation import Validation

        tests, mine = tests_of(self.motions), self.seen[number]
        return Validation(
            body=self.body,
            formulation=self.theories[number],
            names=tests.names,
            clusters=tests.clusters,
            predicted=mine["observed"][:, None],
            predicted_fell=mine["observed_fell"][:, None],
            level=self.asked.confidence,
            **self.seen[0],
        )


def _write(made: _Made, compared: list[Validation], folder: Path) -> None:
    import pandas

    from rocksteady.files import write_whole

    folder.mkdir(exist_ok=True)
    columns: dict[str, Any] = {"motion": list(made.motions)}
    for number in range(len(made.theories)):
        name, seen = made.curves(number)["name"], made.seen[number]
        columns[f"{name}: max |theta|/alpha [-]"] = seen["observed"]
        columns[f"{name}: overturned"] = seen["observed_fell"].astype(int)
    table = csv_table(pandas.DataFrame(columns))
    write_whole(folder / "theories.csv", table)
    for number, each in enumerate(compared, start=1):
        for ending in ("png", "svg"):
            each.plot(folder / f"theory-{number + 1}.{ending}")
