"""Fill a map of classes from few of its points.

The map is a grid of points. At first every so many-th point is run; a cell whose four corners are
not of one class is split in four, and so on until cells have no points inside. A cell with equal
corners is taken to be of their class throughout. In the end the borders are traced: wherever two
neighbours differ, both are run, so that each patch that was found has its true shape, unless it
meets another one that was not. An island that lies wholly inside a cell with equal corners is
missed.

Smooth borders, those of pulses, need no more. A record's border is ragged at every scale, with
islands beside it: there the eight neighbours of each split cell are split, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Classes = NDArray[np.int8]
Index = NDArray[np.int64]
Bools = NDArray[np.bool_]
Evaluate = Callable[[Index, Index], Classes]
"""The classes of the points with these row and column numbers."""

STEP, RAGGED_STEP = 16, 8  # points from one to the next at the start
NEIGHBOURS_FROM = 4  # points: the smallest cell whose neighbours are split, too
CROSS, SQUARE = (ndimage.generate_binary_structure(2, reach) for reach in (1, 2))


class Filled(NamedTuple):
    """A map in which not every point was run."""

    classes: Classes
    ran: Bools
    """Which points were run; the others have the class of their cell's corners."""


def fill(evaluate: Evaluate, shape: tuple[int, int], *, ragged: bool = False) -> Filled:
    """The classes of a grid of points, most of them taken from their surroundings."""
    points = _Points(evaluate, shape)
    rows, columns = (_lines(size, RAGGED_STEP if ragged else STEP) for size in shape)
    active = np.ones((len(rows) - 1, len(columns) - 1), dtype=bool)
    while True:
        wanted = np.zeros(shape, dtype=bool)
        wanted[np.ix_(rows, columns)] = _corners(active)
        points.run(wanted)
        size = max(np.diff(rows).max(initial=1), np.diff(columns).max(initial=1))
        split = active & _differ(points.classes[np.ix_(rows, columns)])
        if ragged and size >= NEIGHBOURS_FROM:
            split = ndimage.binary_dilation(split, SQUARE)
        last = not split.any() or size <= (1 if ragged else 2)
        points.paint(active if last else active & ~split, rows, columns)
        if last:
            break
        (rows, upper), (columns, left) = _halved(rows), _halved(columns)
        active = split[np.ix_(upper, left)]
    points.trace(SQUARE if ragged else CROSS)
    return Filled(points.classes, points.ran)


class _Points:
    """What is known or guessed of each point."""

    def __init__(self, evaluate: Evaluate, shape: tuple[int, int]) -> None:
        self.evaluate = evaluate
        self.classes = np.zeros(shape, dtype=np.int8)
        self.ran = np.zeros(shape, dtype=bool)

    def run(self, wanted: Bools) -> bool:
        """Run those that have not been run; whether there were any."""
        at, along = np.nonzero(wanted & ~self.ran)
        if len(at):
            self.classes[at, along] = self.evaluate(at, along)
            self.ran[at, along] = True
        return len(at) > 0

    def paint(self, cells: Bools, rows: Index, columns: Index) -> None:
        """Give the points of these cells that have not been run the class of a corner."""
        down, right = _cell_of(rows, len(self.ran)), _cell_of(columns, self.ran.shape[1])
        inside = cells[np.ix_(down, right)] & ~self.ran
        self.classes[inside] = self.classes[np.ix_(rows[down], columns[right])][inside]

    def trace(self, around_each: Bools) -> None:
        """Run both sides of every border until nothing changes."""
        around: dict[str, Any] = {"footprint": around_each, "mode": "nearest"}
        while True:
            lowest = ndimage.minimum_filter(self.classes, **around)
            border = lowest != ndimage.maximum_filter(self.classes, **around)
            if not self.run(border):
                return


def _lines(size: int, step: int) -> Index:
    """Every step-th of so many points, and the last."""
    return np.unique(np.append(np.arange(0, size, step), size - 1))


def _halved(lines: Index) -> tuple[Index, Index]:
    """The lines with one in the middle of each gap, and of which old gap each new one is part."""
    finer = np.unique(np.concatenate([lines, (lines[1:] + lines[:-1]) // 2]))
    return finer, np.searchsorted(lines, finer[:-1], side="right") - 1


def _cell_of(lines: Index, size: int) -> Index:
    """The gap between lines in which each of so many points lies."""
    return np.clip(np.searchsorted(lines, np.arange(size), "right") - 1, 0, max(len(lines) - 2, 0))


def _corners(cells: Bools) -> Bools:
    """Which points are corners of these cells."""
    points = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), dtype=bool)
    for down in (slice(None, -1), slice(1, None)):
        for right in (slice(None, -1), slice(1, None)):
            points[down, right] |= cells
    return points


def _differ(points: Classes) -> Bools:
    """Of which cells the corners are not all of one class."""
    first = points[:-1, :-1]
    same = (first == points[1:, :-1]) & (first == points[:-1, 1:]) & (first == points[1:, 1:])
    return np.asarray(~same)
