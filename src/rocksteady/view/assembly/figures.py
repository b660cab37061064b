"""A response of stones on one page: telling moments, the ground, displacement and turn."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure, SubFigure

from rocksteady.bodies.assembly import Assembly
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.outcome import STILL, length
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.assembly.moments import assembly_of, clear_factor, poses_at, shown, telling
from rocksteady.view.assembly.stage import View, key, outline, paint_stones, set_view, side_by_side
from rocksteady.view.assembly.stones import magnified, size_of
from rocksteady.view.assembly.words import factor_in_words
from rocksteady.view.labels import notes
from rocksteady.view.time_axis import Span
from rocksteady.view.words import shaken, wrapped

HIGHEST = 82.0  # mm: the row of pictures
HISTORIES = 100.0  # mm
HEAD = 8.0  # mm: titles of the pictures
UNTURNED = 1e-4  # degrees: a rotation below this is none
PEAK = 0.999  # of the largest displacement: what creeps on from there is not seen


def plot_response(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the response of an assembly: its stones at telling moments over the outline in which
    they stood, the ground's acceleration [g], the displacement of the stone that moved farthest
    with the impacts, and the largest turn [°]. Small displacements are magnified, and the picture
    says by how much.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    assembly, formulation = assembly_of(response), response.formulation
    span = shown(response)
    moments = telling(response, span.end)
    poses = poses_at(response, np.array([time for _, time in moments]))
    factor = clear_factor(
        size_of(assembly), *(float(response.column(c).max()) for c in ("displacement", "turn"))
    )
    poses = magnified(assembly, poses, factor)
    views, row = side_by_side([View.of(assembly, pose) for pose in poses], HIGHEST)
    title = f"{shaken(response)}: {response.outcome}"
    with style.sheet(wrapped(title), row + HISTORIES, path) as fig:
        parts: Any = fig.subfigures(2, 1, height_ratios=(row + HEAD, HISTORIES - HEAD))
        above, below = parts
        ratios = [view.width for view in views]
        pictures = above.subplots(1, len(moments), squeeze=False, width_ratios=ratios)[0]
        for axes, (name, time), pose, view in zip(pictures, moments, poses, views, strict=True):
            draw_moment(axes, assembly, pose, view)
            axes.set_title(f"{time:.3g} s: {name}")
        if factor != 1:
            key(pictures[0], [(factor_in_words(factor), style.VERMILLION)])
        _draw_histories(below, response, span, [time for _, time in moments])
        told: Any = getattr(formulation, "told", None)
        caption = wrapped(told(response), 130) if told else f"{formulation.name} formulation"
        fig.supxlabel(caption, x=0.012, ha="left", fontsize=7, color=style.QUIET, parse_math=False)
    return fig


def _draw_histories(fig: SubFigure, response: Response, span: Span, moments: list[float]) -> None:
    """Ground, displacement and turn, one below the other."""
    ground, moved, turn = fig.subplots(3, 1, sharex=True, height_ratios=(22, 28, 22))
    draw_ground(ground, response, span)
    draw_displacement(moved, response, moments)
    draw_turn(turn, response)


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
    if top < STILL:
        axes.set_ylim(-0.1, 1.0)
        words.insert(0, ("nothing moves", style.BLUE))
    else:
        at = float(response.time[int(np.argmax(moved > PEAK * top))])
        words.insert(0, (f"at most {length(top)} at {at:.3g} s", style.BLUE))
    notes(axes, words)


def draw_turn(axes: Any, response: Response) -> None:
    """The largest turn of any stone since the start [°]."""
    turn = np.degrees(response.column("turn"))
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(response.time, turn, color=style.GREEN)
    axes.set(xlabel="time [s]", ylabel="turn [°]", title="Largest turn of a stone")
    top = float(np.nanmax(turn))
    words = [(f"at most {top:.3g}°", style.GREEN)]
    if top < UNTURNED:
        axes.set_ylim(-0.1, 1.0)
        words = [("nothing turns", style.GREEN)]
    fallen = int(response.column("fallen")[-1])
    if fallen:
        words.append((f"{fallen} fallen at the end", style.VERMILLION))
    notes(axes, words)
