"""The complex formulation's potential (Prieto and Lourenço 2005, Eqs. 12, 13 and 40)."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from rocksteady.analysis.complex_plane.potential import EffectivePotential
from rocksteady.numbers import number_row
from rocksteady.view import style

COLOURS = (style.BLUE, style.VERMILLION, style.GREEN, style.ORANGE, style.PURPLE, style.SKY)


def plot_potential(
    well: EffectivePotential,
    path: str | Path | None = None,
    *,
    x: ArrayLike = (0.2, 0.5, 0.8),
    title: str | None = None,
) -> Figure:
    """V_eff − U0 over χ, with the range of a block released at each x = θ/α; beside it the barrier
    enlarged, with χ_c and the turning points of Eq. 13. ``title``: the headline, which
    names block and l unless given."""
    title = title or f"Effective potential of a {well.block.label}, l = {well.l:g}"
    with style.sheet(title, 75, path) as fig:
        whole, close = fig.subplots(1, 2)
        chi_c = well.chi_c
        for axes, chi in (
            (whole, np.geomspace(well.l / 4, 1.6, 800)),
            (close, np.geomspace(well.l / 4, 10 * chi_c, 400)),
        ):
            axes.plot(chi, _rise(well, chi), color=style.INK, label="$V_{eff}$, Eq. 12")
            bare = _rise(well, chi) - (well.l / chi) ** 2 / 2
            axes.plot(chi, bare, color=style.QUIET, ls=style.DASHED, label="$l$ = 0")
            axes.plot(chi_c, _rise(well, chi_c), "s", ms=4, color=style.INK,
                      label=f"$χ_c$ = {chi_c:.3g}, Eq. 40")  # fmt: skip
            axes.set(xlabel="χ = |θ|/α [–]", ylabel="$(V_{eff} − U_0) / (I p^2 α^2)$ [–]")
        top = 1.15 * float(_rise(well, well.chi_top))
        levels = number_row("x", x)
        for start, colour in zip(levels, COLOURS, strict=False):
            energy = well.released(float(start))
            near, far = well.turning_points(energy)
            level, end = (energy - well.U0) / well.unit, min(far, 1.6)
            for axes in (whole, close):
                axes.plot([near, end], [level, level], color=colour, lw=1.2)
            whole.plot([near, end], [level, level], "o", ms=3.5, color=colour,
                       label=f"released at x = {start:g}")  # fmt: skip
            close.plot(near, level, "o", ms=3.5, color=colour)
            close.plot(well.nearest(energy), level, "x", ms=5, color=colour)
        whole.set(xlim=(0, 1.6), ylim=(0, top), title="Turning points")
        close.set(xscale="log", xlim=(well.l / 4, 10 * chi_c), ylim=(0, top))
        close.set_title("The barrier at an impact (×: Eq. 13)")
        whole.legend(loc="lower center", fontsize=7)
    return fig


def _rise(well: EffectivePotential, chi: ArrayLike) -> np.ndarray:
    return np.asarray((well(chi) - well.U0) / well.unit)
