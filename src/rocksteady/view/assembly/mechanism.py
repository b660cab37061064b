"""How an assembly fails: its stones moved along the collapse mechanism, hinges and slips."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rocksteady.numerics.types import Array
from rocksteady.systems.assembly import Assembly
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, outline, paint_stones, picture_height, set_view
from rocksteady.view.assembly.stones import Corners, moved, moving, start_poses
from rocksteady.view.labels import notes
from rocksteady.view.words import wrapped

FAR = 0.08  # of the assembly's size: how far the stone that moves most is drawn
TURN = 0.2  # rad: how far one is turned, at most
STILL = 1e-4  # of the largest velocity: a joint that moves less is closed
UPPER_BOUND = (
    "Collapse multiplier with sliding that dilates (associated friction): an upper bound, since "
    "dry stones slide without dilating."
)


class Motions(NamedTuple):
    """What a mechanism does to each joint."""

    opens: Array
    """Velocity with which its two ends open (joints, 2) [m/s, to a scale]."""
    slides: Array
    """Velocity of the first stone along it (joints,)."""
    pivots: NDArray[np.bool_]
    """Whether an end is the hinge about which it opens (joints, 2)."""
    slips: NDArray[np.bool_]
    """Whether it slides (joints,)."""

    @classmethod
    def of(cls, assembly: Assembly, joints: Sequence[Any], velocities: Array) -> "Motions":
        centres = start_poses(assembly)[:, :2]
        opens, slides = np.zeros((len(joints), 2)), np.zeros(len(joints))
        for k, joint in enumerate(joints):
            ends, normal = np.array(joint.ends, float), np.array(joint.normal, float)
            rate = [
                velocities[i, :2] + velocities[i, 2] * _turned(ends - centres[i])
                for i in (joint.a, joint.b)
            ]
            along = ends[1] - ends[0]
            relative = rate[0] - rate[1]
            opens[k] = relative @ normal
            slides[k] = relative[0] @ along / np.linalg.norm(along)
        level = STILL * _fastest(assembly, velocities)
        slips = np.abs(slides) > level
        gapes = np.abs(opens[:, 1] - opens[:, 0]) > level  # by a rotation
        nearer = opens == opens.min(axis=1, keepdims=True)
        return cls(opens, slides, nearer & gapes[:, None], slips)


def _turned(arms: Array) -> Array:
    """The arms a quarter turn on: what a unit rotation moves their ends by."""
    return np.stack([-arms[:, 1], arms[:, 0]], axis=1)


def _fastest(assembly: Assembly, velocities: Array) -> float:
    """The largest velocity of any corner."""
    corners = Corners(assembly, moving(assembly))
    rate = velocities[corners.owner]
    speed = rate[:, :2] + rate[:, 2:] * _turned(corners.local)
    return float(np.linalg.norm(speed, axis=1).max(initial=0.0))


def drawn_poses(assembly: Assembly, velocities: Array) -> Array:
    """The poses of the stones moved along a mechanism as far as one sees well. Each turns about
    its own centre of rotation, so that stones that move as one stay together."""
    fastest = _fastest(assembly, velocities)
    start = start_poses(assembly)
    if not fastest > 0:
        return start
    spin = float(np.abs(velocities[:, 2]).max())
    amount = FAR * View.of(assembly).size / fastest
    amount = min(amount, TURN / spin) if spin > 0 else amount
    x, y, turn = amount * velocities.T
    along = np.sinc(turn / np.pi)  # sin θ / θ
    across = turn / 2 * np.sinc(turn / (2 * np.pi)) ** 2  # (1 − cos θ) / θ
    return np.asarray(start + np.stack([along * x - across * y, along * y + across * x, turn], 1))


def plot_mechanism(result: Any, path: str | Path | None = None) -> Figure:
    """Draw the mechanism in which an assembly fails under its collapse load: the stones moved along
    it over their outline, dots at hinges and red lines along joints that slide.

    ``result`` is that of :func:`rocksteady.analysis.limit_load`; ``path`` (.png, .svg or .pdf), if
    given, is written whole or not at all.
    """
    assembly, velocities = result.assembly, np.asarray(result.velocities, float)
    poses = drawn_poses(assembly, velocities)
    view = View.of(assembly, poses)
    title = f"Collapse mechanism of {assembly.label}: λ = {result.multiplier:.4g}"
    with style.sheet(wrapped(title), picture_height(view), path) as fig:
        axes = fig.subplots()
        set_view(axes, view)
        paint_stones(axes, assembly, poses)
        outline(axes, assembly, poses)
        draw_joints(axes, assembly, result.joints, velocities, poses)
        look = {"fontsize": 7, "color": style.QUIET, "parse_math": False}
        fig.supxlabel(wrapped(UPPER_BOUND, 130), x=0.012, ha="left", **look)
    return fig


def draw_joints(
    axes: Any, assembly: Assembly, joints: Sequence[Any], velocities: Array, poses: Array
) -> None:
    """Dots at the hinges and lines along the joints that slide, with a key."""
    motions = Motions.of(assembly, joints, velocities)
    centres = start_poses(assembly)[:, :2]

    def now(joint: Any) -> Array:
        """The ends of a joint, midway between where its two stones carry them."""
        ends = np.array(joint.ends, float)
        both = [moved(ends - centres[i], poses[[i, i]]) for i in (joint.a, joint.b)]
        return np.asarray((both[0] + both[1]) / 2)

    words = []
    slides = [now(joint) for joint, slips in zip(joints, motions.slips, strict=True) if slips]
    if slides:
        look: dict[str, Any] = {"colors": style.VERMILLION, "linewidths": 1.8, "zorder": 6}
        axes.add_collection(LineCollection(slides, **look), autolim=False)
        words.append((f"— slides ({len(slides)})", style.VERMILLION))
    hinges = [now(joint)[end] for joint, ends in zip(joints, motions.pivots, strict=True)
              for end in np.flatnonzero(ends)]  # fmt: skip
    if hinges:
        look = {"color": style.INK, "mec": "white", "mew": 0.7, "zorder": 7, "ls": "none"}
        axes.plot(*np.array(hinges).T, "o", ms=5, **look)
        words.append((f"● hinges ({len(hinges)})", style.INK))
    notes(axes, [*words, ("thin lines: before", style.QUIET)] if words else
          [("no joint moves", style.QUIET)])  # fmt: skip
