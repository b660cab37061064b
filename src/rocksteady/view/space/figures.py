"""A response in space on one page: ground, tilt, yaw, the way over the floor, and the lean."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.labels import notes
from rocksteady.view.space.histories import draw_lean, draw_modes, draw_yaw, mode_words
from rocksteady.view.space.plan import draw_lean_path, draw_plan
from rocksteady.view.space.track import Track
from rocksteady.view.space.words import signed
from rocksteady.view.time_axis import Span, span_of
from rocksteady.view.words import direction, shaken, wrapped

GROUND = (
    ("accel", "x", style.INK),
    ("transverse", "y", style.SKY),
    ("vertical", "z", style.ORANGE),
)


def plot_response(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the response of a body in space: the ground's acceleration [g], tilt over the tilt that
    overturns with impacts and modes, yaw [°], the paths of the centre and the base over the floor,
    and the tilt by direction.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    track, span = Track.of(response), span_of(response)
    with style.sheet(wrapped(f"{shaken(response)}: {response.outcome}"), 222, path) as fig:
        grid = fig.add_gridspec(4, 2, height_ratios=(1.0, 1.5, 0.9, 2.9))
        ground = fig.add_subplot(grid[0, :])
        tilt = fig.add_subplot(grid[1, :], sharex=ground)
        yaw = fig.add_subplot(grid[2, :], sharex=ground)
        plan, lean = fig.add_subplot(grid[3, 0]), fig.add_subplot(grid[3, 1])
        draw_ground(ground, response, span)
        draw_tilt(tilt, response, track, span)
        draw_yaw(yaw, track, span)
        yaw.set(xlabel="time [s]", ylabel="yaw [°]", title="Turning about the vertical")
        turned = signed(np.degrees(track.yaw[track.standing][-1]))
        last = "at balance" if response.fell else "at the end"
        notes(yaw, [(f"{turned}° {last}", style.GREEN)])
        draw_plan(plan, response, track)
        draw_lean_path(lean, response, track)
        for axes in (ground, tilt):
            axes.tick_params(labelbottom=False)
        fig.supxlabel(_footer(response), x=0.012, ha="left", fontsize=7.5, color=style.QUIET)
    return fig


def draw_ground(axes: Any, response: Response, span: Span) -> None:
    """The components of the ground's acceleration that the body feels [g]."""
    motion = response.motion
    parts = motion.components
    axes.axhline(0, color=style.FAINT, lw=0.8)
    words: list[tuple[str, str]] = []
    largest = 0.0
    for name, axis, colour in GROUND:
        if name in parts and name in response.formulation.components:
            accel = parts[name] / GRAVITY_UNIT
            axes.plot(motion.time, accel, color=colour, lw=0.7, zorder=3 - len(words))
            size = float(np.abs(accel).max())
            largest = max(largest, size)
            words.append((f"{axis}: {size:.2g} g", colour))
    limit = 1.12 * largest or 1.0
    axes.set(xlim=span, ylim=(-limit, limit), ylabel="acceleration [g]")
    floor = "Floor" if "floor" in motion.meta else "Ground"
    axes.set_title(f"{floor} acceleration and its largest values")
    if not largest:
        words = [("ground at rest", style.QUIET)]
    if span.note:
        words.insert(0, (span.note, style.VERMILLION))
    notes(axes, words)


def draw_tilt(axes: Any, response: Response, track: Track, span: Span) -> None:
    """θ/α with the impacts as ticks, and a band that shows what it stands on."""
    line = draw_lean(axes, response, span)
    modes = draw_modes(axes, track)
    impacts = response.impacts.time
    size = 7 if len(impacts) < 50 else 4  # hundreds of them form a band: keep it low
    axes.plot(impacts, 0 * impacts, "|", ms=size, mew=0.6, color=style.VERMILLION, zorder=3)
    axes.set(ylabel="tilt θ/α [–]", title="Tilt")
    marks = [("| impacts", style.VERMILLION)] if len(impacts) else []
    notes(axes, [*mode_words(modes), *marks])
    time, lean = line.get_data()
    high = axes.get_ylim()[1]
    if high > 1:
        axes.annotate(
            "balance", (1, 1), (-2, 2), xycoords=axes.get_yaxis_transform(), ha="right",
            textcoords="offset points", fontsize=7, color=style.QUIET,
        )  # fmt: skip
    if response.fell:
        i = int(np.flatnonzero(lean < 0.93 * high)[-1])
        text = f"falls {direction(response)}"
    elif response.peak == 0:
        axes.text(0.5, 0.6, "no uplift", transform=axes.transAxes, ha="center", color=style.QUIET)
        return
    else:
        i = int(np.argmax(lean))
        text = f"peak {lean[i]:.3g} at {time[i]:.3g} s"
        axes.plot(time[i], lean[i], "o", ms=3.5, color=style.BLUE, zorder=4)
    late = time[i] - span.start > 0.6 * (span.end - span.start)
    axes.annotate(
        text, (time[i], lean[i]), (-6 if late else 6, 2), textcoords="offset points",
        ha="right" if late else "left", va="top" if response.fell else "bottom",
        color=style.BLUE, parse_math=False,
    )  # fmt: skip


def _footer(response: Response) -> str:
    """The theory and the tilts that overturn the body."""
    body: Any = response.system
    weakest = np.degrees(body.limit(body.weakest))
    where = f"   α: the tilt that overturns it in the direction it leans, {weakest:.3g}° at least"
    return f"{response.formulation.name} formulation{where}"
