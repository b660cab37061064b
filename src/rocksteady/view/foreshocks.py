"""Map of what foreshocks add, over the mass of the building and the strength of the foreshocks."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rocksteady.analysis.foreshocks import ALONE, BROUGHT_DOWN, FAILED, SPARED, ForeshockMap
from rocksteady.numerics.types import Array
from rocksteady.view import style

EDGES = (-0.05, 0.05, 0.4, 0.6, 2.0)  # of the increase of wear, between the classes
CLASSES = (
    ("less wear", "#9CCBE8"),
    ("as much, to 5 %", "#F2F2F2"),
    ("5 to 40 % more", "#FBE3B5"),
    ("40 to 60 % more", style.GREEN),
    ("60 to 200 % more", style.ORANGE),
    ("more than that", style.VERMILLION),
    ("only the foreshocks bring it down", "#6B2A00"),
    ("the main shock alone does", "#5A5A5A"),
    ("alone it would, after foreshocks not", style.PURPLE),
    ("no wear alone, or no solution", "#FFFFFF"),
)
_OF_OUTCOME = {BROUGHT_DOWN: 6, ALONE: 7, SPARED: 8, FAILED: 9}


def plot_foreshock_map(found: ForeshockMap, path: str | Path | None = None) -> Figure:
    """Draw the increase of wear by foreshocks, and where the building collapses.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    shocks = f"{found.count} foreshock{'s' * (found.count > 1)}"
    title = f"Wear after {shocks} and the main shock, over that after the main shock alone"
    with style.sheet(title, 105, path) as fig:
        axes = fig.subplots()
        shown = draw_map(axes, found)
        axes.set_title(found.motion.name, parse_math=False)
        fig.legend(handles=handles(shown), loc="outside lower center", ncols=3)
    return fig


def draw_map(axes: Any, found: ForeshockMap) -> set[int]:
    """The classes in colours; returns those that occur."""
    classes = _classes(found)
    colours = ListedColormap([colour for _, colour in CLASSES])
    norm = BoundaryNorm(np.arange(len(CLASSES) + 1) - 0.5, len(CLASSES))
    x, y = _between(found.masses / 1e3), _between(found.scales)
    axes.pcolormesh(x, y, classes.T, cmap=colours, norm=norm, rasterized=True)
    axes.set(xlabel="mass [t]", ylabel="foreshocks over main shock [–]")
    axes.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    return set(np.unique(classes).tolist())


def handles(shown: set[int]) -> list[Patch]:
    """The legend of these classes."""
    return [
        Patch(fc=colour, ec=style.QUIET, lw=0.4, label=words)
        for i, (words, colour) in enumerate(CLASSES)
        if i in shown
    ]


def _classes(found: ForeshockMap) -> Any:
    """The class of each pair of mass and scale."""
    classes = np.digitize(found.wear_increase, EDGES)
    classes[np.isnan(found.wear_increase)] = 9
    for outcome, number in _OF_OUTCOME.items():
        classes[found.outcome == outcome] = number
    return classes


def _between(values: Array) -> Array:
    """Where the pixels around increasing values meet."""
    if len(values) == 1:
        return np.hstack([0.98 * values, 1.02 * values])
    middles = (values[1:] + values[:-1]) / 2
    return np.hstack([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])
