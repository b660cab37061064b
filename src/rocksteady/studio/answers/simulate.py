"""One body under one motion: the histories of each theory, bit for bit those of `simulate`."""

from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.engine.ground import samples_of
from rocksteady.errors import InputError, held_back
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.specs import CaseSpec
from rocksteady.studio.answers.about import titles
from rocksteady.studio.answers.body import about_body
from rocksteady.studio.answers.motion import about_motion
from rocksteady.studio.limits import check_case, check_motion
from rocksteady.view.words import describe


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of a case."""
    case = CaseSpec.checked(request)
    check_case(case)
    runs = case.build(folder)
    body, motion = runs[0]["system"], runs[0]["motion"]
    if motion is not None:
        check_motion(motion)
    names = [theory.name for theory in case.theories] or [runs[0]["formulation"].name]
    found: list[dict[str, Any]] = []
    refused: list[dict[str, str]] = []
    for name, asked in zip(names, runs, strict=True):
        title = titles().get(name, name)
        try:
            found.append({"name": name, "title": title, **about_run(asked)})
        except InputError as error:  # one theory may not take what others do
            if len(refused) + 1 == len(runs):
                raise
            refused.append({"name": name, "title": title, "error": str(error)})
    return {
        "runs": found,
        "refused": refused,
        "body": about_body(body, case.body.outline),
        "motion": None if motion is None else about_motion(motion),
    }


def about_run(asked: dict[str, Any]) -> dict[str, Any]:
    """A run with its histories, and what it was warned of."""
    with held_back() as said:
        response = simulate(**asked)
    return {**histories(response), **verdict(response), "warnings": said}


def histories(response: Response) -> dict[str, Any]:
    """Everything that has a value at each sample, and the impacts between them."""
    names = ("accel", "vertical", "transverse")
    ground = zip(names, response.ground, strict=False)
    impacts = response.impacts
    time, before, after = (np.array(impacts[name]) for name in impacts.dtype.names or ())
    columns = dict(zip(response.columns, np.ascontiguousarray(response.states.T), strict=True))
    return {
        "dt": response.motion.dt,
        "columns": columns | {n: np.ascontiguousarray(v) for n, v in response.derived.items()},
        "relative": np.ascontiguousarray(response.relative),
        "energy": np.ascontiguousarray(response.energy),
        "slid": response.slide_history if response.slide_history.any() else None,
        "ground": {name: values for name, values in ground if values.any()},
        "moving": len(samples_of(response.motion, response.formulation.components)[0]),
        "impacts": {"time": time, "rate_before": before, "rate_after": after},
    }


def verdict(response: Response) -> dict[str, Any]:
    """How it went, in numbers and in words."""
    theory, system = response.formulation, response.system
    coordinate, fall = response.coordinate, response.fall
    return {
        "theory": theory.name,
        "coordinate": {
            "name": coordinate.name,
            "unit": coordinate.unit,
            "symbol": coordinate.symbol,
            "over": coordinate.over,
            "ratio": coordinate.ratio,
            "limits": coordinate.limits(system),
        },
        "rocks": response.rocks,
        "has_impacts": theory.has_impacts,
        "peak": response.peak,
        "peak_angle": response.peak_angle,
        "time_of_peak": response.time_of_peak,
        "status": str(response.status),
        "advice": response.status.advice,
        "fell": response.fell,
        "fall": None if fall is None else {"time": fall.time, "direction": fall.direction},
        "slide": response.slide,
        "outcome": response.outcome.words,
        "in_place": response.outcome.in_place,
        "away": response.outcome.away,
        "left": response.outcome.left,
        "sentence": describe(response),
    }
