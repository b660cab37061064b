"""The load at which an assembly collapses, and how."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.analysis.limit_analysis import LimitLoad, limit_load
from rocksteady.specs import BodySpec
from rocksteady.studio.answers.assembly.shape import about, built

SEEN = 0.02  # of the fastest: joints that move less are not marked


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What :func:`rocksteady.analysis.limit_load` finds."""
    assembly = built(BodySpec.checked(request["body"]), folder)
    result = limit_load(
        assembly,
        tuple(request["direction"]),
        sliding=request["sliding"],
        friction_rule=request["friction_rule"],
    )
    finite = math.isfinite(result.multiplier)
    return {
        "assembly": about(assembly),
        "status": result.status,
        "multiplier": result.multiplier if finite else None,
        "range": result.range,
        "mechanism": result.mechanism,
        "words": result.words,
        "velocities": np.ascontiguousarray(result.velocities),
        "residual": result.residual,
        **_joints(result),
    }


def _joints(result: LimitLoad) -> dict[str, Any]:
    """The hinges and the joints that slide, those that one sees move: the numbers of their two
    stones, and where they are [m]."""
    opens = result.openings - result.openings.min(axis=1, keepdims=True)
    slips = np.abs(result.slips)
    least = SEEN * max(float(opens.max(initial=0.0)), float(slips.max(initial=0.0)))
    hinges = [
        {"stones": (result.joints[one.joint].a, result.joints[one.joint].b), "point": one.point}
        for one in result.hinges
        if opens[one.joint].max() > least
    ]
    slides = [
        {"stones": (result.joints[j].a, result.joints[j].b), "ends": result.joints[j].ends}
        for j in result.sliding_joints
        if slips[j] > least
    ]
    return {"hinges": hinges, "slides": slides}
