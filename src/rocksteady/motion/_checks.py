"""Checks shared by all code that makes motions."""

import math
from collections.abc import Callable
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._memory import Piece
from rocksteady.numbers import finite, positive, real, reals
from rocksteady.numerics.types import Array

_FLOAT64 = np.dtype(np.float64)
MAX_SAMPLES = 200_000_000  # 1.6 GB; asking for more is nearly always a wrong unit


def damping_ratio(value: float) -> float:
    """``value`` as a float, or an error: it must be a fraction of critical damping, below one."""
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
    """How many time steps ``dt`` [s] fit into ``duration`` [s], rounded up or by ``rounding``."""
    count = finite(name, duration, "s", minimum=0.0) / positive("dt", dt, "s")
    if not count < MAX_SAMPLES:
        raise InputError(
            f"{name} = {duration!r} s in steps of dt = {dt!r} s makes {count:.3g} samples; at most "
            f"{MAX_SAMPLES:.0e} are allowed. Are both in seconds? Otherwise give a larger dt."
        )
    nearest = round(count)
    return nearest if math.isclose(count, nearest, rel_tol=1e-9) else rounding(count)


def samples(name: str, values: ArrayLike) -> Array:
    """A read-only, contiguous float64 copy of ``values``: one-dimensional, finite, two or more.

    An array that is already read-only, and not part of another one, is not copied.
    """
    array = values if _is_frozen(values) else _copied(name, values)
    if array.ndim != 1 or array.size < 2:
        raise InputError(
            f"{name} has shape {array.shape}: it must be one-dimensional with at least 2 samples."
        )
    # The sum is finite only if every sample is; where it overflows, each is looked at.
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(array.sum())
    if not (math.isfinite(total) or np.isfinite(array).all()):
        worst = int(np.argmin(np.isfinite(array)))
        raise InputError(
            f"{name}[{worst}] = {array[worst]} is not a finite number: every sample must be. "
            "Fill or cut the gap first."
        )
    return array


def _is_frozen(values: ArrayLike) -> TypeGuard[Array]:
    """Whether it is an array that cannot be written to and is not part of another one."""
    if type(values) is not np.ndarray or values.dtype != _FLOAT64:
        return False
    flags = values.flags
    alone = flags.owndata or isinstance(values.base, Piece)
    return alone and not flags.writeable and flags.c_contiguous


def _copied(name: str, values: ArrayLike) -> Array:
    try:
        array = reals(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a sequence of real numbers: {error}.") from error
    array.flags.writeable = False
    return array


def exact(value: float) -> str:
    """A number with exactly the digits it needs: 2, 0.1, 0.30000000000000004."""
    return repr(float(value)).removesuffix(".0")
