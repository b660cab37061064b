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
from rocksteady.ensembles.layout import AXES
from rocksteady.ensembles.outcome import STATUSES
from rocksteady.ensembles.progress import spaced
from rocksteady.ensembles.summary import FALLEN, common_pga
from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array
from rocksteady.view import style
from rocksteady.view.ensemble_counts import FEW, Counted, interval
from rocksteady.view.ensemble_marks import draw_grey, looks, places, short, side_by_side, thinned
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
PGA = "peak acceleration of the ground [g]"
PERCENT = ((0, 0.25, 0.5, 0.75, 1), ("0", "25", "50", "75", "100"))

Panel = Callable[[Any, Counted], None]


def plot_ensemble(data: xarray.Dataset, path: str | Path | None = None, title: str = "") -> Figure:
    """Draw the results of :func:`rocksteady.ensemble`.

    The share of motions that overturn each body at each scale, with its 90 % interval, and how far
    the others lean, against the ground's peak acceleration; of masonry buildings the share that
    collapses, and the wear of the others. Of more than five bodies three have a curve of their own:
    those that fall most often and least often, and the one between.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    if path is not None:
        style.suffix_of(path, tuple(style.FORMATS), "a figure")
    known = "status" in data and "system_type" in data.attrs
    if not known or data["status"].dims not in (AXES, ("run",)):
        raise InputError(
            "This dataset is no ensemble over system, motion and scale, or over run: give what "
            "rs.ensemble or rs.open_ensemble returned, or a selection that keeps the axes, as "
            "data.isel(system=[0]) does."
        )
    if not data["status"].size:
        raise InputError("This ensemble has no runs: the selection from it was empty.")
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
        return [draw_by_strength, draw_runs] if found.runs >= 2 * BIN else [draw_runs]
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
    text = f"{spaced(found.down)} of {spaced(found.runs)} runs {kind.fall}"
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
        about.append(f"{spaced(found.failed)} without an answer")
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
    shares = found.fallen / found.motions
    for (i, look), place in zip(looks(found), places(axes, found), strict=True):
        low, high = np.array([interval(int(count), found.motions) for count in found.fallen[i]]).T
        colour = look["color"]
        if side_by_side(found):  # a body that nothing lifted has no uncertain share
            moved = found.data["peak"][i].values.max(axis=0) != 0
            bars = (x[moved], low[moved], high[moved])
            axes.vlines(*bars, colour, lw=2.5, alpha=0.35, transform=place, clip_on=False)
        else:
            axes.fill_between(x[order], low[order], high[order], color=colour, alpha=0.14, lw=0)
        axes.plot(x[order], shares[i][order], clip_on=False, zorder=3, transform=place, **look)
    draw_grey(axes, [np.column_stack([x, shares[i]])[order] for i in thinned(found.others)])
    if side_by_side(found):
        room = 0.08 * (np.ptp(x) or 1.0)
        axes.set_xlim(x.min() - room, x.max() + room)
    axes.set(ylim=(0, 1), xlabel=name)
    axes.set_ylabel(f"share of the {spaced(found.motions)} motions [%]")
    axes.set_yticks(*PERCENT)
    axes.set_title(f"Share that {found.kind.falls}")


def draw_bodies(axes: Any, found: Counted) -> None:
    """A row for each body, the one that falls most often first: the share at one scale."""
    half = found.bodies * found.motions / 2
    at = int(np.argmin(np.abs(found.fallen.sum(axis=0) - half)))  # there they differ most
    ranking = np.argsort(-found.fallen[:, at], kind="stable")[:MOST_ROWS]
    rows = np.arange(len(ranking))
    share = found.fallen[ranking, at] / found.motions
    ends = np.array([interval(int(found.fallen[i, at]), found.motions) for i in ranking])
    axes.hlines(rows, *ends.T, color=style.BLUE, lw=4, alpha=0.25)
    axes.plot(share, rows, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set_yticks(rows, [short(found.labels[i]) for i in ranking], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(max(len(rows), 3) - 0.4, -0.6))
    axes.set_xticks(*PERCENT)
    axes.set_xlabel(f"share of the {spaced(found.motions)} motions [%]")
    levels, name = _levels(found)
    level = f"{levels[at]:.3g} g" if name == PGA else f"scale {levels[at]:.3g}"
    axes.set_title(f"Share that {found.kind.falls}, at {level}")
    if len(rows) < found.bodies:
        which = f"the {len(rows)} of {spaced(found.bodies)} that {found.kind.fall} most often"
        notes(axes, [(which, style.QUIET)])


def draw_by_strength(axes: Any, found: Counted) -> None:
    """Of runs that each have a motion of their own: the share that falls, by peak acceleration."""
    strength = found.strength()
    fell = np.isin(found.data["status"].values, FALLEN)
    bins = np.array_split(np.argsort(strength, kind="stable"), min(8, found.runs // BIN))
    for runs in bins:
        x, share = strength[runs], fell[runs].mean()
        ends = interval(int(fell[runs].sum()), len(runs))
        axes.fill_between([x.min(), x.max()], *ends, color=style.BLUE, alpha=0.2, lw=0)
        axes.plot(np.median(x), share, "o", ms=4, color=style.BLUE, clip_on=False, zorder=3)
    axes.set(ylim=(0, 1))
    axes.set_yticks(*PERCENT)
    axes.set_ylabel(f"share of {spaced(len(bins[-1]))} runs of about this strength [%]")
    _strength_axis(axes, strength)
    axes.set_title(f"Share that {found.kind.falls}")


# -- how far --------------------------------------------------------------------------------------


def draw_runs(axes: Any, found: Counted) -> None:
    """A dot for each run: how far it came, against the peak acceleration of the ground."""
    x, far, fell = found.some(MOST_DOTS)
    colour = np.where(fell, style.VERMILLION, style.BLUE)
    size = min(max(3e3 / len(x), 2.5), 14.0)
    y, many = _with_strip(axes, found, far, fell), len(x) > 50
    sway = np.random.default_rng(0).uniform(-1, 1, len(y)) if many else np.zeros(len(y))
    strip = axes.get_ylim()[1] - y[fell].max(initial=0.0)  # half the height of the strip
    y = np.where(fell, y + 0.7 * strip * sway, y)
    axes.scatter(
        x, y, size, colour, alpha=0.5 if many else 1, lw=0, rasterized=many, clip_on=False, zorder=3
    )
    _strength_axis(axes, x)
    if len(x) < found.runs:
        notes(axes, [(f"{spaced(len(x))} runs of {spaced(found.runs)}", style.QUIET)])


def draw_growth(axes: Any, found: Counted) -> None:
    """Of one motion: how far each body came, as the motion grows."""
    strength = found.strength()[0]
    order = np.argsort(strength)
    x = strength[order]
    shown = [*thinned(found.others), *found.chosen]
    far = found.data[found.kind.measure][shown, 0].values[:, order]
    fell = np.isin(found.data["status"][shown, 0].values[:, order], FALLEN)
    y = _with_strip(axes, found, far, fell)
    standing = np.where(fell, np.nan, y)
    grey = len(shown) - len(found.chosen)
    own = zip(y[grey:], standing[grey:], looks(found), places(axes, found), strict=True)
    for row, line, (_, look), place in own:
        axes.plot(x, line, color=look["color"], zorder=3, transform=place)
        axes.plot(x, row, ls="none", zorder=3, transform=place, clip_on=False, **look)
    draw_grey(axes, [np.column_stack([x, line]) for line in standing[:grey]])
    _strength_axis(axes, x)
    axes.set_title(f"{found.kind.title}, under {found.data['motion'].values[0]}", parse_math=False)


def _with_strip(axes: Any, found: Counted, far: Array, fell: Any) -> Array:
    """Set the upright axis, with a strip above it where runs that fell lie, and say where each run
    is; nan where it is not known."""
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
    strip = 1.08 * top
    if fell.any():
        axes.axhspan(1.01 * top, 1.15 * top, color=style.FAINT, alpha=0.6, lw=0)
        ticks, labels = [*ticks, strip], [*labels, kind.fallen]
    axes.set_yticks(ticks, labels)
    axes.set(ylim=(0, 1.15 * top if fell.any() else top), title=kind.title)
    axes.set_ylabel(f"{kind.title[0].lower()}{kind.title[1:]} {kind.axis}")
    return np.where(fell, strip, far)


def _strength_axis(axes: Any, strength: Array) -> None:
    low, high = strength.min(initial=np.inf), strength.max(initial=0.0)
    if high > WIDE * low > 0:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(0, 1.05 * high or 1.0)
    axes.set_xlabel(PGA)


def _levels(found: Counted) -> tuple[Array, str]:
    """How strong the motions are at each scale, and what that is called: the ground's peak
    acceleration where all motions have the same, else the scale."""
    pga, scales = common_pga(found.data), found.data["scale"].values
    if pga is None or found.motions == 1 or (scales < 0).any():
        return scales, "scale of the motions [–]"
    return pga * scales, PGA
