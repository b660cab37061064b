"""What became of an assembly in a run: which stones fell and when, what moved most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.analysis.stones.halved_step import StepError, step_error
from rocksteady.bodies import expect
from rocksteady.bodies.assembly import Assembly
from rocksteady.response import A_RUN, Response


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
    computed: dict[str, Any]
    """How it was computed, in numbers: of `BlockDynamics` the rule that ran and its worst residual,
    of `JointDissipation` the time step and the loss to expect from it."""
    step: StepError | None
    """What runs with shorter steps say; None if they were not asked for, or say nothing."""
    told: str
    """What the numbers mean, and what is known of the error of the time step."""


def outcome(response: Response, *, halve: bool = False) -> Outcome:
    """What became of the stones in a run. ``halve``: run it again with half and with a quarter of
    the step, for what the time step may have done (`step_error`), where that tells an error; it
    takes six times as long as the run."""
    expect(response, Response, "The outcome of stones", A_RUN)
    assembly = expect(response.system, Assembly, "The outcome of stones")
    formulation: Any = response.formulation
    poses = np.nan_to_num(formulation.poses(assembly, response.states))
    away = poses - poses[:1]  # on springs stones stand a little lower than they were built
    moved = np.hypot(away[..., 0], away[..., 1])
    turned = np.abs(away[..., 2])
    farthest, most = (int(np.argmax(each.max(axis=0))) for each in (moved, turned))
    step = step_error(response) if halve and not formulation.not_halved else None
    return Outcome(
        response.outcome.sentence,
        response.outcome.fallen,
        float(moved.max()),
        assembly.stones[farthest].name,
        float(turned.max()),
        assembly.stones[most].name,
        formulation.computed(response),
        step,
        formulation.told(response) if step is None else formulation.told(response, step.sentence),
    )
