"""The numbers behind the words."""

from typing import Any

import numpy as np

from rocksteady.analysis.assessment.facts import lift_off
from rocksteady.analysis.stripes import Stripes
from rocksteady.bodies import Block, expect


def numbers(runs: Stripes) -> dict[str, Any]:
    """Of the body, the floor and the theory: SI units, angles in radians, ``lifts_at`` in g."""
    body = expect(runs.system, Block, "An answer")
    floor = runs.floor
    ratios = [] if floor is None else [floor.motion(one).pga / one.pga for one in runs.motions]
    return {
        "height": body.height,
        "width": body.width,
        "com_height": body.com_height,
        "mass": body.mass,
        "inertia": body.inertia,
        "alpha": body.alpha,
        "R": body.R,
        "p": body.p,
        "eta": body.eta,
        "lifts_at": lift_off(body),
        "floor": None if floor is None else str(floor),
        "amplification": float(np.median(ratios)) if ratios else 1.0,
        "theory": runs.formulation.name,
        "motions": len(runs.motions),
        "independent": runs.draws,
    }
