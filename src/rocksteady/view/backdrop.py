"""What stands still in a film: drawn once, with histories that take on colour as time goes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.view import film

PALE = "#C6C6C6"  # of a history that is still to come
CURSOR = 60  # its grey
RIM = 2  # pixels around a strip that belong to it


class Backdrop:
    """The background of a film, drawn twice: its histories pale, and in their colours."""

    def __init__(self, canvas: Any, lines: Sequence[Any], strips: Sequence[Any], times: Array):
        self.canvas = canvas
        colours = [line.get_color() for line in lines]
        self._ahead = self._drawn(lines, [PALE] * len(lines))
        self._behind = self._drawn(lines, colours)
        tall = len(self._ahead)  # a picture's rows count from the top
        boxes = [strip.get_window_extent() for strip in strips]
        self._rows = [slice(tall - int(b.y1) - RIM, tall - int(b.y0) + RIM) for b in boxes]
        ends = strips[-1].transData.transform([(time, 0.0) for time in times])
        self._columns = np.round(ends[:, 0]).astype(int)

    def _drawn(self, lines: Sequence[Any], colours: Sequence[Any]) -> film.Frame:
        for line, colour in zip(lines, colours, strict=True):
            line.set_color(colour)
        self.canvas.draw()
        return np.array(self.canvas.buffer_rgba())

    def at(self, k: int) -> film.Frame:
        """The background of the k-th picture with its cursor, in the canvas: the actors are drawn
        over it."""
        picture = np.asarray(self.canvas.buffer_rgba())
        picture[:] = self._ahead
        x = self._columns[k]
        for rows in self._rows:
            picture[rows, :x] = self._behind[rows, :x]
            picture[rows, x : x + 2, :3] = CURSOR
        return picture
