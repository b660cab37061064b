"""Many different bodies of an ensemble in cells of size and slenderness."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.shares.counts import Counted, answered, fell, ratio
from rocksteady.numerics.types import Array

PER_CELL = 5  # bodies in a cell, about
MOST_CELLS = 9  # along an axis
WIDE = 5.0  # ratio of sizes from which on cells have equal ratios, not equal widths


class Cells(NamedTuple):
    """Edges along both axes, and what is in each cell (slenderness, size)."""

    slenderness: Array
    size: Array
    runs: NDArray[np.int64]
    """Runs that gave an answer."""
    share: Array
    """Share of these that fell; nan where there is none."""
    median: Array
    """Median of the largest lean of those that stood; nan where none did."""


def cells_of(found: Counted, level: int | None = None) -> Cells:
    """The bodies by slenderness h/b and size R, at the scale ``level``; at all unless given."""
    data = found.data
    slenderness, size = 1 / np.tan(data["alpha"].values), data["R"].values
    across, up = _edges(slenderness, log=False), _edges(size, log=True)
    places = zip(_places(slenderness, across).tolist(), _places(size, up).tolist(), strict=True)
    shape = len(across) - 1, len(up) - 1
    if not found.paired and level is not None:
        data = data.isel(scale=level)
    status, lean = data["status"], data[found.kind.measure]
    known, fallen = np.zeros(shape, int), np.zeros(shape, int)
    stood: dict[tuple[int, int], list[Array]] = {}
    for body, place in enumerate(places):
        codes = np.atleast_1d(status[body].values)
        down, known_here = fell(codes), answered(codes)
        known[place] += int(known_here.sum())
        fallen[place] += int(down.sum())
        stood.setdefault(place, []).append(np.atleast_1d(lean[body].values)[known_here & ~down])
    median = np.full(shape, np.nan)
    for place, leans in stood.items():
        together = np.concatenate(leans)
        median[place] = np.median(together) if len(together) else np.nan
    return Cells(across, up, known, ratio(fallen, known), median)


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
