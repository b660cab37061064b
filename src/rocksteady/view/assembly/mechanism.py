"""How an assembly fails: its stones moved along the collapse mechanism, hinges and slips, and what
the joints carry then."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from rocksteady.analysis.limit_analysis import LimitLoad
from rocksteady.bodies.assembly import Assembly
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.assembly.forces import draw_forces, paint_pale
from rocksteady.view.assembly.stage import View, fitted, key, outline, paint_stones, set_view
from rocksteady.view.assembly.stones import Corners, moved, moving, size_of, start_poses
from rocksteady.view.words import wrapped

FAR = 0.08  # of the assembly's size: how far the corner that moves most is drawn
TURN = 0.2  # rad: how far a stone is turned, at most
SQUARE = 1.1  # width over height: pictures of wider assemblies stand above each other
HEAD, WORDS = 9.0, 12.0  # mm: above and below each picture, and all of them
SEEN = 0.02  # of the fastest: joints that move less are not marked


def plot_mechanism(result: LimitLoad, path: str | Path | None = None) -> Figure:
    """Draw the mechanism in which an assembly fails, and the forces in its joints at the collapse
    load: the stones moved along the mechanism over their outline, dots at hinges, red lines along
    joints that slide.

    ``result`` is that of ``rs.analysis.limit_load``; ``path`` (.png, .svg or .pdf), if
    given, is written whole or not at all.
    """
    assembly, velocities = result.assembly, np.asarray(result.velocities, float)
    poses = drawn_poses(assembly, velocities)
    whole = View.of(assembly, poses)
    loaded = math.isfinite(result.multiplier)
    above = whole.width > SQUARE * whole.height
    rows, columns = (2, 1) if loaded and above else (1, 2) if loaded else (1, 1)
    view, height = fitted(whole, columns, 100.0)
    height = rows * (height + HEAD)
    with style.sheet(wrapped(_headline(result)), height + WORDS, path) as fig:
        panels = fig.subplots(rows, columns, squeeze=False).ravel()
        set_view(panels[0], view)
        paint_stones(panels[0], assembly, poses)
        outline(panels[0], assembly, poses)
        draw_joints(panels[0], result, poses)
        if loaded:
            panels[0].set_title("Mechanism")
            set_view(panels[1], view)
            paint_pale(panels[1], assembly, start_poses(assembly))
            draw_forces(panels[1], assembly, result.joints, result.forces, start_poses(assembly))
            panels[1].set_title("Forces in the joints")
        look = {"fontsize": 7, "color": style.QUIET, "parse_math": False}
        fig.supxlabel(wrapped(result.words, 130), x=0.012, ha="left", **look)
    return fig


def _headline(result: LimitLoad) -> str:
    """What becomes of it, in one line."""
    name = result.assembly.label
    name = name[0].upper() + name[1:]
    if math.isfinite(result.multiplier):
        return f"{name}: collapses at λ = {result.multiplier:.4g}"
    return f"{name}: {result.status}"


def drawn_poses(assembly: Assembly, velocities: Array) -> Array:
    """The poses of the stones moved along a mechanism as far as one sees well. Each turns about
    its own centre of rotation, so that stones that move as one stay together."""
    start = start_poses(assembly)
    fastest = _fastest(assembly, velocities)
    if not fastest > 0:
        return start
    spin = float(np.abs(velocities[:, 2]).max())
    amount = FAR * size_of(assembly) / fastest
    amount = min(amount, TURN / spin) if spin > 0 else amount
    x, y, turn = amount * velocities.T
    along = np.sinc(turn / np.pi)  # sin θ / θ
    across = turn / 2 * np.sinc(turn / (2 * np.pi)) ** 2  # (1 − cos θ) / θ
    return np.asarray(start + np.stack([along * x - across * y, along * y + across * x, turn], 1))


def _fastest(assembly: Assembly, velocities: Array) -> float:
    """The largest velocity of any corner."""
    corners = Corners(assembly, moving(assembly))
    rate = velocities[corners.owner]
    x, y = corners.local.T
    speed = rate[:, :2] + rate[:, 2:] * np.stack([-y, x], axis=1)
    return float(np.linalg.norm(speed, axis=1).max(initial=0.0))


def draw_joints(axes: Any, result: LimitLoad, poses: Array) -> None:
    """Dots at the hinges and lines along the joints that slide, with a key."""
    centres = start_poses(result.assembly)[:, :2]

    def now(number: int) -> Array:
        """The ends of a joint, midway between where its two stones carry them."""
        joint = result.joints[number]
        ends = np.array(joint.ends, float)
        both = [moved(ends - centres[i], poses[[i, i]]) for i in (joint.a, joint.b)]
        return np.asarray((both[0] + both[1]) / 2)

    words = []
    opens = result.openings - result.openings.min(axis=1, keepdims=True)
    least = SEEN * max(float(np.abs(result.slips).max(initial=0.0)), float(opens.max(initial=0.0)))
    slides = [now(number) for number in result.sliding_joints if abs(result.slips[number]) > least]
    if slides:
        look: dict[str, Any] = {"colors": style.VERMILLION, "linewidths": 1.8, "zorder": 6}
        axes.add_collection(LineCollection(slides, **look), autolim=False)
        words.append(("— slides", style.VERMILLION))
    hinges = [now(hinge.joint)[hinge.end] for hinge in result.hinges
              if opens[hinge.joint].max() > least]  # fmt: skip
    if hinges:
        look = {"color": style.INK, "mec": "white", "mew": 0.7, "zorder": 7, "ls": "none"}
        axes.plot(*np.array(hinges).T, "o", ms=5 if len(hinges) < 40 else 3, **look)
        words.append(("● hinge", style.INK))
    before = ("thin lines: before", style.QUIET)
    key(axes, [*words, before] if words else [("no joint moves", style.QUIET)])
