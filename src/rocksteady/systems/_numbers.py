"""Checks of the numbers that describe a body."""

from __future__ import annotations

import math
import warnings

import numpy as np

from rocksteady.errors import InputError, RocksteadyWarning

TALL = 50.0  # m: no column or obelisk is taller; whoever writes more thinks of centimetres


def real(value: object) -> float:
    """A number as a float; anything else, a text with a number in it included, as nan."""
    if not isinstance(value, (int, float, np.integer, np.floating)):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def require_positive(name: str, value: object, unit: str = "") -> None:
    """An error unless ``value`` is a positive, finite number."""
    if not 0 < real(value) < math.inf:
        raise InputError(
            f"{name} = {value!r}{unit and ' ' + unit} is not allowed: it must be a positive, "
            "finite number."
        )


def suspect_centimetres(height: float, written: str) -> None:
    """A warning of a body's ``height`` [m] that must be centimetres; ``written`` is what stands
    before the number where it was given, such as "--height "."""
    if height > TALL:
        warnings.warn(
            f"The body is {height:g} m high. Sizes are in metres: {height:g} cm would be "
            f"{written}{height / 100:g}.",
            RocksteadyWarning,
            stacklevel=3,
        )
