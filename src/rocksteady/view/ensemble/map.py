"""Many different bodies of an ensemble on a map over size and slenderness."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from rocksteady.ensembles.outcome import CODE
from rocksteady.ensembles.progress import spaced
from rocksteady.ensembles.summary import FALLEN
from rocksteady.formulations.contract import Array
from rocksteady.status import Status
from rocksteady.view import style
from rocksteady.view.ensemble.counts import Counted
from rocksteady.view.labels import notes

MOST_ROWS = 14  # bodies that still have a row each; more different ones go onto a map
PER_CELL = 5  # bodies in a cell, about
MOST_CELLS = 9  # along an axis
WIDE = 5.0  # ratio of sizes from which on their axis is logarithmic
SHARES = LinearSegmentedColormap.from_list(
    "shares", ["#F2F2F2", style.ORANGE, style.VERMILLION, "#5A2700"]
)


class Cells(NamedTuple):
    """The map: edges along both axes, and what is in each cell (slenderness, size)."""

    slenderness: Array
    size: Array
    runs: NDArray[np.int64]
    """Runs that gave an answer."""
    share: Array
    """Share of these that fell; nan where there is none."""
    median: Array
    """Median of the largest lean of those that stood; nan where none did."""


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


def cells_of(found: Counted, level: int | None = None) -> Cells:
    """What the map shows."""
    data = found.data
    slenderness, size = 1 / np.tan(data["alpha"].values), data["R"].values
    across, up = _edges(slenderness, log=False), _edges(size, log=True)
    i, j = _places(slenderness, across), _places(size, up)
    shape = len(across) - 1, len(up) - 1
    status, lean = (data[name] if found.paired or level is None else data[name].isel(scale=level)
                    for name in ("status", found.kind.measure))  # fmt: skip
    known, fell = np.zeros(shape, int), np.zeros(shape, int)
    stood: dict[tuple[int, int], list[Array]] = {}
    for body, (row, column) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
        codes = np.atleast_1d(status[body].values)
        down = np.isin(codes, FALLEN)
        known[row, column] += int((codes != CODE[Status.FAILED]).sum())
        fell[row, column] += int(down.sum())
        upright = ~down & (codes != CODE[Status.FAILED])
        stood.setdefault((row, column), []).append(np.atleast_1d(lean[body].values)[upright])
    median = np.full(shape, np.nan)
    for place, leans in stood.items():
        together = np.concatenate(leans)
        median[place] = np.median(together) if len(together) else np.nan
    share = np.divide(fell, known, out=np.full(shape, np.nan), where=known > 0)
    return Cells(across, up, known, share, median)


def _edges(values: Array, *, log: bool) -> Array:
    """Edges of cells of equal width, or of equal ratio where the values are wide apart."""
    count = int(np.clip(np.sqrt(len(values) / PER_CELL), 3, MOST_CELLS))
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * high:  # all alike: one cell
        return np.array([0.95 * low, 1.05 * high])
    if log and high > WIDE * low:
        return np.geomspace(low, high, count + 1)
    return np.linspace(low, high, count + 1)


def _places(values: Array, edges: Array) -> NDArray[np.intp]:
    """In which cell each value lies; the last edge belongs to the last cell."""
    return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)


def _middles(edges: Array) -> Array:
    ratio = edges[-1] > WIDE * edges[0]
    return np.sqrt(edges[1:] * edges[:-1]) if ratio else (edges[1:] + edges[:-1]) / 2
