"""Histories of a body in space: tilt with its impacts and modes, yaw, the ground."""

from typing import Any

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.spatial.state import MODE_NAMES
from rocksteady.view import style
from rocksteady.view.figures import history
from rocksteady.view.space.track import Track
from rocksteady.view.time_axis import Span

MODE_COLOURS = (style.FAINT, style.SKY, style.ORANGE, style.GREEN, style.PURPLE)
BAND = 0.07  # of the panel's height: a band that shows the modes
BEYOND = 1.6  # θ/α up to which a fall is shown


def lean_history(response: Response) -> tuple[Array, Array]:
    """Time [s] and θ/α [-], with the extremes between samples."""
    time, lean, _ = history(response)
    return time, np.abs(response.coordinate.relative(response.system, lean))


def draw_lean(axes: Any, response: Response, span: Span) -> Any:
    """θ/α over time; returns the line."""
    time, lean = lean_history(response)
    top = min(lean.max(), BEYOND) if response.fell else lean.max()
    inside = top > 0.3  # a small motion is drawn enlarged
    high = max(1.2, 1.15 * top) if inside else 1.35 * top or 1.0
    if inside:
        axes.axhline(1, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.set(xlim=span, ylim=(-1.6 * BAND * high, high))
    return axes.plot(time, lean, color=style.BLUE)[0]


def draw_modes(axes: Any, track: Track) -> list[int]:
    """A band along the lower edge with a colour for each mode; returns the modes there are."""
    starts = np.flatnonzero(np.diff(track.mode, prepend=-1))
    ends = np.append(track.time[starts[1:]], track.time[-1])
    kinds = track.mode[starts]
    for mode in np.unique(kinds):
        pieces = kinds == mode
        spans = np.stack([track.time[starts][pieces], (ends - track.time[starts])[pieces]], 1)
        axes.broken_barh(
            spans, (0, BAND), transform=axes.get_xaxis_transform(), fc=MODE_COLOURS[mode], lw=0
        )
    return [int(mode) for mode in np.unique(kinds)]


def mode_words(modes: list[int]) -> list[tuple[str, str]]:
    """A coloured square and a word for each mode, as `labels.notes` takes them."""
    dark = {0: style.QUIET}
    return [(f"■ {MODE_NAMES[mode]}", dark.get(mode, MODE_COLOURS[mode])) for mode in modes]


def draw_yaw(axes: Any, track: Track, span: Span) -> Any:
    """How far it has turned about the vertical [°], until it falls; returns the line."""
    degrees = np.degrees(track.yaw[track.standing])
    axes.axhline(0, color=style.FAINT, lw=0.8)
    low, high = min(degrees.min(), 0.0), max(degrees.max(), 0.0)
    room = 0.12 * (high - low) if high - low > 0.01 else 1.0
    axes.set(xlim=span, ylim=(low - room, high + room))
    return axes.plot(track.time[track.standing], degrees, color=style.GREEN)[0]
