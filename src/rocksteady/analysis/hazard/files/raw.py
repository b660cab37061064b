"""What the readers find in a file, and how it becomes a hazard curve."""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.hazard.curve import LARGEST, problem_with, rate_of_poe
from rocksteady.ensembles.labels import Measure, measure_named
from rocksteady.errors import InputError

UNITS = {"g": 9.80665, "m/s2": 1.0, "cm/s2": 0.01, "gal": 0.01, "m/s": 1.0, "cm/s": 0.01}
"""SI value of each unit that a level may have."""
_CELLS = str.maketrans({"²": "2", "^": "", "*": "", " ": "", "−": "-"})


class Problem(Exception):  # noqa: N818 - a sentence on its way to an InputError
    """Something in a file that was not expected, and where."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f", {where}: {what}." if where else f": {what}.")


class Raw(NamedTuple):
    """A curve as a file has it."""

    levels: list[float]
    values: list[float]
    """Yearly rates, probabilities or return periods."""
    places: list[str]
    """Where each point is in the file."""
    kind: str
    """What the values are: "rate", "poe" or "period"."""
    years: float
    """The time that probabilities are for [years]."""
    measure: str | None
    """As the file calls it."""
    unit: str | None
    """Of the levels; None: what is usual for the measure."""
    notes: tuple[str, ...] = ()


def hazard_values(raw: Raw, path: Path, wanted: Measure | None) -> dict[str, Any]:
    """The arguments of a `Hazard`; points at which a file can say no rate are left out and told."""
    measure = _measure(raw, wanted)
    factor = _unit_of(raw, measure) / measure.si
    levels = np.array(raw.levels) * factor
    rates, notes = _rates(raw)
    keep = (rates > 0) & (rates < math.inf)
    if keep.sum() < 2:
        raise Problem(
            raw.places[0] if raw.places else "",
            "two or more levels with a rate above zero were expected, and there "
            f"{'is one' if keep.sum() else 'is none'}",
        )
    first, last = np.flatnonzero(keep)[[0, -1]]
    if first:
        notes += (
            f"Up to {levels[first - 1]:.3g} {measure.unit} the file gives a probability of 1, from "
            "which no rate follows: these levels were left out.",
        )
    if last < len(keep) - 1:
        notes += (
            f"From {levels[last + 1]:.3g} {measure.unit} on the file gives a rate of zero: the "
            f"curve ends at {levels[last]:.3g} {measure.unit}.",
        )
    some = slice(first, last + 1)
    found = problem_with(levels[some], rates[some], measure.unit, LARGEST)
    if found is not None:
        raise Problem(raw.places[first + found[0]], found[1])
    return {
        "levels": levels[some],
        "rates": rates[some],
        "measure": measure,
        "name": path.name,
        "notes": raw.notes + notes,
    }


def _rates(raw: Raw) -> tuple[Any, tuple[str, ...]]:
    """Yearly rates from what the file has; inf where a probability is 1."""
    values = np.array(raw.values)
    with np.errstate(divide="ignore", invalid="ignore"):
        if raw.kind == "poe":
            for place, value in zip(raw.places, values, strict=True):
                if not 0 <= value <= 1:
                    raise Problem(place, f"{value:g}: a probability between 0 and 1 was expected")
            return rate_of_poe(values, raw.years), ()
        for place, value in zip(raw.places, values, strict=True):
            if not 0 <= value < math.inf or (raw.kind == "period" and value == 0):
                what = (
                    "a return period above zero" if raw.kind == "period" else "a rate, not below 0,"
                )
                raise Problem(place, f"{value:g}: {what} was expected")
        return (1 / values if raw.kind == "period" else values), ()


def _measure(raw: Raw, wanted: Measure | None) -> Measure:
    if raw.measure is None:
        if wanted is None:
            raise Problem(
                raw.places[0].partition(",")[0] if raw.places else "",
                "nothing says which measure of the ground the levels are: name it in the heading, "
                "as in pga [g],rate [1/year], or give measure='pga'",
            )
        return wanted
    try:
        found = measure_named(raw.measure)
    except InputError:
        raise Problem(
            "", f"its curve is one of {raw.measure}, which is unknown here: PGA, PGV or SA(1.0) "
            "was expected"
        ) from None  # fmt: skip
    if wanted is not None and found != wanted:
        raise Problem(
            "", f"its curve is one of {found.short}, and one of {wanted.short} is wanted: give the "
            f"file of that measure, or run the body at levels of {found.short}"
        )  # fmt: skip
    return found


def _unit_of(raw: Raw, measure: Measure) -> float:
    """SI value of the unit of the levels."""
    if raw.unit is None:
        return measure.si
    word = raw.unit.lower().translate(_CELLS)
    kind = "g" if measure.unit == "g" else "m/s"
    allowed = [unit for unit in UNITS if ("2" in unit or unit in ("g", "gal")) == (kind == "g")]
    if word not in allowed or measure.unit not in ("g", "m/s"):
        raise Problem(
            raw.places[0].partition(",")[0] if raw.places else "",
            f"the unit {raw.unit!r} does not fit {measure.short}: {', '.join(allowed)} was "
            "expected",
        )
    return measure.si if word == "g" else UNITS[word]
