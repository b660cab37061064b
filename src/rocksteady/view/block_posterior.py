"""The figure of a block identified from outcomes: marginals, pairs, calibration."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.rocking_identification.posterior import SYMBOLS, UNITS, BlockPosterior
from rocksteady.analysis.shares.interval import interval
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.words import wrapped

BINS = 32
EDGES = np.array([0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0])  # of the calibration


def plot_posterior(found: BlockPosterior, path: str | Path | None = None) -> Figure:
    """Draw the marginal of each parameter, each pair, and how held-out predictions came true.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    names = list(found.prior)
    count = len(names)
    title = wrapped(
        f"Block identified from {len(found.tests)} outcomes; held-out accuracy {found.accuracy:.3f}"
    )
    with style.sheet(title, 42 * count + 14, path, letters=False) as fig:
        grid = fig.add_gridspec(count, count)
        for i, name in enumerate(names):
            _draw_marginal(fig.add_subplot(grid[i, i]), found, name)
            for j in range(i):
                _draw_pair(fig.add_subplot(grid[i, j]), found, names[j], name)
        _draw_calibration(fig.add_subplot(grid[0, 1:]), found)
    return fig


def _label(name: str) -> str:
    unit = UNITS[name]
    return SYMBOLS[name] if unit == "-" else f"{SYMBOLS[name]} [{unit}]"


def _column(found: BlockPosterior, name: str) -> Array:
    return np.asarray(found.points[:, list(found.prior).index(name)])


def _draw_marginal(axes: Any, found: BlockPosterior, name: str) -> None:
    bounds, (low, high) = found.prior[name], found.intervals[name]
    share, edges = np.histogram(
        _column(found, name), bins=BINS, range=bounds, weights=found.weights, density=True
    )
    axes.axvspan(low, high, color=style.FAINT, lw=0)
    level = 1 / (bounds[1] - bounds[0])
    axes.axhline(level, color=style.QUIET, ls=style.DASHED, lw=0.8)
    place, up = (bounds[1], level), (-2, 2)
    look: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "fontsize": 6}
    axes.annotate("prior", place, up, color=style.QUIET, **look)
    axes.stairs(share, edges, color=style.BLUE, fill=True, alpha=0.8)
    axes.axvline(found.medians[name], color=style.VERMILLION, lw=1.0)
    axes.set(xlim=bounds, yticks=[], xlabel=_label(name))
    axes.spines["left"].set_visible(False)
    cannot = "cannot tell" if name in found.untold else f"{low:.4g} … {high:.4g}"
    axes.set_title(f"{SYMBOLS[name]}: {cannot}")


def _draw_pair(axes: Any, found: BlockPosterior, across: str, up: str) -> None:
    bounds = [found.prior[across], found.prior[up]]
    columns = _column(found, across), _column(found, up)
    share, x, y = np.histogram2d(*columns, bins=BINS - 8, range=bounds, weights=found.weights)
    axes.pcolormesh(x, y, share.T, cmap="Blues", rasterized=True)
    axes.plot(found.medians[across], found.medians[up], "+", color=style.VERMILLION, ms=6)
    axes.set(xlabel=_label(across), ylabel=_label(up), xlim=bounds[0], ylim=bounds[1])


def _draw_calibration(axes: Any, found: BlockPosterior) -> None:
    """How often tests overturned that were predicted to do so with some probability."""
    predicted, fell = found.held_out, found.tests.outcomes
    bins = np.clip(np.searchsorted(EDGES, predicted, side="right") - 1, 0, len(EDGES) - 2)
    axes.plot([0, 1], [0, 1], color=style.QUIET, ls=style.DASHED, lw=0.8)
    for each in np.unique(bins):
        those = bins == each
        n, count = int(those.sum()), int(fell[those].sum())
        low, high = interval(count, n)
        at = float(predicted[those].mean())
        axes.plot([at, at], [low, high], color=style.BLUE, lw=1.2)
        axes.plot(at, count / n, "o", ms=3.5, color=style.BLUE)
        above = at < 0.5  # the number of tests, where the others' are not
        text: dict[str, Any] = {"textcoords": "offset points", "fontsize": 6, "ha": "center"}
        place = (at, high) if above else (at, low)
        axes.annotate(str(n), place, (0, 3 if above else -8), color=style.INK, **text)
    axes.set(xlim=(-0.04, 1.04), ylim=(-0.12, 1.12))
    axes.set(xlabel="predicted, held out", ylabel="share that overturned")
    axes.set_title("Calibration: share, 90 % interval and number of tests")
