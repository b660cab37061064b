"""Volume, centre and inertia of what a closed surface encloses; a coarse copy of it for films."""

import numpy as np

from rocksteady.bodies.meshes.files import used_only
from rocksteady.bodies.meshes.surface import Faces
from rocksteady.bodies.solids import Shape, Solid, matrix
from rocksteady.numerics.types import Array

MOST_DRAWN = 2000  # faces
DIGITS = 1e-5  # of the size: what a film can show


def enclosed(vertices: Array, faces: Faces) -> Solid:
    """The solid of density 1 inside a closed surface: each triangle makes a tetrahedron with a
    point, whose volume, first and second moments are polynomials of its corners."""
    origin = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    a, b, c = (vertices[faces[:, i]] - origin for i in range(3))
    det = np.einsum("ij,ij->i", a, np.cross(b, c))  # six volumes
    volume = float(det.sum()) / 6
    if not volume:
        return Solid(0.0, (0.0, 0.0, 0.0), matrix(((0.0,) * 3,) * 3))
    s = a + b + c
    centre = det @ s / 24 / volume
    # ∫ x xᵀ over a tetrahedron = det/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
    second = sum((v * det[:, None]).T @ v for v in (a, b, c, s)) / 120
    second = second - volume * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second
    x, y, z = (origin + centre).tolist()
    return Solid(volume, (x, y, z), matrix(((inertia + inertia.T) / 2).tolist()))


def coarse(vertices: Array, faces: Faces, most: int = MOST_DRAWN) -> Shape:
    """A copy of the surface with at most ``most`` faces: the vertices within a cell of a grid
    become one. The grid is as fine as that allows."""
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max())
    if len(faces) > most:
        fine, rough = 512, 2
        while fine - rough > 1:
            cells = (fine + rough) // 2
            fits = len(_clustered(vertices, faces, low, size / cells)[1]) <= most
            rough, fine = (cells, fine) if fits else (rough, cells)
        vertices, faces = _clustered(vertices, faces, low, size / rough)
    vertices, faces = used_only(vertices, faces)
    digits = max(0, int(-np.floor(np.log10(DIGITS * size))))
    points = vertices.round(digits) + 0.0
    return Shape(
        tuple((x, y, z) for x, y, z in points.tolist()),
        tuple((i, j, k) for i, j, k in faces.tolist()),
    )


def _clustered(vertices: Array, faces: Faces, low: Array, cell: float) -> tuple[Array, Faces]:
    grid = ((vertices - low) / cell).astype(np.int64)
    key = (grid[:, 0] << 42) | (grid[:, 1] << 21) | grid[:, 2]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    mean = np.array([np.bincount(which, vertices[:, i]) / count for i in range(3)]).T
    faces = which[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    return mean, faces[np.sort(first)]
