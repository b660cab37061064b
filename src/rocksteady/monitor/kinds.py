"""Which formulation moves which kind of body, and both by their names in a saved file."""

from __future__ import annotations

import math
from typing import Any

from rocksteady.errors import InputError
from rocksteady.formulations import Formulation, formulation_named
from rocksteady.formulations.masonry import Masonry
from rocksteady.simulation import suitable
from rocksteady.systems import SYSTEMS
from rocksteady.systems.masonry import MasonryBuilding


def settled_formulation(formulation: Formulation | None, system: Any, dt: float) -> Formulation:
    """The formulation, or the usual one for this body, checked against the time step."""
    how: Formulation
    if isinstance(system, MasonryBuilding):
        how = Masonry() if formulation is None else formulation
        if not isinstance(how, Masonry):
            raise InputError(f"{how!r} does not move a MasonryBuilding: use rs.Masonry() for that.")
    else:
        how = suitable(formulation, system)
    prescribed = how.time_step(system)
    if prescribed is not None and not math.isclose(dt, prescribed, rel_tol=1e-9):
        raise InputError(
            f"dt = {dt!r} s would change the physics: {how.name} loses energy by its time step, "
            f"here {prescribed!r} s. Resample to that, or give the formulation dt={dt!r}."
        )
    return how


def system_named(name: str) -> type[Any]:
    """The class of a body by its name."""
    kinds: dict[str, type[Any]] = {**SYSTEMS, "MasonryBuilding": MasonryBuilding}
    if name not in kinds:
        raise InputError(f"There is no body of the type {name!r}: there are {', '.join(kinds)}.")
    return kinds[name]


def class_of_formulation(name: str) -> type[Any]:
    """The class of a formulation by its name."""
    return Masonry if name == "Masonry" else formulation_named(name)
