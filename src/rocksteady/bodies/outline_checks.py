"""What an outline may be: checks of the corners that are given."""

import json
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.numerics.types import Array

MOST_CORNERS = 1000
FAR = 1e9  # largest coordinate: its powers stay finite


def from_text(outline: Any) -> Any:
    """The corners from the text "[[0.2, 0.3], …]" that stands in a table; others as they are."""
    if not isinstance(outline, str):
        return outline
    try:
        return json.loads(outline)
    except (ValueError, RecursionError):
        return ()


def corners_of(points: Any) -> Array:
    """The corners as an array, without repeated ones."""
    if isinstance(points, str) or not hasattr(points, "__len__"):
        points = ()
    if len(points) > MOST_CORNERS + 1:
        raise InputError(
            f"The outline has {len(points)} corners: at most {MOST_CORNERS} are allowed. Leave out "
            "those that hardly change it."
        )
    try:
        corners = np.array([(real(x), real(y)) for x, y in points]).reshape(-1, 2)
    except (TypeError, ValueError):
        raise InputError(
            "The outline is not a list of corners: write it as [[x, y], [x, y], [x, y]], x to the "
            "right and y up."
        ) from None
    wrong = np.flatnonzero(~(np.abs(corners) <= FAR).all(axis=1))
    if len(wrong):
        raise InputError(
            f"Corner {wrong[0] + 1} of the outline is {str(points[wrong[0]])[:60]}: both numbers "
            f"must be finite, and not beyond ±{FAR:g}."
        )
    if len(corners):
        corners = corners[np.any(corners != np.roll(corners, 1, axis=0), axis=1)]
    if len(corners) < 3:
        raise InputError(f"The outline has {len(corners)} different corners: it needs at least 3.")
    return corners


def refuse_crossing(corners: Array) -> None:
    """Refuse an outline of which two sides cross or touch, or one goes back along the other."""
    n = len(corners)
    a, b = corners, np.roll(corners, -1, axis=0)
    along = b - a
    onwards = np.roll(along, -1, axis=0)
    straight = along[:, 0] * onwards[:, 1] == along[:, 1] * onwards[:, 0]
    back = np.flatnonzero(straight & ((along * onwards).sum(axis=1) < 0))
    if len(back):
        raise InputError(
            f"The outline goes back along itself at its corner {(back[0] + 1) % n + 1}: delete it."
        )
    from_a = _turn(a[:, None], b[:, None], a[None])  # of corner j, from side i
    sides = np.sign(from_a) * np.sign(np.roll(from_a, -1, axis=1)) <= 0
    low, high = np.minimum(a, b), np.maximum(a, b)
    near = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2)
    i, j = np.nonzero(np.triu(sides & sides.T & near, 2))
    apart = (j - i) % n < n - 1  # the last side and the first are neighbours
    if apart.any():
        one, other = (int(found[apart][0]) + 1 for found in (i, j))
        raise InputError(
            f"The outline crosses or touches itself: its side {one} (from corner {one}) meets its "
            f"side {other}. Give the corners in the order along the outline."
        )


def _turn(a: Array, b: Array, c: Array) -> Array:
    """Twice the area of triangles, positive if they run counter-clockwise."""
    ab, ac = b - a, c - a
    return np.asarray(ab[..., 0] * ac[..., 1] - ab[..., 1] * ac[..., 0])
