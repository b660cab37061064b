"""A response of stones on one page: telling moments, the ground, displacement and turn."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.systems.assembly import Assembly
from rocksteady.view import style
from rocksteady.view.assembly.moments import assembly_of, clear_factor, poses_at, telling
from rocksteady.view.assembly.stage import View, fitted, key, outline, paint_stones, set_view
from rocksteady.view.assembly.stones import magnified
from rocksteady.view.assembly.words import factor_in_words, length_in_words
from rocksteady.view.labels import notes
from rocksteady.view.time_axis import Span, span_of
from rocksteady.view.words import describe, wrapped

HIGHEST = 82.0  # mm: the row of pictures
HISTORIES = 96.0  # mm


def plot_response(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the response of an assembly: its stones at telling moments over the outline in which
    they stood, the ground's acceleration [g], the displacement of the stone that moved farthest
    with the impacts, and the largest turn [°]. Small displacements are magnified, and the picture
    says by how much.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    assembly, formulation = assembly_of(response), response.formulation
    moments = telling(response)
    poses = poses_at(response, np.array([time for _, time in moments]))
    factor = clear_factor(
        View.of(assembly).size, *(float(response.column(c).max()) for c in ("displacement", "turn"))
    )
    poses = magnified(assembly, poses, factor)
    view, row = fitted(View.of(assembly, poses), len(moments), HIGHEST)
    with style.sheet(wrapped(describe(response)), row + HISTORIES, path) as fig:
        grid = fig.add_gridspec(4, len(moments), height_ratios=(row, 22, 28, 22))
        for i, (name, time) in enumerate(moments):
            axes = fig.add_subplot(grid[0, i])
            draw_moment(axes, assembly, poses[i], view)
            axes.set_title(f"{time:.3g} s: {name}")
        if factor != 1:
            key(axes, [(factor_in_words(factor), style.VERMILLION)])
        span = span_of(response, end=float(response.time[-1]) if response.fell else None)
        ground = fig.add_subplot(grid[1, :])
        moved = fig.add_subplot(grid[2, :], sharex=ground)
        turn = fig.add_subplot(grid[3, :], sharex=ground)
        draw_ground(ground, response, span)
        draw_displacement(moved, response, [min(time, span.end) for _, time in moments])
        draw_turn(turn, response)
        for axes in (ground, moved):
            axes.tick_params(labelbottom=False)
        told: Any = getattr(formulation, "told", None)
        caption = wrapped(told(response), 130) if told else f"{formulation.name} formulation"
        fig.supxlabel(caption, x=0.012, ha="left", fontsize=7, color=style.QUIET, parse_math=False)
    return fig


def draw_moment(axes: Any, assembly: Assembly, poses: Array, view: View) -> None:
    """The stones at one time, over the outline in which they stood."""
    set_view(axes, view)
    paint_stones(axes, assembly, poses, lw=0.5)
    outline(axes, assembly, poses)


def draw_ground(axes: Any, response: Response, span: Span) -> None:
    """The ground's acceleration [g]."""
    motion = response.motion
    axes.axhline(0, color=style.FAINT, lw=0.8)
    words = [(f"PGA = {motion.pga / GRAVITY_UNIT:.3g} g", style.INK)]
    if motion.vertical is not None:
        axes.plot(response.time, response.ground[1] / GRAVITY_UNIT, color=style.ORANGE, lw=0.6)
        words.append(("vertical", style.ORANGE))
    axes.plot(response.time, response.ground[0] / GRAVITY_UNIT, color=style.INK, lw=0.8)
    if not motion.pga:
        words[0] = ("ground at rest", style.QUIET)
    if span.note:
        words.insert(0, (span.note, style.VERMILLION))
    axes.set(xlim=span, ylabel="a [g]", title="Ground acceleration")
    notes(axes, words)


def draw_displacement(axes: Any, response: Response, moments: list[float]) -> None:
    """How far the stone that moved farthest is from where it stood, with impacts as ticks and the
    moments of the pictures as dots."""
    moved = response.states[:, 0]
    top = float(np.nanmax(moved))
    scale, unit = (1e3, "mm") if top < 1 else (1.0, "m")
    impacts = response.impacts.time
    size = 7 if len(impacts) < 50 else 4  # hundreds of them form a band: keep it low
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(response.time, scale * moved, color=style.BLUE)
    axes.plot(impacts, 0 * impacts, "|", ms=size, mew=0.6, color=style.VERMILLION, zorder=3)
    seen = np.interp(moments, response.time, scale * moved)
    axes.plot(moments, seen, "o", ms=3.5, color=style.BLUE, zorder=4, clip_on=False)
    axes.set(ylabel=f"displacement [{unit}]", title="Stone that moved farthest")
    words = [("● pictures above", style.BLUE)]
    if len(impacts):
        words.append(("| impacts", style.VERMILLION))
    if top > 0:
        at = float(response.time[int(np.nanargmax(moved))])
        words.insert(0, (f"at most {length_in_words(top)} at {at:.3g} s", style.BLUE))
    notes(axes, words)


def draw_turn(axes: Any, response: Response) -> None:
    """The largest turn of any stone since the start [°]."""
    turn = np.degrees(response.column("turn"))
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(response.time, turn, color=style.GREEN)
    axes.set(xlabel="time [s]", ylabel="turn [°]", title="Largest turn of a stone")
    words = [(f"at most {np.nanmax(turn):.3g}°", style.GREEN)]
    fallen = int(response.column("fallen")[-1])
    if fallen:
        words.append((f"{fallen} fallen at the end", style.VERMILLION))
    notes(axes, words)
