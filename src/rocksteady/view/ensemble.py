"""An ensemble on one page: how often each body falls or collapses, and what becomes of the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from rocksteady.analysis.statistics import LEVEL
from rocksteady.ensembles.given import as_path
from rocksteady.ensembles.outcome import CODE, STATUSES
from rocksteady.ensembles.progress import spaced
from rocksteady.ensembles.strength import common, naming
from rocksteady.ensembles.summary import FALLEN
from rocksteady.formulations.contract import Array
from rocksteady.response import Status
from rocksteady.view import style
from rocksteady.view.ensemble_counts import FEW, Counted, interval
from rocksteady.view.ensemble_marks import (
    across_zero,
    draw_grey,
    looks,
    places,
    short,
    side_by_side,
    thinned,
)
from rocksteady.view.figures import SMALL
from rocksteady.view.labels import as_given, notes
from rocksteady.view.words import wrapped

if TYPE_CHECKING:
    import xarray

MOST_ROWS = 14  # bodies in the panel that has a row for each
MOST_DOTS = 4000
BIN = 20  # runs, at least, from which a share is taken where each has a motion of its own
WIDE = 30.0  # ratio of accelerations from which on their axis is logarithmic
LINE = 100  # characters of the footer
PERCENT = ((0, 0.25, 0.5, 0.75, 1), ("0", "25", "50", "75", "100"))

Panel = Callable[[Any, Counted], None]


def plot_ensemble(data: xarray.Dataset, path: str | Path | None = None, title: str = "") -> Figure:
    """Draw the results of :func:`rocksteady.ensemble`.

    The share of motions that overturn each body at each scale, with its 90 % interval, and how far
    the others lean, against the ground's peak acceleration, or its peak velocity where that is what
    all motions share; of masonry buildings the share that collapses, and the wear of the others. Of
    more than five bodies three have a curve of their own: those that fall most often and least
    often, and the one between; so have all together. Runs without an answer count nowhere; the last
    line says how many there are.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    if path is not None:
        style.suffix_of(as_path(path, "a file for the figure"), tuple(style.FORMATS), "a figure")
    found = Counted(data)
    panels = _panels(found)
    with style.house_style():
        fig, frames = _sheet(found, panels)
        for letter, draw, axes in zip("abc", panels, frames, strict=False):
            draw(axes, found)
            name = axes.get_title(loc="left")
            axes.set_title(f"({letter})  {name}" if len(panels) > 1 else name)
        _headline(fig, found, title)
        _footer(fig, found, frames[0])
    if path is not None:
        style.save_figure(fig, path)
    return fig


# -- the page -------------------------------------------------------------------------------------


def _panels(found: Counted) -> list[Panel]:
    """What is worth drawing: one motion gives no share, and one scale no curve."""
    if found.paired:
        return [draw_by_strength, draw_runs] if found.answered >= 2 * BIN else [draw_runs]
    if found.motions == 1:
        return [draw_growth if found.scales > 1 else draw_runs]
    if found.scales == 1:
        return [draw_bodies, draw_runs]
    return [draw_shares, draw_runs, *[draw_bodies] * (found.bodies > FEW)]


def _sheet(found: Counted, panels: list[Panel]) -> tuple[Figure, list[Any]]:
    """One panel, two beside each other, and the one with rows below them or above."""
    if draw_bodies not in panels:
        fig = style.new_figure(height=82 * style.MM)
        return fig, list(fig.subplots(1, len(panels), squeeze=False)[0])
    rows = 14 + 4.2 * max(min(found.bodies, MOST_ROWS), 3)
    tall = (rows, 62) if len(panels) == 2 else (62, rows)
    fig = style.new_figure(height=(22 + sum(tall)) * style.MM)
    grid = fig.add_gridspec(2, 1, height_ratios=tall)
    if len(panels) == 2:
        return fig, [fig.add_subplot(grid[row]) for row in (0, 1)]
    pair = grid[0].subgridspec(1, 2)
    return fig, [fig.add_subplot(place) for place in (pair[0], pair[1], grid[1])]


def _headline(fig: Figure, found: Counted, title: str) -> None:
    kind = found.kind
    text = f"{spaced(found.down)} of {spaced(found.answered)} runs {kind.fall}"
    if found.answered == 0:
        text = f"none of {spaced(found.runs)} runs gave an answer"
    if found.runs == 1:
        text = f"1 run, {STATUSES[found.data['status'].item()].value}"
    text = wrapped(f"{title}: {text}" if title else text[:1].upper() + text[1:])
    fig.suptitle(text, x=0.012, ha="left", fontsize=9, fontweight="bold", parse_math=False)


