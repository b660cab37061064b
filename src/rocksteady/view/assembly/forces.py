"""What the joints of an assembly carry: a line at each joint as thick as its force is large, and
the line of thrust where the stones form a chain."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, fitted, key, paint_stones, set_view
from rocksteady.view.assembly.stones import start_poses
from rocksteady.view.words import wrapped

IDLE = 0.01  # of the largest force: a joint with less is not drawn
SLIPS = 0.999  # of the friction that a joint can mobilise
THICKEST, THINNEST = 7.0, 0.6  # points
WORDS = 17.0  # mm: of a figure with one picture
MANY = 60  # joints: with more, where the thrust crosses them is not marked
PALE = 0.45  # how much of their colour the stones keep


class Resultants(NamedTuple):
    """The force of each joint."""

    point: Array
    """Where its line of action crosses the joint (joints, 2) [m]."""
    force: Array
    """On the first of its two stones (joints, 2) [N]."""
    slips: NDArray[np.bool_]
    """Whether it mobilises all its friction."""

    @classmethod
    def of(cls, joints: Sequence[Any], forces: Array) -> "Resultants":
        """Of joints with N₀ and N₁ at their ends and T along them, from the first end to the
        second (joints, 3) [N]."""
        ends = np.array([joint.ends for joint in joints], float).reshape(-1, 2, 2)
        normal = np.array([joint.normal for joint in joints], float).reshape(-1, 2)
        friction = np.array([joint.friction for joint in joints], float)
        along = ends[:, 1] - ends[:, 0]
        tangent = along / np.linalg.norm(along, axis=1, keepdims=True)
        first, second, shear = np.asarray(forces, float).T
        total = first + second
        share = np.divide(second, total, out=np.full(len(total), 0.5), where=total > 0)
        return cls(
            ends[:, 0] + share[:, None] * along,
            total[:, None] * normal + shear[:, None] * tangent,
            (total > 0) & (np.abs(shear) >= SLIPS * friction * total),
        )

    @property
    def size(self) -> Array:
        """The magnitude of each force [N]."""
        return np.asarray(np.linalg.norm(self.force, axis=1))


def plot_forces(
    assembly: Assembly,
    joints: Sequence[Any],
    forces: Array,
    path: str | Path | None = None,
    *,
    poses: Array | None = None,
    title: str = "",
    caption: str = "",
) -> Figure:
    """Draw the forces in the joints of an assembly.

    Parameters
    ----------
    joints
        Where stones touch: ``Joint(a, b, ends, normal, friction)``, where the stones are now.
    forces
        N₀, N₁ at their ends and T along them, a row each [N].
    poses
        Where the stones are (stones, 3); at the start unless given.
    title, caption
        Words above and below.
    path
        .png, .svg or .pdf, if given; written whole or not at all.
    """
    given = np.asarray(forces, float)
    if given.shape != (len(joints), 3):
        raise InputError(
            f"forces of shape {given.shape} do not fit {len(joints)} joints: give N0, N1 and T for "
            f"each, an array of shape ({len(joints)}, 3)."
        )
    places = start_poses(assembly) if poses is None else np.asarray(poses, float)
    view, height = fitted(View.of(assembly, places))
    headline = title or f"Forces in the joints of {assembly.label}"
    with style.sheet(wrapped(headline), height + WORDS, path) as fig:
        axes = fig.subplots()
        set_view(axes, view)
        paint_pale(axes, assembly, places)
        draw_forces(axes, assembly, joints, given, places)
        if caption:
            look = {"fontsize": 7, "color": style.QUIET, "parse_math": False}
            fig.supxlabel(wrapped(caption, 130), x=0.012, ha="left", **look)
    return fig


def paint_pale(axes: Any, assembly: Assembly, poses: Array) -> None:
    """The stones, pale: what lies on them matters."""
    for artist in paint_stones(axes, assembly, poses).artists:
        artist.set_alpha(PALE)


def draw_forces(
    axes: Any, assembly: Assembly, joints: Sequence[Any], forces: Array, poses: Array
) -> None:
    """A line for each loaded joint along its force, the line of thrust, and a key."""
    found = Resultants.of(joints, forces)
    largest = float(found.size.max(initial=0.0))
    if not largest > 0:
        key(axes, [("no joint is loaded", style.QUIET)])
        return
    loaded = [int(i) for i in np.flatnonzero(found.size > IDLE * largest)]
    chain = _chain(assembly, joints, loaded)
    bars = [_bar(assembly, joints[i], found, i, chain, poses) for i in loaded]
    widths = np.maximum(THICKEST * found.size[loaded] / largest, THINNEST)
    slips = found.slips[loaded]
    for some, colour in ((~slips, style.BLUE), (slips, style.VERMILLION)):
        if some.any():
            lines = [bar for bar, one in zip(bars, some, strict=True) if one]
            look: dict[str, Any] = {"colors": colour, "linewidths": widths[some], "zorder": 6}
            bundle = LineCollection(lines, joinstyle="round", capstyle="round", **look)
            axes.add_collection(bundle, autolim=False)
    if len(loaded) <= MANY:
        dots = {"mfc": "white", "mec": style.INK, "mew": 0.7, "zorder": 7}
        axes.plot(*found.point[loaded].T, "o", ms=3.2, **dots)
    words = [(f"thickest line: {force_in_words(largest)}", style.BLUE)]
    if chain and len(loaded) <= MANY:
        words.append(("○ where the thrust crosses a joint", style.INK))
    if slips.any():
        words.append(("at the limit of friction", style.VERMILLION))
    key(axes, words)


def _bar(
    assembly: Assembly,
    joint: Any,
    found: Resultants,
    i: int,
    chain: dict[int, list[int]],
    poses: Array,
) -> Array:
    """The line that shows a force: in a stone of a chain half way to where the thrust leaves it, in
    other stones to the centre; in fixed ones a little along the force."""
    point, way = found.point[i], found.force[i] / np.linalg.norm(found.force[i])
    ends: list[Array | None] = []
    for number in (joint.b, joint.a):
        if assembly.stones[number].fixed:
            ends.append(None)
        elif number in chain:
            ends.append(found.point[chain[number]].mean(axis=0))
        else:
            ends.append(poses[number, :2])
    stub = 0.5 * max(float(np.linalg.norm(end - point)) for end in ends if end is not None)
    first, last = (
        point + sign * stub * way if end is None else end
        for end, sign in zip(ends, (-1.0, 1.0), strict=True)
    )
    return np.array([first, point, last])


def _chain(
    assembly: Assembly, joints: Sequence[Any], loaded: Sequence[int]
) -> dict[int, list[int]]:
    """The two loaded joints of every stone that moves and has just two."""
    at: dict[int, list[int]] = {}
    for i in loaded:
        for number in (joints[i].a, joints[i].b):
            at.setdefault(number, []).append(i)
    return {
        number: two
        for number, two in at.items()
        if len(two) == 2 and not assembly.stones[number].fixed
    }


def force_in_words(force: float) -> str:
    """A force [N] in the unit in which it is read easily."""
    for factor, unit in ((1e6, "MN"), (1e3, "kN")):
        if force >= factor:
            return f"{force / factor:.3g} {unit}"
    return f"{force:.3g} N"
