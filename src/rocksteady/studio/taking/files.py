"""The files of a case, made in a worker: a script, a study, or the runs in a table or a figure."""

import io
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocksteady.digests import sealed
from rocksteady.errors import held_back
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.specs import CaseSpec
from rocksteady.specs.as_python import script
from rocksteady.studio.limits import check_case, check_motion
from rocksteady.studio.taking.study import study_toml

WRITERS: dict[str, Callable[[Response, Path], Any]] = {
    "csv": Response.save,
    "nc": Response.save,
    "png": Response.plot,
    "svg": Response.plot,
}
"""What is written for each run."""


def answer(folder: Path, request: dict[str, Any]) -> bytes:
    """The content of one file: ``{"what": "csv", "case": {…}}``."""
    what, case = request["what"], CaseSpec.checked(request["case"])
    check_case(case)
    if what in ("script", "study"):
        runs = case.build(folder)  # what cannot be run is not written either
    if what == "script":
        return script(case, runs[0]["system"]).encode()
    if what == "study":
        return sealed(study_toml(case, folder).encode())
    return files_of_runs(case, what, folder)


def files_of_runs(case: CaseSpec, ending: str, folder: Path) -> bytes:
    """The file of the run; with several theories an archive with one for each."""
    asked = case.build(folder)
    if asked[0]["motion"] is not None:
        check_motion(asked[0]["motion"])
    with held_back(), tempfile.TemporaryDirectory() as place:  # the page has shown them
        made = [_written(simulate(**one), ending, Path(place)) for one in asked]
    return made[0] if len(made) == 1 else _archive(made, asked, ending)


def _written(response: Response, ending: str, place: Path) -> bytes:
    path = place / f"run.{ending}"
    WRITERS[ending](response, path)
    content = path.read_bytes()
    path.unlink()
    return content


def _archive(contents: list[bytes], asked: list[dict[str, Any]], ending: str) -> bytes:
    """A ZIP with a file for each theory, without dates: the same runs give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (content, one) in enumerate(zip(contents, asked, strict=True), start=1):
            theory = type(one["formulation"]).__name__
            archive.writestr(zipfile.ZipInfo(f"{number}-{theory}.{ending}"), content)
    return packed.getvalue()