def _footer(fig: Figure, found: Counted, axes: Any) -> None:
    """The bodies with a curve of their own, and what was run how."""
    look = {"fontsize": 7.5}
    about = [f"{json.loads(found.data.attrs['formulation'])['name']} formulation"]
    if not found.paired:
        bodies = found.kind.one if found.bodies == 1 else found.kind.many
        motions = f"{spaced(found.motions)} motion{'s' * (found.motions != 1)}"
        scales = f"{spaced(found.scales)} scale{'s' * (found.scales != 1)}"
        about.insert(0, f"{spaced(found.bodies)} {bodies} × {motions} × {scales}")
    if len(fig.axes) > 1:
        interval_is = "bars" if side_by_side(found) else "shaded"
        about.append(f"{interval_is}: {100 * LEVEL:.0f} % interval of the share")
    if side_by_side(found):
        about.append("marks side by side: one strength")
    if found.failed:
        about.append(f"{spaced(found.failed)} without an answer, not counted")
    text = _in_lines(about)
    handles, labels = axes.get_legend_handles_labels()
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


# -- how often ------------------------------------------------------------------------------------


def draw_shares(axes: Any, found: Counted) -> None:
    """The share of motions that overturn a body, against the scale."""
    x, name = _levels(found)
    order = np.argsort(x)
    shares = found.shares
    for (i, look), place in zip(looks(found), places(axes, found), strict=True):
        low, high = found.intervals(i)
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


