"""Many different bodies of an ensemble on a map over size and slenderness."""

from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from rocksteady.analysis.shares.cells import WIDE, cells_of
from rocksteady.analysis.shares.counts import Counted
from rocksteady.ensembles.progress import spaced
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.labels import notes

MOST_ROWS = 14  # bodies that still have a row each; more different ones go onto a map
SHARES = LinearSegmentedColormap.from_list(
    "shares", ["#F2F2F2", style.ORANGE, style.VERMILLION, "#5A2700"]
)


def has_map(found: Counted) -> bool:
    """Whether there are so many different bodies, each with a size and a slenderness, that a row
    for each says less than a map."""
    data = found.data
    if "R" not in data.coords or "alpha" not in data.coords:
        return False
    kinds = np.unique(np.column_stack([data["alpha"].values, data["R"].values]), axis=0)
    return len(kinds) > MOST_ROWS


def draw_map(axes: Any, found: Counted, level: int | None = None) -> None:
    """The share that falls, by slenderness h/b and size R, and how many runs each cell has; where
    none falls, how far they lean. ``level`` is the scale shown; all runs unless given."""
    cells = cells_of(found, level)
    falls = bool(np.nanmax(cells.share, initial=0.0) > 0)
    values = 100 * cells.share if falls else cells.median
    name = "share of runs [%]" if falls else "median largest lean |θ|/α [–]"
    top = 100.0 if falls else float(np.nanmax(values, initial=0.0)) or 1.0
    shading = axes.pcolormesh(
        cells.slenderness, cells.size, values.T, cmap=SHARES, vmin=0, vmax=top, lw=0
    )
    axes.figure.colorbar(shading, ax=axes, label=name, pad=0.02)
    if cells.size[-1] > WIDE * cells.size[0]:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
    x, y = (_middles(edges) for edges in (cells.slenderness, cells.size))
    for i, j in zip(*np.nonzero(cells.runs), strict=True):
        axes.text(
            x[i], y[j], spaced(int(cells.runs[i, j])), ha="center", va="center", fontsize=6,
            color="white" if values[i, j] > 0.6 * top else style.INK, clip_on=True,
        )  # fmt: skip
    axes.set(xlabel="slenderness h/b [–]", ylabel="size R [m]")
    lift = "how far they lean" if np.nanmax(values, initial=0.0) > 0 else "most never lift off"
    axes.set_title(f"Share that {found.kind.falls}" if falls else f"None falls; {lift}")
    notes(axes, [("numbers: runs in a cell", style.QUIET)])


def _middles(edges: Array) -> Array:
    ratio = edges[-1] > WIDE * edges[0]
    return np.sqrt(edges[1:] * edges[:-1]) if ratio else (edges[1:] + edges[:-1]) / 2
