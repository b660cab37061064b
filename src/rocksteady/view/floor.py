"""A floor: its motion under the ground's, and its response spectrum beside the codes'."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from rocksteady.analysis import floor as spectra
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.view import style
from rocksteady.view.words import wrapped

_LOOKS: dict[str, dict[str, Any]] = {
    spectra.COMPUTED: {"color": style.BLUE, "lw": 1.8, "zorder": 4},
    spectra.MODES: {"color": style.VERMILLION, "ls": (0, (4, 1.5))},
    spectra.FRAMES: {"color": style.ORANGE, "ls": (0, (6, 2))},
    spectra.EUROCODE: {"color": style.GREEN, "ls": (0, (1, 1))},
}


def plot_floor(found: "spectra.FloorSpectra", path: str | Path | None = None) -> Figure:
    """Draw the accelerations of ground and floor [g], and the floor spectra [g].

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    with style.sheet(_headline(found), 150, path) as fig:
        grid = fig.add_gridspec(3, 1, height_ratios=(1.0, 1.0, 2.4))
        first = fig.add_subplot(grid[0])
        histories = [first, fig.add_subplot(grid[1], sharex=first, sharey=first)]
        _draw_histories(histories, found)
        _draw_spectra(fig.add_subplot(grid[2]), found)
    return fig


def _headline(found: "spectra.FloorSpectra") -> str:
    name = " ".join(found.ground.name.split()) or "A ground motion"
    return wrapped(f"{name}, on the {found.floor}")


def _draw_histories(axes: list[Any], found: "spectra.FloorSpectra") -> None:
    pairs = (("Ground", "PGA", found.ground, style.INK), ("Floor", "PFA", found.motion, style.BLUE))
    for each, (title, peak, motion, colour) in zip(axes, pairs, strict=True):
        each.plot(motion.time, motion.accel / GRAVITY_UNIT, color=colour, lw=0.7)
        each.set(ylabel="acceleration [g]", title=title, xlim=(0, found.motion.duration))
        words = f"{peak} = {motion.pga / GRAVITY_UNIT:.3g} g, peak velocity {motion.pgv:.3g} m/s"
        each.text(1, 1.02, words, transform=each.transAxes, ha="right", va="bottom",
                  fontsize=7.5, color=style.QUIET)  # fmt: skip
    axes[0].tick_params(labelbottom=False)
    axes[1].set_xlabel("time [s]")


def _draw_spectra(axes: Any, found: "spectra.FloorSpectra") -> None:
    T = found.periods
    axes.plot(T, found.of_ground / GRAVITY_UNIT, color=style.QUIET, lw=0.9, label="the ground")
    for name, values in found.spectra.items():
        label = "the floor, this motion" if name == spectra.COMPUTED else name
        axes.plot(T, values / GRAVITY_UNIT, label=label, **_LOOKS[name])
    if spectra.ASCE in found.peaks:  # a peak acceleration: an element of no period at all
        at = found.peaks[spectra.ASCE] / GRAVITY_UNIT
        axes.plot(T[:1], [at], "D", ms=5, color=style.INK, clip_on=False, zorder=5,
                  label=f"{spectra.ASCE}, peak")  # fmt: skip
    for mode in found.floor.modes[:3]:
        if T[0] < mode.period < T[-1]:
            axes.axvline(mode.period, color=style.FAINT, lw=0.8, zorder=0)
    axes.set_xscale("log")
    ticks = [t for t in (0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0) if T[0] <= t <= T[-1]]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    axes.set(xlim=(T[0], T[-1]), ylim=(0, None))
    axes.set(xlabel="period of an element on the floor [s]", ylabel="spectral acceleration [g]")
    axes.set_title(f"Floor response spectra, damping of the element {100 * found.damping:g} %")
    axes.legend(loc="upper right")
