"""A test of free rocking and the block that was fitted to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.decay import MeasuredR
from rocksteady.formulations import Housner
from rocksteady.formulations.contract import Array
from rocksteady.simulation import simulate
from rocksteady.systems import Block
from rocksteady.view import style
from rocksteady.view.words import wrapped


def plot_measured(
    time: Array, theta: Array, block: Block, found: MeasuredR, path: str | Path | None = None
) -> Figure:
    """Draw a measured lean [rad] over time [s], and that of the block with the r that was found.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    fitted = simulate(block, None, Housner(r=found.r), theta0=float(theta[0]))
    hits = fitted.impacts.time
    end = hits[min(found.impacts, len(hits) - 1)]  # of the swing after the last impact compared
    with style.house_style():
        fig = style.new_figure(height=75 * style.MM)
        axes = fig.subplots()
        axes.axhline(0, color=style.QUIET, lw=0.7)
        axes.axvspan(0, end, color=style.FAINT, alpha=0.8, lw=0, label="compared")
        axes.plot(time, np.degrees(theta), color=style.BLUE, lw=1.6, label="measured")
        look: dict[str, Any] = {"color": style.VERMILLION, "ls": style.DASHED, "lw": 1.1}
        axes.plot(fitted.time, np.degrees(fitted.theta), label=f"r = {found.r:.4f}", **look)
        axes.set(xlabel="time [s]", ylabel="lean θ [°]", xlim=(0, min(time[-1], 1.6 * end)))
        fig.legend(loc="outside lower center", ncols=3)
        title = wrapped(
            f"{block.label}, let go: keeps r = {found.r:.3f} of its energy at an impact "
            f"({found.impacts} compared)"
        )
        fig.suptitle(title, x=0.012, ha="left", fontsize=9, fontweight="bold", parse_math=False)
    if path is not None:
        style.save_figure(fig, path)
    return fig
