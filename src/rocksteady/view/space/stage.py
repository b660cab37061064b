"""The floor under a body, drawn once: a grid that fades away, and a dial for the ground."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb, to_rgba
from numpy.typing import NDArray

from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.film_body import EARTH, EDGE
from rocksteady.view.space.camera import Camera

REACH = 1.5  # radius of the floor that is seen, over the size of the scene
CELLS = 7.0  # about so many cells of the grid along the size of the scene
GRID = to_rgb("#B9B0A0")
LOWEST, CLEAR = 0.252, 0.29  # of the picture's width: where the floor ends, and where it is whole


def floor_picture(
    camera: Camera, middle: Array, size: float, pixels: tuple[int, int]
) -> NDArray[np.uint8]:
    """The bare floor, brightest far from the scene: rows from the top, RGB."""
    width, height = pixels
    across = (np.arange(width) + 0.5) / width
    up = (height - np.arange(height) - 0.5) / width
    places = np.stack(np.broadcast_arrays(across[None, :], up[:, None]), axis=-1)
    away = np.linalg.norm(camera.on_floor(places) - middle, axis=-1) / (REACH * size)
    share = (_fade(np.nan_to_num(away, nan=2.0)) * _front(places))[..., None]
    earth = 255 * np.array(to_rgb(EARTH))
    return np.asarray(np.round(255 + share * (earth - 255)), np.uint8)


def draw_grid(axes: Any, camera: Camera, middle: Array, size: float) -> float:
    """Lines over the floor, fading with their distance; returns the width of a cell [m]."""
    cell = nice(size / CELLS)
    reach = REACH * size
    low, high = (np.floor((middle + way * reach) / cell).astype(int) for way in (-1, 1))
    segments = []
    for axis in (0, 1):
        fixed = cell * np.arange(low[axis], high[axis] + 1)
        along = cell / 2 * np.arange(2 * low[1 - axis], 2 * high[1 - axis] + 1)  # to fade evenly
        for start, end in pairwise(along):
            ends = np.zeros((len(fixed), 2, 3))
            ends[:, :, axis] = fixed[:, None]
            ends[:, :, 1 - axis] = (start, end)
            segments.append(ends)
    lines = np.concatenate(segments)
    away = np.linalg.norm(lines.mean(axis=1)[:, :2] - middle, axis=1) / reach
    places = camera.project(lines)
    ink = 0.75 * _fade(away) * _front(places.mean(axis=1))
    seen = ink > 0.015
    colours = [(*GRID, alpha) for alpha in ink[seen]]
    axes.add_collection(LineCollection(list(places[seen]), colors=colours, linewidths=0.6))
    return cell


def nice(length: float) -> float:
    """The nearest of 1, 2, 5, 10, ... [m]."""
    power = 10.0 ** math.floor(math.log10(length))
    return float(min((1, 2, 5, 10), key=lambda step: abs(math.log(step * power / length))) * power)


def draw_outline(axes: Any, camera: Camera, outline: Array) -> None:
    """Where the base stood at the start, dashed."""
    ring = np.column_stack([np.vstack([outline, outline[:1]]), np.zeros(len(outline) + 1)])
    axes.plot(*camera.project(ring).T, color=EDGE, lw=0.9, ls=(0, (3, 2)))


def _fade(away: Array) -> Array:
    """From 1 in the middle to 0 at the distance 1, smoothly."""
    rest = np.clip(1 - away, 0, 1)
    return np.asarray(rest * rest * (3 - 2 * rest))


def _front(places: Array) -> Array:
    """From 1 to 0 towards the lower end of the floor in the picture."""
    return np.asarray(np.clip((places[..., 1] - LOWEST) / (CLEAR - LOWEST), 0, 1))


class Dial:
    """A circle on the floor with the axes x and y, in which an arrow shows the ground's
    acceleration; upright beside it the vertical one."""

    def __init__(self, axes: Any, camera: Camera, centre: Array, radius: float) -> None:
        self.camera, self.radius = camera, radius
        self.centre = np.array([*centre, 0.0])
        angle = np.linspace(0, 2 * np.pi, 73)
        ring = self._places(radius * np.stack([np.cos(angle), np.sin(angle)], 1))
        axes.plot(*ring.T, color=style.QUIET, lw=0.8)
        for name, way in (("x", (1.0, 0.0)), ("y", (0.0, 1.0))):
            line = self._places(np.outer([0.92, 1.12], way) * radius)
            axes.plot(*line.T, color=style.QUIET, lw=0.8)
            place = self._places(1.36 * radius * np.array([way]))[0]
            axes.text(*place, name, color=style.QUIET, fontsize=7.5, ha="center", va="center")
        self.arrow = axes.fill([0, 0, 0], [0, 0, 0], color=style.BLUE, alpha=0.9, lw=0)[0]
        self.post = axes.plot([], [], color=style.ORANGE, lw=2.0, solid_capstyle="butt")[0]
        self.artists = [self.arrow, self.post]

    def _places(self, flat: Array) -> Array:
        """In the picture, of points (x, y) from the middle of the dial."""
        return self.camera.project(self.centre + np.column_stack([flat, np.zeros(len(flat))]))

    def show(self, push: Array) -> None:
        """The ground's acceleration (x, y, z) over the one that the circle stands for."""
        size = float(np.hypot(*push[:2]))
        self.arrow.set_visible(size > 0.01)
        if size > 0.01:
            thick, tip = 0.075, size
            neck = max(tip - 0.28, 0.0)
            barb = 0.17 * min(1.0, tip / 0.28)
            x = np.array([0, neck, neck, tip, neck, neck, 0])
            y = np.array([thick, thick, barb, 0, -barb, -thick, -thick])
            ahead = np.array([push[0], push[1]]) / size
            aside = np.array([-ahead[1], ahead[0]])
            flat = self.radius * (x[:, None] * ahead + y[:, None] * aside)
            self.arrow.set_xy(self._places(flat))
        ends = self.centre + self.radius * np.array([[0, 0, 0], [0, 0, push[2]]])
        self.post.set_data(*self.camera.project(ends).T)
        self.post.set_visible(abs(push[2]) > 0.01)


def faded(colour: str, count: int) -> list[tuple[float, float, float, float]]:
    """A colour that comes in from nothing along so many pieces of a trail."""
    return [to_rgba(colour, float(alpha)) for alpha in np.linspace(0, 1, count + 1)[1:] ** 1.5]
