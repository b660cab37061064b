"""What became of an assembly in a run: which stones fell and when, what moved most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.formulations.assembly.falls import first_falls
from rocksteady.response import A_RUN, Response
from rocksteady.systems import expect
from rocksteady.systems.assembly import Assembly

FEW = 3  # names in a sentence
STILL = 1e-6  # m: nothing that anybody could see
SOON = 0.05  # s: stones that fall within this of the first fell together


@dataclass(frozen=True)
class Outcome:
    """A run of an assembly in a few numbers and one sentence."""

    sentence: str
    fallen: tuple[tuple[str, float], ...]
    """Name and time [s] of every stone that fell, the first one first."""
    displacement: float
    """Of the stone that moved farthest [m]."""
    moved_most: str
    turn: float
    """Of the stone that turned most [rad]."""
    turned_most: str
    residual: float
    """Worst one of all contact problems, over g h [-]."""
    unconverged: int
    """Contact problems with a residual above 1e-4 g h."""
    solves: int
    told: str
    """Which rule ran, its worst residual and what that means."""


def outcome(response: Response) -> Outcome:
    """What became of the stones in a run."""
    expect(response, Response, "The outcome of stones", A_RUN)
    assembly = expect(response.system, Assembly, "The outcome of stones")
    formulation: Any = response.formulation
    poses = np.nan_to_num(formulation.poses(assembly, response.states))
    start = np.array([stone.centre for stone in assembly.stones])
    moved = np.hypot(*np.moveaxis(poses[..., :2] - start, -1, 0))
    turned = np.abs(poses[..., 2])
    fallen = tuple(first_falls(assembly, response.time, poses))
    farthest, most = (int(np.argmax(each.max(axis=0))) for each in (moved, turned))
    last = {
        name: float(response.column(name)[-1]) for name in ("residual", "unconverged", "solves")
    }
    return Outcome(
        _sentence(response, assembly, fallen, float(moved.max())),
        fallen,
        float(moved.max()),
        assembly.stones[farthest].name,
        float(turned.max()),
        assembly.stones[most].name,
        last["residual"],
        int(last["unconverged"]),
        int(last["solves"]),
        formulation.told(response),
    )


def _sentence(
    response: Response, assembly: Assembly, fallen: tuple[tuple[str, float], ...], moved: float
) -> str:
    if response.fell and fallen:
        begin = fallen[0][1]
        first = [name for name, time in fallen if time <= begin + SOON]
        count = len(fallen)
        rest = f"; {count} of {assembly.stone_count} stones have fallen at the end"
        return f"It collapses: {_names(first)} first, at {begin:.2f} s{rest * (count > 1)}."
    if response.fell:
        return f"It collapses at {response.time[-1]:.2f} s."
    if not math.isfinite(moved):
        return "The run gave no answer."
    if moved < STILL:
        return "It stands, and no stone moves."
    left = float(np.nan_to_num(response.states[-1, 0]))
    if left < STILL:
        return "It stands, and every stone is back where it was."
    far = f"{left:.3g} m" if left >= 1 else f"{1e3 * left:.3g} mm"
    return f"It stands; one stone is left {far} from where it was."


def _names(names: list[str]) -> str:
    if len(names) > FEW:
        return f"{', '.join(names[:FEW])} and {len(names) - FEW} more fall"
    *some, last = names
    both = f"{', '.join(some)} and {last}" if some else last
    return f"{both} {'fall' if some else 'falls'}"
