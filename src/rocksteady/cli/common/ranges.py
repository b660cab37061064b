"""A range of values as one types it: 0.5:8, or 0.5:8:201."""

from typing import Any

from rocksteady.errors import InputError
from rocksteady.numbers import is_number

LEVELS = (
    "Strengths, in g for pga, in m/s for pgv: how many, or 0.2,0.4,0.8. 40 from lift-off to where "
    "nearly all fall unless given."
)
"""The help of ``--levels``."""


def ranged(option: str, text: str | None, points: int, *, log: bool = False) -> Any:
    """The values from the first to the second number, ``points`` of them or as many as the third
    says; evenly spaced, or by ratios if ``log``. None where nothing was given."""
    if text is None:
        return None
    import numpy as np

    words = [word.strip() for word in text.split(":")]
    good = len(words) in (2, 3) and all(is_number(word) for word in words[:2])
    good = good and (len(words) == 2 or words[2].isdigit())
    low, high = (float(word) for word in words[:2]) if good else (0.0, 0.0)
    count = int(words[2]) if good and len(words) == 3 else points
    if not 0 < low < high < float("inf") or count < 2:
        raise InputError(
            f"{option} {text} is not a range: write FROM:TO or FROM:TO:POINTS, as in 0.5:8:201, "
            "with positive numbers and two points at least."
        )
    return np.geomspace(low, high, count) if log else np.linspace(low, high, count)


def levels_of(text: str | None) -> Any:
    """``--levels``: how many, or which."""
    if text is None:
        return None
    try:
        values = [float(word) for word in text.replace(";", ",").split(",")]
    except ValueError:
        raise InputError(
            f"--levels {text} is not allowed: give how many, such as 40, or the levels themselves, "
            "such as 0.2,0.4,0.8."
        ) from None
    return int(values[0]) if len(values) == 1 and values[0] == int(values[0]) else values
