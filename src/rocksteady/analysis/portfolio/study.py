"""Every building of a town under every scenario as a study: on all cores, a GPU or a cluster."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.portfolio.table import PARAMETERS
from rocksteady.bodies import MasonryBuilding
from rocksteady.bodies.units import UNITS
from rocksteady.engine.ground import Ground, Runs
from rocksteady.ensembles.digests import digest, motion_digest
from rocksteady.ensembles.layout import Table, columns_of
from rocksteady.ensembles.many import Columns, Index, ManyRuns, batch_engine
from rocksteady.ensembles.plan import part_size, run_seconds
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import FAILURE, OVERTURN, Quantity
from rocksteady.theories.masonry.formulation import Masonry

QUANTITIES = {
    "peak_displacement": Quantity("f8", "m", "largest |u|"),
    "slip": Quantity("f8", "m", "slip g of the interface at the end", "g"),
    "hardening": Quantity("f8", "m", "hardening α at the end", "alpha"),
    "wear": Quantity("f8", "1", "wear w at the end", "w"),
    "collapse_time": Quantity("f8", "s", "when it collapsed; NaN where it did not"),
    "failed": Quantity("i1", "1", "1 where the method found no answer"),
}


@dataclass(frozen=True, eq=False)
class Town(ManyRuns):
    """Buildings as rows of a table, without an object for each: a town has thousands."""

    scenarios: tuple[str, ...]
    motions: tuple[Motion, ...]
    """Of each scenario."""
    ids: NDArray[Any]
    params: Array
    """A row per building: the fields of `MasonryBuilding`."""
    scales: Array
    """What multiplies the motion, by scenario and building."""
    backend: str = "cpu"
    precision: str = "float64"

    title = "rocksteady portfolio"
    axes = ("scenario", "building")
    formulation: ClassVar[Masonry] = Masonry()
    name: ClassVar[str] = Masonry.name

    @property
    def shape(self) -> tuple[int, ...]:
        return self.scales.shape

    @property
    def part_size(self) -> int:
        return part_size(run_seconds(self.formulation, self.motions), self.backend)

    @cached_property
    def first(self) -> MasonryBuilding:
        return MasonryBuilding(*self.params[0].tolist())

    @cached_property
    def ground(self) -> Ground:
        """Horizontal motion only: nothing else moves a building."""
        return Ground.of([Motion(motion.accel, motion.dt) for motion in self.motions])

    def kernels(self) -> tuple[Any, ...]:
        return (self.formulation.advance_for(self.first),)

    def compute(self, numbers: Index) -> Columns:
        how, columns = self.formulation, self.formulation.columns(self.first)
        scenario, building = np.unravel_index(numbers, self.shape)
        found = batch_engine(self.backend, self.precision)(
            how.advance_for(self.first),
            np.zeros((len(self.params), len(columns))),
            self.params,
            self.ground,
            Runs(building, scenario, self.scales.ravel()[numbers]),
            glide=how.glide_for(self.first),
        )
        names = [column.split(" [")[0] for column in columns]
        final = {
            name: found.states[:, names.index(what.state)]
            for name, what in QUANTITIES.items()
            if what.state
        }
        return {
            "peak_displacement": np.maximum(found.highest, -found.lowest),
            **final,
            "collapse_time": np.where(found.event == OVERTURN, found.time, np.nan),
            "failed": (found.event == FAILURE).astype(np.int8),
        }

    def labels(self, numbers: Index) -> Columns:
        return {**super().labels(numbers), "scale": self.scales.ravel()[numbers]}

    def quantities(self) -> dict[str, Quantity]:
        return QUANTITIES

    def inputs(self) -> dict[str, Table]:
        scenarios: Table = {"scenario": (np.array(self.scenarios), "")}
        scenarios |= columns_of(self.motions, ("pga", "pgv"))
        buildings: Table = {"building": (self.ids.astype(str), "")}
        for name, values in zip(PARAMETERS, self.params.T, strict=True):
            buildings[name] = values, UNITS.get(name, "1")
        return {"scenario": scenarios, "building": buildings}

    def description(self) -> dict[str, Any]:
        motions = zip(self.scenarios, self.motions, strict=True)
        return {
            "buildings": digest(self.params, *self.ids.astype(str).tolist()),
            "motions": [{"name": name, "sha256": motion_digest(one)} for name, one in motions],
            "scales": digest(self.scales),
            "formulation": {"name": self.name, "update": self.formulation.update},
            "step": self.step,
            "backend": self.backend,
            "precision": self.precision,
        }
