"""How it moves: one published theory, one folder. Each is imported when first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Formulation": "contract",
    "FORMULATIONS": "registry",
    "Housner": "housner",
    "Nonsmooth": "nonsmooth",
    "ComplexPotential": "complex",
    "RigidBodySpring": "springs",
    "NumericalDissipation": "dissipation",
    "JointDissipation": "dissipation",
    "Masonry": "masonry",
    "Spatial": "spatial",
    "BlockDynamics": "assembly",
}

__all__ = [*_HOMES]

if TYPE_CHECKING:
    from rocksteady.formulations.assembly import BlockDynamics as BlockDynamics
    from rocksteady.formulations.complex import ComplexPotential as ComplexPotential
    from rocksteady.formulations.contract import Formulation as Formulation
    from rocksteady.formulations.dissipation import JointDissipation as JointDissipation
    from rocksteady.formulations.dissipation import NumericalDissipation as NumericalDissipation
    from rocksteady.formulations.housner import Housner as Housner
    from rocksteady.formulations.masonry import Masonry as Masonry
    from rocksteady.formulations.nonsmooth import Nonsmooth as Nonsmooth
    from rocksteady.formulations.registry import FORMULATIONS as FORMULATIONS
    from rocksteady.formulations.spatial import Spatial as Spatial
    from rocksteady.formulations.springs import RigidBodySpring as RigidBodySpring


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
