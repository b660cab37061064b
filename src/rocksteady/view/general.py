"""A response whose coordinate is not a lean: of a theory that slides, bends or settles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.labels import clear_legend, notes
from rocksteady.view.time_axis import Span, span_of
from rocksteady.view.words import describe, wrapped


def plot_general(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the ground's acceleration, the coordinate, its rate against it, and the energy."""
    if path is not None:
        style.suffix_of(path, tuple(style.FORMATS), "a figure")
    with style.house_style():
        fig = style.new_figure(height=190 * style.MM)
        grid = fig.add_gridspec(3, 2, height_ratios=(1.0, 1.4, 1.75))
        ground = fig.add_subplot(grid[0, :])
        history = fig.add_subplot(grid[1, :], sharex=ground)
        phase, energy = fig.add_subplot(grid[2, 0]), fig.add_subplot(grid[2, 1])
        span = span_of(response)
        draw_acceleration(ground, response, span)
        ground.tick_params(labelbottom=False)
        _draw_history(history, response)
        _draw_phase(phase, response)
        _draw_energy(energy, response, span)
        for letter, axes in zip("abcd", (ground, history, phase, energy), strict=True):
            axes.set_title(f"({letter})  {axes.get_title(loc='left')}")
        title = wrapped(describe(response))
        fig.suptitle(title, x=0.012, ha="left", fontsize=9, fontweight="bold", parse_math=False)
        text = f"{response.formulation.name} formulation"
        fig.supxlabel(text, x=0.012, ha="left", fontsize=7.5, color=style.QUIET)
    if path is not None:
        style.save_figure(fig, path)
    return fig


def draw_acceleration(axes: Any, response: Response, span: Span) -> None:
    """Ground acceleration [m/s²]."""
    axes.plot(response.time, response.ground[0], color=style.INK, lw=0.8)
    words = [(f"PGA = {response.motion.pga:.3g} m/s²", style.INK)]
    if response.motion.vertical is not None:
        axes.plot(response.time, response.ground[1], color=style.ORANGE, lw=0.6)
        words.append(("vertical", style.ORANGE))
    axes.set(xlim=span.limits, ylabel="acceleration [m/s²]", title="Ground acceleration")
    notes(axes, words)


def _labels(response: Response) -> tuple[str, str]:
    """What the axes of the coordinate and of its rate are called: "slip [m]"."""
    coordinate, rate = response.columns[:2]
    return coordinate.replace(" [-]", ""), rate.replace(" [-]", "")


def _draw_history(axes: Any, response: Response) -> None:
    label, _ = _labels(response)
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(response.time, response.states[:, 0], color=style.BLUE)
    axes.plot(response.time_of_peak, response.peak_angle, "o", ms=3.5, color=style.BLUE)
    axes.set(xlabel="time [s]", ylabel=label, title=label.split(" [")[0].capitalize())
    unit = response.coordinate.unit
    peak = f"peak {response.peak_angle:.3g} {unit} at {response.time_of_peak:.3g} s"
    notes(axes, [(peak.replace("-", "−"), style.BLUE)])


def _draw_phase(axes: Any, response: Response) -> None:
    value, rate = response.states[:, :2].T
    label, rate_label = _labels(response)
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(value, rate, color=style.BLUE, lw=0.8)
    axes.plot(value[0], rate[0], "o", ms=3, color=style.INK)
    axes.plot(value[-1], rate[-1], "s", ms=3.5, color=style.VERMILLION)
    axes.margins(0.08, 0.1)
    axes.locator_params(axis="x", nbins=5)
    axes.set(xlabel=label, ylabel=rate_label, title="Phase portrait")
    notes(axes, [("● start", style.INK), ("■ end", style.VERMILLION)])


def _draw_energy(axes: Any, response: Response, span: Span) -> None:
    axes.plot(response.time, response.energy, color=style.BLUE, label="mechanical")
    for name, colour in (("work", style.INK), ("loss", style.VERMILLION)):
        if response.has(name):
            axes.plot(response.time, response.column(name), color=colour, label=name)
    axes.set(xlim=span.limits, xlabel="time [s]", ylabel="energy [J]", title="Energy")
    axes.set_ylim(min(0.0, float(np.nanmin(response.energy))))
    clear_legend(axes)
