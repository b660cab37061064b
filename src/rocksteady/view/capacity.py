"""The capacity curve of an assembly: load over displacement, and how it stands in the end."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from rocksteady.analysis.limit_analysis.capacity import CapacityCurve
from rocksteady.numerics.types import Array
from rocksteady.systems.assembly import Assembly
from rocksteady.view import style


def plot_capacity(curve: CapacityCurve, path: str | Path | None = None) -> Figure:
    """Draw λ over the displacement of the control point, and the stones where the curve begins and
    ends.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    title = f"Capacity curve of {curve.assembly.label}"
    with style.sheet(title, 75, path) as fig:
        load, shape = fig.subplots(1, 2)
        _draw_curve(load, curve)
        end = 1e3 * curve.displacement[-1]
        _draw_stones(shape, curve.assembly, curve.poses[0], color="none", edge=style.QUIET)
        _draw_stones(shape, curve.assembly, curve.poses[-1], color=style.FAINT, edge=style.INK)
        moving = [i for i, stone in enumerate(curve.assembly) if not stone.fixed]
        corners = np.array([c for i in moving for c in curve.assembly.stones[i].corners])
        low, high = corners.min(axis=0), corners.max(axis=0)
        margin = 0.15 * float((high - low).max())
        shape.set_xlim(low[0] - margin, high[0] + margin + max(curve.displacement[-1], 0.0))
        shape.set_ylim(low[1] - margin, high[1] + margin)
        shape.set_aspect("equal")
        shape.set(xlabel="x [m]", ylabel="y [m]", title=f"At the start (grey) and at {end:.3g} mm")
    return fig


def _draw_curve(axes: Any, curve: CapacityCurve) -> None:
    d = 1e3 * curve.displacement
    last = len(d) if curve.exact.all() else int(np.argmin(curve.exact))
    axes.plot(d[:last], curve.multiplier[:last], color=style.BLUE, label="carried by the joints")
    if last < len(d):
        beyond = slice(max(last - 1, 0), None)
        axes.plot(
            d[beyond],
            curve.multiplier[beyond],
            color=style.VERMILLION,
            ls=style.DASHED,
            label="with the hinges kept: upper bound",
        )
        axes.legend()
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set(
        xlabel=f"displacement of {curve.control} [mm]",
        ylabel="load multiplier λ [–]",
        title="Load that it carries",
    )


def _draw_stones(axes: Any, assembly: Assembly, pose: Array, color: str, edge: str) -> None:
    outlines = []
    for stone, (x, y, turn) in zip(assembly, pose, strict=True):
        c, s = np.cos(turn), np.sin(turn)
        centre = np.array(stone.centre)
        for part in stone.parts:
            arm = np.array(part) - centre
            outlines.append(arm @ np.array([[c, s], [-s, c]]) + centre + (x, y))
    axes.add_collection(PolyCollection(outlines, facecolors=color, edgecolors=edge, linewidths=0.6))
