"""What would bring the yearly rate down: one panel for each thing that was changed."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.hazard.measured import Measured, Measures
from rocksteady.view import style
from rocksteady.view.words import wrapped


def plot_measures(found: Measures, path: str | Path | None = None) -> Figure:
    """Draw the yearly rate over each thing that was changed, and where it reaches the goal.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    goal = "halve" if found.factor == 0.5 else f"bring to {100 * found.factor:.3g} %"
    title = f"{found.base.stripes.system.label}: what would {goal} the rate"
    with style.sheet(title, 70, path) as fig:
        panels = np.atleast_1d(fig.subplots(1, len(found.tried), sharey=True))
        for axes, one in zip(panels, found.tried, strict=True):
            _draw(axes, one, found)
        panels[0].set_ylabel("yearly rate of falls [1/year]" if found.base.event == "falls"
                             else "yearly rate [1/year]")  # fmt: skip
        handles, labels = panels[0].get_legend_handles_labels()
        fig.legend(handles, labels, loc="outside lower center", ncols=4)
    return fig


def _draw(axes: Any, one: Measured, found: Measures) -> None:
    level = 100 * found.base.level
    look: dict[str, Any] = {"color": style.BLUE, "alpha": 0.2, "lw": 0}
    axes.fill_between(one.values, *one.bands, label=f"{level:g} % band", **look)
    axes.plot(one.values, one.rates, ".-", color=style.BLUE, ms=4, label="rate")
    axes.axhline(found.base.rate, color=style.INK, lw=0.8, label="as it is")
    axes.axhline(one.wanted, color=style.QUIET, lw=0.8, ls=style.DASHED, label="goal")
    if np.isfinite(one.reaches):
        axes.plot([one.reaches], [one.wanted], "o", color=style.VERMILLION, ms=5, zorder=3)
        axes.annotate(
            f"{one.reaches:.3g} {one.unit}", (one.reaches, one.wanted), xytext=(4, 5),
            textcoords="offset points", color=style.VERMILLION, fontsize=7.5,
        )  # fmt: skip
    if (one.rates > 0).all():
        axes.set_yscale("log")
    if one.values[0] > one.values[-1]:
        axes.invert_xaxis()  # the change grows towards the right
    axes.set_xlabel(f"{one.axis} [{one.unit}]")
    axes.set_title(wrapped(one.title, 34))
