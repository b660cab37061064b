"""The same block in several formulations: all histories on top of each other."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.compare import Comparison
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.figures import BEYOND, draw_ground, history
from rocksteady.view.labels import as_given
from rocksteady.view.space.figures import draw_ground as draw_components
from rocksteady.view.time_axis import Span, span_of, still_after
from rocksteady.view.words import shaken, wrapped

LOOKS: tuple[tuple[str, Any, float], ...] = (  # colour, dashes, width: the first one lies below
    (style.INK, "-", 2.4),
    (style.ORANGE, "-", 1.3),
    (style.GREEN, (0, (6, 2)), 1.2),
    (style.BLUE, "-", 0.9),
    (style.VERMILLION, (0, (3, 1.5)), 1.0),
    (style.PURPLE, (0, (1, 1)), 1.2),
)


def plot_comparison(comparison: Comparison, path: str | Path | None = None) -> Figure:
    """Draw θ/α of every formulation that applied, and how far each is from the first.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    runs = [(entry.name, entry.response) for entry in comparison if entry.response is not None]
    title = ""
    if runs:
        planes = len([entry for entry in comparison if entry.plane and entry.response])
        how = f"{len(runs)} formulations" if not planes else "space and in vertical planes"
        title = wrapped(f"{shaken(runs[0][1])}, in {how}")
    with style.sheet(title, 150, path) as fig:
        if not runs:
            fig.text(0.5, 0.5, "No formulation applied.", ha="center")
        else:
            _draw(fig, runs)
        refused = [entry.name for entry in comparison if entry.response is None]
        if refused and fig.legends:  # a title of the legend: below, they would lie on each other
            fig.legends[0].set_title(f"does not apply: {', '.join(refused)}")
            fig.legends[0].get_title().set(fontsize=7.5, color=style.QUIET)
    return fig


def _draw(fig: Figure, runs: list[tuple[str, Response]]) -> None:
    shown = [response for _, response in runs]
    first = shown[0]
    alike = any(each.coordinate == first.coordinate for each in shown[1:])
    ratios = (1.0, 2.2, 1.4) if alike else (1.0, 2.2)
    axes = fig.subplots(len(ratios), 1, sharex=True, height_ratios=ratios)
    ground, rotation = axes[:2]
    span = _span(shown)
    if first.system.spatial:
        draw_components(ground, first, span)
    else:
        draw_ground(ground, first, span)
        longest = max(shown, key=lambda response: float(response.time[-1]))
        later = longest.time >= first.time[-1]  # the first may fall while others rock on
        a_h = longest.ground[0][later] / (GRAVITY_UNIT if first.rocks else 1.0)
        ground.plot(longest.time[later], a_h, color=style.INK, lw=0.8)
    what = first.coordinate
    for level in (-1, 0, 1) if what.over else (0,):
        rotation.axhline(level, color=style.QUIET, lw=0.7, ls=style.DASHED if level else "-")
    for (name, response), (colour, dashes, width) in zip(runs, LOOKS, strict=False):
        fell = "" if response.fall is None else f" (falls, {response.fall.time:.3g} s)"
        line = {"color": colour, "ls": dashes, "lw": width, "label": f"{name}{fell}"}
        time, value, _ = history(response)  # reaches zero at impacts, which lie between samples
        lean = response.coordinate.relative(response.system, value)
        rotation.plot(time, np.abs(lean) if first.system.spatial else lean, **line)
        if response is not first and response.coordinate == what:
            time, gap = _gap(response, first)
            axes[2].semilogy(time, np.maximum(gap, 1e-16), **line)
    largest = 1.15 * max(response.peak for response in shown)
    limit = (min(BEYOND, largest) if what.over else largest) or 1.0
    ratio = f"{what.ratio} [–]" if what.over else what.ratio
    lowest = 0.0 if first.system.spatial else -limit  # a tilt has no sign
    rotation.set(ylim=(lowest, limit), ylabel=f"rotation {ratio}" if first.rocks else ratio)
    rotation.set_title("Rotation" if first.rocks else what.name.capitalize())
    as_given(fig.legend(*rotation.get_legend_handles_labels(), loc="outside lower center", ncols=3))
    axes[-1].set_xlabel("time [s]")
    if alike:
        over = f"/{what.over} [–]" if what.over else f" [{what.unit}]"
        axes[2].set_ylabel(f"|Δ{what.symbol}|{over}")
        axes[2].set_title(f"Difference from {runs[0][0]}", parse_math=False)
    rotation.set_xlim(*span)


def _span(shown: list[Response]) -> Span:
    """As far as one of them moves; the ground may shake on."""
    end = max(max(still_after(response) for response in shown), shown[0].motion.dt)
    end = min(1.04 * end, max(float(response.time[-1]) for response in shown))
    return span_of(*shown, end=end)


def _gap(ours: Response, theirs: Response) -> tuple[Any, Any]:
    """|Δθ|/α, or what else they are judged by, at the first one's samples while both last: on the
    floor they are alike again."""
    time = theirs.time[theirs.time <= ours.time[-1]]
    for fallen in (one for one in (ours, theirs) if one.fall is not None):
        time = time[time < fallen.time[-1]]
    gap = np.interp(time, ours.time, ours.states[:, 0]) - theirs.states[: len(time), 0]
    return time, np.abs(gap) / min(theirs.coordinate.limits(theirs.system))
