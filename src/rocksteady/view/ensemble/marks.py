"""The bodies of an ensemble as they are drawn: which one by one, with which marks, and where."""

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.transforms import ScaledTranslation

from rocksteady.analysis.shares.counts import FEW, Counted
from rocksteady.numerics.types import Array
from rocksteady.view import style

MOST_LINES = 200  # grey lines; more lie on top of each other
COLOURS = (style.VERMILLION, style.BLUE, style.GREEN, style.ORANGE, style.PURPLE)
MARKS = "osD^v"
RANKS = ("most often: ", "in the middle: ", "least often: ")
FEW_LEVELS = 8  # scales at which bodies may be drawn beside each other
NARROWEST = 10  # of the axis over the smallest step between such scales, at most
APART = 4.2  # points between the bodies


def looks(found: Counted) -> list[tuple[int, dict[str, Any]]]:
    """The systems drawn one by one, with colour, mark and name."""
    ranks = (f"{found.kind.falls} {RANKS[0]}", *RANKS[1:]) if found.others else ("",) * FEW
    return [
        (i, {"color": colour, "marker": mark, "ms": 3.5, "label": rank + short(found.labels[i])})
        for i, colour, mark, rank in zip(found.chosen, COLOURS, MARKS, ranks, strict=False)
    ]


def side_by_side(found: Counted) -> bool:
    """Whether a few bodies stand beside each other at a few strengths: what would hide one another
    does not then."""
    if found.paired or not 1 < found.bodies <= FEW or not 1 < found.scales <= FEW_LEVELS:
        return False
    gaps = np.diff(np.sort(found.data["scale"].values))
    return bool(gaps.min() * NARROWEST >= gaps.sum() > 0)


def places(axes: Any, found: Counted) -> list[Any]:
    """Where each of the bodies drawn one by one has its marks: a little to the left or right."""
    count = len(found.chosen)
    if not side_by_side(found):
        return [axes.transData] * count
    inch = axes.figure.dpi_scale_trans
    steps = (np.arange(count) - (count - 1) / 2) * APART / 72
    return [axes.transData + ScaledTranslation(step, 0, inch) for step in steps]


def across_zero(x: Array, *rows: Array) -> tuple[Array, ...]:
    """A curve over ``x``, which grows, with a gap between what is negative and the rest: mirrored
    motions are not the weaker ones of the others."""
    at = int(np.searchsorted(x, 0.0))
    if at in (0, len(x)):
        return (x, *rows)
    return tuple(np.insert(values, at, np.nan) for values in (x, *rows))


def draw_grey(axes: Any, lines: list[Array]) -> None:
    if lines:
        look: dict[str, Any] = {"colors": style.QUIET, "linewidths": 0.5, "alpha": 0.5}
        axes.add_collection(LineCollection(lines, label="the others", **look))


def thinned(systems: list[int]) -> list[int]:
    return systems[:: max(1, -(-len(systems) // MOST_LINES))]


def short(label: str) -> str:
    shown = f" {label}" if label.startswith("_") else label  # else matplotlib leaves it out
    return shown if len(shown) <= 40 else shown[:39] + "…"
