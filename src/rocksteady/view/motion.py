"""A ground motion on one page: time histories, response spectrum and Husid curve."""

import math
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.motion import Motion
from rocksteady.motion.intensity import arrival, husid, measures
from rocksteady.motion.spectra import response_spectrum
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.view import style

MOST_POINTS = 20_000  # of a curve: beyond, each pixel column gets its largest and smallest
_PERIODS = np.geomspace(0.02, 10.0, 240)  # s
_NAMES = {
    "accel": "Acceleration",
    "transverse": "Transverse acceleration",
    "vertical": "Vertical acceleration",
}
_CURVES: tuple[tuple[str, str, str, Any], ...] = (
    ("accel", "horizontal", style.BLUE, "-"),
    ("transverse", "transverse", style.VERMILLION, (0, (1, 1))),
    ("vertical", "vertical", style.ORANGE, (0, (4, 1.5))),
)


def plot_motion(
    motion: Motion,
    path: str | Path | None = None,
    *,
    damping: float = 0.05,
    span: tuple[float, float] | None = None,
) -> Figure:
    """Draw acceleration [g], velocity [cm/s], displacement [cm], PSA [g] and the Husid curve [%].

    Acceleration and PSA of all components, the rest of ``accel``. Velocity and displacement are
    not corrected: a drift shows that the baseline needs it. ``span`` limits the time shown [s].
    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    found, rows = measures(motion), len(motion.components) + 2
    with style.sheet(_headline(motion), 100 + 35 * rows, path) as fig:
        grid = fig.add_gridspec(rows + 1, 2, height_ratios=[1.0] * rows + [1.6])
        top = fig.add_subplot(grid[0, :])
        histories = [top, *(fig.add_subplot(grid[i, :], sharex=top) for i in range(1, rows))]
        _draw_histories(histories, motion, found)
        spectrum, energy = fig.add_subplot(grid[rows, 0]), fig.add_subplot(grid[rows, 1])
        _draw_spectrum(spectrum, motion, damping)
        _draw_husid(energy, motion, found)
        for axes in (*histories, energy):
            axes.set_xlim(span or (0, motion.duration))
        look = {"fontsize": 7.5, "color": style.QUIET}
        fig.supxlabel(_footer(found), x=0.012, ha="left", **look)
    return fig


def _draw_histories(axes: list[Any], motion: Motion, found: dict[str, float]) -> None:
    shaded = f"     shaded: D5-95 = {found['d5_95']:.3g} s" if found["pga"] > 0 else ""
    rows = (
        *(
            (
                f"{name}{_direction(motion, role)}",
                "[g]",
                accel / GRAVITY_UNIT,
                f"PGA = {abs(accel).max() / GRAVITY_UNIT:.3g} g{shaded if role == 'accel' else ''}",
            )
            for role, name in _NAMES.items()
            if (accel := motion.components.get(role)) is not None
        ),
        ("Velocity", "[cm/s]", 100 * motion.velocity, f"PGV = {100 * found['pgv']:.3g} cm/s"),
        ("Displacement", "[cm]", 100 * motion.displacement, f"PGD = {100 * found['pgd']:.3g} cm"),
    )
    start, end = arrival(motion, 0.05), arrival(motion, 0.95)
    for one, (title, unit, values, peak) in zip(axes, rows, strict=True):
        if math.isfinite(start):
            one.axvspan(start, end, color=style.FAINT, alpha=0.6, lw=0)
        one.axhline(0, color=style.QUIET, lw=0.4)
        one.plot(*thinned(motion.time, values), color=style.INK, lw=0.6)
        largest = float(np.abs(values).max()) or 1.0
        one.set_ylim(-1.15 * largest, 1.15 * largest)
        one.set_ylabel(f"{'acceleration' if unit == '[g]' else title.lower()} {unit}")
        one.set_title(title)
        one.set_title(peak, loc="right", fontsize=7)
        at = int(np.argmax(np.abs(values)))
        one.plot(motion.time[at], values[at], "o", ms=3, color=style.VERMILLION)
        one.tick_params(labelbottom=one is axes[-1])
    axes[-1].set_xlabel("time [s]")


def _direction(motion: Motion, role: str) -> str:
    """The name of a component in the archive, to stand behind its title."""
    name = motion.meta.get("component" if role == "accel" else f"{role}_component")
    return f", {name}" if name and len(motion.components) > 1 else ""


def _draw_spectrum(axes: Any, motion: Motion, damping: float) -> None:
    """PSA against period, of each component."""
    own = motion.components
    curves = [curve for curve in _CURVES if curve[0] in own]
    for role, label, colour, dashes in curves:
        shaking = Motion(own[role], motion.dt)
        psa = response_spectrum(shaking, _PERIODS, damping, exact=True).psa / GRAVITY_UNIT
        axes.plot(_PERIODS, psa, color=colour, ls=dashes, label=label)
    axes.axhline(motion.pga / GRAVITY_UNIT, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.set_xscale("log")
    axes.set(xlim=(_PERIODS[0], _PERIODS[-1]))
    axes.set_ylim(0, None if motion.pga > 0 else 1.0)
    axes.set_xticks([0.02, 0.1, 0.5, 1, 2, 10], ["0.02", "0.1", "0.5", "1", "2", "10"])
    axes.grid(axis="x", which="major", color=style.FAINT, lw=0.5)
    axes.set_xlabel("period [s]")
    axes.set_ylabel("pseudo-spectral acceleration [g]")
    axes.set_title(f"Response spectrum, {100 * damping:g} %")
    axes.set_title("dashed: PGA", loc="right", fontsize=7, color=style.QUIET)
    if len(curves) > 1:
        axes.legend(loc="upper right")


def _draw_husid(axes: Any, motion: Motion, found: dict[str, float]) -> None:
    """The part of ∫a² that has arrived, with the marks of the significant durations."""
    axes.plot(*thinned(motion.time, 100 * husid(motion)), color=style.BLUE)
    for part in (0.05, 0.75, 0.95):
        at = arrival(motion, part)
        if math.isfinite(at):
            axes.plot([0, at, at], [100 * part, 100 * part, 0], color=style.QUIET, lw=0.7,
                      ls=style.DASHED)  # fmt: skip
            axes.plot(at, 100 * part, "o", ms=3, color=style.VERMILLION)
    axes.set(ylim=(0, 105), yticks=(5, 25, 50, 75, 95))
    axes.set_xlabel("time [s]")
    axes.set_ylabel("part of the Arias intensity [%]")
    axes.set_title("Husid curve")
    axes.set_title(f"Arias intensity = {found['arias']:.3g} m/s", loc="right", fontsize=7)


def thinned(x: Any, y: Any) -> tuple[Any, Any]:
    """At most ``MOST_POINTS`` of a curve, with all its peaks: of each stretch the two extremes."""
    if len(x) <= MOST_POINTS:
        return x, y
    length = -(-len(x) // (MOST_POINTS // 2))
    starts = np.arange(0, len(x), length)
    low = [s + int(np.argmin(y[s : s + length])) for s in starts]
    high = [s + int(np.argmax(y[s : s + length])) for s in starts]
    keep = np.unique([0, *low, *high, len(x) - 1])
    return x[keep], y[keep]


def _headline(motion: Motion) -> str:
    name = " ".join(motion.name.split()) or "Ground motion"
    size = f"{motion.npts} samples at {motion.dt:g} s, {motion.duration:.4g} s"
    return "\n".join(textwrap.wrap(f"{name}: {size}", 88))


def _footer(found: dict[str, float]) -> str:
    numbers = [
        f"CAV = {found['cav']:.3g} m/s",
        f"D5-75 = {found['d5_75']:.3g} s",
        f"PGV/PGA = {found['pgv_pga']:.3g} s",
        f"mean period {found['mean_period']:.3g} s",
        f"Housner SI = {100 * found['housner_intensity']:.3g} cm",
    ]
    if found["pulse_indicator"] > 0:
        numbers.append(f"pulse of {found['pulse_period']:.3g} s")
    return "   ".join(one for one in numbers if "nan" not in one)
