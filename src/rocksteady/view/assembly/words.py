"""What pictures of stones say."""

import math

import numpy as np

from rocksteady.response import Response
from rocksteady.status import Status
from rocksteady.view.words import outcome

UNSEEN = 1e-6  # m: a displacement below this is none


def length_in_words(length: float) -> str:
    """A displacement [m] in the unit in which it is read easily."""
    return f"{length:.3g} m" if length >= 1 else f"{1e3 * length:.3g} mm"


def angle_in_words(angle: float) -> str:
    """A rotation [rad] in degrees."""
    degrees = math.degrees(angle)
    return f"{degrees:.0f}°" if degrees >= 9.95 else f"{degrees:.2g}°"


def factor_in_words(factor: float) -> str:
    """That displacements are exaggerated."""
    return f"displacements × {factor:g}"


def doing(response: Response, time: float) -> str:
    """How far the stones are from where they stood, at a time [s]."""

    def now(name: str) -> float:
        return float(np.interp(time, response.time, response.column(name)))

    moved = now("displacement")
    fallen = int(now("fallen") + 1e-9)
    words = (
        f"moved {length_in_words(moved)}, turned {angle_in_words(now('turn'))}"
        if moved > 1e-6
        else "at rest"
    )
    return f"{words}, {counted_fallen(fallen)}" if fallen else words


def ending(response: Response) -> str:
    """How it ended: what stands has moved so far, what fell began to at a time."""
    moved, fallen = response.column("displacement"), response.column("fallen")
    if response.fell:
        first = response.time[int(np.argmax(fallen > 0))] if fallen[-1] > 0 else response.time[-1]
        return f"collapses at {first:.3g} s, {counted_fallen(int(fallen[-1]))}"
    if response.status is Status.FAILED:
        return outcome(response)
    end = response.time[-1]
    verdict = "stands" if response.status is Status.AT_REST else f"still moving at {end:.3g} s"
    most, last = float(np.nanmax(moved)), float(moved[-1])
    if most < UNSEEN:
        return f"{verdict}, does not move"
    turned = angle_in_words(float(np.nanmax(response.column("turn"))))
    said = f"{verdict}, moved {length_in_words(most)} and turned {turned} at most"
    return f"{said}, {length_in_words(last)} off at the end" if last >= UNSEEN else said


def counted_fallen(count: int) -> str:
    """So many stones have fallen, in words."""
    return "1 stone fallen" if count == 1 else f"{count} stones fallen"
