"""What pictures of stones say."""

import numpy as np

from rocksteady.outcome import STILL, angle, counted_fallen, length
from rocksteady.response import Response


def factor_in_words(factor: float) -> str:
    """That displacements are exaggerated."""
    return f"displacements × {factor:g}"


def doing(response: Response, time: float) -> str:
    """How far the stones are from where they stood, at a time [s]."""

    def now(name: str) -> float:
        return float(np.interp(time, response.time, response.column(name)))

    moved = now("displacement")
    fallen = int(now("fallen") + 1e-9)
    words = f"moved {length(moved)}, turned {angle(now('turn'))}" if moved > STILL else "at rest"
    return f"{words}, {counted_fallen(fallen)}" if fallen else words
