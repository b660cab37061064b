"""The stage on which stones are drawn: how much of the world is seen, and what stands still."""

from typing import Any, NamedTuple, Self

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea

from rocksteady.bodies.assembly import Assembly
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.assembly.links import Drawn
from rocksteady.view.assembly.stones import (
    FIXED,
    HATCH,
    Corners,
    Painted,
    box_of,
    fixed,
    moving,
    size_of,
    start_poses,
)
from rocksteady.view.film_body import EDGE

MARGIN = 0.06  # of the larger side of what is seen
FOOT = 0.10  # the same, below: the ground shows
UNMOVED = 0.004  # of the assembly's size: the outline of a stone that moved less is not drawn
FEW = 30  # stones: the outlines of more would look like joints of those in front
LOWEST = 30.0  # mm: of a picture
SCATTER, HEIGHTS = 1.5, 0.25  # of the larger side: a stone that flies farther leaves the picture


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
        corners = Corners(assembly, moving(assembly))
        first, last = box_of(assembly)  # with what ties them
        held = np.array([point for link in assembly.links for point in link.points]).reshape(-1, 2)
        first, last = np.vstack([first, held]).min(axis=0), np.vstack([last, held]).max(axis=0)
        low, high, size = first, last, size_of(assembly)
        farthest = size * np.array([SCATTER, HEIGHTS])
        for pose in poses:
            points = corners.at(pose).reshape(-1, 2)
            low = np.fmin(low, np.fmax(points.min(axis=0, initial=np.inf), first - farthest))
            high = np.fmax(high, np.fmin(points.max(axis=0, initial=-np.inf), last + farthest))
        size = float((high - low).max())
        room = MARGIN * size
        return cls(low[0] - room, high[0] + room, low[1] - FOOT * size, high[1] + room)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

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
    (one, *_), height = side_by_side([view] * columns, highest)
    return one, height


def side_by_side(views: list[View], highest: float) -> tuple[list[View], float]:
    """Views of one scale that fill a row as wide as the text, and the height of the row [mm]. The
    narrowest is half as wide as the widest at least: there are words above it."""
    bottom, top = min(view.bottom for view in views), max(view.top for view in views)
    least = 0.5 * max(view.width for view in views)
    wide = [max(view.width, least) for view in views]
    row = style.COLUMN / style.MM
    height = min(max(row * (top - bottom) / sum(wide), LOWEST), highest)
    top = max(top, bottom + height * sum(wide) / row)
    more = max(row * (top - bottom) / height - sum(wide), 0.0) / len(views)
    found = []
    for view, width in zip(views, wide, strict=True):
        aside = (width + more - view.width) / 2
        found.append(View(view.left - aside, view.right + aside, bottom, top))
    return found, height


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
    few stones, under many."""
    corners = Corners(assembly, moving(assembly))
    start = start_poses(assembly)
    away = np.linalg.norm(corners.at(poses) - corners.at(start), axis=1)
    gone = np.unique(corners.owner[away > UNMOVED * size_of(assembly)])
    order = 5 if len(gone) <= FEW else 1
    look: Any = {"face": "none", "edge": EDGE, "lw": 0.4, "zorder": order, "alpha": 0.7}
    Painted(axes, assembly, gone, **look)
