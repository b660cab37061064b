"""Light on a body: shaded faces sorted from far to near, and its shadow on the floor."""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from rocksteady.numerics.types import Array
from rocksteady.view.animation import EDGE
from rocksteady.view.space.camera import Camera
from rocksteady.view.space.mesh import Mesh, normals

TONES = np.array([to_rgb(colour) for colour in ("#8C8170", "#CFC4B2", "#F1EBE0")])
AWAY = 0.25  # brightness of what the light does not reach
LIGHT = np.array([-0.55, 0.75, -0.60])  # where it comes from: right, up, away, seen from the eye
STEEP = 0.55  # least height of the light over its distance: a shadow stays near its body
DARK = 0.32  # of the floor's brightness, taken by the shadow
SOFT = 0.007  # of the picture's width: how soft its border is


def light_for(camera: Camera) -> Array:
    """The direction from which the light comes: over the left shoulder of who looks."""
    light = LIGHT @ camera.axes
    light[2] = max(light[2], STEEP)
    return np.asarray(light / np.linalg.norm(light))


class Painted(NamedTuple):
    """What is seen of a body, from far to near."""

    places: Array
    """(n, 3, 2): triangles in the picture; an edge is a triangle without area."""
    fill: Array
    line: Array
    width: Array


def painted(mesh: Mesh, points: Array, camera: Camera, light: Array) -> Painted:
    """The triangles and edges that face the eye, with their colours; ``points`` are the vertices
    in space."""
    normal = normals(points, mesh.triangles)
    middle = points[mesh.triangles].mean(axis=1)
    towards = np.einsum("ij,ij->i", normal, camera.eye - middle)
    if not mesh.closed:  # both sides are seen
        normal, towards = normal * np.sign(towards)[:, None], np.abs(towards)
    seen = towards > 0
    colour = np.column_stack([_shade(normal @ light), np.ones(len(normal))])
    depth = camera.depth(middle)
    one, two = mesh.beside.T
    inked = seen[one] | seen[two]
    near = np.minimum(
        np.where(seen[one], depth[one], np.inf), np.where(seen[two], depth[two], np.inf)
    )[inked]
    ends = mesh.edges[inked]
    flat = camera.project(points)
    places = np.concatenate([flat[mesh.triangles[seen]], flat[ends[:, [0, 1, 0]]]])
    ink = np.tile([*to_rgb(EDGE), 1.0], (len(ends), 1))
    fill = np.concatenate([colour[seen], np.zeros((len(ends), 4))])
    line = np.concatenate([colour[seen], ink])
    width = np.concatenate([np.full(seen.sum(), 0.6), np.full(len(ends), 0.9)])
    order = np.argsort(-np.concatenate([depth[seen], near * (1 - 1e-6)]), kind="stable")
    return Painted(places[order], fill[order], line[order], width[order])


def _shade(facing: Array) -> Array:
    """Colours from dark to light, by the cosine between a face and the light."""
    level = np.clip(np.where(facing > 0, AWAY + (1 - AWAY) * facing, AWAY * (1 + facing)), 0, 1)
    steps = np.linspace(0, 1, len(TONES))
    return np.stack([np.interp(level, steps, tone) for tone in TONES.T], axis=1)


def show(collection: PolyCollection, picture: Painted) -> None:
    """Let the collection show this picture."""
    collection.set_verts(picture.places, closed=False)  # type: ignore[arg-type]
    collection.set_facecolor(picture.fill)  # type: ignore[arg-type]
    collection.set_edgecolor(picture.line)  # type: ignore[arg-type]
    collection.set_linewidth(picture.width)  # type: ignore[arg-type]


def shadow(
    mesh: Mesh, points: Array, light: Array, to_pixels: Any, size: tuple[int, int]
) -> NDArray[np.float32]:
    """How dark the shadow on the floor is in each pixel of a picture, rows from the top.

    ``to_pixels`` gives the pixels (column, row) of points of space.
    """
    # a point below the floor, by rounding, has its shadow where it is
    fallen = points - np.maximum(points[:, 2:], 0.0) / light[2] * light
    fallen[:, 2] = 0.0
    corners = to_pixels(fallen) / 2  # half the resolution: its border is soft
    lit = normals(points, mesh.triangles) @ light > 0
    mask = Image.new("L", (size[0] // 2, size[1] // 2))
    pen = ImageDraw.Draw(mask)
    for triangle in corners[mesh.triangles[lit] if mesh.closed else mesh.triangles]:
        pen.polygon(triangle.ravel().tolist(), fill=255)
    blurred = mask.filter(ImageFilter.GaussianBlur(SOFT * size[0] / 2))
    whole = blurred.resize(size, Image.Resampling.BILINEAR)
    return np.asarray(whole, np.float32) * np.float32(DARK / 255)
