"""Checks of the numbers that people give: one rule for motions, bodies and all that follows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError
from rocksteady.motion._memory import Piece

FloatArray: TypeAlias = NDArray[np.float64]

_FLOAT64 = np.dtype(np.float64)
MAX_SAMPLES = 200_000_000  # 1.6 GB; asking for more is a mistaken unit far more often than a wish


def real(value: object) -> float:
    """A number as a float; anything else, a text with a number in it included, as nan."""
    if not isinstance(value, (int, float)):
        given = np.asarray(value)
        if given.ndim or given.dtype.kind not in "biufO":  # O: Python's fractions and decimals
            return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


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
        raise InputError(
            f"{name} = {value!r}{unit and ' ' + unit} is not allowed: it must be a finite "
            f"number{least}."
        )
    return number


def positive(name: str, value: float, unit: str = "") -> float:
    """``value`` as a float, or an error: it must be a positive, finite number."""
    number = real(value)
    if not (math.isfinite(number) and number > 0):
        raise InputError(
            f"{name} = {value!r}{unit and ' ' + unit} is not allowed: it must be a positive, "
            "finite number."
        )
    return number


def damping_ratio(value: float) -> float:
    """``value`` as a float, or an error: it must be a share of critical damping below one."""
    number = real(value)
    if not 0 <= number < 1:
        raise InputError(
            f"damping = {value!r} is not allowed: it is a ratio, from 0 to below 1. Five per cent "
            "is 0.05."
        )
    return number


def steps(
    duration: float, dt: float, rounding: Callable[[float], int] = math.ceil, name: str = "duration"
) -> int:
    """How many time steps ``dt`` [s] make up ``duration`` [s]: rounded up, or as asked."""
    count = finite(name, duration, "s", minimum=0.0) / positive("dt", dt, "s")
    if not count < MAX_SAMPLES:
        raise InputError(
            f"{name} = {duration!r} s in steps of dt = {dt!r} s makes {count:.3g} samples; at most "
            f"{MAX_SAMPLES:.0e} are allowed. Are both in seconds? Otherwise give a larger dt."
        )
    nearest = round(count)
    return nearest if math.isclose(count, nearest, rel_tol=1e-9) else rounding(count)


def samples(name: str, values: ArrayLike) -> FloatArray:
    """A read-only, contiguous float64 copy of ``values``: one-dimensional, finite, two or more.

    An array that is read-only already, and no part of another one, is taken as it is.
    """
    array = values if _is_frozen(values) else _copied(name, values)
    if array.ndim != 1 or array.size < 2:
        raise InputError(
            f"{name} has shape {array.shape}: it must be one-dimensional with at least 2 samples."
        )
    # The sum of squares is finite only if every sample is; where it overflows, each is looked at.
    if not (math.isfinite(np.vdot(array, array)) or np.isfinite(array).all()):
        worst = int(np.argmin(np.isfinite(array)))
        raise InputError(
            f"{name}[{worst}] = {array[worst]} is not a finite number: every sample must be. "
            "Fill or cut the gap first."
        )
    return array


def _is_frozen(values: ArrayLike) -> TypeGuard[FloatArray]:
    """Whether it is an array that nobody can write to and that is no part of another one."""
    if type(values) is not np.ndarray or values.dtype != _FLOAT64:
        return False
    flags = values.flags
    alone = flags.owndata or isinstance(values.base, Piece)
    return alone and not flags.writeable and flags.c_contiguous


def _copied(name: str, values: ArrayLike) -> FloatArray:
    try:
        array = reals(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a sequence of real numbers: {error}.") from error
    array.flags.writeable = False
    return array


def reals(values: ArrayLike) -> FloatArray:
    """A copy of ``values`` as floats; an error of Python's own where they are not real numbers."""
    given = np.asarray(values)
    if given.dtype.kind == "c":
        raise TypeError("it holds complex numbers")
    texts = given.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in given.flat)
    if texts or given.dtype.kind in "US":
        raise TypeError("it holds texts, make numbers of them first")
    return np.array(given, dtype=np.float64, order="C")


def exact(value: float) -> str:
    """A number with all its digits, and no more: 2, 0.1, 0.30000000000000004."""
    return repr(float(value)).removesuffix(".0")
