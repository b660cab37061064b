"""Panels for a theory whose coordinate is not a lean: one that slides, bends or settles."""

from typing import Any

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.labels import clear_legend, notes
from rocksteady.view.time_axis import Span


def draw_ground(axes: Any, response: Response, span: Span) -> None:
    """Ground acceleration [m/s²]."""
    axes.plot(response.time, response.ground[0], color=style.INK, lw=0.8)
    words = [(f"PGA = {response.motion.pga:.3g} m/s²", style.INK)]
    if response.motion.vertical is not None:
        axes.plot(response.time, response.ground[1], color=style.ORANGE, lw=0.6)
        words.append(("vertical", style.ORANGE))
    axes.set(xlim=span, ylabel="acceleration [m/s²]", title="Ground acceleration")
    notes(axes, words)


def _labels(response: Response) -> tuple[str, str]:
    """What the axes of the coordinate and of its rate are called: "slip [m]"."""
    coordinate, rate = response.columns[:2]
    return coordinate.replace(" [-]", ""), rate.replace(" [-]", "")


def draw_history(axes: Any, response: Response) -> None:
    """The coordinate against time, with its peak."""
    label, _ = _labels(response)
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(response.time, response.states[:, 0], color=style.BLUE)
    axes.plot(response.time_of_peak, response.peak_angle, "o", ms=3.5, color=style.BLUE)
    axes.set(xlabel="time [s]", ylabel=label, title=label.split(" [")[0].capitalize())
    unit = response.coordinate.unit
    peak = f"peak {response.peak_angle:.3g} {unit} at {response.time_of_peak:.3g} s"
    notes(axes, [(peak.replace("-", "−"), style.BLUE)])


def draw_phase(axes: Any, response: Response) -> None:
    """The rate against the coordinate."""
    value, rate = response.states[:, :2].T
    draw_trajectory(axes, value, rate, rate[-1])
    label, rate_label = _labels(response)
    axes.set(xlabel=label, ylabel=rate_label, title="Phase portrait")


def draw_trajectory(axes: Any, value: Array, rate: Array, last_rate: float) -> None:
    """A rate against its value, with the start and the end marked."""
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(value, rate, color=style.BLUE, lw=0.8)
    axes.plot(value[0], rate[0], "o", ms=3, color=style.INK)
    axes.plot(value[-1], last_rate, "s", ms=3.5, color=style.VERMILLION)
    axes.margins(0.08, 0.1)
    axes.locator_params(axis="x", nbins=5)
    notes(axes, [("● start", style.INK), ("■ end", style.VERMILLION)])


def draw_energy(axes: Any, response: Response, span: Span) -> None:
    """Mechanical energy, work and losses [J], as far as the theory keeps account of them."""
    axes.plot(response.time, response.energy, color=style.BLUE, label="mechanical")
    for name, colour in (("work", style.INK), ("loss", style.VERMILLION)):
        if response.has(name):
            axes.plot(response.time, response.column(name), color=colour, label=name)
    axes.set(xlim=span, xlabel="time [s]", ylabel="energy [J]", title="Energy")
    axes.set_ylim(min(0.0, float(np.nanmin(response.energy))))
    clear_legend(axes)
