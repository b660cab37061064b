"""Kind "fragility": how likely a body lifts off, leans or falls, by the strength of the ground."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, PositiveFloat, model_validator

from rocksteady.specs import BodySpec, FloorSpec, MotionSpec, Spec, TheorySpec
from rocksteady.studio.jobs.kinds import inputs
from rocksteady.studio.jobs.limits import RUNS, STRENGTHS, at_most
from rocksteady.studio.jobs.tell import Tell

if TYPE_CHECKING:
    from rocksteady.analysis.fragilities import Fragility
    from rocksteady.analysis.stripes import Stripes

DRAWN = 200  # points of a curve


class FragilityRequest(Spec):
    """Many motions at many strengths: which share of them lifts a body off, rocks it far,
    overturns it."""

    kind: Literal["fragility"] = "fragility"
    body: BodySpec
    motions: list[MotionSpec] = Field(min_length=1, max_length=inputs.SOURCES)
    """Of the ground: about a hundred in all. Each is scaled to each strength."""
    floor: FloorSpec | None = None
    theory: TheorySpec | None = None
    """The usual one for the body unless given."""
    measure: str = Field(default="pga", max_length=20)
    """pga [g], pgv [m/s], housner, arias, cav, pgd or SA(1.0)."""
    levels: list[PositiveFloat] | int | None = None
    """Strengths in the measure's unit, increasing; or how many; 40 that suit the body unless
    given."""
    limits: list[Literal["lifts off", "overturned"] | PositiveFloat] | None = Field(
        default=None, min_length=1, max_length=12
    )
    """Limit states; a number is a ratio θ/α. Lifts off, 0.1, 0.5, 1 and overturned unless given."""
    confidence: float = Field(default=0.9, gt=0, lt=1)
    """Of intervals and bands."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        inputs.check_count(self.motions)
        at_most(self.count, STRENGTHS, "strengths", "Take fewer.")
        return self

    @property
    def count(self) -> int:
        """How many strengths."""
        given = self.levels
        return 40 if given is None else given if isinstance(given, int) else len(given)


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse what cannot be run before it is queued; motions are made later."""
    from rocksteady.ensembles.labels import measure_named

    measure_named(request["measure"])
    return inputs.check(studio, request)


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """Shares with exact intervals, shown as motions are run; then the curves through them."""
    from rocksteady.analysis.fragilities.fragility import fragility
    from rocksteady.analysis.stripes import stripes

    asked = FragilityRequest.checked(request)
    tell.progress("making the motions")
    motions = inputs.motions(asked.motions, tell.studio, tell.progress)
    at_most(asked.count * len(motions), RUNS, "runs", "Take fewer motions or strengths.")
    shown, batches = sum(1 for _ in tell.known()), 0

    def show(found: Stripes) -> None:
        nonlocal batches
        batches += 1
        if batches > shown:  # else an earlier process has shown it
            tell.partial(_so_far(found, len(motions), asked.confidence))

    tell.progress("choosing the strengths")
    runs = stripes(
        asked.body.build(tell.studio),
        motions,
        None if asked.theory is None else asked.theory.build(),
        levels=asked.levels,
        measure=asked.measure,
        floor=None if asked.floor is None else asked.floor.build(),
        store=folder / "runs",
        progress=lambda done, total: tell.progress("shaking the body", done, total),
        show=show,
    )
    tell.progress("fitting the curves")
    found = fragility(runs, limits=asked.limits, level=asked.confidence)
    result = {**found.summary(), "main": found.main.words, "curves": _curves(found)}
    _write(found, folder / "files", tell)
    shutil.rmtree(folder / "runs", ignore_errors=True)
    return result


def _so_far(found: Stripes, motions: int, confidence: float) -> dict[str, Any]:
    """The shares that overturn, of the motions that have been run."""
    from rocksteady.analysis.fragilities.shares import shares
    from rocksteady.analysis.stripes import OVERTURNED

    counted = shares(found.beyond(OVERTURNED), found.known, found.clusters, confidence)
    return {
        "motions": len(found.motions),
        "of_motions": motions,
        "measure": found.measure.short,
        "unit": found.measure.unit,
        "levels": found.levels,
        "count": counted.count,
        "of": counted.of,
        "share": counted.share,
        "low": counted.low,
        "high": counted.high,
    }


def _curves(found: Fragility) -> dict[str, Any]:
    """The fitted curve of each limit state with its band, to be drawn."""
    import numpy as np

    at = np.geomspace(found.stripes.levels[0], found.stripes.levels[-1], DRAWN)
    drawn: dict[str, Any] = {"levels": at}
    for state in found.states.values():
        if state.curve is not None:
            low, high = state.curve.band(at)
            curve = {"probability": state.curve.probability(at), "low": low, "high": high}
            drawn[state.words] = curve
    return drawn


def _write(found: Fragility, folder: Path, tell: Tell) -> None:
    tell.progress("drawing the curves")
    folder.mkdir(exist_ok=True)
    for name in ("fragility.csv", "fragility.xml"):
        found.write(folder / name)
    for ending in ("png", "svg"):
        found.plot(folder / f"fragility.{ending}")
