"""What is kept of each run: a few numbers, named and with units, as `Response` names them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.ensembles.study import Study
from rocksteady.formulations.contract import OVERTURN
from rocksteady.response import Response, Status
from rocksteady.systems import MasonryBuilding

Columns = dict[str, NDArray[Any]]

STATUSES = tuple(Status)
CODE = {status: code for code, status in enumerate(STATUSES)}
MEANINGS = " ".join(status.value.replace(" ", "_") for status in STATUSES)


class Quantity(NamedTuple):
    """A number of each run."""

    dtype: str
    units: str
    long_name: str
    state: str = ""
    """The entry of the final state that it is, where it is one."""


_EVERY = {
    "peak": Quantity("f8", "1", "largest |θ|/α reached, turning points included"),
    "time_of_peak": Quantity("f8", "s", "when it leant most"),
    "status": Quantity("i1", "1", "how the run ended"),
    "impacts": Quantity("i4", "1", "number of impacts"),
    "time_of_overturning": Quantity("f8", "s", "when it lay on its side; NaN where it did not"),
}
_LOSS = Quantity("f8", "J", "energy lost in impacts, friction and damping", "loss")
_DOUBT = Quantity("i1", "1", "1 where the formulation says that the run should not be trusted")
_SLIDE = Quantity("f8", "m", "how far its base has slid at the end, + to the right")
_BUILDING = {
    "peak": Quantity("f8", "1", "largest |u| over the displacement at which it first slips"),
    "time_of_peak": Quantity("f8", "s", "when |u| was largest"),
    "status": Quantity("i1", "1", "how the run ended"),
    "peak_displacement": Quantity("f8", "m", "largest |u|, the drift"),
    "displacement": Quantity("f8", "m", "displacement u at the end", "u"),
    "slip": Quantity("f8", "m", "slip g of the interface at the end", "g"),
    "hardening": Quantity("f8", "m", "hardening α at the end", "alpha"),
    "wear": Quantity("f8", "1", "wear w at the end", "w"),
    "time_of_collapse": Quantity("f8", "s", "when it collapsed; NaN where it did not"),
}


def quantities(study: Study) -> dict[str, Quantity]:
    """What an ensemble of these systems by this formulation keeps of each run."""
    columns = study.columns()
    if isinstance(study.systems[0], MasonryBuilding):
        kept = dict(_BUILDING)
    else:
        kept = dict(_EVERY)
        if "slide" in columns or hasattr(study.formulation, "slide"):
            kept["slide"] = _SLIDE
    if "loss" in columns:
        kept["energy_lost"] = _LOSS
    if hasattr(study.formulation, "doubt"):
        kept["doubtful"] = _DOUBT
    return kept


def end_name(study: Study) -> str:
    """The name of the time at which it is all over."""
    building = isinstance(study.systems[0], MasonryBuilding)
    return "time_of_collapse" if building else "time_of_overturning"


def doubt(study: Study, system: Any, states: Any) -> str | None:
    """Why the formulation says that a run with these states should not be trusted, if it does."""
    ask: Any = getattr(study.formulation, "doubt", lambda system, states: None)
    told: str | None = ask(system, states)
    return told


def empty(kept: dict[str, Quantity], runs: int) -> Columns:
    """A column per quantity, not yet filled."""
    return {name: np.empty(runs, dtype=what.dtype) for name, what in kept.items()}


def fallen(study: Study) -> Status:
    building = isinstance(study.systems[0], MasonryBuilding)
    return Status.COLLAPSED if building else Status.OVERTURNED


def write_response(study: Study, response: Response, columns: Columns, row: int) -> None:
    """One row of the columns from the response of that run."""
    names = study.columns()
    last = response.events[-1] if len(response.events) else np.zeros(5)
    values: dict[str, Any] = {
        "peak": response.peak,
        "time_of_peak": response.time_of_peak,
        "status": CODE[response.status],
        "impacts": len(response.impacts),
        "slide": response.slide,
        "peak_displacement": abs(response.peak_angle),
        "doubtful": doubt(study, response.system, response.states) is not None,
        end_name(study): last[0] if last[1] == OVERTURN else np.nan,
    }
    for name, what in quantities(study).items():
        if what.state:
            values[name] = response.states[-1, names.index(what.state)]
        columns[name][row] = values[name]
