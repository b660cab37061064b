"""Figures of masonry buildings: pushover curves, runs and sequences of shocks."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rocksteady.analysis.pushover import PushoverResponse
from rocksteady.analysis.sequence import SequenceResponse
from rocksteady.bodies import MasonryBuilding, expect
from rocksteady.ensembles.progress import significant, spaced
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.figures import energy_unit
from rocksteady.view.labels import clear_legend, legend_above, notes
from rocksteady.view.time_axis import span_of

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
    title = f"Pushover of a {building.label}: {_outcome(response)}"
    with style.sheet(title, 130, path) as fig:
        (force, slip), (wear, energy) = fig.subplots(2, 2)
        _draw_loop(force, building, u, response.force / 1e3, response.mode)
        slip.plot(along, 1e3 * response.slip, color=style.BLUE, label="slip g")
        slip.plot(along, 1e3 * response.hardening, color=style.ORANGE, label="hardening α")
        slip.set(xlabel=where, ylabel="g, α [mm]", title="Slip and hardening")
        clear_legend(slip)
        wear.plot(along, response.wear, color=style.INK)
        wear.set(xlabel=where, ylabel="wear w [–]", title="Wear", ylim=_from_zero(response.wear))
        parts = {
            "work on the interface": (response.work, style.INK),
            "lost in slip and wear": (response.dissipated, style.VERMILLION),
            "stored": (response.stored, style.SKY),
        }
        _draw_energies(energy, along, parts)
        energy.set(xlabel=where, title="Energy")
    return fig


def plot_building(response: Response, path: str | Path | None = None) -> Figure:
    """Draw the response of a building to a ground motion: ground, displacement, hardening and
    wear, the force–displacement loop and the energies."""
    states, time = response.states, response.time
    building = expect(response.system, MasonryBuilding, "This figure")
    title = f"{building.label}: {response.outcome}"
    with style.sheet(title, 190, path) as fig:
        grid = fig.add_gridspec(4, 2, height_ratios=(0.8, 1.2, 1.0, 1.8))
        ground = fig.add_subplot(grid[0, :])
        moves = fig.add_subplot(grid[1, :], sharex=ground)
        damage = fig.add_subplot(grid[2, :], sharex=ground)
        loop, energy = fig.add_subplot(grid[3, 0]), fig.add_subplot(grid[3, 1])
        span = span_of(response)
        ground.axhline(0, color=style.FAINT, lw=0.8)
        ground.plot(time, response.ground[0], color=style.INK, lw=0.7)
        ground.set(ylabel="a [m/s²]", xlim=span)
        name = response.motion.name
        ground.set_title(f"Ground acceleration{name and ': '}{name}", parse_math=False)
        if span.note:
            notes(ground, [(span.note, style.VERMILLION)])
        moves.plot(time, 1e3 * states[:, 0], color=style.BLUE)
        moves.plot(time, 1e3 * states[:, 2], color=style.ORANGE)
        moves.set(ylabel="u, g [mm]", title="Displacement")
        notes(moves, [("displacement u", style.BLUE), ("slip g", style.ORANGE)])
        _draw_damage(damage, time, states)
        damage.set(xlabel="time [s]", title="Hardening and wear")
        force = building.contact_area * states[:, 5] / 1e3
        _draw_loop(loop, building, 1e3 * states[:, 0], force, states[:, 6])
        parts = {
            "work of the ground": (states[:, 7], style.INK),
            "lost": (states[:, 8], style.VERMILLION),
            "kinetic and stored": (response.energy, style.SKY),
        }
        energy.set(xlabel="time [s]", title="Energy", xlim=span)
        energy.locator_params(axis="x", nbins=6)
        _draw_energies(energy, time, parts)
        for axes in (ground, moves):
            axes.tick_params(labelbottom=False)
    return fig


def plot_sequence(response: SequenceResponse, path: str | Path | None = None) -> Figure:
    """Draw the ground, hardening and wear of a sequence, and of the main shock alone (dashed).

    The paper's Fig. 13. ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    alone, count, outcome = response.alone, len(response.shocks), response.shocks[-1].outcome
    title = f"{response.building.label} in a sequence of {count} shock{'s' * (count > 1)}{outcome}"
    with style.sheet(title, 125, path) as fig:
        ground, hardening, wear = fig.subplots(3, 1, sharex=True, height_ratios=(0.9, 1.3, 1.3))
        whole = max(response.time[-1], alone.time[-1]) - response.time[0] or 1.0
        for i, shock in enumerate(response.shocks):
            room = int(MOST_LETTERS * (shock.time[-1] - shock.start) / whole)
            colour = style.INK if i == response.main else style.QUIET
            ground.plot(shock.time, shock.motion.accel[: len(shock.time)], color=colour, lw=0.6)
            for axes in (ground, hardening, wear):
                axes.axvline(shock.start, color=style.FAINT, lw=0.7, zorder=0)
            where = {"xy": (shock.start, 0.97), "xycoords": ("data", "axes fraction"), "va": "top"}
            look = {"fontsize": 6.5, "color": colour, "parse_math": False}
            ground.annotate(f" {_cut(shock.name, room)}", **where, **look)
        for axes, column, scale, name in (
            (hardening, 3, 1e3, "hardening α [mm]"),
            (wear, 4, 1.0, "wear w [–]"),
        ):
            sequence, main_shock = (scale * run.states[:, column] for run in (response, alone))
            axes.plot(response.time, sequence, color=style.BLUE, label="whole sequence")
            look = {"color": style.VERMILLION, "ls": style.DASHED, "label": "main shock alone"}
            axes.plot(alone.time, main_shock, **look)
            axes.set(ylabel=name, ylim=_from_zero(np.append(sequence, main_shock)))
            axes.legend(loc="upper left")
        low, high = ground.get_ylim()
        ground.set_ylim(low, high + 0.2 * (high - low))  # room for the shocks' names
        ground.set(ylabel="a [m/s²]", title="Ground acceleration")
        hardening.set_title(_against("Hardening", response.hardening_increase))
        wear.set(title=_against("Wear", response.wear_increase), xlabel="time [s]")
    return fig


