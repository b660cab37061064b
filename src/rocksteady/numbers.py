"""Checks of the numbers that people give: one rule for motions, bodies and all that follows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
"""A number in a text, as a pattern without groups."""


def real(value: object) -> float:
    """A number as a float; anything else, a text with a number in it included, as nan."""
    try:
        if not isinstance(value, (int, float)):
            given = np.asarray(value)
            if given.ndim or given.dtype.kind not in "biufO":  # O: Python's fractions and decimals
                return math.nan
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def is_number(word: str) -> bool:
    """Whether a word of a file is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word  # which Python allows between digits


def keep_floats(owner: object, *names: str) -> None:
    """Make floats of the numbers that a frozen ``owner`` was given, once they are checked: whole
    ones, fractions, arrays of one. What is compiled for them knows no other kind."""
    for name in names:
        value = getattr(owner, name)
        if value is not None and type(value) is not float:
            object.__setattr__(owner, name, float(value))


def finite(name: str, value: float, unit: str = "", *, minimum: float = -math.inf) -> float:
    """``value`` as a float, or an error: it must be a finite number, not below ``minimum``."""
    number = real(value)
    if not (math.isfinite(number) and number >= minimum):
        least = "" if minimum == -math.inf else f", not below {minimum:g}"
        raise _not_allowed(name, value, unit, f"a finite number{least}")
    return number


def positive(name: str, value: float, unit: str = "") -> float:
    """``value`` as a float, or an error: it must be a positive, finite number."""
    number = real(value)
    if not (math.isfinite(number) and number > 0):
        raise _not_allowed(name, value, unit, "a positive, finite number")
    return number


def _not_allowed(name: str, value: float, unit: str, what: str) -> InputError:
    given = f"{value!r} {unit}".rstrip()
    return InputError(f"{name} = {given} is not allowed: it must be {what}.")


def reals(values: ArrayLike) -> NDArray[np.float64]:
    """A copy of ``values`` as floats; an error of Python's own where they are not real numbers."""
    if np.ma.is_masked(values):
        raise TypeError("some are masked: fill or cut the gaps first")
    given = np.asarray(values)
    if given.dtype.kind == "c":
        raise TypeError("it holds complex numbers")
    texts = given.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in given.flat)
    if texts or given.dtype.kind in "US":
        raise TypeError("it holds texts, make numbers of them first")
    return np.array(given, dtype=np.float64, order="C")


def number_row(name: str, values: ArrayLike, unit: str = "") -> NDArray[np.float64]:
    """A copy of ``values`` as floats, or an error: they must be a row of real numbers."""
    try:
        array = reals(values)
    except (TypeError, ValueError) as error:
        what = f"a sequence of numbers [{unit}]" if unit else "a sequence of numbers"
        raise InputError(f"{name} must be {what}: {error}.") from error
    if array.ndim != 1:
        raise InputError(f"{name} has shape {array.shape}: it must be one-dimensional.")
    return array
