"""Kind "spectrum": how far blocks of one slenderness lean, over their size."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from rocksteady.specs import BodySpec, FloorSpec, MotionSpec, Spec, TheorySpec
from rocksteady.specs.bodies import Range
from rocksteady.studio.jobs.kinds import inputs
from rocksteady.studio.jobs.limits import ALPHAS, PERIODS, RUNS, at_most
from rocksteady.studio.jobs.tell import Tell

if TYPE_CHECKING:
    from rocksteady.analysis.overturning import RockingSpectrum


class SpectrumRequest(Spec):
    """A rocking spectrum: largest leans of rectangular blocks of one slenderness over 2π/p."""

    kind: Literal["spectrum"] = "spectrum"
    motions: list[MotionSpec] = Field(min_length=1, max_length=inputs.SOURCES)
    """One for a curve, several for a median and a band."""
    alpha: list[Annotated[float, Field(gt=0, lt=math.pi / 2)]] = Field(
        default=[], max_length=ALPHAS
    )
    """Slenderness angles [rad], a curve each."""
    body: BodySpec | None = None
    """A body that rocks: a curve of its slenderness, and where it lies on it."""
    periods: Range | None = None
    """2π/p [s]; 1 to 10 unless given."""
    eta: float | None = Field(default=None, gt=0, le=1)
    """Ratio of angular velocities at an impact; the theory's own for each α unless given."""
    floor: FloorSpec | None = None
    theory: TheorySpec | None = None
    """Housner's unless given."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        inputs.check_count(self.motions)
        if not self.alpha and self.body is None:
            raise ValueError("give alpha [rad], a body, or both")
        if self.periods is not None:
            at_most(self.periods.count, PERIODS, "periods", "Take fewer.")
        return self


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse what cannot be run before it is queued; motions are made later."""
    from rocksteady.analysis.overturning.axes import axis
    from rocksteady.bodies import Rocker, expect

    asked = SpectrumRequest.checked(request)
    if asked.body is not None:
        expect(asked.body.build(studio), Rocker, "A rocking spectrum")
    if asked.periods is not None:
        axis(asked.periods.values(), "periods", "s", "2π/p")
    return inputs.check(studio, {**request, "body": None})


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """The spectrum, and for several motions its median, band and the share that falls."""
    from rocksteady.analysis.overturning.spectrum import POINTS, rocking_spectrum

    asked = SpectrumRequest.checked(request)
    tell.progress("making the motions")
    motions = inputs.motions(asked.motions, tell.studio, tell.progress)
    body: Any = None if asked.body is None else asked.body.build(tell.studio)
    alphas = [*asked.alpha] if body is None else [float(body.alpha), *asked.alpha]
    count = POINTS if asked.periods is None else asked.periods.count
    at_most(count * len(alphas) * len(motions), RUNS, "runs", "Take fewer motions or periods.")
    found = rocking_spectrum(
        motions,
        alpha=alphas,
        periods=None if asked.periods is None else asked.periods.values(),
        eta=asked.eta,
        formulation=None if asked.theory is None else asked.theory.build(),
        floor=None if asked.floor is None else asked.floor.build(),
        store=folder / "runs",
        progress=lambda done, total: tell.progress("shaking the blocks", done, total),
    )
    tell.progress("drawing the spectrum")
    files = folder / "files"
    files.mkdir(exist_ok=True)
    found.save(files / "spectrum.csv")
    for ending in ("png", "svg"):
        found.plot(files / f"spectrum.{ending}")
    shutil.rmtree(folder / "runs", ignore_errors=True)
    place = None if body is None else {"alpha": body.alpha, "period": 2 * math.pi / body.p}
    return {"body": place, **_found(found)}


def _found(found: RockingSpectrum) -> dict[str, Any]:
    from rocksteady.analysis.overturning.spectrum import BAND

    low, high = found.interval()
    curves = [
        {
            "alpha": float(alpha),
            "eta": float(found.etas[a]),
            "heights": found.heights[a],
            "peak": found.quantile(0.5)[a],
            "peak_low": found.quantile(BAND[0])[a],
            "peak_high": found.quantile(BAND[1])[a],
            "rate": found.quantile(0.5, "rate")[a],
            "share": found.share[a],
            "low": low[a],
            "high": high[a],
        }
        for a, alpha in enumerate(found.alphas)
    ]
    return {
        "periods": found.periods,
        "motions": found.motions,
        "band": BAND,
        "curves": curves,
        "sentences": found.sentences,
        "summary": found.summary(),
    }