# -- panels -------------------------------------------------------------------------------------


def _draw_loop(axes: Any, building: MasonryBuilding, u: Array, force: Array, mode: Array) -> None:
    """Force against displacement, slipping parts in another colour; dashed is what the force could
    grow to if nothing wore, and never does."""
    for level in (1, -1) if force.min() < 0 else (1,):
        axes.axhline(level * building.strength / 1e3, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.plot(u, force, color=style.BLUE, lw=0.9, label="adheres")
    slips = (np.abs(mode) == 1) | np.append(np.abs(mode[1:]) == 1, False)
    axes.plot(u, np.where(slips, force, np.nan), color=SLIPS, lw=1.1, label="slips")
    axes.set(xlabel="displacement u [mm]", ylabel="base shear [kN]", title="Force")
    axes.plot([], [], color=style.QUIET, lw=0.7, ls=style.DASHED, label="unworn limit")
    legend_above(axes, 3, columnspacing=1.0, handletextpad=0.4)


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
        where = {"transform": axes.transAxes, "ha": "center"}
        axes.text(0.5, 0.5, "none: no slip", color=style.QUIET, **where)


def _draw_energies(axes: Any, along: Array, parts: dict[str, tuple[Array, str]]) -> None:
    """Energies [J] in a unit in which they are read easily, and their names where no curve is."""
    factor, unit = energy_unit(max(float(np.abs(values).max()) for values, _ in parts.values()))
    for label, (values, colour) in parts.items():
        axes.plot(along, values / factor, color=colour, lw=0.9, label=label)
    axes.set_ylabel(f"energy [{unit}]")
    clear_legend(axes)


# -- words and limits ------------------------------------------------------------------------------


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
