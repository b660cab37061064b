"""Measures of the ground beside each other, two of them together, and the cloud of records."""

import math
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.fragilities.cloud import Cloud
from rocksteady.analysis.fragilities.measures import MeasureTable
from rocksteady.analysis.fragilities.two_measures import TwoMeasures, values_of_runs
from rocksteady.analysis.stripes import OVERTURNED, limit_words
from rocksteady.ensembles.labels import PGA, PGV
from rocksteady.view import style
from rocksteady.view.fragility import plain_log
from rocksteady.view.words import wrapped

POINTS = 200


def plot_measures(found: MeasureTable, path: str | Path | None = None) -> Figure:
    """The scatter of each measure at first falls (efficiency), and the log loss of a probit in it.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    rows = found.rows[::-1]
    place = np.arange(len(rows))
    with style.sheet(wrapped(found.sentence), 70, path) as fig:
        left, right = fig.subplots(1, 2, sharey=True)
        left.barh(place, [row.sigma for row in rows], 0.6, color=style.BLUE)
        right.barh(place, [row.log_loss for row in rows], 0.6, color=style.SKY)
        left.set_yticks(place, [row.name for row in rows])
        left.set(title="scatter at first falls", xlabel="σ of the logarithm [–]")
        right.set(title="log loss of a probit", xlabel="−ln likelihood per run [–]")
    return fig


def plot_two_measures(found: TwoMeasures, path: str | Path | None = None) -> Figure:
    """Each run over PGA and PGV, whether it got beyond the limit, and where 10, 50 and 90 % do."""
    runs = found.stripes
    pga = values_of_runs(runs, [PGA.of(motion) for motion in runs.motions], 1.0)
    pgv = values_of_runs(runs, [PGV.of(motion) for motion in runs.motions], 1.0)
    beyond, known = runs.beyond(found.limit), runs.known
    with style.sheet(wrapped(found.sentence), 95, path) as fig:
        axes = fig.subplots()
        for mask, colour, words in (
            (known & ~beyond, style.SKY, "does not"),
            (known & beyond, style.VERMILLION, limit_words(found.limit)),
        ):
            axes.plot(
                pga[mask], pgv[mask], ".", ms=2, color=colour, alpha=0.5, mew=0, rasterized=True,
                label=words,
            )  # fmt: skip
        x = np.geomspace(max(pga.min(), found.gate), pga.max(), POINTS)
        y = np.geomspace(pgv.min(), pgv.max(), POINTS)
        p = found.probability(*np.meshgrid(x, y))
        lines = axes.contour(x, y, p, [0.1, 0.5, 0.9], colors=style.INK, linewidths=0.9)
        axes.clabel(lines, fmt=lambda value: f"{100 * value:.0f} %", fontsize=7)
        if found.gate > 0:
            axes.axvline(found.gate, color=style.QUIET, lw=0.8, ls=style.DASHED, label="lifts off")
        axes.set(xscale="log", yscale="log", xlabel=PGA.axis, ylabel=PGV.axis)
        plain_log(axes.xaxis, pga.max() / pga.min())
        plain_log(axes.yaxis, pgv.max() / pgv.min())
        axes.legend(loc="lower right", markerscale=4)
    return fig


def plot_cloud(found: Cloud, path: str | Path | None = None) -> Figure:
    """The lean under each motion as it is, with its regression; and what follows from it."""
    a, b, spread = found.parameters[:3]
    stood = ~found.fell & (found.peak > 0)
    low = max(found.gate, float(found.x.min()))
    x = np.geomspace(low, float(found.x.max()), POINTS)
    with style.sheet(wrapped(found.sentence), 75, path) as fig:
        left, right = fig.subplots(1, 2)
        left.plot(found.x[stood], found.peak[stood], "o", ms=2.5, color=style.BLUE, label="stands")
        top = np.full(int(found.fell.sum()), 1.5)
        left.plot(found.x[found.fell], top, "x", ms=4, color=style.VERMILLION, label="overturned")
        middle = np.exp(a + b * np.log(x))
        left.plot(x, middle, color=style.INK, label=f"b = {b:.2f}, σ = {spread:.2f}")
        ends = middle * math.exp(-spread), middle * math.exp(spread)
        left.fill_between(x, *ends, color=style.INK, alpha=0.12, lw=0)
        left.set(xscale="log", yscale="log", xlabel=found.measure.axis, ylabel="max |θ|/α [–]")
        left.set(title="motions as they are", ylim=(None, 3.0))
        left.legend(loc="lower right")
        for limit, colour in ((0.1, style.GREEN), (0.5, style.ORANGE), (OVERTURNED, style.BLUE)):
            right.plot(x, found.probability(x, limit), color=colour, label=limit_words(limit))
        right.fill_between(x, *found.band(x), color=style.BLUE, alpha=0.15, lw=0)
        right.set(xscale="log", xlabel=found.measure.axis, ylabel="probability [–]")
        right.set(title="with collapse", ylim=(-0.02, 1.02))
        right.legend(loc="lower right")
        for axes in (left, right):
            plain_log(axes.xaxis, x[-1] / x[0])
    return fig
