"""The load that an assembly carries while it is pushed, and the stones on the way."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.limit_analysis.capacity import CapacityCurve
from rocksteady.outcome import length
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, fitted, outline, paint_stones, set_view
from rocksteady.view.assembly.stones import start_poses
from rocksteady.view.labels import clear_legend, notes
from rocksteady.view.words import wrapped

SHARES = (1 / 3, 2 / 3, 1.0)  # of the last displacement: where the stones are shown
CURVE, WORDS = 58.0, 30.0  # mm


def plot_capacity(curve: CapacityCurve, path: str | Path | None = None) -> Figure:
    """Draw the multiplier λ over the displacement of the control point, and the stones at three
    points of the curve over the outline in which they stood.

    ``curve`` is that of ``rs.analysis.capacity_curve``; ``path`` (.png, .svg or .pdf),
    if given, is written whole or not at all.
    """
    assembly, end = curve.assembly, curve.displacement[-1]
    shown = [int(np.argmin(np.abs(curve.displacement - share * end))) for share in SHARES]
    poses = start_poses(assembly) + curve.poses[shown]
    view, height = fitted(View.of(assembly, poses), len(shown), 70.0)
    name = assembly.label
    title = f"{name[0].upper()}{name[1:]}, pushed: λ from {curve.multiplier[0]:.4g} to "
    title += f"{abs(curve.multiplier[-1]):.4g} at {length(end)}"
    with style.sheet(wrapped(title), CURVE + height + WORDS, path) as fig:
        grid = fig.add_gridspec(2, len(shown), height_ratios=(CURVE, height))
        axes = fig.add_subplot(grid[0, :])
        _draw_curve(axes, curve, shown)
        for i, k in enumerate(shown):
            picture = fig.add_subplot(grid[1, i])
            set_view(picture, view)
            paint_stones(picture, assembly, poses[i], lw=0.5)
            outline(picture, assembly, poses[i])
            picture.set_title(f"{length(curve.displacement[k])}")
        look = {"fontsize": 7, "color": style.QUIET, "parse_math": False}
        fig.supxlabel(wrapped(curve.words, 130), x=0.012, ha="left", **look)
    return fig


def _draw_curve(axes: Any, curve: CapacityCurve, shown: list[int]) -> None:
    """λ over the displacement: where the joints carry it, and where the hinges are only kept."""
    scale, unit = (1e3, "mm") if curve.displacement[-1] < 1 else (1.0, "m")
    d, load = scale * curve.displacement, curve.multiplier
    last = len(d) if curve.exact.all() else int(np.argmin(curve.exact))
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(d[:last], load[:last], color=style.BLUE, label="carried by the joints")
    if last < len(d):
        beyond = slice(max(last - 1, 0), None)
        look: dict[str, Any] = {"color": style.VERMILLION, "ls": style.DASHED}
        axes.plot(d[beyond], load[beyond], label="hinges kept: upper bound", **look)
    axes.plot(d[shown], load[shown], "o", ms=3.5, color=style.BLUE, zorder=4, clip_on=False)
    axes.set(xlim=(0, 1.03 * d[-1]), ylim=(min(0.0, 1.05 * load.min()), 1.1 * load.max()))
    axes.set(xlabel=f"displacement of {curve.control} [{unit}]", ylabel="multiplier λ [–]")
    axes.set_title("Load that it carries")
    notes(axes, [("● pictures below", style.BLUE)])
    if last < len(d):
        clear_legend(axes)
