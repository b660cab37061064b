"""Plan views: the ways of the centre and the base over the floor, and the tilt by direction."""

from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.film_body import EDGE, STONE
from rocksteady.view.labels import notes
from rocksteady.view.space.mesh import outline_of
from rocksteady.view.space.track import Track

FINE = np.radians(4.0)  # of the way of the contact around a round base, between points drawn
JUMP = np.radians(120.0)  # a contact that is farther around at the next sample was not followed
MOST_PATHS = 12  # corners whose ways are drawn; of more, the way of the contact instead


def base_of(body: Any) -> Array:
    """Points around the base (x, y, z) [m], from the centre of mass."""
    outline = outline_of(body)
    flat = np.column_stack([outline, np.zeros(len(outline))])
    return np.asarray(flat - np.asarray(body.centre, float))


def draw_plan(axes: Any, response: Response, track: Track) -> None:
    """The base at the start and at the end, or where it fell from, with the ways between."""
    body: Any = response.system
    shown, base = track.standing, base_of(body)
    ways = 1e3 * track.paths(base)[shown, :, :2]
    cornered = ways.shape[1] <= MOST_PATHS
    for way in ways.swapaxes(0, 1) if cornered else [_contact(track, ways.mean(axis=1))]:
        axes.plot(*way.T, color=style.ORANGE, lw=0.6, zorder=2)
    start, end = ways[0], ways[-1]
    axes.fill(*end.T, fc=STONE, ec="none", alpha=0.45, zorder=1)
    axes.fill(*end.T, fc="none", ec=EDGE, lw=1.1, zorder=3)
    axes.fill(*start.T, fc="none", ec=style.INK, lw=0.9, ls=(0, (3, 2)), zorder=3)
    centre = 1e3 * track.centre[shown, :2]
    axes.plot(*centre.T, color=style.BLUE, lw=0.8, zorder=4)
    axes.plot(*centre[0], "o", ms=3.5, color=style.INK, zorder=5)
    axes.plot(*centre[-1], "s", ms=4, color=style.VERMILLION, zorder=5)
    if cornered and body.radius is None:
        _number(axes, start)
    _square(axes, np.concatenate([ways.reshape(-1, 2), centre]))
    axes.set(xlabel="x [mm]", ylabel="y [mm]", title="Plan")
    last = "at balance" if track.lean[-1] > 1 else "end"
    path = "corners" if cornered else "contact"
    notes(axes, [
        ("● start", style.INK), (f"■ {last}", style.VERMILLION), ("centre", style.BLUE),
        (path, style.ORANGE),
    ])  # fmt: skip


def _contact(track: Track, middle: Array) -> Array:
    """The way of the contact around the ``middle`` of the base [mm], in arcs: between two samples
    it may run far around. Broken where the body stands flat, and where the next sample is so far
    around that one cannot tell which way it went."""
    shown = track.standing
    touched = np.where(track.mode[shown, None] > 0, 1e3 * track.pivot[shown], np.nan)
    x, y = (touched - middle).T
    polar = np.stack([np.hypot(x, y), np.arctan2(y, x), *middle.T])
    step = np.diff(polar)
    step[1] = (step[1] + np.pi) % (2 * np.pi) - np.pi  # the shorter way around
    far = np.abs(np.where(np.isnan(step[1]), np.inf, step[1]))
    pieces = np.where(far > JUMP, 2.0, np.maximum(np.ceil(far / FINE), 1.0)).astype(int)
    k = np.repeat(np.arange(len(pieces)), pieces)
    share = (np.arange(len(k)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[k]
    share[(far[k] > JUMP) & (share > 0)] = np.nan
    radius, angle, x, y = np.column_stack([polar[:, k] + share * step[:, k], polar[:, -1]])
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1)


def draw_lean_path(axes: Any, response: Response, track: Track) -> None:
    """Tilt towards the body's own x and y [°], with the tilt that overturns it around."""
    body: Any = response.system
    angle = np.linspace(0, 360, 361)
    limit = np.degrees([body.limit(float(one)) for one in angle])
    way = np.radians(angle)
    edge = limit * np.stack([np.cos(way), np.sin(way)])
    lean = np.degrees(track.lowered)
    if response.peak < 0.3 and response.peak > 0:  # a small motion is drawn enlarged
        half = 1.35 * float(np.abs(lean).max())
        where = ("balance lies outside the frame", style.QUIET)
    else:
        half = 1.12 * float(limit.max())
        where = ("dashed: balance", style.QUIET)
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.axvline(0, color=style.FAINT, lw=0.8)
    axes.plot(*edge, color=style.QUIET, lw=0.9, ls=style.DASHED)
    axes.plot(*lean.T, color=style.BLUE, lw=0.7)
    axes.plot(*lean[0], "o", ms=3.5, color=style.INK)
    axes.plot(*lean[-1], "s", ms=4, color=style.VERMILLION)
    axes.set(xlim=(-half, half), ylim=(-half, half))
    axes.set_aspect("equal", adjustable="box")
    axes.xaxis.set_major_locator(MaxNLocator(7, prune="both"))  # a number at the end is cut off
    axes.set(xlabel="tilt towards the body's x [°]", ylabel="tilt towards the body's y [°]")
    axes.set_title("Tilt by direction")
    notes(axes, [where])


def _number(axes: Any, corners: Array) -> None:
    """The number of each corner, by which a fall is described, beside where it stood."""
    for k, corner in enumerate(corners):
        away = corner - corners.mean(axis=0)
        axes.annotate(
            str(k),
            corner,
            xytext=7 * away / np.hypot(*away),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=7,
            color=style.INK,
        )


def _square(axes: Any, points: Array) -> None:
    """Equal scales, with all points in a square frame."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max())
    axes.set(xlim=middle[0] + half * np.array([-1, 1]), ylim=middle[1] + half * np.array([-1, 1]))
    axes.set_aspect("equal", adjustable="box")
