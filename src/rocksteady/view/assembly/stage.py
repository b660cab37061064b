"""The stage on which stones are drawn: how much of the world is seen, and what stands still."""

from typing import Any, NamedTuple, Self

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea

from rocksteady.numerics.types import Array
from rocksteady.systems.assembly import Assembly
from rocksteady.view import style
from rocksteady.view.animation import EDGE
from rocksteady.view.assembly.links import Drawn
from rocksteady.view.assembly.stones import (
    FIXED,
    HATCH,
    Corners,
    Painted,
    fixed,
    moving,
    start_poses,
)

MARGIN = 0.06  # of the larger side of what is seen
FOOT = 0.10  # the same, below: the ground shows
UNMOVED = 0.004  # of the assembly's size: the outline of a stone that moved less is not drawn
LOWEST = 40.0  # mm: of a picture
SCATTER = 1.0  # of the larger side at the start: a stone that flies farther leaves the picture


class View(NamedTuple):
    """The part of the plane that is seen [m]."""

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def of(cls, assembly: Assembly, *poses: Array) -> Self:
        """One that holds the stones that move at the start and at all of ``poses``, but not those
        that fly far."""
        some = moving(assembly)
        corners = Corners(assembly, some if len(some) else fixed(assembly))
        start = corners.at(start_poses(assembly))
        low, high = start.min(axis=0), start.max(axis=0)
        size = float((high - low).max())
        for pose in poses:
            points = corners.at(pose).reshape(-1, 2)
            low = np.fmin(low, np.fmax(points.min(axis=0), start.min(axis=0) - SCATTER * size))
            high = np.fmax(high, np.fmin(points.max(axis=0), start.max(axis=0) + SCATTER * size))
        size = float((high - low).max())
        room = MARGIN * size
        return cls(low[0] - room, high[0] + room, low[1] - FOOT * size, high[1] + room)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def size(self) -> float:
        """The larger side [m]."""
        return max(self.width, self.height)

    def shaped(self, aspect: float) -> Self:
        """A view of this width over height with all of this one in it: wider on both sides, or
        higher above."""
        if self.width < aspect * self.height:
            more = (aspect * self.height - self.width) / 2
            return type(self)(self.left - more, self.right + more, self.bottom, self.top)
        return type(self)(self.left, self.right, self.bottom, self.bottom + self.width / aspect)


def key(axes: Any, words: list[tuple[str, str]]) -> None:
    """Small words, each with its colour, below a picture on the left."""
    areas: list[Artist] = [
        TextArea(text, textprops={"color": colour, "size": 7}) for text, colour in words
    ]
    row = HPacker(children=areas, sep=8, pad=0)
    where = {"bbox_to_anchor": (0, 0), "bbox_transform": axes.transAxes, "borderpad": 0.35}
    axes.add_artist(AnchoredOffsetbox("upper left", child=row, frameon=False, pad=0, **where))


def set_view(axes: Any, view: View) -> None:
    """Show this part of the plane to scale, without a frame."""
    axes.set(xlim=(view.left, view.right), ylim=(view.bottom, view.top), aspect="equal")
    axes.axis("off")


def fitted(view: View, columns: int = 1, highest: float = 130.0) -> tuple[View, float]:
    """A view that fills its picture, and the height of the picture [mm], where so many stand beside
    each other in a figure as wide as the text."""
    wide = style.COLUMN / style.MM / columns
    height = min(max(wide * view.height / view.width, LOWEST), highest)
    return view.shaped(wide / height), height


def paint_fixed(axes: Any, assembly: Assembly, lw: float = 0.7) -> Painted:
    """The stones that move with the ground, hatched."""
    look: Any = {"face": FIXED, "edge": HATCH, "lw": lw, "zorder": 0}
    with matplotlib.rc_context({"hatch.linewidth": 0.5}):
        return Painted(axes, assembly, fixed(assembly), hatch="/////", **look)


def paint_stones(axes: Any, assembly: Assembly, poses: Array, lw: float = 0.6) -> Painted:
    """All stones and links, where ``poses`` (stones, 3) put them."""
    paint_fixed(axes, assembly, lw)
    stones = Painted(axes, assembly, moving(assembly), lw=lw, zorder=2)
    stones.place(poses)
    Drawn(axes, assembly).place(poses)
    return stones


def outline(axes: Any, assembly: Assembly, poses: Array) -> None:
    """Where the stones that have moved to ``poses`` (stones, 3) were at the start: thin lines over
    all else."""
    corners = Corners(assembly, moving(assembly))
    start = start_poses(assembly)
    away = np.linalg.norm(corners.at(poses) - corners.at(start), axis=1)
    gone = np.unique(corners.owner[away > UNMOVED * View.of(assembly).size])
    look: Any = {"face": "none", "edge": EDGE, "lw": 0.4, "zorder": 5, "alpha": 0.7}
    Painted(axes, assembly, gone, **look)
