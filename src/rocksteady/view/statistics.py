"""Distributions of the largest rotation over many motions (D'Altri et al. 2024, Fig. 17d)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from rocksteady.analysis.statistics import (
    ABSCISSAE,
    COARSE,
    StatisticalValidation,
    confidence_band,
    distribution,
)
from rocksteady.numerics.types import Array
from rocksteady.view import style


def plot_distributions(
    validations: Sequence[StatisticalValidation],
    path: str | Path | None = None,
    titles: Sequence[str] = (),
) -> Figure:
    """A panel for each: distributions of max |θ|/α by the classical theory with its 90 % band, at
    the law's time step, and at ten times that."""
    rows, width = (len(validations) + 1) // 2, 170 if len(validations) > 1 else 0.62 * 170
    with style.sheet("", 14 + 62 * rows, path, width=width) as fig:
        panels = fig.subplots(
            rows, min(len(validations), 2), sharex=True, sharey=True, squeeze=False
        )
        for panel in panels.flat[len(validations) :]:
            panel.axis("off")
        for i, (panel, found) in enumerate(zip(panels.flat, validations, strict=False)):
            _draw(panel, found)
            title = titles[i] if titles else f"r = {found.r:g}, Δt = {1e3 * found.dt:.2f} ms"
            panel.set_title(title)
        for panel in panels[-1]:
            panel.set_xlabel("x = max |θ|/α [–]")
        for panel in panels[:, 0]:
            panel.set_ylabel("share of motions with max |θ|/α ≤ x")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        fig.legend(handles, labels, loc="outside lower center", ncols=2 if len(labels) > 3 else 3)
    return fig


def _draw(axes: Any, found: StatisticalValidation) -> None:
    inside, coarse = found.inside
    x, (low, high) = ABSCISSAE, confidence_band(found.classical)
    _draw_distribution(axes, found.classical, "Housner", color=style.INK, lw=1.3)
    axes.fill_between(x, low, high, color=style.FAINT, lw=0, label="its pointwise 90 % band")
    law = "numerical dissipation at the law's Δt"
    _draw_distribution(axes, found.at_law, law, color=style.BLUE, lw=1.1)
    look = {"color": style.VERMILLION, "lw": 1.1, "ls": style.DASHED}
    _draw_distribution(axes, found.coarse, f"at {COARSE:g} Δt", **look)
    axes.text(
        0.025,
        0.97,
        f"inside the band: {inside:.0%} at Δt, {coarse:.0%} at {COARSE:g} Δt",
        transform=axes.transAxes,
        va="top",
        fontsize=7,
    )
    axes.set(xlim=(0, 1), ylim=(0, 1))


def _draw_distribution(axes: Any, largest: Array, label: str, **look: Any) -> None:
    axes.step(ABSCISSAE, distribution(largest), where="post", label=label, **look)
