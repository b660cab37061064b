"""Overturning maps: ways to fall, or the share of motions that overturn."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rocksteady.analysis.overturning.axes import Axis
from rocksteady.analysis.overturning.result import OverturningMap
from rocksteady.analysis.overturning.ways import Way
from rocksteady.analysis.overturning.words import title
from rocksteady.ensembles.progress import spaced
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.ensemble.map import SHARES
from rocksteady.view.words import wrapped

COLOURS = {
    Way.UNKNOWN: "#FFFFFF",
    Way.FLAT: "#F7F7F7",
    Way.ROCKS: style.FAINT,
    Way.AT_ONCE: style.VERMILLION,
    Way.AFTER_ONE: style.ORANGE,
    Way.LATER: style.SKY,
}
LINES: dict[str, Any] = {
    "no impact": {"ls": "-"},
    "one impact, lower end": {"ls": style.DASHED},
    "one impact, upper end": {"ls": (0, (1, 1.5))},
}
LEVELS = {0.1: (0, (1, 1.5)), 0.5: "-", 0.9: style.DASHED}  # shares that are drawn as lines


def plot_map(found: OverturningMap, path: str | Path | None = None) -> Figure:
    """Draw a map; the points are a picture inside the drawing, all else stays vectors.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    with style.sheet(wrapped(title(found)), 112, path) as fig:
        axes = fig.subplots()
        handles = _shares(axes, found) if found.counts is not None else _ways(axes, found)
        handles += _closed_forms(axes, found)
        _frame(axes, found)
        if handles:
            fig.legend(handles=handles, loc="outside lower center", ncols=3)
    return fig


def _frame(axes: Any, found: OverturningMap) -> None:
    for axis, name in ((found.x, "x"), (found.y, "y")):
        if axis.log:
            getattr(axes, f"set_{name}scale")("log")
            ticks = getattr(axes, f"{name}axis")
            ticks.set_major_formatter("{x:g}")
            ticks.set_minor_formatter("{x:g}" if axis.values[-1] < 15 * axis.values[0] else "")
    axes.tick_params(which="both", length=3, labelsize=7.5)
    x, y = edges(found.x), edges(found.y)
    axes.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]), xlabel=found.x.label, ylabel=found.y.label)


def edges(axis: Axis) -> Array:
    """Where the pixels around the points of an axis meet."""
    values = np.log(axis.values) if axis.log else axis.values
    middles = (values[1:] + values[:-1]) / 2
    ends = [2 * values[0] - middles[0], *middles, 2 * values[-1] - middles[-1]]
    return np.exp(ends) if axis.log else np.asarray(ends)


def _ways(axes: Any, found: OverturningMap) -> list[Any]:
    """The ways in colours, outlined so that an island of one point is seen."""
    classes, shown = found.one.classes, [way for way in Way if (found.one.classes == way).any()]
    numbers = [int(way) for way in Way]
    norm = BoundaryNorm([*(n - 0.5 for n in numbers), numbers[-1] + 0.5], len(numbers))
    axes.pcolormesh(
        edges(found.x), edges(found.y), classes.T, rasterized=True, norm=norm,
        cmap=ListedColormap([COLOURS[way] for way in Way]),
    )  # fmt: skip
    if found.fell.any() and not found.fell.all():
        axes.contour(
            found.x.values, found.y.values, found.fell.T, levels=[0.5], colors=style.INK,
            linewidths=0.35,
        )  # fmt: skip
    islands = found.islands
    if islands:
        falls = sum(island.falls for island in islands)
        text = f"{falls} islands of falls, {len(islands) - falls} of standing"
        axes.set_title(text, loc="right", fontsize=7, color=style.QUIET)
    how = (
        "every point run"
        if found.method == "brute force"
        else f"adaptive: {spaced(found.runs)} runs"
    )
    axes.set_title(how, loc="left", fontsize=7, color=style.QUIET)
    impacts = found.study.formulation.has_impacts
    return [
        Patch(
            facecolor=COLOURS[way], edgecolor=style.QUIET, lw=0.4,
            label=way.words if impacts or not way.falls else "falls",
        )
        for way in shown
    ]  # fmt: skip


def _shares(axes: Any, found: OverturningMap) -> list[Any]:
    """The share in shades, with lines where a tenth, half and nine tenths fall."""
    shading = axes.pcolormesh(
        edges(found.x), edges(found.y), 100 * found.share.T, cmap=SHARES, vmin=0, vmax=100,
        rasterized=True,
    )  # fmt: skip
    axes.figure.colorbar(shading, ax=axes, label="share of motions that overturn it [%]", pad=0.02)
    axes.set_title(f"{found.motions} motions at each point", fontsize=7, color=style.QUIET)
    handles: list[Any] = []
    for level, line in LEVELS.items():
        if not np.nanmin(found.share) < level < np.nanmax(found.share):
            continue
        look: dict[str, Any] = {"colors": style.INK, "linewidths": 0.9, "linestyles": [line]}
        axes.contour(found.x.values, found.y.values, found.share.T, levels=[level], **look)
        label = f"{100 * level:.0f} % fall"
        handles.append(Line2D([], [], color=style.INK, lw=0.9, ls=line, label=label))
    return handles


def _closed_forms(axes: Any, found: OverturningMap) -> list[Any]:
    """The boundaries of linear theory on top."""
    handles = []
    for name, boundary in found.closed_forms.items():
        if not np.isfinite(boundary).any():
            continue
        look = {"color": style.BLUE, "lw": 1.2, **LINES[name]}
        axes.plot(found.x.values, boundary, **look)
        handles.append(Line2D([], [], label=f"slender theory: {name}", **look))
    return handles
