"""Which formulation moves which kind of body, and the bodies by their names in a saved file."""

from __future__ import annotations

import math
from typing import Any

from rocksteady.errors import InputError
from rocksteady.formulations import Formulation
from rocksteady.simulation import suitable
from rocksteady.systems import SYSTEMS


def settled_formulation(formulation: Formulation | None, system: Any, dt: float) -> Formulation:
    """The formulation, or the usual one for this body, checked against the time step."""
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
    if name not in SYSTEMS:
        raise InputError(f"There is no body of the type {name!r}: there are {', '.join(SYSTEMS)}.")
    return SYSTEMS[name]
