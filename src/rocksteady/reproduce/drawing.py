"""What the figures of the papers have in common."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocksteady.bodies import Block
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.style import sheet as sheet

REFERENCE: dict[str, Any] = {"color": style.INK, "lw": 2.2, "alpha": 0.35}
"""What ours is laid over."""
OURS: dict[str, Any] = {"color": style.BLUE, "lw": 0.9}


def lean(run: Response) -> tuple[Any, Any]:
    """Time [s] and θ/α [-], to be plotted over each other."""
    return run.time, run.theta / run.rocker.alpha


def draw_separatrix(ax: Any, block: Block, **look: Any) -> None:
    """What divides standing from falling in the plane of θ/α and ω/(pα)."""
    x = np.linspace(-1, 1, 201)
    speed = 2 * np.sin(block.alpha * (1 - np.abs(x)) / 2) / block.alpha
    for sign in (1, -1):
        ax.plot(x, sign * speed, ls=style.DASHED, **look)


def long_table(
    parts: Mapping[str, Mapping[str, Any]], label: str, most: int = 2000
) -> dict[str, Any]:
    """Curves of different lengths below each other, the column ``label`` telling them apart; of
    each ``most`` rows or fewer."""
    names = list(next(iter(parts.values())))
    table: dict[str, Any] = {label: []}
    table |= {name: [] for name in names}
    for part, columns in parts.items():
        few = thinned(columns, most)
        table[label].append(np.repeat(part, len(few[names[0]])))
        for name in names:
            table[name].append(few[name])
    return {name: np.concatenate(chunks) for name, chunks in table.items()}


def every(values: Any, most: int = 2000) -> slice:
    """Which of them to keep: few enough for a table that a person opens."""
    return slice(None, None, max(1, -(-len(values) // most)))


def thinned(columns: Mapping[str, Any], most: int = 2000) -> dict[str, Any]:
    """Columns of one length, of each every so many rows."""
    return {name: values[every(values, most)] for name, values in columns.items()}


def power_of_ten(value: float) -> str:
    """ "10⁻⁵" for 1e-5."""
    digits = str(round(np.log10(value)))
    return "10" + digits.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
