"""Numbers that are none, and what is no list: a sentence that says what is allowed, never an error
of NumPy or SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rocksteady as rs
from rocksteady.analysis import (
    cloud,
    compare_outcomes,
    compare_peaks,
    fragility,
    overturning_map,
    risk,
    rocking_spectrum,
    stripes_of,
    uncertainty,
)
from rocksteady.analysis.hazard import Hazard

BLOCK = rs.Block(1.8, 0.5)
MOTIONS = [rs.pulses.sine(a, period=0.6).renamed(str(a)) for a in (3.0, 4.0, 5.0)]
HAZARD = Hazard([0.1, 0.2, 0.4, 0.8], [0.02, 0.005, 0.001, 0.0001])
BAD = ["few", float("nan"), float("inf"), -1, "", [], [float("nan")], ["a", "b"], 1e300, object()]


@pytest.fixture(scope="module")
def runs() -> Any:
    found = stripes_of([BLOCK], MOTIONS, levels=[0.2, 0.4, 0.8], progress=False)
    return found[0] if isinstance(found, (list, tuple)) else found


@pytest.mark.parametrize("levels", ["few", float("nan"), float("inf"), 1, 2.5, 1e9, True, "", []])
def test_levels_of_a_fragility(levels: Any) -> None:
    with pytest.raises(
        rs.InputError, match=r"levels = .*(two or more .a whole number|above zero that)"
    ):
        fragility(BLOCK, MOTIONS, levels=levels, progress=False)


CALLS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "fragility": (lambda runs, **bad: fragility(runs, **bad), ("level", "limits")),
    "cloud": (lambda runs, **bad: cloud(BLOCK, MOTIONS, **bad), ("scale", "level", "clusters")),
    "outcomes": (
        lambda runs, **bad: compare_outcomes([1] * 3, [1] * 3, **bad),
        ("level", "clusters"),
    ),
    "peaks": (
        lambda runs, **bad: compare_peaks([0.1] * 3, [0.2] * 3, **bad),
        ("level", "clusters"),
    ),
    "risk": (
        lambda runs, **bad: risk(runs, HAZARD, **bad),
        ("limit", "years", "level", "resamples", "seed"),
    ),
    "uncertainty": (
        lambda runs, **bad: uncertainty(runs, **bad),
        ("samples", "motions", "levels", "seed"),
    ),
    "map": (
        lambda runs, **bad: overturning_map(BLOCK, "sine", progress=False, **bad),
        ("points", "frequencies", "strengths"),
    ),
    "spectrum": (
        lambda runs, **bad: rocking_spectrum(
            MOTIONS[0], **({"alpha": 0.2, "periods": [1.0], "progress": False} | bad)
        ),
        ("alpha", "periods", "eta"),
    ),
}


@pytest.mark.parametrize(
    ("call", "name"), [(call, name) for call, (_, names) in CALLS.items() for name in names]
)
def test_numbers_that_are_none(runs: Any, call: str, name: str) -> None:
    for value in BAD:
        if value == 1e300 and name in ("limits", "limit", "years"):
            continue  # far, but a number that is allowed
        if value == "few" and name == "clusters":
            continue  # three labels
        with pytest.raises(rs.InputError) as error:
            CALLS[call][0](runs, **{name: value})
        said = str(error.value)
        assert said.endswith((".", ")")) and "convert" not in said and len(said) < 400


def test_tolerances_that_are_none(runs: Any) -> None:
    for value in ("few", 0.1, [0.1]):
        with pytest.raises(rs.InputError, match="give a dict from parameters to their tolerances"):
            uncertainty(runs, value)  # type: ignore[arg-type]
