"""Ask, do not configure: a count, what would halve the risk, and the report of ``assess``."""

from pathlib import Path
from typing import Any

from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.jobs.tell import Tell

COUNTING = "Shaking it in {count} earthquakes of this strength"
STAGES = {
    "Shaking the object": "Shaking it in weaker and stronger earthquakes",
    "Trying what would help": "Trying what would help",
    "Finding which uncertainty matters": "Finding how much depends on what is not known exactly",
}


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """The count at the strength of the place first, then what would halve the risk, then the
    report."""
    from rocksteady.analysis.assessment import assess, read_assessment
    from rocksteady.studio.asking.helps import helps
    from rocksteady.studio.asking.motions import kept_motions
    from rocksteady.studio.asking.written import written

    asked = AskRequest.checked(request)
    if asked.free:
        from rocksteady.studio.asking import free

        return free.run(asked, folder, tell)
    known = {one["part"]: one for one in tell.known()}
    path = written(asked, folder / "files" / "object.toml")
    described = read_assessment(path)
    tell.progress("Making earthquakes")
    motions = kept_motions(described.said.motions[0], tell.studio / "motions", tell.progress)
    if "share" not in known:
        known["share"] = _counted(asked, described.said, motions, tell)

    def working(what: str) -> Any:
        words = STAGES.get(what, what)
        tell.progress(words)
        return lambda done, total: tell.progress(words, done, total)

    def found(measures: Any) -> None:
        if "helps" not in known:
            tell.progress("Trying what would halve it")
            cards = helps(measures, known["share"]["pga"])
            known["helps"] = {"part": "helps", "cards": cards}
            tell.partial(known["helps"])

    assessed = assess(
        described,
        motions=motions,
        store=folder / "runs",
        command="rocksteady assess object.toml --out report.html",
        working=working,
        found=found,
    )
    tell.progress("Writing the report")
    assessed.report(folder / "files" / "report.html")
    return {
        "share": known["share"],
        "helps": known["helps"]["cards"],
        "risk": None if assessed.risk is None else assessed.risk.summary(),
        "answer": assessed.answer,
        "beside": assessed.beside,
        "limits": assessed.limits,
        "warnings": assessed.warnings,
        "files": ["report.html", "object.toml"],
    }


def _counted(asked: AskRequest, said: Any, motions: Any, tell: Tell) -> dict[str, Any]:
    from rocksteady.analysis.stripes import stripes
    from rocksteady.studio.asking.cases import examples
    from rocksteady.studio.asking.numbers import numbers
    from rocksteady.studio.asking.shares import counted

    words = COUNTING.format(count=len(motions))
    tell.progress(words)
    floor = None if said.floor is None else said.floor.build()
    runs = stripes(
        said.object.build(),
        list(motions.values()),
        levels=[asked.place.at_475()],
        floor=floor,
        progress=lambda done, total: tell.progress(words, done, total),
    )
    found = counted(runs) | {"assumed": asked.preset.assumed}
    found |= {"numbers": numbers(runs), "examples": examples(said, runs)}
    tell.partial(found)
    return found
