"""The figure of a block identified from free rocking: fit, residual, intervals, correlations."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.rocking_identification.identified import (
    QUANTILE,
    SYMBOLS,
    UNITS,
    IdentifiedBlock,
)
from rocksteady.view import style
from rocksteady.view.labels import legend_above
from rocksteady.view.words import wrapped

LABELS = {"angle": "lean θ [°]", "displacement": "displacement [mm]", "rate": "rate ω [rad/s]"}
FACTORS = {"angle": 180 / math.pi, "displacement": 1e3, "rate": 1.0}
SHORT = {"angle": "°", "displacement": "mm", "rate": "rad/s"}
AFTER = 1.25  # of the part compared: what is shown


def plot_identified(found: IdentifiedBlock, path: str | Path | None = None) -> Figure:
    """Draw signal and fit, the residual, the intervals and the correlations.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    values = found.values
    if found.told_apart:
        names = ("p", *found.sides, "eta")
    else:
        names = (*(name for name in values if name.startswith("p2alpha")), "eta")
    what = ", ".join(
        f"{SYMBOLS[n]} = {values[n]:.4g}{'' if UNITS[n] == '-' else f' {UNITS[n]}'}" for n in names
    )
    title = wrapped(f"Free rocking identified, {found.impacts} impacts: {what}")
    with style.sheet(title, 130, path) as fig:
        grid = fig.add_gridspec(2, 2, height_ratios=(1.3, 1.0), width_ratios=(1.45, 1.0))
        _draw_fit(fig.add_subplot(grid[0, 0]), found)
        _draw_residual(fig.add_subplot(grid[1, 0]), found)
        _draw_intervals(fig.add_subplot(grid[0, 1]), found)
        _draw_correlation(fig.add_subplot(grid[1, 1]), found)
    return fig


def _ends(found: IdentifiedBlock) -> tuple[float, float]:
    start, stop = found.compared
    first = max(float(found.time[0]), found.values["released"] - 0.1 * (stop - start))
    return first, min(float(found.time[-1]), start + AFTER * (stop - start))


def _draw_fit(axes: Any, found: IdentifiedBlock) -> None:
    factor = FACTORS[found.kind]
    axes.axvspan(*found.compared, color=style.FAINT, alpha=0.6, lw=0, label="compared")
    axes.plot(found.time, factor * found.signal, ".", ms=1.8, color=style.BLUE, label="measured")
    axes.plot(found.time, factor * found.fitted, color=style.VERMILLION, lw=0.9, label="fitted")
    axes.set(xlabel="time [s]", ylabel=LABELS[found.kind], xlim=_ends(found), title="Signal")
    legend_above(axes, 3)


def _draw_residual(axes: Any, found: IdentifiedBlock) -> None:
    factor = FACTORS[found.kind]
    band = QUANTILE * factor * found.noise
    axes.axhspan(-band, band, color=style.FAINT, lw=0)
    axes.axhline(0, color=style.QUIET, lw=0.7)
    axes.plot(found.time, factor * found.residual, ".", ms=1.8, color=style.BLUE)
    low, high = found.compared
    inside = (found.time >= low) & (found.time <= high)
    most = 1.2 * max(2 * band, float(np.percentile(np.abs(factor * found.residual[inside]), 99)))
    unit = SHORT[found.kind]
    axes.set(xlabel="time [s]", ylabel=f"residual [{unit}]", xlim=_ends(found), ylim=(-most, most))
    axes.set_title(f"Residual; the band holds 90 %, ±{band:.2g} {unit}")


def _shown(found: IdentifiedBlock) -> list[str]:
    return [name for name in found.values if name in SYMBOLS]


def _draw_intervals(axes: Any, found: IdentifiedBlock) -> None:
    """Intervals relative to the value, in per cent."""
    names = _shown(found)
    widest = 0.0
    for row, name in enumerate(names):
        value, (low, high) = found.values[name], found.intervals[name]
        ends = [100 * (low / value - 1), 100 * (high / value - 1)]
        colour = style.BLUE if name in found.known else style.ORANGE
        axes.plot(ends, [row, row], color=colour, lw=1.8)
        axes.plot(0, row, "o", ms=4, color=colour)
        unit = "" if UNITS[name] == "-" else f" {UNITS[name]}"
        text = f"{value:.4g}{unit}  ({low:.4g} … {high:.4g})"
        axes.annotate(
            text, (0.02, row - 0.32), xycoords=("axes fraction", "data"), fontsize=6.5, va="center"
        )
        widest = max(widest, -ends[0], ends[1])
    title = "Parameters" if found.told_apart else "Parameters; orange: not known"
    axes.set(xlim=(-1.15 * widest, 1.15 * widest), ylim=(len(names) - 0.4, -0.8))
    axes.set(xlabel="90 % interval about the value [%]", title=title)
    axes.set_yticks(range(len(names)), [SYMBOLS[name] for name in names])
    axes.axvline(0, color=style.FAINT, lw=0.8, zorder=0)


def _draw_correlation(axes: Any, found: IdentifiedBlock) -> None:
    names = [*_shown(found), "theta0", "offset"]
    signs = {**SYMBOLS, "theta0": "θ₀", "offset": "zero"}
    rows = [[found.correlation_of(one, other) for other in names] for one in names]
    shown = axes.imshow(rows, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    for i, row in enumerate(rows):
        for j, rho in enumerate(row):
            colour = "white" if abs(rho) > 0.6 else style.INK
            text = f"{rho:.2f}".replace("-", "−")
            axes.text(j, i, text, ha="center", va="center", fontsize=5.5, color=colour)
    labels = [signs[name] for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=45 if len(names) > 6 else 0)
    axes.set_yticks(range(len(names)), labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Correlation")
    axes.figure.colorbar(shown, ax=axes, shrink=0.9, ticks=(-1, 0, 1), pad=0.02)
