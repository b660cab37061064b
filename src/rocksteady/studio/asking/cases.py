"""One of the earthquakes for the workbench: the same motion, body and floor as one run of many."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocksteady.analysis.stripes import Stripes
from rocksteady.bodies import fields_of
from rocksteady.simulation import simulate
from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.specs.body import BodySpec
from rocksteady.specs.case import CaseSpec
from rocksteady.specs.motion import MotionSpec

TRIES = 5


def examples(said: AssessmentSpec, runs: Stripes) -> dict[str, dict[str, Any] | None]:
    """A case in which it falls, and the one in which it leans farthest and stands; None where there
    is none."""
    fell, peak = runs.fell[:, 0] & runs.known[:, 0], runs.peak[:, 0]
    fallen = np.flatnonzero(fell)
    standing = np.flatnonzero(~fell & runs.known[:, 0] & (peak > 0))
    farthest = standing[np.argsort(-peak[standing], kind="stable")]
    return {
        "falls": _first(said, runs, fallen.tolist(), True),
        "stands": _first(said, runs, farthest.tolist(), False),
    }


def _first(
    said: AssessmentSpec, runs: Stripes, numbers: Iterable[int], falls: bool
) -> dict[str, Any] | None:
    """The first whose run on its own ends as it did among the many: the two differ in the last
    digits of the scale, and rocking may feel that."""
    for i in list(numbers)[:TRIES]:
        case = case_of(said, runs, i)
        if simulate(**case.build()[0]).fell == falls:
            return {"number": i + 1, "case": case.model_dump(mode="json", exclude_unset=True)}
    return None


def case_of(said: AssessmentSpec, runs: Stripes, i: int) -> CaseSpec:
    """Motion number ``i`` of the first source, at the level of the runs."""
    source = said.motions[0].stochastic
    assert source is not None
    only = source.model_copy(update={"only": i + 1})
    return CaseSpec(
        body=BodySpec.model_validate({"kind": "Block", **fields_of(runs.system)}),
        motion=MotionSpec(stochastic=only, pga=float(runs.levels[0])),
        floor=said.floor,
    )
