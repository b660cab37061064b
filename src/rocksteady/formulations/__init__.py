"""How it moves: one published formulation, one file."""

from rocksteady.formulations.contract import Formulation
from rocksteady.formulations.housner import Housner

FORMULATIONS: dict[str, type[Formulation]] = {"Housner": Housner}
"""By name, as saved with a response."""

__all__ = ["FORMULATIONS", "Formulation", "Housner"]
