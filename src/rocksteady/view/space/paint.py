"""Light on a body: its picture with shaded faces, and its shadow on the floor."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from rocksteady.numerics.types import Array
from rocksteady.view.film_body import EDGE
from rocksteady.view.space.camera import Camera
from rocksteady.view.space.mesh import Mesh
from rocksteady.view.space.raster import INK, blended, fill

Pixels = Callable[[Array], Array]
"""Columns and rows, from the top left, of points (x, y, z) [m]."""

TONES = ("#857A69", "#CFC4B2", "#F3EDE3")  # of stone, from dark to light
AWAY = 0.25  # brightness of what the light does not reach
LIGHT = np.array([-0.55, 0.75, -0.60])  # where it comes from: right, up, away, seen from the eye
STEEP = 0.55  # least height of the light over its distance: a shadow stays near its body
DARK = 0.32  # of the floor's brightness, taken by the shadow
SOFT = 0.007  # of the picture's width: how soft its border is
FINE = 3  # points along each side of a pixel
LINE = 0.0017  # of the picture's width: thickness of an edge
LIFTED = 1.004  # nearness of an edge over that of the faces beside it


def light_for(camera: Camera) -> Array:
    """The direction from which the light comes: over the left shoulder of who looks."""
    light = LIGHT @ camera.axes
    light[2] = max(light[2], STEEP)
    return np.asarray(light / np.linalg.norm(light))


class Patch(NamedTuple):
    """A piece of a picture to be laid over it."""

    rows: slice
    columns: slice
    colour: NDArray[np.float32]
    """RGB from 0 to 255, times the cover."""
    cover: NDArray[np.float32]
    """From 0 to 1."""

    def over(self, picture: NDArray[np.uint8]) -> None:
        """Lay it over."""
        part = picture[self.rows, self.columns, :3]
        part[:] = np.round(part * (1 - self.cover) + self.colour)


def painted(
    mesh: Mesh, points: Array, turn: Array, camera: Camera, light: Array, pixels: Pixels,
    size: tuple[int, int],
) -> Patch | None:  # fmt: skip
    """The body as it is seen in a picture of this size; None if it is outside.

    ``points`` are its vertices in space, ``turn`` its attitude.
    """
    places = pixels(points)
    low = np.maximum(np.floor(places.min(axis=0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(places.max(axis=0)).astype(int) + 3, size)
    if (low >= high).any():
        return None
    fine = FINE * (places - low)
    near = 1 / camera.depth(points)
    tones = _brightness(mesh, points, camera, mesh.normals @ (turn.T @ light))
    columns, rows = FINE * (high - low)
    seen, tone = np.zeros((rows, columns)), np.zeros((rows, columns))
    fill(seen, tone, fine[mesh.triangles], near[mesh.triangles], tones)
    lines, depths = _strokes(fine[mesh.edges], near[mesh.edges], LINE * FINE * size[0])
    fill(seen, tone, lines, LIFTED * depths, np.full(depths.shape, INK))
    colour, cover = blended(seen, tone, PALETTE, FINE)
    return Patch(slice(low[1], high[1]), slice(low[0], high[0]), colour, cover)


def _brightness(mesh: Mesh, points: Array, camera: Camera, facing: Array) -> Array:
    """From 0 to 1 at the corners of each triangle, by the cosine between normal and light."""
    a, b, c = (points[mesh.triangles[:, i]] for i in range(3))
    inner = np.einsum("ij,ij->i", np.cross(b - a, c - a), camera.eye - a) < 0  # seen from inside
    facing = np.where(inner[:, None], -facing, facing)
    return np.where(facing > 0, AWAY + (1 - AWAY) * facing, AWAY * (1 + facing))


def _strokes(ends: Array, near: Array, thick: float) -> tuple[Array, Array]:
    """Lines of some thickness as two triangles each."""
    along = ends[:, 1] - ends[:, 0]
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    aside = thick / 2 * np.stack([-along[:, 1], along[:, 0]], axis=1)
    a, b = ends[:, 0] - thick / 3 * along, ends[:, 1] + thick / 3 * along  # corners are closed
    first = np.stack([a - aside, a + aside, b + aside], axis=1)
    second = np.stack([a - aside, b + aside, b - aside], axis=1)
    return np.concatenate([first, second]), np.concatenate([near[:, [0, 0, 1]], near[:, [0, 1, 1]]])


def _palette() -> NDArray[np.float32]:
    """Colours of brightness 0 to 254, and of lines."""
    tones = 255 * np.array([to_rgb(tone) for tone in TONES])
    level, steps = np.linspace(0, 1, 255), np.linspace(0, 1, len(tones))
    shades = np.stack([np.interp(level, steps, channel) for channel in tones.T], axis=1)
    return np.concatenate([shades, [255 * np.array(to_rgb(EDGE))]]).astype(np.float32)


PALETTE = _palette()


def shadow(
    mesh: Mesh, points: Array, light: Array, pixels: Pixels, size: tuple[int, int]
) -> NDArray[np.float32]:
    """How dark the shadow on the floor is in each pixel of a picture of this size."""
    # a point below the floor, by rounding, has its shadow where it is
    fallen = points - np.maximum(points[:, 2:], 0.0) / light[2] * light
    fallen[:, 2] = 0.0
    corners = pixels(fallen)[mesh.triangles] / 2  # half the resolution: its border is soft
    seen = np.zeros((math.ceil(size[1] / 2), math.ceil(size[0] / 2)))
    even = np.ones(mesh.triangles.shape)
    fill(seen, np.empty_like(seen), corners, even, even)
    mask = Image.fromarray(np.asarray(255 * seen, np.uint8))
    blurred = mask.filter(ImageFilter.GaussianBlur(SOFT * size[0] / 2))
    whole = blurred.resize(size, Image.Resampling.BILINEAR)
    return np.asarray(whole, np.float32) * np.float32(DARK / 255)
