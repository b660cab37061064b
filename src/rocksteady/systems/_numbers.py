"""Checks of the numbers that describe a body."""

from __future__ import annotations

import math

import numpy as np

from rocksteady.errors import InputError


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
