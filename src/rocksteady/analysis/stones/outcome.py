"""What became of an assembly in a run: which stones fell and when, what moved most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.analysis.stones.halved_step import StepError, step_error
from rocksteady.response import A_RUN, Response
from rocksteady.systems import expect
from rocksteady.systems.assembly import Assembly


@dataclass(frozen=True)
class Outcome:
    """A run of an assembly in a few numbers and one sentence, that of `Response.outcome`."""

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
    step: StepError | None
    """What runs with shorter steps say; None if they were not asked for."""
    told: str
    """Which rule ran, its worst residual and what that means, and what is known of the error of the
    time step."""


def outcome(response: Response, *, halve: bool = False) -> Outcome:
    """What became of the stones in a run. ``halve``: run it again with half and with a quarter of
    the step, for what the time step may have done (`step_error`); it takes six times as long as the
    run."""
    expect(response, Response, "The outcome of stones", A_RUN)
    assembly = expect(response.system, Assembly, "The outcome of stones")
    formulation: Any = response.formulation
    poses = np.nan_to_num(formulation.poses(assembly, response.states))
    start = np.array([stone.centre for stone in assembly.stones])
    moved = np.hypot(*np.moveaxis(poses[..., :2] - start, -1, 0))
    turned = np.abs(poses[..., 2])
    farthest, most = (int(np.argmax(each.max(axis=0))) for each in (moved, turned))
    last = {
        name: float(response.column(name)[-1]) for name in ("residual", "unconverged", "solves")
    }
    step = step_error(response) if halve else None
    return Outcome(
        response.outcome.sentence,
        response.outcome.fallen,
        float(moved.max()),
        assembly.stones[farthest].name,
        float(turned.max()),
        assembly.stones[most].name,
        last["residual"],
        int(last["unconverged"]),
        int(last["solves"]),
        step,
        formulation.told(response) if step is None else formulation.told(response, step.sentence),
    )
