"""An ensemble on one page: how often each body falls or collapses, and what becomes of the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.shares.counts import BIN, FEW, Counted
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.ensembles.progress import spaced
from rocksteady.status import Status
from rocksteady.view import style
from rocksteady.view.ensemble.axes import ALIKE, level_name, levels, strength_axis
from rocksteady.view.ensemble.map import MOST_ROWS, draw_map, has_map
from rocksteady.view.ensemble.marks import (
    across_zero,
    draw_grey,
    looks,
    places,
    short,
    side_by_side,
    thinned,
)
from rocksteady.view.ensemble.runs import draw_growth, draw_runs
from rocksteady.view.labels import as_given, notes
from rocksteady.view.words import wrapped

if TYPE_CHECKING:
    import xarray

MOST_DOTS = 4000
MAP = 88  # mm: height of the map
LINE = 100  # characters of the footer
PERCENT = ((0, 0.25, 0.5, 0.75, 1), ("0", "25", "50", "75", "100"))

Panel = Callable[[Any, Counted], None]


def plot_ensemble(data: xarray.Dataset, path: str | Path | None = None, title: str = "") -> Figure:
    """Draw the results of :func:`rocksteady.ensemble`.

    The share of motions that overturn each body at each scale, with its 90 % interval, and how far
    the others lean, against the ground's peak acceleration, or its peak velocity where that is what
    all motions share; of masonry buildings the share that collapses, and the wear of the others. Of
    more than five bodies three have a curve of their own: those that fall most often and least
    often, and the one between; so have all together. More than 14 different bodies lie on a map
    over slenderness h/b and size R, with the share that falls and the number of runs in each cell.
    Runs without an answer count nowhere; the last line says how many there are.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    found = Counted(data)
    panels = _panels(found)
    tall = _heights(found, panels)
    with style.sheet(_headline(found, title), 22 + sum(tall), path) as fig:
        frames = _frames(fig, tall, len(panels))
        for draw, axes in zip(panels, frames, strict=True):
            draw(axes, found)
        _footer(fig, found, panels, frames)
    return fig


# -- the page -------------------------------------------------------------------------------------


def _panels(found: Counted) -> list[Panel]:
    """What is worth drawing: one motion gives no share, and one scale no curve; many different
    bodies go onto a map."""
    mapped: list[Panel] = [draw_bodies_on_map] * has_map(found)
    if found.paired:
        strength = found.strength()
        differ = bool(np.ptp(strength) > ALIKE * strength.max()) and found.answered >= 2 * BIN
        return [draw_by_strength, draw_dots, *mapped] if differ else [*mapped, draw_dots]
    if found.motions == 1:
        return [*mapped, draw_growth if found.scales > 1 else draw_dots]
    if found.scales == 1:
        return [*(mapped or [draw_bodies]), draw_dots]
    return [draw_shares, draw_dots, *(mapped or [draw_bodies] * (found.bodies > FEW))]


def _heights(found: Counted, panels: list[Panel]) -> tuple[float, ...]:
    """Of one row of panels, or of two: with rows or a map, below the others or above [mm]."""
    if not {draw_bodies, draw_bodies_on_map} & {*panels}:
        return (60,)
    rows = MAP if draw_bodies_on_map in panels else 14 + 4.2 * max(min(found.bodies, MOST_ROWS), 3)
    return (rows, 62) if len(panels) == 2 else (62, rows)


def _frames(fig: Figure, tall: tuple[float, ...], count: int) -> list[Any]:
    """One panel, two beside each other, or one in each row; of three the last alone."""
    if len(tall) == 1:
        return list(fig.subplots(1, count, squeeze=False)[0])
    grid = fig.add_gridspec(2, 1, height_ratios=tall)
    if count == 2:
        return [fig.add_subplot(grid[row]) for row in (0, 1)]
    pair = grid[0].subgridspec(1, 2)
    return [fig.add_subplot(place) for place in (pair[0], pair[1], grid[1])]


def _headline(found: Counted, title: str) -> str:
    kind = found.kind
    text = f"{spaced(found.down)} of {spaced(found.answered)} runs {kind.fall}"
    if found.answered == 0:
        text = f"none of {spaced(found.runs)} runs gave an answer"
    if found.runs == 1:
        text = f"1 run, {Status(found.data['status'].item())}"
    return wrapped(f"{title}: {text}" if title else text[:1].upper() + text[1:])


