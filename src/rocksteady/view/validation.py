"""A theory against tests: distributions with their bands, and outcomes seen beside predicted."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rocksteady.analysis.statistics.distributions import ABSCISSAE, distribution
from rocksteady.analysis.statistics.outcomes import Outcomes
from rocksteady.analysis.statistics.peaks import Peaks
from rocksteady.analysis.statistics.validation import Validation
from rocksteady.view import style
from rocksteady.view.words import wrapped


def plot_validation(found: Validation, path: str | Path | None = None) -> Figure:
    """A panel with the distributions of max |θ|/α and their bands, where peaks are known; and one
    with what was seen beside what was predicted, where outcomes are.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    panels: list[Any] = [part for part in (found.peaks, found.outcomes) if part is not None]
    width = 170 if len(panels) > 1 else 105
    line = 88 if len(panels) > 1 else 52
    with style.sheet(wrapped(found.sentences[0], line), 84, path, width=width) as fig:
        frames = fig.subplots(1, len(panels), squeeze=False)[0] if panels else ()
        for part, axes in zip(panels, frames, strict=True):
            if isinstance(part, Peaks):
                _draw_peaks(axes, part)
            elif part.graded:
                _draw_calibration(axes, part)
            else:
                _draw_confusion(axes, part)
    return fig


def _draw_peaks(axes: Any, part: Peaks) -> None:
    looks = (("seen", style.INK, "-", 0.13), ("predicted", style.BLUE, style.DASHED, 0.16))
    samples = part.observed, part.predicted
    for (name, colour, dash, alpha), sample, band in zip(looks, samples, part.bands, strict=True):
        axes.fill_between(ABSCISSAE, *band, color=colour, alpha=alpha, lw=0, step="post")
        F = distribution(sample)
        axes.step(ABSCISSAE, F, where="post", color=colour, ls=dash, lw=1.3, label=name)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="x = max |θ|/α [–]")
    axes.set(ylabel="share with max |θ|/α ≤ x", title="Largest rotation")
    axes.legend(loc="best", title=f"shaded: {100 * part.level:.0f} % bands", alignment="left")
    how = "by swaps" if part.paired else "two samples"
    words = f"largest gap {part.gap:.2f}\np = {part.chance:.2g} ({how})"
    axes.text(0.97, 0.05, words, transform=axes.transAxes, ha="right", fontsize=7.5)


def _draw_confusion(axes: Any, part: Outcomes) -> None:
    table = part.confusion
    counts = np.array([[table.stood_as_said, table.stood_unforeseen],
                       [table.fell_unforeseen, table.fell_as_said]])  # fmt: skip
    for row in range(2):
        for column in range(2):
            colour = style.BLUE if row == column else style.VERMILLION
            share = counts[row, column] / max(counts.sum(), 1)
            box = {"facecolor": colour, "alpha": 0.08 + 0.6 * share, "edgecolor": "white", "lw": 2}
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **box))
            axes.text(column, row, str(counts[row, column]), ha="center", va="center", fontsize=13)
    axes.set(xlim=(-0.5, 1.5), ylim=(-0.5, 1.5), xlabel="predicted", ylabel="seen")
    axes.set_xticks([0, 1], ["stands", "overturns"])
    axes.set_yticks([0, 1], ["stands", "overturns"], rotation=90, va="center")
    axes.tick_params(length=0)
    low, high = (100 * end for end in part.accuracy_interval)
    axes.set_title(f"Foreseen: {100 * part.accuracy:.0f} % ({low:.0f} to {high:.0f} %)")


def _draw_calibration(axes: Any, part: Outcomes) -> None:
    axes.plot([0, 1], [0, 1], color=style.QUIET, lw=0.8, ls=style.DASHED)
    bins = part.bins
    x = np.array([each.predicted for each in bins])
    share = np.array([each.fell / each.tests for each in bins])
    ends = np.array([each.interval for each in bins]).T
    axes.vlines(x, *ends, color=style.BLUE, lw=2.2, alpha=0.4)
    axes.plot(x, share, "o", color=style.BLUE, ms=5, clip_on=False)
    for place, at, each in zip(x, share, bins, strict=True):
        left = place > 0.9  # inside the frame
        where = place - 0.025 if left else place + 0.025
        side = "right" if left else "left"
        up = min(max(at, 0.03), 0.97)
        axes.text(where, up, str(each.tests), ha=side, va="center", fontsize=7, color=style.QUIET)
    axes.set(xlim=(0, 1), ylim=(0, 1), ylabel="share that overturned [–]")
    bars = f"bars: {100 * part.level:.0f} % intervals, numbers: tests"
    axes.set_xlabel(f"predicted probability of overturning [–]\n{bars}")
    chance = part.calibration_p_value
    axes.set_title("Outcomes" if chance is None else f"Outcomes, p = {chance:.2g}")
