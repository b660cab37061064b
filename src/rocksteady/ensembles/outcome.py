"""What is kept of each run: a few numbers, named and with units, as `Response` names them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.ensembles.many import Columns
from rocksteady.response import Response
from rocksteady.status import Status
from rocksteady.theories.contract import OVERTURN, Quantity

if TYPE_CHECKING:
    from rocksteady.ensembles.study import Study

_STATUS = Quantity("i1", "1", "how the run ended")
_IMPACTS = Quantity("i4", "1", "number of impacts")
_END = {
    Status.OVERTURNED: ("time_of_overturning", "when it lay on its side; NaN where it did not"),
    Status.COLLAPSED: ("time_of_collapse", "when it collapsed; NaN where it did not"),
}
_LOSS = Quantity("f8", "J", "energy lost in impacts, friction and damping", "loss")
_DOUBT = Quantity("i1", "1", "1 where the formulation says that the run should not be trusted")
_SLIDE = Quantity("f8", "m", "how far its base has slid at the end, + to the right")


def quantities(study: "Study") -> dict[str, Quantity]:
    """What an ensemble of these systems by this formulation keeps of each run."""
    how, system, columns = study.formulation, study.systems[0], study.columns()
    coordinate = how.coordinate(system)
    name, symbol = coordinate.name, coordinate.symbol
    meaning = coordinate.meaning or f"largest size of {name} reached, turning points included"
    when = "when it leant most" if system.rocks else f"when |{symbol}| was largest"
    kept = {
        "peak": Quantity("f8", coordinate.peak_unit, meaning),
        "time_of_peak": Quantity("f8", "s", when),
        "status": _STATUS,
    }
    if how.has_impacts:
        kept["impacts"] = _IMPACTS
    if coordinate.over and coordinate.unit == "m":
        kept["peak_displacement"] = Quantity("f8", "m", f"largest |{symbol}|, the drift")
    if study.rates:
        kept["peak_rate"] = Quantity("f8", f"{coordinate.unit}/s", "largest rate, impacts included")
    kept |= how.kept
    kept[end_name(study)] = Quantity("f8", "s", _END[system.ends][1])
    if "walked" not in kept and how.slide(system, study.tables[0][:1]) is not None:
        kept["slide"] = _SLIDE
    if "loss" in columns:
        kept["energy_lost"] = _LOSS
    if how.may_doubt:
        kept["doubtful"] = _DOUBT
    return (
        {name: _by_energy(name, what) for name, what in kept.items()} if study.by_energy else kept
    )


def _by_energy(name: str, what: Quantity) -> Quantity:
    """The same where a run is followed to the end of the motion and energy tells the rest."""
    if name in ("peak", "status", "doubtful"):
        return what
    far = "followed to the end of the motion only"
    if name == "impacts":
        far = "after the motion only those before a fall"
    return what._replace(long_name=f"{what.long_name}; {far}")


def end_name(study: "Study") -> str:
    """The name of the time at which it is all over."""
    return _END[study.systems[0].ends][0]


def empty(kept: dict[str, Quantity], runs: int) -> Columns:
    """A column per quantity, not yet filled."""
    return {name: np.empty(runs, dtype=what.dtype) for name, what in kept.items()}


def write_response(study: "Study", response: Response, columns: Columns, row: int) -> None:
    """One row of the columns from the response of that run."""
    names, how = study.columns(), study.formulation
    last = response.events[-1] if len(response.events) else np.zeros(5)
    values: dict[str, Any] = {
        "peak": response.peak,
        "time_of_peak": response.time_of_peak,
        "status": response.status,
        "impacts": len(response.impacts),
        "peak_rate": response.peak_rate if study.rates else np.nan,
        "slide": response.slide,
        "peak_displacement": abs(response.peak_angle),
        "doubtful": how.doubt(response.system, response.states) is not None,
        end_name(study): last[0] if last[1] == OVERTURN else np.nan,
        **{n: v[0] for n, v in how.at_end(response.system, response.states[-1:]).items()},
    }
    for name, what in quantities(study).items():
        if what.state:
            values[name] = response.states[-1, names.index(what.state)]
        columns[name][row] = values[name]
