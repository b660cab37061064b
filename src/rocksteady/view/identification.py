"""The figure of an identification: fit, residual, intervals, correlations."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.identification.findings import SYMBOLS
from rocksteady.analysis.identification.identification import Identification
from rocksteady.bodies.units import WRITTEN
from rocksteady.view import style
from rocksteady.view.labels import legend_above

EXACT = 1e-9  # of the peak: less scatter is rounding
VAGUE = 1e3  # an interval whose ends differ by this factor is no knowledge
_SIGNS = {"k_a": "$k_a$", "τ_0": "$τ_0$", "A∞": "$A_∞$", "a": "$a$", "Γ": "Γ", "γ": "γ"}


def plot_identification(found: Identification, path: str | Path | None = None) -> Figure:
    """Draw curve and fit, the residual, the intervals and the correlations.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    share = found.noise / float(np.abs(found.force).max())
    scatter = f"scatter {found.noise / 1e3:.3g} kN ({share:.1%} of the peak)"
    title = (
        f"Identification: {len(found.free)} of 6 parameters from {len(found.force)} points, "
        f"{'no scatter' if share < EXACT else scatter}"
    )
    with style.sheet(title, 135, path) as fig:
        grid = fig.add_gridspec(2, 2, height_ratios=(1.35, 1.0), width_ratios=(1.25, 1.0))
        _draw_fit(fig.add_subplot(grid[0, 0]), found)
        _draw_residual(fig.add_subplot(grid[1, 0]), found)
        _draw_intervals(fig.add_subplot(grid[0, 1]), found)
        _draw_correlation(fig.add_subplot(grid[1, 1]), found)
    return fig


def _draw_fit(axes: Any, found: Identification) -> None:
    u = 1e3 * found.displacement
    axes.plot(u, found.force / 1e3, ".", ms=2.5, color=style.QUIET, label="measured")
    axes.plot(u, found.fitted / 1e3, color=style.VERMILLION, lw=1.2, label="fitted law")
    axes.set(xlabel="displacement u [mm]", ylabel="force [kN]", title="Curve and fit")
    legend_above(axes, 2)  # loops fill the frame


def _draw_residual(axes: Any, found: Identification) -> None:
    band = 1.96e-3 * found.noise
    axes.axhspan(-band, band, color=style.FAINT, lw=0)
    axes.axhline(0, color=style.QUIET, lw=0.7)
    axes.plot(found.residual / 1e3, ".-", ms=2.5, lw=0.4, color=style.BLUE)
    axes.set(xlabel="point of the curve, in order", ylabel="residual [kN]")
    axes.set_title("Residual; band ±1.96 σ")


def _draw_intervals(axes: Any, found: Identification) -> None:
    """Intervals relative to the value; in words where the curve has none."""
    names = list(found.values)
    for row, name in enumerate(names):
        value, (low, high) = found.values[name], found.intervals[name]
        unit = f" {WRITTEN[name].replace('m^(1/γ)', '$m^{1/γ}$')}" if name in WRITTEN else ""
        if math.isnan(value):
            least = f" (≥ {_digits(low)}{unit})" if low > 0 else ""
            _note(axes, row, f"not determined{least}")
        elif name in found.fixed:
            axes.plot(1, row, "s", ms=4, color=style.QUIET)
            _note(axes, row, f"{_digits(value)}{unit} (given)")
        else:
            axes.plot([low / value, high / value], [row, row], color=style.BLUE, lw=1.6)
            axes.plot(1, row, "o", ms=4, color=style.BLUE)
            known = f"{_digits(low)} … {_digits(high)}"
            known = known if high < VAGUE * low else "within no bounds that help"
            _note(axes, row, f"{_digits(value)}{unit}   ({known})")
    axes.set_xscale("log")
    ends = [found.intervals[name][1] / found.values[name] for name in found.free]
    factors = [factor for factor in ends if math.isfinite(factor)]
    edge = min(max([1.12, *(f**1.1 for f in factors)]), 1e3)
    ticks = _ticks(edge)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set(xlim=(1 / edge, edge), ylim=(len(names) - 0.4, -0.75))
    axes.set(xlabel="95 % interval / value", title="Parameters")
    axes.set_yticks(range(len(names)), [_SIGNS[SYMBOLS[name]] for name in names])
    axes.axvline(1, color=style.FAINT, lw=0.8, zorder=0)


def _ticks(edge: float) -> list[float]:
    for step in (1.1, 1.2, 1.5, 2.0, 5.0, 10.0, 100.0):
        if edge < step**2.2:
            break
    return [float(f"{1 / step:.2g}"), 1.0, step]


def _digits(value: float) -> str:
    """Four digits; a power of ten where it would be long."""
    if value == 0 or 1e-3 <= abs(value) < 1e4:
        return f"{value:.4g}"
    power = math.floor(math.log10(abs(value)))
    return rf"{value / 10**power:.3f}·10$^{{{power}}}$"


def _note(axes: Any, row: int, text: str) -> None:
    where = {"xy": (0.02, row - 0.3), "xycoords": ("axes fraction", "data"), "va": "center"}
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    axes.annotate(text, **where, fontsize=6.5, color=style.INK, bbox=box)


def _draw_correlation(axes: Any, found: Identification) -> None:
    count = len(found.free)
    axes.set_title("Correlation")
    if count < 2:
        axes.axis("off")
        axes.text(0.5, 0.5, "only one parameter", ha="center", va="center", color=style.QUIET)
        return
    shown = axes.imshow(found.correlation, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    for i in range(count):
        for j in range(count):
            rho = found.correlation[i, j]
            text, colour = f"{rho:.2f}".replace("-", "−"), "white" if abs(rho) > 0.6 else style.INK
            axes.text(j, i, text, ha="center", va="center", fontsize=6.5, color=colour)
    labels = [_SIGNS[SYMBOLS[name]] for name in found.free]
    axes.set_xticks(range(count), labels)
    axes.set_yticks(range(count), labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.figure.colorbar(shown, ax=axes, shrink=0.9, ticks=(-1, 0, 1), pad=0.02)
