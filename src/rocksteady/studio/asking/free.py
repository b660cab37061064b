"""Two objects of which one stands free on the other: each rocks, slides and falls by itself.

The count at the strength of the place, the same for both fixed to each other, the chance over the
years, and the report of an assembly. What would help beside fixing them is not computed.
"""

from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.bodies.assembly import Assembly
from rocksteady.motion import Motion
from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.asking.shares import share_of
from rocksteady.studio.jobs.tell import Tell

RISK_MOTIONS, RISK_LEVELS = 60, 12  # a run of two stones takes a tenth of a second
LOOKED_AT = 3  # motions of the report
LIMITS = (
    "The vase stands free on its plinth, and the plinth on the floor: each of them can slide, rock "
    "and fall. That either falls counts as a fall.",
    "Friction is 0.7 between vase, plinth and floor. Polished or dusty faces have less, and slide "
    "instead of rocking.",
    "Wax, gel and putty lie between free and fixed and are not computed yet.",
    "All happens in one vertical plane: neither of them rolls or turns on its rim.",
    "The shapes are those of a typical vase and plinth, scaled to your sizes.",
)


def run(asked: AskRequest, folder: Path, tell: Tell) -> dict[str, Any]:
    """The job; see the module."""
    from rocksteady.analysis.hazard import Hazard, risk
    from rocksteady.analysis.stones import examine
    from rocksteady.analysis.stripes import stripes
    from rocksteady.errors import heard, so_far
    from rocksteady.studio.asking.motions import kept_motions

    known = {one["part"]: one for one in tell.known()}
    said, stones = asked.assessment(), asked.stones()
    files = folder / "files"
    files.mkdir(exist_ok=True)
    tell.progress("Making earthquakes")
    motions = list(kept_motions(said.motions[0], tell.studio / "motions", tell.progress).values())
    floor = None if said.floor is None else said.floor.build()
    with heard():
        if "share" not in known:
            known["share"] = _counted(asked, stones, motions, floor, tell)
            tell.partial(known["share"])
        if "helps" not in known:
            known["helps"] = {"part": "helps", "cards": [known["share"]["fixed"]]}
            tell.partial(known["helps"])
        words = "Shaking it in weaker and stronger earthquakes"
        runs = stripes(
            stones,
            motions[:RISK_MOTIONS],
            levels=RISK_LEVELS,
            floor=floor,
            store=folder / "runs",
            progress=lambda done, total: tell.progress(words, done, total),
        )
        assert said.hazard is not None
        found = risk(runs, Hazard.from_spec(said.hazard, folder), years=asked.years)
        tell.progress("Writing the report")
        at = asked.place.at_475()
        scaled = [one.scaled(at / runs.measure.of(one)) for one in motions[:LOOKED_AT]]
        shaken = scaled if floor is None else [floor.motion(one) for one in scaled]
        examined = examine(stones, shaken, floor=floor, command="Rocksteady Studio, Ask")
        warned = list(so_far())
    examined.report(files / "report.html")
    stones.save(files / "stones.json")
    return {
        "share": known["share"],
        "helps": known["helps"]["cards"],
        "risk": found.summary(),
        "answer": found.sentence,
        "beside": [
            f"{RISK_MOTIONS} of the {len(motions)} earthquakes were run at {len(runs.levels)} "
            "strengths for this number."
        ],
        "limits": list(LIMITS),
        "warnings": warned,
        "files": ["report.html", "stones.json"],
    }


def _counted(
    asked: AskRequest, stones: Assembly, motions: list[Motion], floor: Any, tell: Tell
) -> dict[str, Any]:
    """The count at the strength of the place, free and fixed."""
    from rocksteady.analysis.stripes import stripes
    from rocksteady.studio.asking.shares import counted

    words = f"Shaking it in {len(motions)} earthquakes of this strength"
    at = {"levels": [asked.place.at_475()], "floor": floor}
    free = stripes(
        stones, motions, progress=lambda done, total: tell.progress(words, done, total), **at
    )
    tell.progress("Shaking it with both fixed to each other")
    together = asked.assessment().object.build()
    fixed = share_of(stripes(together, motions, progress=False, **at))
    found = counted(free) | {
        "assumed": "",
        "numbers": _numbers(stones, free, motions, floor),
        "examples": {"falls": None, "stands": None},
    }
    card = {"key": "fixed", "value": None, "count": fixed.count, "of": fixed.of}
    return found | {"fixed": card | {"share": fixed.share, "sentence": fixed.sentence}}


def _numbers(stones: Assembly, runs: Any, motions: list[Motion], floor: Any) -> dict[str, Any]:
    """Those that two bodies have: no α or p of both together."""
    ratios = [] if floor is None else [floor.motion(one).pga / one.pga for one in motions]
    return {
        "height": stones.total_height,
        "mass": stones.mass,
        "lifts_at": runs.gate,
        "floor": None if floor is None else str(floor),
        "amplification": float(np.median(ratios)) if ratios else 1.0,
        "theory": runs.formulation.name,
        "motions": len(motions),
        "independent": runs.draws,
    }
