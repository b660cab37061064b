"""What became of the stones, in words."""

import numpy as np

from rocksteady.formulations.assembly.falls import has_fallen
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.status import Status
from rocksteady.systems.assembly import Assembly
from rocksteady.systems.system import expect

FEW = 3  # names of stones that a sentence lists
UNSEEN = 1e-6  # m: a stone that moves less has not moved


def outcome(response: Response) -> str:
    """Whether it stands, and how far its stones have moved."""
    end, first = float(response.time[-1]), first_fall(response)
    if first is not None:
        return f"It collapses after {first:.3g} s: {_falling(fallen_stones(response))}."
    if response.status is Status.FAILED:
        return f"There is no answer beyond {end:.3g} s; this says nothing about the stones."
    verdict = "It stands" if response.status is Status.AT_REST else f"It still moves at {end:.3g} s"
    if response.peak <= UNSEEN:
        return f"{verdict}, and no stone moves."
    left = float(response.column("displacement")[-1])
    final = (
        "all are back in their places at the end"
        if left <= 1e-3 * response.peak or left <= UNSEEN
        else f"at the end, the farthest is {length(left)} from its place"
    )
    return f"{verdict}. No stone moves more than {length(float(response.peak))}; {final}."


def first_fall(response: Response) -> float | None:
    """When the first stone has fallen [s]; None if none has."""
    fallen = response.column("fallen") > 0
    if fallen.any():
        return float(response.time[np.argmax(fallen)])
    return None if response.fall is None else response.fall.time


def fallen_stones(response: Response) -> list[str]:
    """The names of the stones that have fallen at the end."""
    assembly = expect(response.system, Assembly, "A fall of stones")
    last: Array = response.formulation.poses(assembly, response.states[-1])  # type: ignore[attr-defined]
    pairs = zip(assembly.stones, last, strict=True)
    return [stone.name for stone, pose in pairs if not stone.fixed and has_fallen(stone, pose)]


def _falling(names: list[str]) -> str:
    if not names:
        return "a stone falls"
    if len(names) > FEW:
        return f"{len(names)} stones fall"
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"{listed} {'fall' if len(names) > 1 else 'falls'}"


def length(metres: float) -> str:
    """A displacement in the unit in which it is read easily."""
    if metres >= 1:
        return f"{metres:.3g} m"
    if metres >= 1e-4:
        return f"{1e3 * metres:.3g} mm"
    return "0.1 mm"
