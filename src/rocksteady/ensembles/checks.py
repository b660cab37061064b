"""The inputs of an ensemble, checked and brought into one form."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocksteady.bodies import System
from rocksteady.errors import InputError
from rocksteady.motion.floors import Floor
from rocksteady.names import storable
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array
from rocksteady.theories import Formulation
from rocksteady.theories.registry import suitable


def named(
    value: Any, kinds: tuple[type, ...], what: str, one: str
) -> tuple[tuple[Any, ...], tuple[str, ...] | None]:
    """Things and their names, from one thing, a sequence or a mapping of them."""
    names = None
    if isinstance(value, kinds):
        value = (value,)
    elif isinstance(value, Mapping):
        names, value = tuple(storable(str(name)) for name in value), tuple(value.values())
    else:
        try:
            value = tuple(value)
        except TypeError:
            value = (value,)
    if not len(value):
        raise InputError(f"There are no {what}: give at least one.")
    for i, item in enumerate(value):
        if not isinstance(item, kinds):
            raise InputError(
                f"{what}[{i}] = {item!r} is not {one}: give one, a list or a dictionary of them."
            )
    return value, names


def one_formulation(formulation: Formulation | None, systems: tuple[System, ...]) -> Formulation:
    kinds = {kind.__name__ for kind in set(map(type, systems))}
    if len(kinds) > 1:
        raise InputError(
            f"The systems are of several kinds, {', '.join(sorted(kinds))}: they move by different "
            "formulations and have different results. Make an ensemble of each kind."
        )
    return suitable(formulation, systems[0])


def checked_floor(floor: Any) -> Floor | None:
    if floor is None or isinstance(floor, Floor):
        return floor
    raise InputError(
        f"floor = {floor!r} is not a floor: give one such as rs.Floor(period=0.5, storeys=4), or "
        "leave it out for the ground."
    )


def checked_scales(scales: Any) -> Array:
    try:
        values = np.atleast_1d(reals(1.0 if scales is None else scales)).ravel()
    except (TypeError, ValueError):
        raise InputError(
            f"scales = {scales!r} is not allowed: give a number or several, such as [0.5, 1, 2]."
        ) from None
    if not len(values):
        raise InputError("There are no scales: give at least one, or leave them out for 1.")
    if not np.isfinite(values).all():
        bad = float(values[~np.isfinite(values)][0])
        raise InputError(f"scale {bad!r} is not allowed: every scale must be a finite number.")
    return values
