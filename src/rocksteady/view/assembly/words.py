"""What pictures of stones say."""

import math

import numpy as np

from rocksteady.response import Response


def length_in_words(length: float) -> str:
    """A displacement [m] in the unit in which it is read easily."""
    return f"{length:.3g} m" if length >= 1 else f"{1e3 * length:.3g} mm"


def factor_in_words(factor: float) -> str:
    """That displacements are exaggerated."""
    return f"displacements × {factor:g}"


def doing(response: Response, time: float) -> str:
    """How far the stones are from where they stood, at a time [s]."""

    def now(name: str) -> float:
        return float(np.interp(time, response.time, response.column(name)))

    moved, turn = now("displacement"), math.degrees(now("turn"))
    fallen = int(now("fallen") + 1e-9)
    words = f"moved {length_in_words(moved)}, turned {turn:.2g}°" if moved > 1e-6 else "at rest"
    return f"{words}, {counted_fallen(fallen)}" if fallen else words


def counted_fallen(count: int) -> str:
    """So many stones have fallen, in words."""
    return "1 stone fallen" if count == 1 else f"{count} stones fallen"