def draw_bodies(axes: Any, found: Counted) -> None:
    """A row for each body, the one that falls most often first: the share at one scale."""
    fallen, known = found.fallen.sum(axis=0), np.maximum(found.known.sum(axis=0), 1)
    at = int(np.argmin(np.abs(2 * fallen - known) / known))  # there they differ most
    ranking = np.argsort(-found.shares[:, at], kind="stable")[:MOST_ROWS]
    rows = np.arange(len(ranking))
    share = found.shares[ranking, at]
    ends = np.array([interval(int(found.fallen[i, at]), int(found.known[i, at])) for i in ranking])
    axes.hlines(rows, *ends.T, color=style.BLUE, lw=4, alpha=0.25)
    axes.plot(share, rows, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set_yticks(rows, [short(found.labels[i]) for i in ranking], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(max(len(rows), 3) - 0.4, -0.6))
    axes.set_xticks(*PERCENT)
    axes.set_xlabel(_of_motions(found))
    name = naming(common(found.data), found.data["scale"].values)
    scale = float(found.data["scale"].values[at])
    level = f"scale {scale:.3g}" if name is None else name.label(scale)
    axes.set_title(f"Share that {found.kind.falls}, at {level}")
    if len(rows) < found.bodies:
        which = f"the {len(rows)} of {spaced(found.bodies)} that {found.kind.fall} most often"
        notes(axes, [(which, style.QUIET)])


def draw_by_strength(axes: Any, found: Counted) -> None:
    """Of runs that each have a motion of their own: the share that falls, by strength."""
    status = found.data["status"].values
    known = status != CODE[Status.FAILED]
    strength, fell = found.strength()[known], np.isin(status[known], FALLEN)
    bins = np.array_split(np.argsort(strength, kind="stable"), min(8, found.answered // BIN))
    for runs in bins:
        x, share = strength[runs], fell[runs].mean()
        ends = interval(int(fell[runs].sum()), len(runs))
        axes.fill_between([x.min(), x.max()], *ends, color=style.BLUE, alpha=0.2, lw=0)
        axes.plot(np.median(x), share, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set(ylim=(0, 1))
    axes.set_yticks(*PERCENT)
    axes.set_ylabel(f"share of {spaced(len(bins[-1]))} runs of about this strength [%]")
    _strength_axis(axes, strength, found.measure.axis)
    axes.set_title(f"Share that {found.kind.falls}")


# -- how far --------------------------------------------------------------------------------------


def draw_runs(axes: Any, found: Counted) -> None:
    """A dot for each run: how far it came, against the ground's peak acceleration, or velocity
    where that is what all motions share."""
    x, far, fell = found.some(MOST_DOTS)
    colour = np.where(fell, style.VERMILLION, style.BLUE)
    size = min(max(3e3 / max(len(x), 1), 2.5), 14.0)
    y, many = _with_strip(axes, found, far, fell), len(x) > 50
    sway = np.random.default_rng(0).uniform(-1, 1, len(y)) if many else np.zeros(len(y))
    strip = axes.get_ylim()[1] - y[fell].max(initial=0.0)  # half the height of the strip
    y = np.where(fell, y + 0.7 * strip * sway, y)
    axes.scatter(
        x, y, size, colour, alpha=0.5 if many else 1, lw=0, rasterized=many, clip_on=False, zorder=3
    )
    _strength_axis(axes, x, found.measure.axis)
    if len(x) < found.runs:
        notes(axes, [(f"{spaced(len(x))} runs of {spaced(found.runs)}", style.QUIET)])


def draw_growth(axes: Any, found: Counted) -> None:
    """Of one motion: how far each body came, as the motion grows."""
    strength, name = found.strength()[0], found.measure.axis
    if (found.data["scale"].values < 0).any():  # as it is and mirrored: not one curve
        strength, name = _levels(found)
    order = np.argsort(strength)
    x = strength[order]
    shown = [*thinned(found.others), *found.chosen]
    far = found.data[found.kind.measure][shown, 0].values[:, order]
    status = found.data["status"][shown, 0].values[:, order]
    fell, far = np.isin(status, FALLEN), np.where(status == CODE[Status.FAILED], np.nan, far)
    rows = 1 if side_by_side(found) else len(found.chosen)
    y = _with_strip(axes, found, far, fell, rows)
    standing = np.where(fell, np.nan, y)
    grey = len(shown) - len(found.chosen)
    if rows > 1:  # the fallen stand above each other, not on each other
        middle, top = y[fell].max(initial=0.0), axes.get_ylim()[1]
        heights = middle + (top - middle) * (1 - (2 * np.arange(rows) + 1) / rows)
        y[grey:] = np.where(fell[grey:], heights[:, None], y[grey:])
    own = zip(y[grey:], standing[grey:], looks(found), places(axes, found), strict=True)
    for row, line, (_, look), place in own:
        axes.plot(*across_zero(x, line), color=look["color"], zorder=3, transform=place)
        axes.plot(x, row, ls="none", zorder=3, transform=place, clip_on=False, **look)
    draw_grey(axes, [np.column_stack(across_zero(x, line)) for line in standing[:grey]])
    _strength_axis(axes, x, name)
    axes.set_title(f"{found.kind.title}, under {found.data['motion'].values[0]}", parse_math=False)


def _with_strip(axes: Any, found: Counted, far: Array, fell: Any, rows: int = 1) -> Array:
    """Set the upright axis, with a strip above it where runs that fell lie, wide enough for so many
    ``rows`` of marks, and say where each run is; nan where it is not known."""
    kind = found.kind
    most = float(np.nanmax(np.where(fell, 0.0, far), initial=0.0))
    enlarged = not fell.any() and 0.003 < most < SMALL
    top = 1.15 * most if enlarged else 1.08 * max(most, 1.0)
    if not enlarged:
        axes.axhline(1.0, color=style.QUIET, lw=0.7, ls=style.DASHED)
        where = {"xy": (0, 1), "xycoords": ("axes fraction", "data"), "color": style.QUIET}
        axes.annotate(kind.limit, xytext=(3, 1), textcoords="offset points", fontsize=6.5, **where)
    ticks = [
        tick for tick in axes.yaxis.get_major_locator().tick_values(0, top) if 0 <= tick <= top
    ]
    labels = [f"{tick:g}" for tick in ticks]
    end = 1.01 + max(0.14, 0.06 * rows)
    strip = (1.01 + end) / 2 * top
    if fell.any():
        axes.axhspan(1.01 * top, end * top, color=style.FAINT, alpha=0.6, lw=0)
        ticks, labels = [*ticks, strip], [*labels, kind.fallen]
    axes.set_yticks(ticks, labels)
    axes.set(ylim=(0, end * top if fell.any() else top), title=kind.title)
    axes.set_ylabel(f"{kind.title[0].lower()}{kind.title[1:]} {kind.axis}")
    return np.where(fell, strip, far)


def _of_motions(found: Counted) -> str:
    if found.failed:
        return "share of runs with an answer [%]"
    return f"share of the {spaced(found.motions)} motions [%]"


def _strength_axis(axes: Any, strength: Array, name: str) -> None:
    low, high = strength.min(initial=np.inf), strength.max(initial=0.0)
    if high > WIDE * low > 0:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif low >= 0:
        axes.set_xlim(0, 1.05 * high or 1.0)
    else:
        room = 0.05 * (high - low or 1.0)
        axes.set_xlim(low - room, high + room)
    axes.set_xlabel(name)


def _levels(found: Counted) -> tuple[Array, str]:
    """How strong the motions are at each scale, and what that is called, by `naming`: the
    ground's peak acceleration or velocity, or the scale."""
    scales = found.data["scale"].values
    known = naming(common(found.data), scales)
    if known is None:
        return scales, f"scale of the motion{'s' * (found.motions != 1)} [–]"
    return known.at_one * scales, known.measure.axis
