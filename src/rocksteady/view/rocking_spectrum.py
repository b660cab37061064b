"""Rocking spectra: the largest lean and angular velocity over the size of the body."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.overturning.spectrum import BAND, RockingSpectrum
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.words import wrapped

COLOURS = (style.BLUE, style.VERMILLION, style.GREEN, style.PURPLE, style.ORANGE, style.SKY)
LABELS = {"peak": "largest lean |θ|/α [–]", "rate": "largest velocity |ω|/p [–]"}


def plot_spectrum(found: RockingSpectrum, path: str | Path | None = None) -> Figure:
    """Draw a spectrum: a curve for each α, broken where the block falls; of many motions the
    median and the band from 16 to 84 %, and below it the share that falls.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    many = found.motions > 1
    if many:
        what = f"{found.motions} motions: median, and band from 16 to 84 %"
    else:
        what = " ".join(found.study.motion_names[0].split()) or "one motion"
        what += f", PGA {found.study.motions[0].pga / GRAVITY_UNIT:.3g} g"
    how, floor = found.study.formulation.name, found.study.floor
    how = how if floor is None else f"{how}; {floor}"
    title = wrapped(f"Rocking spectrum of {what} ({how})")
    panels = ("peak", "rate", "share") if many else ("peak", "rate")
    with style.sheet(title, 30 + 45 * len(panels), path) as fig:
        every = fig.subplots(len(panels), sharex=True)
        for axes, name in zip(every, panels, strict=True):
            for a in range(len(found.alphas)):
                _draw(axes, found, a, name)
            axes.set_ylabel(LABELS.get(name, "share that falls [%]"))
            axes.set_ylim(bottom=0)
        every[0].axhline(1, color=style.QUIET, lw=0.7, ls=style.DASHED)
        if many:
            every[-1].set_ylim(0, 100)
        else:
            _mark_falls(every[0], found)
        every[-1].set_xlim(found.periods[0], found.periods[-1])
        every[-1].set_xlabel("size of the block, 2π/p [s]")
        _heights(every[0], found)
        handles, labels = every[0].get_legend_handles_labels()
        fig.legend(handles, labels, loc="outside lower center", ncols=3)
    return fig


def _draw(axes: Any, found: RockingSpectrum, a: int, name: str) -> None:
    colour, x = COLOURS[a % len(COLOURS)], found.periods
    if name == "share":
        low, high = (100 * end[a] for end in found.interval())
        axes.fill_between(x, low, high, color=colour, alpha=0.18, lw=0)
        axes.plot(x, 100 * found.share[a], color=colour)
        return
    label = f"α = {found.alphas[a]:.3g} rad, η = {found.etas[a]:.3g}"
    axes.plot(x, found.quantile(0.5, name)[a], color=colour, label=label)
    if found.motions > 1:
        low, high = (found.quantile(q, name)[a] for q in BAND)
        both = np.isfinite(low) & np.isfinite(high)
        axes.fill_between(x, low, high, where=both, color=colour, alpha=0.18, lw=0)
        for end in (low, high):
            axes.plot(x, end, color=colour, lw=0.5)


def _mark_falls(axes: Any, found: RockingSpectrum) -> None:
    """A bar along the top where the block of each α falls."""
    for a in range(len(found.alphas)):
        place = 0.99 - 0.035 * a
        for start, stop in _stretches(found.fell[a, 0], found.periods):
            axes.plot(
                [start, stop], [place, place], transform=axes.get_xaxis_transform(),
                color=COLOURS[a % len(COLOURS)], lw=2.5, solid_capstyle="butt",
            )  # fmt: skip
    if found.fell.any():
        axes.set_title("bars: it falls", loc="right", fontsize=7, color=style.QUIET)


def _stretches(fell: Any, x: Array) -> list[tuple[float, float]]:
    """From where to where it falls, half-way to the points that stand."""
    middles = np.concatenate([x[:1], (x[1:] + x[:-1]) / 2, x[-1:]])
    change = np.flatnonzero(np.diff(np.concatenate([[False], fell, [False]]).astype(int)))
    starts, stops = change[::2], change[1::2]
    return [(float(middles[i]), float(middles[j])) for i, j in zip(starts, stops, strict=True)]


def _heights(axes: Any, found: RockingSpectrum) -> None:
    """The heights of the blocks of the first α along the top."""
    periods, heights = found.periods, found.heights[0]
    nice = [h for h in (0.2, 0.5, 1, 2, 4, 7, 12, 20, 30, 50) if heights[0] <= h <= heights[-1]]
    if not nice:
        return
    top = axes.secondary_xaxis("top", functions=(_same, _same))
    top.set_xticks([float(np.interp(h, heights, periods)) for h in nice], [f"{h:g}" for h in nice])
    top.set_xlabel(f"height [m] for α = {found.alphas[0]:.3g} rad", fontsize=7, labelpad=3)
    top.tick_params(labelsize=7)
    top.minorticks_off()


def _same(values: Any) -> Any:
    """The scale of the second axis: matplotlib's own cannot be pickled."""
    return values
