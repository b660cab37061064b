"""Kind "film": a run as a GIF or MP4 film."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, PositiveFloat, model_validator

from rocksteady.errors import InputError
from rocksteady.specs import CaseSpec, Spec
from rocksteady.studio.jobs.tell import Tell
from rocksteady.studio.limits import check_case, check_motion
from rocksteady.studio.taking.names import file_name


class FilmRequest(Spec):
    """A film of a case, in one of its theories."""

    kind: Literal["film"] = "film"
    case: CaseSpec
    theory: int = Field(default=0, ge=0)
    """Which of the theories, from 0."""
    format: Literal["gif", "mp4"] = "gif"
    """GIF for slides and pages, MP4 where ffmpeg is installed on the studio's computer."""
    speed: PositiveFloat | None = Field(default=None, le=100.0)
    """Seconds of response per second of film; 1 unless given, more for a long run."""
    width: int = Field(default=720, ge=240, le=1920)
    """Width of the picture [pixels]."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        count = max(len(self.case.theories), 1)
        if self.theory >= count:
            raise ValueError(f"theory = {self.theory} is not there: the case has {count}, from 0")
        return self


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse a case that cannot be run, or a body that cannot be drawn."""
    asked = FilmRequest.checked(request)
    check_case(asked.case)
    run = asked.case.build(studio)[asked.theory]
    if run["motion"] is not None:
        check_motion(run["motion"])
    if not run["system"].filmed:
        raise InputError(
            f"There is no film of a {run['system'].label}: take the figure (PNG or SVG) instead."
        )
    return {}


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """Write the film into ``files/``."""
    from rocksteady.simulation import simulate

    asked = FilmRequest.checked(request)
    tell.progress("Shaking it")
    response = simulate(**asked.case.build(tell.studio)[asked.theory])
    place = folder / "files"
    place.mkdir(exist_ok=True)
    path = response.animate(
        place / file_name(asked.case, asked.format),
        speed=asked.speed,
        width_px=asked.width,
        progress=lambda done, total: tell.progress("Drawing the film", done, total),
    )
    return {"file": path.name, "peak": response.peak, "status": str(response.status)}
