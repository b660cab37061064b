"""Free rocking of blocks on beds as a study: what a campaign, and the check of a law, runs."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady import __version__
from rocksteady.analysis.timestep.runs import ClosedForms, make_swing_errors, swing_errors
from rocksteady.ensembles.layout import Layout, Table
from rocksteady.ensembles.many import Columns, Index, ManyRuns
from rocksteady.ensembles.outcome import Quantity
from rocksteady.formulations import NumericalDissipation
from rocksteady.formulations.dissipation.law import TimeStepLaw
from rocksteady.numerics.types import Array
from rocksteady.systems import Block
from rocksteady.systems.units import UNITS

LOOKED_AT = np.arange(0.700, 0.9985, 0.001)  # r
HOPELESS = 0.2  # e_G


@dataclass(frozen=True, eq=False)
class FreeRocking(ManyRuns):
    """Blocks let go on beds, over (block, k_n) and a third axis; a block on a bed is a part."""

    formulation: NumericalDissipation
    """The body; its k_n, dt and r are those of the single runs."""
    blocks: tuple[Block, ...]
    stiffnesses: Array
    """k_n [N/m³]."""

    uses_all_cores = False
    backend = "cpu"

    @property
    @abstractmethod
    def third(self) -> tuple[str, str, Array]:
        """Name, unit and values of the third axis."""

    @abstractmethod
    def case(self, block: Block, how: NumericalDissipation) -> Columns:
        """The results of one block on one bed, along the third axis."""

    @property
    def name(self) -> str:
        return self.formulation.name

    @property
    def axes(self) -> tuple[str, str, str]:
        return "block", "k_n", self.third[0]

    @property
    def shape(self) -> tuple[int, ...]:
        return len(self.blocks), len(self.stiffnesses), len(self.third[2])

    @property
    def part_size(self) -> int:
        return self.shape[-1]

    def kernels(self) -> tuple[Any, ...]:
        return (make_swing_errors(self.formulation.advance_for(self.blocks[0])),)

    def compute(self, numbers: Index) -> Columns:
        block, bed, _ = np.unravel_index(int(numbers[0]), self.shape)
        k_n = float(self.stiffnesses[bed])
        return self.case(self.blocks[block], dataclasses.replace(self.formulation, k_n=k_n))

    def labels(self, numbers: Index) -> Columns:
        block, bed, last = np.unravel_index(numbers, self.shape)
        name, _, values = self.third
        return {"block": block, "k_n": self.stiffnesses[bed], name: values[last]}

    def layout(self) -> Layout:
        blocks: Table = {"block": (np.arange(len(self.blocks)), "1")}
        for name in ("height", "width", "R", "slenderness"):
            values = np.array([getattr(block, name) for block in self.blocks])
            blocks[name] = values, UNITS.get(name, "1")
        name, unit, values = self.third
        beds = {"k_n": (self.stiffnesses, "N/m3")}
        tables = {"block": blocks, "k_n": beds, name: {name: (values, unit)}}
        about = {"title": "rocksteady free rocking", "rocksteady_version": __version__}
        return Layout(self.shape, self.axes, tables, self.quantities(), about)

    def description(self) -> dict[str, Any]:
        body = dataclasses.asdict(self.formulation)
        for name in ("k_n", "dt", "r", "law"):  # replaced in every run
            body.pop(name, None)
        return {
            "formulation": {"name": self.name, **body},
            "blocks": [dataclasses.asdict(block) for block in self.blocks],
            "stiffnesses": self.stiffnesses.tolist(),
            "step": self.step,
        }


@dataclass(frozen=True, eq=False)
class Steps(FreeRocking):
    """Every block on every bed with every time step, compared with the closed forms of every r."""

    steps: Array
    """Δt [s]."""
    ratios: Array
    """r [-]."""
    ceiling: float
    """e_G above which a run is not followed any further for an r."""
    only_best: bool
    """Whether to leave a run also where it can no longer become the best for any r."""

    @property
    def third(self) -> tuple[str, str, Array]:
        return "dt", "s", self.steps

    def quantities(self) -> dict[str, Quantity]:
        return {
            name: Quantity("f8", "1", f"{words}, compared with r = {r:g}")
            for r, names in zip(self.ratios, self.error_names(), strict=True)
            for name, words in zip(names, ("error of the peaks", "of half periods"), strict=True)
        }

    def error_names(self) -> list[tuple[str, str]]:
        """For each r the names of e_θ and e_T."""
        return [(f"e_theta, r={r}", f"e_period, r={r}") for r in self.ratios.tolist()]

    def case(self, block: Block, how: NumericalDissipation) -> Columns:
        """Long steps, which are quick, go first."""
        closed = ClosedForms.of(block, self.ratios)
        ceilings = np.full(len(self.ratios), self.ceiling)
        errors = np.empty((len(self.steps), len(self.ratios), 2))
        for i in np.argsort(-self.steps):
            dt = float(self.steps[i])
            run = dataclasses.replace(how, dt=dt)
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
        return {
            **super().description(),
            "steps": self.steps.tolist(),
            "ratios": self.ratios.tolist(),
            "ceiling": self.ceiling,
            "only_best": self.only_best,
        }


@dataclass(frozen=True, eq=False)
class LawSteps(FreeRocking):
    """Every block on every bed at a law's step for every wanted r: which r it shows there."""

    law: TimeStepLaw
    ratios: Array
    """The wanted r [-]."""

    @property
    def third(self) -> tuple[str, str, Array]:
        return "r", "1", self.ratios

    def quantities(self) -> dict[str, Quantity]:
        return {"error": Quantity("f8", "1", "r measured − r wanted; NaN where no r fits")}

    def case(self, block: Block, how: NumericalDissipation) -> Columns:
        closed, ceilings = ClosedForms.of(block, LOOKED_AT), np.full(len(LOOKED_AT), HOPELESS)
        found = []
        for r in self.ratios.tolist():
            dt = self.law.step(block, how.k_n, r)
            run = dataclasses.replace(how, dt=dt, r=None)
            e_theta, e_period = swing_errors(block, run, dt, closed, ceilings).T
            e_G = np.hypot(e_theta, e_period)
            best = int(np.argmin(e_G))
            found.append(float(LOOKED_AT[best]) - r if math.isfinite(e_G[best]) else math.nan)
        return {"error": np.array(found)}

    def description(self) -> dict[str, Any]:
        law, ratios = list(self.law.coefficients), self.ratios.tolist()
        return {**super().description(), "law": law, "ratios": ratios}
