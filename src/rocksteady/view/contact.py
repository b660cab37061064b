"""An elastic block at an impact: the pressure under its base and the stresses inside it."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure

from rocksteady.analysis.body_history import BodyHistory, ImpactHistory
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import style

LETTERS = "ABCDE"
COLOURS = (style.INK, style.SKY, style.BLUE, style.VERMILLION, style.ORANGE)
PRESSURE = LinearSegmentedColormap.from_list(
    "pressure", ["white", style.SKY, style.BLUE, "#00263D"]
)
TENSION = LinearSegmentedColormap.from_list(
    "tension", ["#00263D", style.BLUE, "white", style.VERMILLION, "#5A2700"]
)
STRESSES = {
    "x": (0, r"$\sigma_x$ [MPa], tension positive"),
    "y": (1, r"$\sigma_y$ [MPa], tension positive"),
    "xy": (2, r"$\tau_{xy}$ [MPa]"),
}


def plot_impact(
    found: ImpactHistory, path: str | Path | None = None, *, reference: Response | None = None
) -> Figure:
    """Draw one impact of an elastic block: phase portrait, and the pressure under the base before,
    during and after it (as Fig. 3 of D'Altri et al. 2024).

    ``found`` comes from :func:`rocksteady.analysis.body_history.impact_history`; ``reference`` is
    another run of the same block to compare with, such as a rigid one. ``path`` (.png, .svg or
    .pdf), if given, is written whole or not at all.
    """
    given: Any = found
    if isinstance(given, Response):
        raise InputError(
            "plot_impact draws what impact_history(response) returns, not a response: call "
            "rocksteady.analysis.body_history.impact_history(response, impact=0).plot(path)."
        )
    response, history, instants = found.around.response, found.around, found.instants()
    title = f"{response.rocker.label}: impact {found.number + 1} at {found.time:.3f} s"
    with style.sheet(title, 125, path) as fig:
        (phase, zoom), (profile, carpet) = fig.subplots(2, 2)
        _draw_phase(phase, response, reference)
        _draw_zoom(zoom, response, reference, history, instants, found.time)
        _draw_profiles(profile, found.released, history, instants)
        _draw_carpet(fig, carpet, history, instants, found.time)
    return fig


def _units(response: Response) -> tuple[Array, Array]:
    block = response.rocker
    return block.relative(response.theta), response.omega / (block.p * block.alpha)


def _draw_phase(axes: Any, response: Response, reference: Response | None) -> None:
    if reference is not None:
        axes.plot(*_units(reference), color=style.QUIET, lw=1.6)
    axes.plot(*_units(response), color=style.BLUE, lw=0.8)
    axes.set(xlabel="rotation θ/α [–]", ylabel="angular velocity ω/(pα) [–]")
    axes.set_title("Phase portrait")


def _name(reference: Response) -> str:
    how = reference.formulation
    return "rigid body" if how.compliant else f"{how.name}, rigid"


def _draw_zoom(
    axes: Any,
    response: Response,
    reference: Response | None,
    history: BodyHistory,
    instants: list[int],
    impact: float,
) -> None:
    theta, omega = _units(response)
    rows = np.array([0, *history.samples[instants]])
    around = slice(history.samples[0], history.samples[-1] + 1)
    if reference is not None:
        near = np.abs(reference.time - impact) <= impact - history.time[0]
        line = [part[near] for part in _units(reference)]
        axes.plot(*line, color=style.QUIET, lw=1.6, label=_name(reference))
    label = "elastic body"
    axes.plot(theta[around], omega[around], ".-", color=style.BLUE, lw=0.8, ms=3, label=label)
    aside = np.sign(theta[rows[1]] - theta[rows[-1]])  # letters stay clear of each other
    for letter, colour, row, way in zip(
        LETTERS[1:], COLOURS[1:], rows[1:], (1, 1, -1, -1), strict=True
    ):
        axes.plot(theta[row], omega[row], "o", ms=5, color=colour)
        away = (7 * way * aside, 11 * np.sign(omega[row]) - 3)
        look = {"textcoords": "offset points", "ha": "center"}
        axes.annotate(letter, (theta[row], omega[row]), away, **look)
    axes.margins(0.08, 0.2)
    axes.legend(loc="upper center" if omega[rows[2]] < 0 else "lower center")
    axes.set(xlabel="rotation θ/α [–]", ylabel="angular velocity ω/(pα) [–]")
    axes.set_title("The same, around the impact")


def _draw_profiles(
    axes: Any, released: BodyHistory, history: BodyHistory, instants: list[int]
) -> None:
    rows = [released.pressure[0], *history.pressure[instants]]
    times = [0.0, *history.time[instants]]
    for letter, colour, pressure, time in zip(LETTERS, COLOURS, rows, times, strict=True):
        look = {"ms": 2.5, "color": colour, "label": f"{letter}  {time:.3f} s"}
        axes.plot(history.places, 1e-6 * pressure, "o-", **look)
    axes.set(xlabel="place along the base [m]", ylabel="pressure [MPa]")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper center")
    axes.set_title("Pressure under the base; A: at release")


def _draw_carpet(
    fig: Figure, axes: Any, history: BodyHistory, instants: list[int], impact: float
) -> None:
    milliseconds = 1e3 * (history.time - impact)
    shading = axes.pcolormesh(
        history.places, milliseconds, 1e-6 * history.pressure, cmap=PRESSURE, shading="nearest"
    )
    for letter, row, shift in zip(LETTERS[1:], instants, (3, 2, -2, -3), strict=True):
        where = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        axes.annotate(letter, (1, milliseconds[row]), (3, shift), va="center", fontsize=7, **where)
    axes.axhline(0, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.set(xlabel="place along the base [m]", ylabel="time from the impact [ms]")
    axes.invert_yaxis()
    axes.set_title("Pressure through the impact")
    fig.colorbar(shading, ax=axes, label="pressure [MPa]", pad=0.06)


# -- stress maps ----------------------------------------------------------------------------------


def plot_stress(
    history: BodyHistory,
    rows: tuple[int, ...] | None = None,
    path: str | Path | None = None,
    *,
    component: str = "y",
) -> Figure:
    """Draw a stress [MPa] inside the body at some rows of its history, side by side and turned as
    it stood: ``component`` is ``"x"``, ``"y"`` (along the height) or ``"xy"``.

    Five rows at equal distances unless ``rows`` are given. ``path`` (.png, .svg or .pdf), if given,
    is written whole or not at all.
    """
    if component not in STRESSES:
        raise InputError(f"component = {component!r} is not known: choose from {[*STRESSES]}.")
    if rows is None:
        rows = tuple(np.linspace(0, len(history.samples) - 1, 5).astype(int))
    block, (number, name) = history.mesh.block, STRESSES[component]
    stress = 1e-6 * history.stress[list(rows), :, number]
    limit = float(np.abs(stress).max()) or 1.0
    with style.sheet("", 95, path) as fig:
        panels = fig.subplots(1, len(rows), sharex=True, sharey=True, squeeze=False)[0]
        for axes, row, values in zip(panels, rows, stress, strict=True):
            shading = _draw_body(axes, history, row, values, limit)
            axes.set_title(f"{history.time[row]:.3f} s", loc="center")
            axes.set_xlabel("x [m]")
            axes.set_xticks([-block.width / 2, block.width / 2])
        panels[0].set_ylabel("y [m]")
        fig.colorbar(shading, ax=list(panels), label=name, pad=0.01)
    return fig


def _draw_body(axes: Any, history: BodyHistory, row: int, values: Array, limit: float) -> Any:
    mesh, response = history.mesh, history.response
    c, s = np.cos(history.theta[row]), np.sin(history.theta[row])
    sample = history.samples[row]
    x, y = mesh.nodes.T
    shape = (len(mesh.y), len(mesh.x))
    across = response.column("x")[sample] + x * c + y * s
    up = response.column("y")[sample] + mesh.block.com_height + y * c - x * s
    shading = axes.pcolormesh(
        across.reshape(shape),
        up.reshape(shape),
        values.reshape(shape[0] - 1, shape[1] - 1),
        cmap=TENSION,
        norm=Normalize(-limit, limit),
        rasterized=True,
    )
    corners = np.array([0, shape[1] - 1, len(x) - 1, len(x) - shape[1], 0])
    axes.plot(across[corners], up[corners], color=style.INK, lw=0.5)
    axes.set_aspect("equal")
    return shading