def _footer(fig: Figure, found: Counted, panels: list[Panel], frames: list[Any]) -> None:
    """The bodies with a curve of their own, and what was run how."""
    look = {"fontsize": 7.5}
    about = [f"{json.loads(found.data.attrs['formulation'])['name']} formulation"]
    if not found.paired:
        bodies = found.kind.one if found.bodies == 1 else found.kind.many
        motions = f"{spaced(found.motions)} motion{'s' * (found.motions != 1)}"
        scales = f"{spaced(found.scales)} scale{'s' * (found.scales != 1)}"
        about.insert(0, f"{spaced(found.bodies)} {bodies} × {motions} × {scales}")
    if "floor" in found.data.attrs:
        about.append(f"on the {found.data.attrs['floor']}")
    if {draw_shares, draw_bodies, draw_by_strength} & {*panels}:
        interval_is = "bars" if side_by_side(found) else "shaded"
        about.append(f"{interval_is}: {100 * LEVEL:.0f} % interval of the share")
    if side_by_side(found):
        about.append("marks side by side: one strength")
    if found.failed:
        about.append(f"{spaced(found.failed)} without an answer, not counted")
    text = _in_lines(about)
    named = [axes.get_legend_handles_labels() for axes in frames]
    handles, labels = next((pair for pair in named if pair[1]), ([], []))
    if not labels:
        fig.supxlabel(text, x=0.012, ha="left", color=style.QUIET, **look)
        return
    columns = min(len(labels), max(1, 105 // (7 + max(map(len, labels)))))
    legend = fig.legend(handles, labels, loc="outside lower left", ncols=columns, title=text)
    legend.set_alignment("left")
    legend.get_title().set(color=style.QUIET, **look)
    as_given(legend)


def _in_lines(parts: list[str]) -> str:
    """One after the other, in lines for which the figure has room."""
    lines = parts[:1]
    for part in parts[1:]:
        longer = f"{lines[-1]}     {part}"
        lines[-1:] = [longer] if len(longer) <= LINE else [lines[-1], part]
    return "\n".join(lines)


def draw_dots(axes: Any, found: Counted) -> None:
    """A dot for each run, or for evenly chosen ones of very many."""
    draw_runs(axes, found, MOST_DOTS)


# -- how often ------------------------------------------------------------------------------------


def draw_shares(axes: Any, found: Counted) -> None:
    """The share of motions that overturn a body, against the scale."""
    x, name = levels(found)
    order = np.argsort(x)
    shares = found.shares
    for (i, look), place in zip(looks(found), places(axes, found), strict=True):
        low, high = found.intervals[:, i]
        colour = look["color"]
        bands, share = across_zero(x[order], low[order], high[order]), shares[i][order]
        if side_by_side(found):  # a body that nothing lifted has no uncertain share
            moved = found.moved(i)
            bars = (x[moved], low[moved], high[moved])
            axes.vlines(*bars, colour, lw=2.5, alpha=0.35, transform=place, clip_on=False)
        else:
            axes.fill_between(*bands, color=colour, alpha=0.14, lw=0)
        curve = across_zero(x[order], share)
        axes.plot(*curve, clip_on=False, zorder=3, transform=place, **look)
    grey = [across_zero(x[order], shares[i][order]) for i in thinned(found.others)]
    draw_grey(axes, [np.column_stack(curve) for curve in grey])
    if found.others:
        curve = across_zero(x[order], found.whole[order])
        axes.plot(*curve, color=style.INK, lw=1.8, clip_on=False, zorder=4, label=found.all)
    if side_by_side(found):
        room = 0.08 * (np.ptp(x) or 1.0)
        axes.set_xlim(x.min() - room, x.max() + room)
    axes.set(ylim=(0, 1), xlabel=name)
    axes.set_ylabel(_of_motions(found))
    axes.set_yticks(*PERCENT)
    axes.set_title(f"Share that {found.kind.falls}")


def draw_bodies_on_map(axes: Any, found: Counted) -> None:
    """A map over size and slenderness: the share that falls, at one scale."""
    if found.paired:
        draw_map(axes, found)
        return
    at = found.telling_level
    draw_map(axes, found, at)
    axes.set_title(f"{axes.get_title(loc='left')}, at {level_name(found, at)}")


def draw_bodies(axes: Any, found: Counted) -> None:
    """A row for each body, the one that falls most often first: the share at one scale."""
    at = found.telling_level
    ranking = np.argsort(-found.shares[:, at], kind="stable")[:MOST_ROWS]
    rows = np.arange(len(ranking))
    share = found.shares[ranking, at]
    axes.hlines(rows, *found.intervals[:, ranking, at], color=style.BLUE, lw=4, alpha=0.25)
    axes.plot(share, rows, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set_yticks(rows, [short(found.labels[i]) for i in ranking], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(max(len(rows), 3) - 0.4, -0.6))
    axes.set_xticks(*PERCENT)
    axes.set_xlabel(_of_motions(found))
    axes.set_title(f"Share that {found.kind.falls}, at {level_name(found, at)}")
    if len(rows) < found.bodies:
        which = f"the {len(rows)} of {spaced(found.bodies)} that {found.kind.fall} most often"
        notes(axes, [(which, style.QUIET)])


def draw_by_strength(axes: Any, found: Counted) -> None:
    """The share that falls, by strength, if each run has its own motion."""
    bins = found.by_strength()
    for x, share, ends in bins:
        axes.fill_between([x.min(), x.max()], *ends, color=style.BLUE, alpha=0.2, lw=0)
        axes.plot(np.median(x), share, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set(ylim=(0, 1))
    axes.set_yticks(*PERCENT)
    axes.set_ylabel(f"share of {spaced(len(bins[-1][0]))} runs [%]")
    strength_axis(axes, np.concatenate([x for x, _, _ in bins]), found.measure.axis)
    axes.set_title(f"Share that {found.kind.falls}")


def _of_motions(found: Counted) -> str:
    if found.failed:
        return "share of runs with an answer [%]"
    return f"share of the {spaced(found.motions)} motions [%]"
