"""The axes of a study, what lies along them, and how its numbers become a labelled dataset."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.formulations.contract import Quantity
from rocksteady.status import FALLEN, Status
from rocksteady.systems.units import UNITS

if TYPE_CHECKING:
    import xarray

    from rocksteady.ensembles.study import Study

Table = dict[str, tuple[NDArray[Any], str]]  # name of a column → values and unit

MEANINGS = " ".join(str(status).replace(" ", "_") for status in Status)
FELL = "whether it overturned or collapsed"
AXES = ("system", "motion", "scale")


class Layout(NamedTuple):
    """Everything about the results of a study but their numbers."""

    shape: tuple[int, ...]
    axes: tuple[str, ...]
    tables: dict[str, Table]
    """What lies along each axis."""
    quantities: dict[str, Quantity]
    about: dict[str, Any]

    @property
    def runs(self) -> int:
        return math.prod(self.shape)

    def dataset(self, columns: dict[str, Any]) -> xarray.Dataset:
        """Columns of all runs, in their order or already in this shape, with their labels."""
        import xarray

        variables = {}
        for name, what in self.quantities.items():
            values = columns[name]
            if isinstance(values, np.ndarray):
                values = values.reshape(self.shape)
            variables[name] = xarray.Variable(self.axes, values, _attributes(name, what))
            if name == "status":
                fell = columns.get("fell")
                if fell is None:
                    fell = np.isin(values, FALLEN)
                variables["fell"] = xarray.Variable(
                    self.axes, fell, {"units": "1", "long_name": FELL}
                )
        coordinates: dict[str, Any] = {}
        for axis, table in self.tables.items():
            for name, (values, unit) in table.items():
                where: Any = axis if self.axes != ("run",) else "run"
                if where == "run" and len(values) == 1 < self.runs:
                    where, values = (), values[0]
                coordinates[name] = (where, values, {"units": unit} if unit else {})
        if self.axes == ("run",):
            coordinates["run"] = np.arange(self.runs)
        return xarray.Dataset(variables, coords=coordinates, attrs=self.about)


def _attributes(name: str, what: Quantity) -> dict[str, Any]:
    attributes: dict[str, Any] = {"units": what.units, "long_name": what.long_name}
    if name == "status":
        attributes["flag_values"] = np.arange(len(Status), dtype=np.int8)
        attributes["flag_meanings"] = MEANINGS
    return attributes


def study_tables(study: Study) -> dict[str, Table]:
    """What is known of each system, motion and scale."""
    scales: Table = {"scale": (study.scales, "1")}
    return {"system": _system_table(study), "motion": _motion_table(study), "scale": scales}


def _system_table(study: Study) -> Table:
    systems: tuple[Any, ...] = study.systems
    names: Any = study.system_names
    table: Table = {"system": (np.arange(len(systems)) if names is None else np.array(names), "")}
    for field in dataclasses.fields(systems[0]):
        table[field.name] = _column(systems, field.name)
    return table | {name: _column(systems, name) for name in systems[0].tabulated}


def _column(things: Sequence[Any], name: str) -> tuple[NDArray[Any], str]:
    return np.array([getattr(thing, name) for thing in things]), UNITS.get(name, "1")


def _motion_table(study: Study) -> Table:
    motions = study.motions
    return {
        "motion": (np.array(study.motion_names), ""),
        "pga": (np.array([motion.pga for motion in motions]), "m/s2"),
        "pgv": (np.array([motion.pgv for motion in motions]), "m/s"),
        "duration": (np.array([motion.duration for motion in motions]), "s"),
        "dt": (np.array([motion.dt for motion in motions]), "s"),
        "sha256": (np.array(study.motion_digests), ""),
    }
