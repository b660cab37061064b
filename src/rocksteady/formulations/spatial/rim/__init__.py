"""A body of revolution on its rim: it rolls and wobbles, restrained to its circle or freely."""

from rocksteady.formulations.spatial.places import energy
from rocksteady.formulations.spatial.rim.body import at_rest, check, parameters, start
from rocksteady.formulations.spatial.rim.step import ADVANCE, doomed, resting
from rocksteady.formulations.spatial.state import COLUMNS

__all__ = [
    "ADVANCE",
    "COLUMNS",
    "at_rest",
    "check",
    "doomed",
    "energy",
    "parameters",
    "resting",
    "start",
]
