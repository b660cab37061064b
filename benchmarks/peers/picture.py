"""The outcomes as a figure: error over time, for free rocking and under records."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.peers.measure import Outcome
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from rocksteady.view import style

LOOKS = {
    "rocksteady": (style.BLUE, "o"),
    "SciPy": (style.INK, "s"),
    "MuJoCo": (style.GREEN, "D"),
    "pymunk": (style.ORANGE, "^"),
    "PyBullet": (style.PURPLE, "v"),
    "Drake": (style.SKY, "P"),
    "OpenSeesPy": (style.VERMILLION, "X"),
}
LEAST = 1e-16  # an error of nothing is drawn here


def draw(outcomes: list[Outcome]) -> Figure:
    """Left: half periods of free rocking; right: peaks under records."""
    with style.house_style():
        fig = style.new_figure(height=3.3)
        left, right = fig.subplots(1, 2, sharex=True, sharey=True)
        _panel(left, outcomes, lambda one: (one.free_time, one.free and one.free.periods))
        _panel(right, outcomes, lambda one: (one.shaken_time, one.shaken.median))
        left.set(title="Free rocking", ylabel="relative error of half periods [-]")
        right.set(title="Under records", ylabel="median error of peak |θ|/α [-]")
        right.tick_params(labelleft=True)
        handles, labels = right.get_legend_handles_labels()
        fig.legend(
            handles, labels, loc="outside lower center", ncols=len(labels), columnspacing=1.2
        )
    return fig


def _panel(ax: Any, outcomes: list[Outcome], point: Callable[[Outcome], tuple[float, Any]]) -> None:
    for name, (colour, marker) in LOOKS.items():
        mine = [(one, *point(one)) for one in outcomes if one.name == name]
        drawn = [
            (one, took, max(error, LEAST))
            for one, took, error in mine
            if error is not None and not math.isnan(error)
        ]
        if not mine:
            continue
        xs, ys = [took for _, took, _ in drawn], [error for *_, error in drawn]
        ax.plot(xs, ys, color=colour, marker=marker, markersize=5, label=name)
        for one, took, error in drawn:
            if not one.setting.name.startswith("tuned") and name != "rocksteady":
                ax.plot(took, error, color=colour, marker=marker, markersize=5, mfc="white")
            if one.setting.runs > 1:
                ax.annotate(
                    "many at once", (took, error), (-4, -13), textcoords="offset points", fontsize=7
                )
    ax.set(xscale="log", yscale="log", xlabel="processor time per run [s]", ylim=(3e-17, 3))
    ax.yaxis.set_major_locator(LogLocator(base=100, numticks=20))
    ax.grid(color=style.FAINT, linewidth=0.5)
