"""The body in a film: a block in light and shade, or base, column and mass; where it is now, and
dashed where it leaned farthest so far."""

import math
from typing import Any

import numpy as np
from matplotlib.patches import Polygon

from rocksteady.bodies import Block, Rocker
from rocksteady.numerics.types import Array

STONE, SHADE, LIGHT, EDGE = "#CFC4B2", "#B8AB96", "#E2DACC", "#6E6455"
EARTH = "#EFEBE3"


def place(block: Block, points: Array, theta: float) -> Array:
    """Where points of the upright block are when it leans by ``theta`` [rad].

    ``points`` are rows of (x, y) [m], from the middle of the base. It turns about its right corner
    when it leans to +x (theta > 0), about its left one otherwise.
    """
    pivot = np.array([math.copysign(block.width / 2, theta), 0.0])
    c, s = math.cos(theta), math.sin(theta)
    return np.asarray((points - pivot) @ np.array([[c, -s], [s, c]]) + pivot)


def outline(block: Block, theta: float = 0.0) -> Array:
    """Its silhouette (x, y) when it leans by ``theta`` [rad] [m]; of a box from the bottom left."""
    return place(block, np.array(block.silhouette), theta)


class FilmBody:
    """A body that leans, and may bend: its outlines and its centre of mass, wherever it is."""

    def __init__(self, rocker: Rocker) -> None:
        self.block, self.stem = rocker.rigid(), rocker.stem

    @property
    def tall(self) -> float:
        """Height of its top above the base [m]."""
        return float(max(part[:, 1].max() for part in self.outlines()))

    def outlines(self, theta: float = 0.0, u: float = 0.0) -> list[Array]:
        """Those of its parts when it leans by ``theta`` [rad] and is bent by ``u`` [m]."""
        if self.stem is None:
            return [outline(self.block, theta)]
        return [place(self.block, np.array(part), theta) for part in self.stem.bent(u)]

    def centre(self, theta: float, u: float = 0.0) -> Array:
        """Its centre of mass (x, y) [m]."""
        beside = 0.0 if self.stem is None else self.stem.share * u
        upright = np.array([[self.block.offset + beside, self.block.com_height]])
        return np.asarray(place(self.block, upright, theta)[0])

    def reach(self, leans: tuple[float, ...], bends: tuple[float, ...]) -> Array:
        """All corners of its outlines for these leans [rad] and bends [m]."""
        return np.concatenate([part for t in leans for u in bends for part in self.outlines(t, u)])

    def draw_on(self, stage: Any) -> None:
        """Draw it upright: ``ghosts`` first, then ``polygons``."""
        upright = self.outlines()

        def shape(points: Array, **look: Any) -> Any:
            return stage.add_patch(Polygon(points, closed=True, **look))

        dashes = {"fc": "none", "ec": EDGE, "lw": 0.8, "ls": (0, (3, 3)), "alpha": 0.55}
        self.ghosts = [shape(part, **dashes) for part in upright]
        edge = {"ec": EDGE, "lw": 1.2, "joinstyle": "round"}
        if self.stem is not None:
            self.polygons = [shape(part, fc=STONE, **edge) for part in upright]
            return
        b, h = self.block.width / 2, self.block.height
        self.light = np.array([[-b, 0], [-0.72 * b, 0], [-0.72 * b, h], [-b, h]])
        self.shade = np.array([[0.5 * b, 0], [b, 0], [b, h], [0.5 * b, h]])
        self.polygons = [
            shape(upright[0], fc=STONE, ec="none"),
            shape(self.light, fc=LIGHT, ec="none"),
            shape(self.shade, fc=SHADE, ec="none"),
            shape(upright[0], fc="none", **edge),
        ]
        for strip in self.polygons[1:3]:  # light and shade fall on the body only
            strip.set_clip_path(self.polygons[0])

    def put(self, theta: float, u: float, shift: Array) -> None:
        """Draw it where it is now."""
        parts = self.outlines(theta, u)
        if self.stem is None:
            strips = [place(self.block, strip, theta) for strip in (self.light, self.shade)]
            parts = [parts[0], *strips, parts[0]]
        for artist, points in zip(self.polygons, parts, strict=True):
            artist.set_xy(points + shift)

    def move_ghost(self, theta: float, u: float, shift: Array, *, seen: bool) -> None:
        """Draw where it leaned farthest."""
        for artist, points in zip(self.ghosts, self.outlines(theta, u), strict=True):
            artist.set_xy(points + shift)
            artist.set_visible(seen)
