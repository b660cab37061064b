"""Kind "map": which pulses, or which strengths of motions, overturn a body."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, model_validator

from rocksteady.specs import BodySpec, FloorSpec, MotionSpec, Spec, TheorySpec
from rocksteady.specs.bodies import Range
from rocksteady.studio.jobs.kinds import inputs
from rocksteady.studio.jobs.limits import GRID, MAP_RUNS, at_most
from rocksteady.studio.jobs.tell import Tell

if TYPE_CHECKING:
    from rocksteady.analysis.overturning import OverturningMap

Pulse = Literal[
    "sine", "half sine", "cosine", "rectangle", "ricker", "antisymmetric ricker", "mavroeidis"
]


class MapRequest(Spec):
    """An overturning map: a pulse over its frequency and strength, or motions over the size of
    the body and the strength."""

    kind: Literal["map"] = "map"
    body: BodySpec
    pulse: Pulse | None = None
    """Instead of motions: which pulse."""
    motions: list[MotionSpec] = Field(default=[], max_length=inputs.SOURCES)
    """Instead of a pulse: one motion for ways to fall, several for the share that falls."""
    floor: FloorSpec | None = None
    theory: TheorySpec | None = None
    """The usual one for the body unless given."""
    x: Range | None = None
    """ω/p of a pulse, 0.5 to 8 unless given; height [m] of the body, a third to three times its own
    unless given."""
    strengths: Range | None = None
    """a/(g tan α) of a pulse; PGA [g] or PGV [m/s] of motions. Chosen unless given."""
    points: int | None = Field(default=None, ge=2, le=GRID)
    """Along an axis that is not given."""
    measure: Literal["pga", "pgv"] = "pga"
    method: Literal["brute force", "adaptive"] | None = None
    """Every point, or those along the borders; chosen by the time it takes unless given."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.pulse is None) == (not self.motions):
            raise ValueError("give a pulse or motions, one of them")
        for name in ("x", "strengths"):
            if (given := getattr(self, name)) is not None:
                at_most(given.count, GRID, f"points along {name}", "Take a coarser map.")
        inputs.check_count(self.motions)
        return self


def laid_out(
    request: MapRequest, motions: Any, studio: Path, points: int | None = None
) -> OverturningMap:
    """The map before its first run, of a pulse unless there are motions."""
    from rocksteady.analysis.overturning.maps import lay_out

    body: Any = request.body.build(studio)
    x = None if request.x is None else request.x.values()
    found = lay_out(
        body,
        request.pulse or motions,
        None if request.theory is None else request.theory.build(),
        frequencies=x if request.pulse else None,
        heights=None if request.pulse else x,
        strengths=None if request.strengths is None else request.strengths.values(),
        points=request.points or points,
        measure=request.measure,
        floor=None if request.floor is None else request.floor.build(),
    )
    runs = found.motions * found.shape[0] * found.shape[1]
    at_most(runs, MAP_RUNS, "runs", "Take a coarser map, or fewer motions.")
    return found


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse what cannot be run before it is queued; motions are made later."""
    from rocksteady.analysis.overturning.axes import axis

    inputs.check(studio, request)
    asked = MapRequest.checked(request)
    for name, given in (("x", asked.x), ("strengths", asked.strengths)):
        if given is not None:
            axis(given.values(), name, "", "")
    if asked.pulse is not None:
        laid_out(asked, None, studio)
    return {}


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """The map; its points are shown as they are found, from coarse to fine."""
    from rocksteady.analysis.overturning.maps import fill_in

    asked = MapRequest.checked(request)
    tell.progress("preparing the motions")
    motions = None
    if asked.pulse is None:
        motions = inputs.motions(asked.motions, tell.studio, tell.progress)
        inputs.keep_motions(motions, folder)
    empty = laid_out(asked, motions, tell.studio)
    shown = sum(1 for _ in tell.known())
    if not shown:
        tell.partial({"map": _frame(empty)})
    rounds = 1

    def show(found: Any) -> None:
        nonlocal rounds
        if rounds >= shown:  # else an earlier process has shown it
            tell.partial({"i": found.i, "j": found.j, **found.found})
        rounds += 1

    def progress(done: int, total: int) -> None:
        tell.progress("running points", done, total)

    found = fill_in(empty, asked.method, folder / "runs", progress, show)
    tell.progress("drawing the map")
    _write(found, folder / "files")
    shutil.rmtree(folder / "runs", ignore_errors=True)
    return _frame(found) | _found(found)


def _frame(found: OverturningMap) -> dict[str, Any]:
    """What is known before the first run: axes, boundaries in closed form, what numbers mean."""
    from rocksteady.analysis.overturning.ways import Way
    from rocksteady.analysis.overturning.words import title

    axes = {
        name: {
            "values": axis.values,
            "name": axis.name,
            "unit": axis.unit,
            "words": axis.words,
            "label": axis.label,
            "log": axis.log,
        }
        for name, axis in (("x", found.x), ("y", found.y))
    }
    return {
        **axes,
        "title": title(found),
        "pulse": found.pulse,
        "p": None if found.pulse is None else found.system.p,
        "tan_alpha": None if found.pulse is None else math.tan(found.system.alpha),
        "motions": found.motions,
        "motion_names": list(found.study.motion_names) if found.pulse is None else [],
        "ways": [{"way": int(way), "words": way.words, "falls": way.falls} for way in Way],
        "closed_forms": found.closed_forms,
    }


def _found(found: OverturningMap) -> dict[str, Any]:
    """What was found; rows are x, columns strengths. Peaks and impacts are in the partials."""
    about: dict[str, Any] = {
        "method": found.method,
        "runs": found.runs,
        "sentences": found.sentences,
        "summary": found.summary(),
    }
    if found.counts is None:
        return about | {"way": found.one.classes, "ran": found.one.ran}
    low, high = found.interval()
    return about | {**found.counts._asdict(), "share": found.share, "low": low, "high": high}


def _write(found: OverturningMap, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    found.save(folder / "map.csv")
    for ending in ("png", "svg"):
        found.plot(folder / f"map.{ending}")


# -- one point ------------------------------------------------------------------------------------


def case(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The case behind the point ``i``, ``j`` (of several motions ``motion``) of the map that
    ``request`` describes: `simulate` of it is the run of that point. A map counts impacts up to the
    fall or the end of the motion, and takes a peak after that from the energy: to the last bits."""
    from rocksteady.analysis.overturning.axes import SHARE_GRID
    from rocksteady.specs.case import CaseSpec

    asked = MapRequest.checked(request["request"])
    i, j, number = request["i"], request["j"], request["motion"]
    if asked.pulse is not None:
        found = laid_out(asked, None, studio)
        body, motion = found.run_at(i, j, number)
    else:
        ground, count = inputs.motion_kept(studio / "jobs" / request["id"], number)
        found = laid_out(asked, [ground], studio, GRID if count == 1 else SHARE_GRID)
        body, motion = found.run_at(i, j)
    spec = asked.body if found.pulse is not None else BodySpec.of(body)
    given: dict[str, Any] = {"body": spec}
    if asked.theory is not None:
        given["theories"] = [asked.theory]
    built: Any = spec.build(studio)
    if found.pulse is not None:
        omega = float(found.x.values[i]) * found.system.p
        short = inputs.pulse_text(found.pulse, omega, float(found.y.values[j]), found.system)
        if short is not None and inputs.same_motion(short.build(studio, built), motion):
            given["motion"] = short
    if "motion" not in given:
        given["motion"] = inputs.kept_motion(motion, studio)
    return CaseSpec(**given).model_dump(mode="json", exclude_defaults=True)
