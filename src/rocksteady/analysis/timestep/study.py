"""The campaign's free rocking as a study, over (block, k_n, dt)."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.analysis.timestep.runs import ClosedForms, make_swing_errors, swing_errors
from rocksteady.bodies import Block
from rocksteady.ensembles.layout import Table, columns_of
from rocksteady.ensembles.many import Columns, Index, ManyRuns
from rocksteady.numerics.types import Array
from rocksteady.theories import NumericalDissipation
from rocksteady.theories.contract import Quantity


@dataclass(frozen=True, eq=False)
class CampaignStudy(ManyRuns):
    """Every block on every bed with every time step, compared with the closed forms of every r.

    A part is one block on one bed: what is best for an r is known from its longer steps.
    """

    formulation: NumericalDissipation
    """The body; its k_n and dt are those of the single runs."""
    blocks: tuple[Block, ...]
    stiffnesses: Array
    """k_n [N/m³]."""
    steps: Array
    """Δt [s]."""
    ratios: Array
    """r [-]."""
    ceiling: float
    """e_G above which a run is not followed any further for an r."""
    only_best: bool
    """Whether to leave a run also where it can no longer become the best for any r."""

    title = "rocksteady time-step campaign"
    axes = ("block", "k_n", "dt")
    uses_all_cores = False
    backend = "cpu"

    @property
    def name(self) -> str:
        return self.formulation.name

    @property
    def shape(self) -> tuple[int, ...]:
        return len(self.blocks), len(self.stiffnesses), len(self.steps)

    @property
    def part_size(self) -> int:
        return len(self.steps)

    def kernels(self) -> tuple[Any, ...]:
        return (make_swing_errors(self.formulation.advance_for(self.blocks[0])),)

    def error_names(self) -> list[tuple[str, str]]:
        """For each r the names of e_θ and e_T."""
        return [(f"e_theta, r={r}", f"e_period, r={r}") for r in self.ratios.tolist()]

    def quantities(self) -> dict[str, Quantity]:
        words = "error of the peaks", "error of the half periods"
        return {
            name: Quantity("f8", "1", word)
            for names in self.error_names()
            for name, word in zip(names, words, strict=True)
        }

    def inputs(self) -> dict[str, Table]:
        blocks: Table = {"block": (np.arange(len(self.blocks)), "1")}
        blocks |= columns_of(self.blocks, ("height", "width", "R", "slenderness"))
        beds, steps = {"k_n": (self.stiffnesses, "N/m3")}, {"dt": (self.steps, "s")}
        return {"block": blocks, "k_n": beds, "dt": steps}

    def compute(self, numbers: Index) -> Columns:
        """Long steps, which are quick, go first."""
        which, bed, _ = np.unravel_index(int(numbers[0]), self.shape)
        block, k_n = self.blocks[which], float(self.stiffnesses[bed])
        closed = ClosedForms.of(block, self.ratios)
        ceilings = np.full(len(self.ratios), self.ceiling)
        errors = np.empty((len(self.steps), len(self.ratios), 2))
        for i in np.argsort(-self.steps):
            dt = float(self.steps[i])
            run = dataclasses.replace(self.formulation, k_n=k_n, dt=dt)
            errors[i] = swing_errors(block, run, dt, closed, ceilings)
            if self.only_best:
                found = np.hypot(errors[i, :, 0], errors[i, :, 1])
                ceilings = np.minimum(ceilings, found * (1 + 1e-9))  # equally good is good enough
        return {
            name: errors[:, j, k]
            for j, names in enumerate(self.error_names())
            for k, name in enumerate(names)
        }

    def description(self) -> dict[str, Any]:
        body = dataclasses.asdict(self.formulation)
        for name in ("k_n", "dt", "r", "law"):  # replaced in every run
            body.pop(name, None)
        return {
            "formulation": {"name": self.name, **body},
            "blocks": [dataclasses.asdict(block) for block in self.blocks],
            "stiffnesses": self.stiffnesses.tolist(),
            "steps": self.steps.tolist(),
            "ratios": self.ratios.tolist(),
            "ceiling": self.ceiling,
            "only_best": self.only_best,
            "step": self.step,
        }
