"""What a body in space may be: checks of its inertia, centre and shape."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocksteady.bodies.solids import Matrix, Shape, Vector, matrix
from rocksteady.errors import InputError
from rocksteady.numbers import real, reals

ROUNDING = 1e-9  # relative error that counts as rounding


def checked_inertia(given: Any) -> Matrix:
    """A symmetric, positive definite tensor as plain floats; a diagonal may stand for it."""
    if _plain(given):
        return given  # type: ignore[no-any-return]
    try:
        tensor = reals(given)
    except (TypeError, ValueError):
        tensor = np.zeros(0)
    if tensor.shape == (3,):
        tensor = np.diag(tensor)
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all():
        raise InputError(
            f"inertia = {str(given)[:80]} is not allowed: give 3 × 3 finite numbers [kg m²] about "
            "the centre of mass, or the three of a diagonal."
        )
    size = float(np.abs(tensor).max())
    if float(np.abs(tensor - tensor.T).max()) > ROUNDING * size:
        raise InputError(
            "inertia is not symmetric: the products of inertia above and below the diagonal are "
            "the same, J_xy = J_yx."
        )
    tensor = (tensor + tensor.T) / 2
    low, mid, high = np.linalg.eigvalsh(tensor)
    if not low > 0:
        raise InputError(
            f"inertia has a principal moment of {low:.4g} kg m²: all three must be positive."
        )
    if high > (low + mid) * (1 + ROUNDING):
        raise InputError(
            f"inertia belongs to no body: its largest principal moment, {high:.4g} kg m², must not "
            f"exceed the sum of the others, {low:.4g} + {mid:.4g}. Products of inertia have a "
            "minus sign: J_xy = −∫ x y dm."
        )
    return matrix(tensor.tolist())


def _plain(given: Any) -> bool:
    """Whether a tensor is a positive diagonal of plain floats already: fast, for many bodies."""
    if type(given) is not tuple or len(given) != 3:
        return False
    if not all(type(row) is tuple and len(row) == 3 for row in given):
        return False
    if not all(type(value) is float for row in given for value in row):
        return False
    (a, d, e), (f, b, h), (i, j, c) = given
    if any((d, e, f, h, i, j)):
        return False
    return bool(0 < a <= b + c < math.inf and 0 < b <= a + c and 0 < c <= a + b)


def checked_centre(given: Any, height: float) -> Vector:
    """The centre of mass as plain floats, between the base and the top."""
    try:
        x, y, z = (real(value) for value in given)
    except (TypeError, ValueError):
        x = y = z = math.nan
    if not all(map(math.isfinite, (x, y, z))):
        raise InputError(
            f"centre = {str(given)[:80]} is not allowed: give (x, y, z) of the centre of mass in "
            "metres, z above the base."
        )
    if not 0 < z <= height:
        raise InputError(
            f"The centre of mass is {z:g} m above the base: it must be above the floor and not "
            f"above the top, between 0 and height = {height:g} m."
        )
    return x, y, z


def refuse_falling(reaches: Sequence[tuple[float, float]], centre: Vector) -> None:
    """Refuse a centre of mass that is not above the inside of the base; ``reaches`` are distances
    [m] to its edges and their directions [°]."""
    distance, direction = min(reaches)
    if not distance > ROUNDING * centre[2]:
        far = "on the edge of" if -distance < 1e-6 * centre[2] else f"{-distance:.3g} m outside"
        raise InputError(
            f"The centre of mass, at x = {centre[0]:g} m and y = {centre[1]:g} m, lies {far} the "
            f"base in the direction {direction:.0f}° from x: the body falls without an earthquake. "
            "Check the base and the centre."
        )


def checked_shape(given: Any) -> Shape | None:
    """What films draw, as plain tuples."""
    if given is None or isinstance(given, Shape):
        return given
    try:
        vertices, faces = given
        points = reals(vertices)
        corners = tuple(tuple(int(i) for i in face) for face in faces)
    except (TypeError, ValueError):
        raise InputError(
            "shape must be (vertices, faces): the x, y and z of each vertex in metres, and the "
            "numbers of the vertices of each face."
        ) from None
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise InputError("shape: each vertex needs finite x, y and z in metres.")
    if any(len(face) < 3 or not 0 <= min(face) <= max(face) < len(points) for face in corners):
        raise InputError(
            f"shape: each face needs 3 or more numbers of vertices, from 0 to {len(points) - 1}."
        )
    return Shape(tuple((x, y, z) for x, y, z in points.tolist()), corners)
