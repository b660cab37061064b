"""The kinds of jobs. A new one is a module here with a request model and a function
``run(request, folder, tell)``, and a line in `KINDS`."""

from __future__ import annotations

from typing import NamedTuple

from rocksteady.specs import Spec
from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.jobs.kinds.assembly import AssemblyRequest
from rocksteady.studio.jobs.kinds.film import FilmRequest
from rocksteady.studio.jobs.kinds.fragility import FragilityRequest
from rocksteady.studio.jobs.kinds.map import MapRequest
from rocksteady.studio.jobs.kinds.spectrum import SpectrumRequest
from rocksteady.studio.jobs.kinds.theories import TheoriesRequest


class Kind(NamedTuple):
    """A kind of job."""

    request: type[Spec]
    """What is asked: a model with a field ``kind``."""
    function: str
    """"module:function", called in a process of its own as ``function(request, folder, tell)``:
    the request as plain values, the job's folder (downloads go to ``files/``, stores of runs to
    ``runs/``; uploads are found in ``tell.studio``), and a `Tell`. It returns the result, in a form
    for JSON. Its module imports what computes only inside the function."""
    check: str | None = "rocksteady.studio.jobs.kinds.inputs:check"
    """Refuses a request that cannot be run, in a worker, before the job is queued: called as
    ``check(studio's folder, request)``."""
    case: str | None = None
    """The case behind a point of the result: ``case(studio's folder, {id, request, i, j,
    motion})``."""


_HERE = "rocksteady.studio.jobs.kinds"
KINDS: dict[str, Kind] = {
    "map": Kind(MapRequest, f"{_HERE}.map:run", f"{_HERE}.map:check", case=f"{_HERE}.map:case"),
    "fragility": Kind(FragilityRequest, f"{_HERE}.fragility:run", f"{_HERE}.fragility:check"),
    "spectrum": Kind(SpectrumRequest, f"{_HERE}.spectrum:run", f"{_HERE}.spectrum:check"),
    "theories": Kind(TheoriesRequest, f"{_HERE}.theories:run"),
    "ask": Kind(AskRequest, f"{_HERE}.ask:run", check=None),
    "assembly": Kind(AssemblyRequest, f"{_HERE}.assembly:run", f"{_HERE}.assembly:check"),
    "film": Kind(FilmRequest, f"{_HERE}.film:run", check=f"{_HERE}.film:check"),
}
