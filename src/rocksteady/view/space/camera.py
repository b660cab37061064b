"""A camera: where points of space are in the picture."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from rocksteady.numerics.types import Array

FAR = 5.0  # distance of the eye over the size of what it looks at


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective view. Places in the picture are in units of its axes, x to the right."""

    eye: Array
    axes: Array
    """Rows: to the right, up, and away from the eye; unit vectors."""
    zoom: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def towards(cls, target: Array, size: float, azimuth: float, elevation: float) -> Self:
        """From a side: ``azimuth`` [°] of the eye from x towards y, ``elevation`` [°]."""
        a, e = np.radians([azimuth, elevation])
        out = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return cls(target + FAR * size * out, np.stack([right, np.cross(out, right), -out]))

    def fitted(self, points: Array, box: tuple[float, float, float, float]) -> "Camera":
        """Zoomed and shifted so that the points fill a box: left, right, bottom, top."""
        plain = Camera(self.eye, self.axes).project(points)
        low, high = plain.min(axis=0), plain.max(axis=0)
        left, right, bottom, top = box
        room = np.array([right - left, top - bottom])
        zoom = float((room / np.maximum(high - low, 1e-12)).min())
        x, y = np.array([(left + right) / 2, bottom]) - zoom * np.array(
            [(low[0] + high[0]) / 2, low[1]]
        )
        return Camera(self.eye, self.axes, zoom, (float(x), float(y)))

    def project(self, points: Array) -> Array:
        """Places (x, y) in the picture of points (x, y, z) [m]."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(self.zoom * seen[..., :2] / seen[..., 2:] + np.array(self.shift))

    def depth(self, points: Array) -> Array:
        """Distance from the eye [m]."""
        return np.asarray(np.linalg.norm(points - self.eye, axis=-1))

    def on_floor(self, places: Array) -> Array:
        """The points (x, y) of the floor [m] that are seen at these places; nan above the
        horizon."""
        across = (places - np.array(self.shift)) / self.zoom
        rays = across @ self.axes[:2] + self.axes[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            way = np.where(rays[..., 2:] < 0, -self.eye[2] / rays[..., 2:], np.nan)
        return np.asarray(self.eye[:2] + way * rays[..., :2])
