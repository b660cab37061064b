"""Figures of masonry buildings: pushover curves, runs and sequences of shocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rocksteady.analysis.pushover import PushoverResponse
from rocksteady.analysis.sequence import SequenceResponse
from rocksteady.ensembles.progress import significant, spaced
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.systems import MasonryBuilding, expect
from rocksteady.view import style
from rocksteady.view.figures import energy_unit
from rocksteady.view.labels import clear_legend, notes
from rocksteady.view.time_axis import Span, span_of

MOST_LETTERS = 110  # of the smallest type, along a whole figure
MANY_TIMES = 9.0  # of what it is without foreshocks: more is no longer said in per cent
SLIPS = style.VERMILLION  # parts of a curve along which the interface slips


def plot_pushover(response: PushoverResponse, path: str | Path | None = None) -> Figure:
    """Draw force, slip and hardening, wear and energies of a pushover.

    Dashed beside the force is the limit that the unworn interface could harden to,
    `MasonryBuilding.strength`; wear keeps the building below it.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    building, u = response.building, 1e3 * response.displacement
    monotonic = bool(np.all(np.diff(u) >= 0))
    along = u if monotonic else np.concatenate([[0], np.cumsum(np.abs(np.diff(u)))])
    where = "displacement u [mm]" if monotonic else "distance travelled Σ|Δu| [mm]"
    with _sheet(path, 130) as fig:
        (force, slip), (wear, energy) = fig.subplots(2, 2)
        _draw_loop(force, building, u, response.force / 1e3, response.mode)
        slip.plot(along, 1e3 * response.slip, color=style.BLUE, label="slip g")
        slip.plot(along, 1e3 * response.hardening, color=style.ORANGE, label="hardening α")
        slip.set(xlabel=where, ylabel="g, α [mm]", title="(b)  Slip and hardening")
        clear_legend(slip)
        wear.plot(along, response.wear, color=style.INK)
        wear.set(
            xlabel=where, ylabel="wear w [–]", title="(c)  Wear", ylim=_from_zero(response.wear)
        )
        parts = {
            "work on the interface": (response.work, style.INK),
            "lost in slip and wear": (response.dissipated, style.VERMILLION),
            "stored": (response.stored, style.SKY),
        }
        _draw_energies(energy, along, parts)
        energy.set(xlabel=where, title="(d)  Energy")
        _title(fig, f"Pushover of a {building.label}: {_outcome(response)}")
    return _saved(fig, path)


