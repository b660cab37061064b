"""Check the numbers that users give."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
"""Regular expression of a number, without groups."""


def real(value: object) -> float:
    """A number as a float; nan for anything else, including text, True and False."""
    try:
        if isinstance(value, bool):
            return math.nan
        if not isinstance(value, (int, float)):
            given = np.asarray(value)
            if given.ndim or given.dtype.kind not in "iufO":  # O: Fraction and Decimal
                return math.nan
            if has_truths(given):
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
    return "_" not in word  # Python allows it between digits


def keep_floats(owner: object, *names: str) -> None:
    """Convert these fields of a frozen ``owner`` to float, after they are checked: compiled code
    accepts no other type."""
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


def positive(name: str, value: float, unit: str = "", advice: str = "") -> float:
    """``value`` as a float, or an error: it must be a positive, finite number."""
    number = real(value)
    if not (math.isfinite(number) and number > 0):
        raise _not_allowed(name, value, unit, "a positive, finite number", advice)
    return number


def whole(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """``value`` as an int, or an error: it must be a whole number from ``least`` to ``most``."""
    number = real(value)
    if not (number.is_integer() and least <= number <= (math.inf if most is None else most)):
        ends = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        raise _not_allowed(name, value, "", f"a whole number {ends}".replace(",", " "))
    return int(value)  # type: ignore[call-overload,no-any-return]


def yes_or_no(name: str, value: object) -> bool:
    """``value`` as a bool, or an error: it must be True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InputError(f"{name} = {value!r} is not allowed: give True or False.")


def checked_seed(seed: object) -> int:
    """The ``seed`` of random numbers, or an error."""
    return whole("seed", seed, 0, 2**63 - 1)


def has_truths(values: Any) -> bool:
    """Whether any of them is True or False, which NumPy takes for 1 and 0."""
    if isinstance(values, (bool, np.bool_)):
        return True
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind == "O" and isinstance(values, np.ndarray):
        return any(map(has_truths, values.flat))
    if kind is not None:
        return bool(kind == "b")
    return isinstance(values, (list, tuple)) and any(map(has_truths, values))


def _not_allowed(name: str, value: object, unit: str, what: str, advice: str = "") -> InputError:
    given = f"{value!r} {unit}".rstrip()
    return InputError(f"{name} = {given} is not allowed: it must be {what}. {advice}".rstrip())


def check_ratio(name: str, value: float, advice: str) -> None:
    """Refuse an invalid ratio of velocities or energies after and before an impact."""
    if not 0 < real(value) <= 1:
        raise InputError(f"{name} = {value!r} is not allowed: it must lie in (0, 1]{advice}")


def given(owner: object, *names: str) -> dict[str, Any]:
    """Those of the ``owner``'s options that are not None."""
    return {name: getattr(owner, name) for name in names if getattr(owner, name) is not None}


def reals(values: ArrayLike, *, truths: bool = False) -> NDArray[np.float64]:
    """A copy of ``values`` as floats; TypeError or ValueError if they are not real numbers. True
    and False are 1 and 0 where ``truths`` are asked for."""
    if np.ma.is_masked(values):
        raise TypeError("some values are masked: fill or cut the gaps first")
    try:
        given = np.asarray(values)
    except ValueError as error:  # NumPy's sentence speaks of its shapes
        raise TypeError("it contains rows of different lengths") from error
    if given.dtype.kind == "c":
        raise TypeError("it contains complex numbers")
    if not truths and (has_truths(values) or has_truths(given)):
        raise TypeError("it contains True or False")
    texts = given.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in given.flat)
    if texts or given.dtype.kind in "US":
        raise TypeError("it contains text: convert it to numbers first")
    return np.array(given, dtype=np.float64, order="C")


def number_row(
    name: str, values: ArrayLike, unit: str = "", *, truths: bool = False
) -> NDArray[np.float64]:
    """A copy of ``values`` as floats, or an error: they must be a row of real numbers, or of
    ``truths``."""
    try:
        array = reals(values, truths=truths)
    except (TypeError, ValueError) as error:
        what = f"a sequence of numbers [{unit}]" if unit else "a sequence of numbers"
        raise InputError(f"{name} must be {what}: {error}.") from error
    if array.ndim != 1:
        raise InputError(f"{name} has shape {array.shape}: it must be one-dimensional.")
    return array
