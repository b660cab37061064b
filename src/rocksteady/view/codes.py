"""Checks by code: the capacity curve with its demand, and the a_g at every limit."""

import math
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from rocksteady.analysis.codes.comparison import OWN, Comparison
from rocksteady.analysis.codes.result import Capacity, Check, digits
from rocksteady.view import style
from rocksteady.view.labels import legend_above, signs
from rocksteady.view.words import wrapped

LOOKS = {"SLV": style.BLUE, "SLC": style.VERMILLION}
ROW = 5.2  # mm of a row of the bars
HIGHEST = 5.0  # the figure's height over the capacity's
STRONGEST = 2.0  # g: bars end here, with their number
_GREEN, _RED, _GREY = style.GREEN, style.VERMILLION, style.QUIET


def plot_check(check: Check, path: str | Path | None = None) -> Figure:
    """Draw one check: its capacity curve where it has one, and the a_g at its limits.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    rows = [(limit.name, limit.bears, limit.satisfied) for limit in check.limits]
    if not rows:  # a comparison: where half of each item falls
        rows = [(line.words, line.value, None) for line in check.lines if line.symbol == "a_g,50"]
    required = next((line.value for line in check.lines if line.symbol == "a_g"), math.nan)
    title = f"{check.short}: {check.body}"
    return _drawn(title, check.capacity, rows, required, path)


def plot_comparison(found: Comparison, path: str | Path | None = None) -> Figure:
    """Draw a comparison: the kinematic check's capacity curve, and the a_g at every limit.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    rows = []
    for row in found.rows:
        method = "own runs" if row.method.startswith(OWN) else row.method
        rows.append((f"{method}: {row.limit}", row.bears, row.satisfied))
    capacity = next((each.capacity for each in found.checks if each.capacity is not None), None)
    where = "on the ground" if found.site.floor is None else f"on the {found.site.floor}"
    return _drawn(f"{found.body.label} {where}", capacity, rows, found.site.ag, path)


def _drawn(
    title: str,
    capacity: Capacity | None,
    rows: list[tuple[str, float, bool | None]],
    required: float,
    path: str | Path | None,
) -> Figure:
    bars = 24 + ROW * max(len(rows), 2)
    heights = [bars] if capacity is None else [62.0, bars]
    with style.sheet(wrapped(title), sum(heights) + 8, path) as fig:
        # each panel has the whole width, whatever the other's labels take
        parts: Any = fig.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        if capacity is not None:
            _draw_capacity(parts[0].subplots(), capacity)
        _draw_bars(parts[-1].subplots(), rows, required)
    return fig


def _draw_capacity(axes: Any, capacity: Capacity) -> None:
    """Accelerations over displacements: capacity, demand, and the limit states between them."""
    mm = 1e3
    axes.plot(mm * capacity.d, capacity.a, color=style.INK, lw=1.4, label="capacity")
    widest = 1.15 * max(capacity.d[-1], *(point[-1] for point in capacity.points.values()))
    strongest = max(a.max() for _, a in capacity.demands.values())
    top = min(1.08 * strongest, HIGHEST * capacity.a.max())
    for state, (d, a) in capacity.demands.items():
        axes.plot(mm * d, a, color=LOOKS[state], lw=1.0, label=f"demand, {state}")
    for state, (at, height, period, demand) in capacity.points.items():
        look: dict[str, Any] = {"color": LOOKS[state]}
        ray = (2 * math.pi / period) ** 2  # 1/s²: a/d of an oscillator of this period
        axes.plot([0, mm * widest], [0, ray * widest], lw=0.6, ls=style.DASHED, **look)
        end = min(widest, 0.9 * top / ray)
        words = {"textcoords": "offset points", "fontsize": 7, "ha": "right", **look}
        axes.annotate(f"{period:.2f} s", (mm * end, ray * end), (-2, 3), **words)
        axes.plot(mm * at, height, "o", ms=4.5, label=f"{state}: {mm * at:.3g} mm", **look)
        asked = f"demand: {mm * demand:.3g} mm"
        axes.plot(mm * demand, 0, "v", ms=6, clip_on=False, label=asked, **look)
    axes.set(xlim=(0, mm * widest), ylim=(0, top))
    axes.set(xlabel="spectral displacement d [mm]", ylabel="spectral acceleration a [m/s²]")
    axes.set_title("Capacity and demand")
    legend_above(axes, 4, columnspacing=1.0)


def _draw_bars(axes: Any, rows: list[tuple[str, float, bool | None]], required: float) -> None:
    """The a_g at each limit; green where the required one is borne."""
    colours = {True: _GREEN, False: _RED, None: _GREY}
    finite = [value for _, value, _ in rows if math.isfinite(value)]
    edge = min(1.15 * max([*finite, required if required > 0 else 0.1]), STRONGEST)
    for place, (_, value, satisfied) in enumerate(rows):
        shown = min(value, edge) if value > 0 else 0.0
        axes.barh(place, shown, height=0.62, color=colours[satisfied])
        words = digits(float(f"{value:.3g}")) if math.isfinite(value) else "not reached"
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
        where = {"va": "center", "fontsize": 7, "textcoords": "offset points"}
        axes.annotate(words, (min(shown, 0.88 * edge), place), (3, 0), bbox=box, **where)
    if required > 0:
        axes.axvline(required, color=style.INK, lw=0.9, ls=style.DASHED, zorder=1.5)
        side = {"ha": "right"} if required > 0.7 * edge else {"ha": "left"}
        shift = (-3 if required > 0.7 * edge else 3, 0)
        where = {"va": "center", "fontsize": 7, "textcoords": "offset points", **side}
        axes.annotate(f"required {digits(required)} g", (required, -0.75), shift, **where)
    axes.set_yticks(range(len(rows)), [signs(name) for name, *_ in rows])
    axes.set(ylim=(len(rows) - 0.4, -1.1), xlim=(0, edge), xlabel="$a_g$ at the limit [g]")
    axes.tick_params(axis="y", length=0, labelsize=7)
    axes.set_title("$a_g$ at each limit (green: satisfied, orange: not, grey: no verdict)")
