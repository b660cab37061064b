"""The figure of a portfolio: where which damage is, and how much of it in each district."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rocksteady.analysis.portfolio.assess import FAILED, PortfolioResult
from rocksteady.analysis.portfolio.table import WGS84
from rocksteady.errors import InputError
from rocksteady.view import style

# From light to dark also in grey print.
COLOURS = ("#D9D9D9", "#F0E442", style.ORANGE, style.VERMILLION, "#4B0026")
UNKNOWN = "white"  # the method found no answer
MOST = 14  # districts that have a bar of their own


def plot_portfolio(
    result: PortfolioResult, path: str | Path | None = None, scenario: str | None = None
) -> Figure:
    """Draw the map of damage states of one scenario and their shares, by district if there are
    several.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    scenario = result.scenarios[0] if scenario is None else scenario
    if scenario not in result.scenarios:
        raise InputError(
            f"There is no scenario {scenario!r}: there are {', '.join(result.scenarios)}."
        )
    rows = result.of(scenario)
    lost = int(rows["collapse_time [s]"].notna().sum())
    failed = int((rows["damage_state"] == FAILED).sum())
    title = f"{_count(len(rows))} masonry buildings, {scenario}: {_count(lost)} collapse"
    if failed:
        title += f", {_count(failed)} without an answer"
    with style.sheet(title, 110, path) as fig:
        chart, bars = fig.subplots(1, 2, width_ratios=(1.5, 1.0))
        _draw_map(chart, result, scenario)
        if result.summary()["district"].nunique() > 1:
            _draw_districts(bars, result, scenario)
        else:
            _draw_states(bars, result, scenario)
        _draw_legend(fig, result, scenario)
    return fig


def _draw_map(axes: Any, result: PortfolioResult, scenario: str) -> None:
    rows = result.of(scenario)
    x, y = (rows[name].to_numpy(dtype=float) for name in result.place)
    state = rows["damage_state"].to_numpy()
    size = min(max(1.2e4 / len(rows), 0.4), 12.0)
    axes.scatter(  # in the order of the table: none hides another more often than it is hidden
        x,
        y,
        s=size,
        c=np.array([*COLOURS, UNKNOWN])[state],  # −1, failed, is the last
        linewidths=0.2 if size > 3 else 0,
        edgecolors=style.INK,
        rasterized=True,
    )
    if result.place[0] in WGS84:
        axes.set_aspect(1 / max(math.cos(math.radians(float(np.mean(y)))), 0.05), "box")
        axes.set(xlabel="longitude [°]", ylabel="latitude [°]")
    else:
        axes.set_aspect("equal", "box")
        axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.ticklabel_format(useOffset=False)
    axes.locator_params(nbins=5)
    axes.set_title("Damage of each building")


def _draw_legend(fig: Figure, result: PortfolioResult, scenario: str) -> None:
    state = result.of(scenario)["damage_state"].to_numpy()
    shown = [*zip(COLOURS, result.states.names, _counts(state, result), strict=True)]
    failed = int((state == FAILED).sum())
    if failed:
        shown.append((UNKNOWN, "failed", failed))
    handles = [
        Patch(facecolor=colour, edgecolor=style.INK, lw=0.3, label=f"{name}  {_count(n)}")
        for colour, name, n in shown
    ]
    fig.legend(handles=handles, loc="outside lower left", ncols=len(handles), handlelength=1.0)


def _counts(state: Any, result: PortfolioResult) -> Any:
    """How many buildings are in each state, those without an answer left out."""
    return np.bincount(state[state != FAILED], minlength=len(result.states.names))


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")  # a narrow space parts the thousands


def _draw_states(axes: Any, result: PortfolioResult, scenario: str) -> None:
    """The share of each state in the whole town."""
    names = result.states.names
    state = result.of(scenario)["damage_state"].to_numpy()
    counts = _counts(state, result)
    shares = counts / max(counts.sum(), 1)
    rows = np.arange(len(names))
    axes.barh(rows, shares, color=COLOURS, edgecolor=style.INK, linewidth=0.3, height=0.7)
    axes.set_yticks(rows, names)
    axes.set(ylim=(len(names) - 0.4, -0.6))
    _share_axis(axes)
    axes.set_title("All buildings")


def _share_axis(axes: Any) -> None:
    axes.set(xlim=(0, 1), xlabel="share of buildings")
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.tick_params(axis="y", length=0)


def _draw_districts(axes: Any, result: PortfolioResult, scenario: str) -> None:
    """Stacked shares of the buildings with an answer, the worst-hit district first."""
    table = result.summary()
    table = table[table["scenario"] == scenario]
    names = list(result.states.names)
    answered = (table["buildings"] - table["failed"]).clip(lower=1)
    mean = (table[names].to_numpy() * np.arange(len(names))).sum(axis=1) / answered
    table = table.assign(mean=mean, answered=answered).sort_values("mean", ascending=False)
    left_out = max(len(table) - MOST, 0)
    table = table.head(MOST)
    shares = table[names].to_numpy() / table["answered"].to_numpy()[:, None]
    rows, start = np.arange(len(table)), np.zeros(len(table))
    for i in range(len(names)):
        axes.barh(
            rows, shares[:, i], left=start, color=COLOURS[i], edgecolor=style.INK, linewidth=0.3,
            height=0.7,
        )  # fmt: skip
        start += shares[:, i]
    labels = [
        f"{d} ({_count(n)})" for d, n in zip(table["district"], table["buildings"], strict=True)
    ]
    axes.set_yticks(rows, labels, parse_math=False)
    axes.set(ylim=(max(len(table), 4) - 0.4, -0.6))
    _share_axis(axes)
    more = f", {left_out} more not shown" if left_out else ""
    axes.set_title(f"By district{more}")
