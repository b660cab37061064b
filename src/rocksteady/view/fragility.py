"""Fragility: shares with their intervals, the curve beside them, first falls in a frame of their
own."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.fragilities.fragility import Fragility, LimitState
from rocksteady.analysis.fragilities.tolerances import WORDS
from rocksteady.analysis.fragilities.uncertainty import Uncertainty
from rocksteady.view import style
from rocksteady.view.words import wrapped

COLOURS = (style.SKY, style.GREEN, style.ORANGE, style.VERMILLION, style.BLUE)
POINTS = 400  # of a curve
WIDE = 100  # ratio of levels, from which only decades are labelled
DECADES = 0.9  # of levels, from which their axis is logarithmic
ROWS = 5  # limit states that have a colour of their own


def plot_fragility(found: Fragility, path: str | Path | None = None) -> Figure:
    """Above, the main limit state: shares as points with their intervals, the lognormal curve with
    its band, and the gate. Below, the shares of all limit states, and first falls (IDA), which are
    no shares and have a frame of their own.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    with style.sheet(wrapped(found.sentence), 128, path) as fig:
        axes = fig.subplot_mosaic([["main", "main"], ["all", "first"]], height_ratios=(1.25, 1))
        _main(axes["main"], found)
        _all(axes["all"], found)
        _first(axes["first"], found)
        for panel in axes.values():
            _levels(panel, found)
    return fig


def _levels(axes: Any, found: Fragility) -> None:
    at = found.stripes.levels
    if math.log10(at[-1] / at[0]) > DECADES:
        axes.set_xscale("log")
        plain_log(axes.xaxis, at[-1] / at[0])
    axes.set(xlim=(0.92 * at[0], 1.04 * at[-1]), ylim=(-0.02, 1.02), xlabel=found.measure.axis)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])


def plain_log(axis: Any, ratio: float) -> None:
    """Plain numbers along a logarithmic axis that spans this ratio."""
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("" if ratio > WIDE else _few)
    axis.set_tick_params(which="minor", labelsize=6.5)


def _few(x: float, _: int) -> str:
    """Labels at 2, 3 and 5 of each decade."""
    first = round(x / 10 ** math.floor(math.log10(x) + 1e-9), 6)
    return f"{x:g}" if first in (2, 3, 5) else ""


def _fine(found: Fragility) -> Any:
    """Levels for a smooth curve, with the gate's step among them."""
    at, gate = found.stripes.levels, found.stripes.gate
    fine = np.geomspace(0.9 * at[0], at[-1], POINTS)
    steps = [gate * (1 - 1e-9), gate] if 0 < gate < math.inf else []
    return np.sort(np.append(fine, steps))


def _main(axes: Any, found: Fragility) -> None:
    state, at, percent = found.main, found.stripes.levels, f"{100 * found.level:.0f} %"
    counted, curve = state.shares, state.curve
    if curve is not None:
        fine = _fine(found)
        low, high = curve.band(fine)
        look: dict[str, Any] = {"color": style.VERMILLION, "alpha": 0.18, "lw": 0}
        axes.fill_between(fine, low, high, label=f"its {percent} band, by motion", **look)
        name = f"lognormal: {curve.median:.3g} {found.measure.unit}, β = {curve.beta:.2f}"
        axes.plot(fine, curve.probability(fine), color=style.VERMILLION, lw=1.1, label=name)
    ends = np.abs(np.stack([counted.low, counted.high]) - counted.share)
    axes.errorbar(
        at,
        counted.share,
        ends,
        fmt="o",
        ms=2.6,
        lw=0.7,
        color=style.BLUE,
        ecolor=style.BLUE,
        label=f"share of motions, {percent} interval",
    )
    _gate(axes, found)
    axes.set(title=f"{state.words}: {_motions(found)}", ylabel="share of motions [–]")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="best")  # not all curves reach 1


def _motions(found: Fragility) -> str:
    runs = found.stripes
    clusters = f" in {runs.draws} clusters" if runs.draws < len(runs.motions) else ""
    return f"{len(runs.motions)} motions{clusters} at {len(runs.levels)} levels"


def _gate(axes: Any, found: Fragility) -> None:
    gate = found.stripes.gate
    if 0 < gate < math.inf:
        axes.axvline(gate, color=style.QUIET, lw=0.8, ls=style.DASHED, label="lifts off")


def _all(axes: Any, found: Fragility) -> None:
    states = list(found.states.values())
    for i, state in enumerate(states):
        colour = COLOURS[(i + max(ROWS - len(states), 0)) % ROWS]
        axes.plot(
            found.stripes.levels, state.shares.share, "-", color=colour, lw=1.1, label=state.words
        )
    axes.set(title="all limit states: shares", ylabel="share of motions [–]")
    axes.legend(loc="best", fontsize=6.5)


def _first(axes: Any, found: Fragility) -> None:
    state = found.main
    first, at = state.first, found.stripes.levels
    axes.step(at, first.fallen_up_to(at), where="post", color=style.PURPLE, lw=1.2)
    if math.isfinite(first.median):
        axes.axvline(first.median, color=style.PURPLE, lw=0.8, ls=style.DASHED)
        text = f"median {first.median:.3g} {found.measure.unit}\nσ = {first.beta:.2f}"
        where: dict[str, Any] = {"transform": axes.transAxes, "va": "top", "fontsize": 7}
        axes.text(0.03, 0.97, f"{text}\n{_again(state)}", **where)
    axes.set(title="first falls (IDA): not shares", ylabel="motions with a first fall [–]")


def _again(state: LimitState) -> str:
    return (
        f"{state.first.stands_again} of {len(state.first.again)} motions:\nsurvives a stronger one"
    )


def plot_uncertainty(found: Uncertainty, path: str | Path | None = None) -> Figure:
    """How much each tolerance matters (Sobol indices), and how far the outcome spreads."""
    with style.sheet(wrapped(found.sentence), 62, path) as fig:
        left, right = fig.subplots(1, 2, width_ratios=(1.35, 1))
        order = found.order[::-1]
        names = [f"{WORDS[found.names[i]].removeprefix('the ')}" for i in order]
        place = np.arange(len(order))
        for offset, values, ends, colour, label in (
            (0.18, found.total, found.total_interval, style.BLUE, "total"),
            (-0.18, found.first, found.first_interval, style.SKY, "first order"),
        ):
            size = np.clip(values[order], 0.0, 1.0)
            error = np.abs(np.clip(ends[:, order], 0.0, 1.0) - size)
            left.barh(place + offset, size, 0.34, color=colour, label=label)
            left.errorbar(size, place + offset, xerr=error, fmt="none", color=style.INK, lw=0.7)
        left.set_yticks(place, names)
        left.set(xlabel="share of the variance [–]", title="what matters", xlim=(0, 1.02))
        left.legend(loc="lower right")
        right.hist(found.sample, bins=10, color=style.FAINT, edgecolor=style.QUIET, lw=0.5)
        right.axvline(found.nominal, color=style.VERMILLION, lw=1.2, label="as given")
        right.yaxis.get_major_locator().set_params(integer=True)
        right.set(xlabel=found.outcome, ylabel="bodies", title="spread with the tolerances")
        right.legend()
    return fig
