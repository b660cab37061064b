"""The axes of a study, what lies along them, and how its numbers become a labelled dataset."""

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.units import UNITS
from rocksteady.status import FALLEN, Status
from rocksteady.theories.contract import Quantity

if TYPE_CHECKING:
    import xarray

    from rocksteady.ensembles.study import Study

Table = dict[str, tuple[NDArray[Any], str]]  # name of a column → values and unit

MEANINGS = " ".join(str(status).replace(" ", "_") for status in Status)
FELL = "whether it overturned or collapsed"
AXES = ("system", "motion", "scale")
OF_MOTIONS = {"pga": "m/s2", "pgv": "m/s", "duration": "s", "dt": "s"}


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

    def dataset(
        self, columns: dict[str, Any], coordinates: "xarray.Coordinates | None" = None
    ) -> "xarray.Dataset":
        """Columns of all runs, in their order or already in this shape, with their labels. Those
        that are ready need not be made again."""
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
                    fell = reduce(or_, (values == status for status in FALLEN))
                variables["fell"] = xarray.Variable(
                    self.axes, fell, {"units": "1", "long_name": FELL}
                )
        coordinates = self.coordinates() if coordinates is None else coordinates
        return xarray.Dataset(variables, coords=coordinates, attrs=self.about)

    def coordinates(self) -> "xarray.Coordinates":
        """The labels of the results."""
        import xarray

        coordinates: dict[str, Any] = {}
        for axis, table in self.tables.items():
            for name, (values, unit) in table.items():
                where: Any = axis if self.axes != ("run",) else "run"
                if where == "run" and len(values) == 1 < self.runs:
                    where, values = (), values[0]
                coordinates[name] = (where, values, {"units": unit} if unit else {})
        if self.axes == ("run",):
            coordinates["run"] = np.arange(self.runs)
        return xarray.Dataset(coords=coordinates).coords


def _attributes(name: str, what: Quantity) -> dict[str, Any]:
    attributes: dict[str, Any] = {"units": what.units, "long_name": what.long_name}
    if name == "status":
        attributes["flag_values"] = np.arange(len(Status), dtype=np.int8)
        attributes["flag_meanings"] = MEANINGS
    return attributes


def study_tables(study: "Study") -> dict[str, Table]:
    """What is known of each system, motion and scale."""
    systems: Any = study.systems
    numbers = np.arange(len(systems))
    names = numbers if study.system_names is None else np.array(study.system_names)
    known = (*systems[0].stored_names(), *systems[0].tabulated)
    return {
        "system": {"system": (names, ""), **_stored(systems, known)},
        "motion": {
            "motion": (np.array(study.motion_names), ""),
            **columns_of(study.motions, OF_MOTIONS),
            "sha256": (np.array(study.motion_digests), ""),
        },
        "scale": {"scale": (study.scales, "1")},
    }


def _stored(systems: Sequence[Any], names: Iterable[str]) -> Table:
    """The columns that keep the systems, with their units."""
    return {
        name: (np.array([system.stored(name) for system in systems]), UNITS.get(name, "1"))
        for name in names
    }


def columns_of(things: Sequence[Any], names: Iterable[str]) -> Table:
    """These properties of bodies or motions, with their units."""
    units = UNITS | OF_MOTIONS
    return {
        name: (np.array([getattr(thing, name) for thing in things]), units.get(name, "1"))
        for name in names
    }
