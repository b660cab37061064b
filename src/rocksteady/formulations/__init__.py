"""How it moves: one published formulation, one file. Each is imported when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Formulation

_HOMES = {
    "Housner": "housner",
    "NumericalDissipation": "dissipation",
    "Nonsmooth": "nonsmooth",
    "RigidBodySpring": "springs",
    "ComplexPotential": "complex",
    "Masonry": "masonry",
}

__all__ = ["Formulation", "formulation_named", *_HOMES]

if TYPE_CHECKING:
    from rocksteady.formulations.complex.formulation import ComplexPotential as ComplexPotential
    from rocksteady.formulations.dissipation.formulation import (
        NumericalDissipation as NumericalDissipation,
    )
    from rocksteady.formulations.housner.formulation import Housner as Housner
    from rocksteady.formulations.masonry.formulation import Masonry as Masonry
    from rocksteady.formulations.nonsmooth.formulation import Nonsmooth as Nonsmooth
    from rocksteady.formulations.springs.formulation import RigidBodySpring as RigidBodySpring


def formulation_named(name: str) -> type[Any]:
    """The formulation's class by its name, as saved with a response."""
    if name not in _HOMES:
        raise InputError(f"There is no formulation {name!r}: there are {', '.join(_HOMES)}.")
    home = import_module(f"rocksteady.formulations.{_HOMES[name]}")
    return getattr(home, name)  # type: ignore[no-any-return]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return formulation_named(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