def plot_building(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the response of a building to a ground motion: ground, displacement, hardening and
    wear, the force–displacement loop and the energies."""
    building, states, time = response.system, response.states, response.time
    building = expect(building, MasonryBuilding, "This figure")
    with _sheet(path, 190) as fig:
        grid = fig.add_gridspec(4, 2, height_ratios=(0.8, 1.2, 1.0, 1.8))
        ground = fig.add_subplot(grid[0, :])
        moves = fig.add_subplot(grid[1, :], sharex=ground)
        damage = fig.add_subplot(grid[2, :], sharex=ground)
        loop, energy = fig.add_subplot(grid[3, 0]), fig.add_subplot(grid[3, 1])
        span = span_of(response)
        _draw_ground(ground, time, response.ground[0], span)
        ground.set_title(_ground_title(response.motion.name), parse_math=False)
        if span.note:
            notes(ground, [(span.note, style.VERMILLION)])
        moves.plot(time, 1e3 * states[:, 0], color=style.BLUE)
        moves.plot(time, 1e3 * states[:, 2], color=style.ORANGE)
        moves.set(ylabel="u, g [mm]", title="(b)  Displacement")
        notes(moves, [("displacement u", style.BLUE), ("slip g", style.ORANGE)])
        _draw_damage(damage, time, states)
        damage.set_xlabel("time [s]")
        damage.set_title("(c)  Hardening and wear")
        force = building.contact_area * states[:, 5] / 1e3
        _draw_loop(loop, building, 1e3 * states[:, 0], force, states[:, 6])
        loop.set_title("(d)  Force")
        parts = {
            "work of the ground": (states[:, 7], style.INK),
            "lost": (states[:, 8], style.VERMILLION),
            "kinetic and stored": (response.energy, style.SKY),
        }
        energy.set(xlabel="time [s]", title="(e)  Energy", xlim=span.limits)
        energy.locator_params(axis="x", nbins=6)
        _draw_energies(energy, time, parts)
        for axes in (ground, moves):
            axes.tick_params(labelbottom=False)
        _title(
            fig,
            f"{building.label}: peak |u| = {1e3 * _peak(response):.3g} mm, "
            f"wear {states[-1, 4]:.3g}, {response.status}",
        )
    return _saved(fig, path)


def plot_sequence(response: SequenceResponse, path: str | Path | None = None) -> Figure:
    """Draw the ground, hardening and wear of a sequence, and of the main shock alone (dashed).

    The paper's Fig. 13. ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    alone = response.alone
    with _sheet(path, 125) as fig:
        ground, hardening, wear = fig.subplots(3, 1, sharex=True, height_ratios=(0.9, 1.3, 1.3))
        whole = response.time[-1] - response.time[0] or 1.0
        for i, shock in enumerate(response.shocks):
            room = int(MOST_LETTERS * (shock.time[-1] - shock.start) / whole)
            colour = style.INK if i == response.main else style.QUIET
            ground.plot(shock.time, shock.motion.accel[: len(shock.time)], color=colour, lw=0.6)
            for axes in (ground, hardening, wear):
                axes.axvline(shock.start, color=style.FAINT, lw=0.7, zorder=0)
            ground.annotate(
                f" {_cut(shock.name, room)}",
                (shock.start, 0.97),
                xycoords=("data", "axes fraction"),
                va="top",
                fontsize=6.5,
                color=colour,
                parse_math=False,
            )
        for axes, column, scale, name in (
            (hardening, 3, 1e3, "hardening α [mm]"),
            (wear, 4, 1.0, "wear w [–]"),
        ):
            axes.plot(
                response.time,
                scale * response.states[:, column],
                color=style.BLUE,
                label="whole sequence",
            )
            axes.plot(
                alone.time,
                scale * alone.states[:, column],
                color=style.VERMILLION,
                ls=style.DASHED,
                label="main shock alone",
            )
            both = np.append(response.states[:, column], alone.states[:, column])
            axes.set(ylabel=name, ylim=_from_zero(scale * both))
            axes.legend(loc="upper left")
        low, high = ground.get_ylim()
        ground.set_ylim(low, high + 0.2 * (high - low))  # room for the shocks' names
        ground.set(ylabel="a [m/s²]", title="(a)  Ground acceleration")
        hardening.set_title(_against("(b)  Hardening", response.hardening_increase))
        wear.set_title(_against("(c)  Wear", response.wear_increase))
        wear.set_xlabel("time [s]")
        count = len(response.shocks)
        outcome = response.shocks[-1].outcome
        _title(
            fig,
            f"{response.building.label} in a sequence of {count} shock{'s' * (count > 1)}{outcome}",
        )
    return _saved(fig, path)


# -- panels -------------------------------------------------------------------------------------


def _draw_loop(axes: Any, building: MasonryBuilding, u: Array, force: Array, mode: Array) -> None:
    """Force against displacement, slipping parts in another colour; dashed is what the force could
    grow to if nothing wore, and never does."""
    for level in (1, -1) if force.min() < 0 else (1,):
        axes.axhline(level * building.strength / 1e3, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.plot(u, force, color=style.BLUE, lw=0.9, label="adheres")
    slips = (np.abs(mode) == 1) | np.append(np.abs(mode[1:]) == 1, False)
    axes.plot(u, np.where(slips, force, np.nan), color=SLIPS, lw=1.1, label="slips")
    axes.set(xlabel="displacement u [mm]", ylabel="base shear [kN]", title="(a)  Force")
    axes.plot([], [], color=style.QUIET, lw=0.7, ls=style.DASHED, label="unworn limit")
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1, 0.99),
        ncols=3,
        fontsize=6.5,
        columnspacing=1.0,
        handletextpad=0.4,
        borderaxespad=0,
    )


