"""A test of free rocking and the block that was fitted to it."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.decay.measured import MeasuredR
from rocksteady.analysis.decay.model import lean_history, peaks, quarter_periods, swing_times
from rocksteady.bodies import Block
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.words import wrapped

SAMPLES = 2000  # of the fitted curve


def plot_measured(
    time: Array, theta: Array, block: Block, found: MeasuredR, path: str | Path | None = None
) -> Figure:
    """Draw a measured lean [rad] over time [s], and that of the block with the r that was found, as
    the sensor shows it: with its offset and drift. The band has the r of the interval's ends.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    end = _swings(found, found.r, block, found.impacts)[1]  # of the swing after the last impact
    before = 0.05 * (end - found.released)
    start = max(float(time[0]), found.released - before)
    stop = min(float(time[-1]), found.released + 1.6 * (end - found.released))
    at = np.linspace(start, max(stop, end), SAMPLES)
    zero = found.offset + found.drift * (at - found.released)
    low, high = (_history(at, found, r, block) for r in found.interval)
    title = wrapped(
        f"{block.label}, let go: keeps r = {found.r:.3f} of its energy at an impact "
        f"({found.impacts} compared)"
    )
    with style.sheet(title, 75, path) as fig:
        axes = fig.subplots()
        axes.axvspan(found.released, end, color=style.FAINT, alpha=0.8, lw=0, label="compared")
        axes.plot(at, np.degrees(zero), color=style.QUIET, lw=0.7, label="upright")
        axes.plot(time, np.degrees(theta), color=style.BLUE, lw=1.6, label="measured")
        curve = np.degrees(_history(at, found, found.r, block) + zero)
        look: dict[str, Any] = {"color": style.VERMILLION, "ls": style.DASHED, "lw": 1.1}
        axes.plot(at, curve, label=f"r = {found.r:.4f}", **look)
        band = np.degrees([low + zero, high + zero])
        limits = f"{found.interval[0]:.4f} to {found.interval[1]:.4f}"
        look = {"color": style.VERMILLION, "alpha": 0.3, "lw": 0}
        axes.fill_between(at, *band, label=f"90 %: {limits}", **look)
        axes.set(xlabel="time [s]", ylabel="lean θ [°]", xlim=(start, stop))
        fig.legend(loc="outside lower center", ncols=5)
    return fig


def _swings(found: MeasuredR, r: float, block: Block, last: int) -> tuple[Array, float]:
    """The peaks of all swings up to one [rad], and when that one ends [s]."""
    leans = peaks(abs(found.theta0), r, block.alpha, np.arange(last + 1))
    first = found.released + float(quarter_periods(leans[:1], block.alpha, found.p)[0])
    return leans, float(swing_times(leans, first, block.alpha, found.p)[1][-1])


def _history(at: Array, found: MeasuredR, r: float, block: Block) -> Array:
    """θ [rad] with another r, let go as it was."""
    leans, _ = _swings(found, r, block, 2 * found.impacts + 10)
    first = found.released + float(quarter_periods(leans[:1], block.alpha, found.p)[0])
    theta = lean_history(at, leans, first, block.alpha, found.p)
    return theta if found.theta0 > 0 else -theta
