"""Kind "assembly": a wall, or another assembly of many stones, under one motion."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from rocksteady.specs import CaseSpec, Spec
from rocksteady.studio.jobs.tell import Tell


class AssemblyRequest(Spec):
    """A run of an assembly of any size; its result has the form of ``/api/assembly/simulate``."""

    kind: Literal["assembly"] = "assembly"
    case: CaseSpec


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse what is no assembly, or too large."""
    from rocksteady.studio.answers.assembly.run import arguments

    arguments(AssemblyRequest.checked(request).case, studio)
    return {}


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    """Shake it; a table of displacements goes into ``files/``."""
    from rocksteady.files import write_whole
    from rocksteady.studio.answers.assembly.run import about_run, arguments, shaken
    from rocksteady.studio.taking.names import file_name
    from rocksteady.studio.taking.stones import displacements

    case = AssemblyRequest.checked(request).case
    asked = arguments(case, tell.studio)

    def progress(done: int, total: int) -> None:
        words = "Shaking it" if done < total else "Waiting for it to come to rest"
        tell.progress(words, done, total)

    tell.progress("Shaking it")
    response, warnings = shaken(asked, progress)
    name = file_name(case, "csv")
    (folder / "files").mkdir(exist_ok=True)
    write_whole(folder / "files" / name, displacements(response))
    return {**about_run(response), "warnings": warnings}