def _draw_ground(axes: Any, time: Array, accel: Array, span: Span) -> None:
    axes.axhline(0, color=style.FAINT, lw=0.8)
    axes.plot(time, accel, color=style.INK, lw=0.7)
    axes.set(ylabel="a [m/s²]", xlim=span.limits)


def _draw_damage(axes: Any, time: Array, states: Array) -> None:
    axes.plot(time, 1e3 * states[:, 3], color=style.ORANGE)
    axes.set_ylabel("hardening α [mm]", color=style.ORANGE)
    axes.set_ylim(_from_zero(1e3 * states[:, 3]))
    right = axes.twinx()
    right.spines["right"].set_visible(True)
    right.plot(time, states[:, 4], color=style.INK)
    right.set(ylabel="wear w [–]", ylim=_from_zero(states[:, 4]))
    right.yaxis.set_major_locator(MaxNLocator(4))
    if not states[:, 3:5].any():
        axes.text(
            0.5, 0.5, "none: no slip", transform=axes.transAxes, ha="center", color=style.QUIET
        )


def _draw_energies(axes: Any, along: Array, parts: dict[str, tuple[Array, str]]) -> None:
    """Energies [J] in a unit in which they are read easily, and their names where no curve is."""
    factor, unit = energy_unit(max(float(np.abs(values).max()) for values, _ in parts.values()))
    for label, (values, colour) in parts.items():
        axes.plot(along, values / factor, color=colour, lw=0.9, label=label)
    axes.set_ylabel(f"energy [{unit}]")
    clear_legend(axes)


# -- the sheet -----------------------------------------------------------------------------------


class _sheet:  # noqa: N801
    """A new figure in house style; the file's kind is checked before the work, not after it."""

    def __init__(self, path: str | Path | None, height: float) -> None:
        if path is not None:
            style.suffix_of(path, tuple(style.FORMATS), "a figure")
        self._height, self._style = height, style.house_style()

    def __enter__(self) -> Figure:
        self._style.__enter__()
        return style.new_figure(height=self._height * style.MM)

    def __exit__(self, *error: Any) -> None:
        self._style.__exit__(*error)


def _saved(fig: Figure, path: str | Path | None) -> Figure:
    if path is not None:
        style.save_figure(fig, path)
    return fig


def _title(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.012, ha="left", fontsize=9, fontweight="bold", parse_math=False)


def _ground_title(name: str) -> str:
    return "(a)  Ground acceleration" + (f": {name}" if name else "")


def _cut(name: str, room: int) -> str:
    """As much of a name as ``room`` letters show; nothing where it would say nothing."""
    return name if len(name) <= room else f"{name[: room - 1]}…" if room > 3 else ""


def _outcome(response: PushoverResponse) -> str:
    if response.collapse is not None:
        return f"collapses at {1e3 * response.collapse:.4g} mm".replace("-", "−")
    at = 1e3 * response.displacement_at_peak
    return f"peak {response.peak_force / 1e3:.4g} kN at {at:.3g} mm, wear {response.wear[-1]:.3g}"


def _against(title: str, increase: float) -> str:
    if not np.isfinite(increase):
        return title
    if increase >= MANY_TIMES:
        times = spaced(significant(1 + increase))
        return f"{title}: {times} times that after the main shock alone"
    change = "more" if increase >= 0 else "less"
    return f"{title}: {100 * abs(increase):.0f} % {change} than after the main shock alone"


def _from_zero(values: Array) -> tuple[float, float]:
    top = float(np.max(values, initial=0.0))
    return (0.0, 1.08 * top) if top > 0 else (0.0, 1.0)


def _peak(response: Response) -> float:
    return float(
        max(np.abs(response.states[:, 0]).max(), np.abs(response.events[:, 2]).max(initial=0.0))
    )
