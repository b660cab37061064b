"""The kinds of jobs. A new one is a module here with a request model and a function
``run(request, folder, tell)``, and a line in `KINDS`."""

from __future__ import annotations

from typing import NamedTuple

from rocksteady.specs import Spec
from rocksteady.studio.jobs.kinds.map import MapRequest


class Kind(NamedTuple):
    """A kind of job."""

    request: type[Spec]
    """What is asked: a model with a field ``kind``."""
    function: str
    """"module:function", called in a process of its own as ``function(request, folder, tell)``:
    the request as plain values, the job's folder (downloads go to ``files/``, stores of runs to
    ``runs/``; uploads are found in ``tell.studio``), and a `Tell`. It returns the result, in a form
    for JSON. Its module imports what computes only inside the function."""


KINDS: dict[str, Kind] = {"map": Kind(MapRequest, "rocksteady.studio.jobs.kinds.map:run")}
