"""The map of outcomes over direction and strength, in space and in planes beside each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.status import Status
from rocksteady.view import style
from rocksteady.view.words import wrapped

if TYPE_CHECKING:
    import xarray

FALLS, STILL = style.VERMILLION, "white"
PEAKS = LinearSegmentedColormap.from_list(
    "peaks", ["#D6E9F5", "#8FC1E0", style.BLUE, "#003A5C"]
).with_extremes(bad=FALLS, under=STILL)  # no largest lean: it fell
AROUND = 300.0  # degrees: directions that cover more are drawn in a circle
NEEDED = ("peak", "fell", "status")


def plot_directions(data: "xarray.Dataset", path: str | Path | None = None) -> Figure:
    """Draw a map that `rocksteady.analysis.direction_map` made: largest lean θ/α by direction and
    strength, and where it falls; on the right the worse of the answers in the planes.

    Directions all around are drawn in a circle, others along an axis. ``path`` (.png, .svg or
    .pdf), if given, is written whole or not at all.
    """
    missing = [name for name in (*NEEDED, *(f"planar_{one}" for one in NEEDED)) if name not in data]
    if missing:
        raise InputError(
            f"This dataset lacks {', '.join(missing)}: make one with rs.analysis.direction_map."
        )
    angles = data["direction"].values
    circle = bool(angles[-1] - angles[0] + np.diff(angles).max() >= AROUND)
    space, plane = _outcomes(data, ""), _outcomes(data, "planar_")
    with style.sheet(wrapped(_title(data, space, plane)), 96 if circle else 88, path) as fig:
        panels = fig.subplots(1, 2, subplot_kw={"projection": "polar"} if circle else {})
        titles = ("In space", _planes(data))
        for axes, found, name in zip(panels, (space, plane), titles, strict=True):
            shading = _draw(axes, data, found, circle)
            axes.set_title(name, pad=16 if circle else 5)
        fig.colorbar(
            shading,
            ax=list(panels),
            label="largest tilt θ/α [–]",
            shrink=0.8,
            pad=0.02,
            aspect=25,
            extend="max",
        )
        falls = Patch(facecolor=FALLS, label="falls")
        still = Patch(facecolor=STILL, edgecolor=style.QUIET, lw=0.4, label="does not lift off")
        none = Patch(facecolor="white", edgecolor=style.QUIET, hatch="////", label="no answer")
        failed = [none] if space.failed.any() or plane.failed.any() else []
        fig.legend(handles=[still, falls, *failed], loc="outside lower center", ncols=3)
    return fig


class _Outcomes(NamedTuple):
    """Over (direction, scale); the worse of several planes."""

    peak: Array
    fell: NDArray[np.bool_]
    failed: NDArray[np.bool_]


def _outcomes(data: "xarray.Dataset", which: str) -> _Outcomes:
    failed = data[f"{which}status"] == Status.FAILED
    peak, fell = data[f"{which}peak"], data[f"{which}fell"].astype(bool)
    if which:
        peak, fell, failed = peak.max("plane"), fell.any("plane"), failed.any("plane")
    order = ("direction", "scale")
    return _Outcomes(*(one.transpose(*order).values for one in (peak, fell, failed & ~fell)))


def _draw(axes: Any, data: "xarray.Dataset", found: _Outcomes, circle: bool) -> Any:
    """The map of one of the answers; returns its shading."""
    angles, strength = data["direction"].values, data["pga"].values / GRAVITY_UNIT
    lean = np.where(found.fell, np.nan, np.where(found.peak > 0, found.peak, -1.0))  # −1: it stood
    across, up = _borders(angles), _borders(strength)
    if circle:
        across = np.radians(across)
        up[0] = max(up[0], 0.0)
    shading = axes.pcolormesh(across, up, lean.T, cmap=PEAKS, vmin=0, vmax=1, rasterized=True, lw=0)
    if found.failed.any():
        only = np.ma.masked_where(~found.failed, found.failed)
        white = ListedColormap(["white"])
        axes.pcolor(across, up, only.T, cmap=white, hatch="////", edgecolor=style.QUIET, lw=0)
    words = "largest horizontal acceleration [g]"
    if circle:
        _rings(axes, up, words)
    else:
        axes.set(xlabel="direction of the motion [°]", ylabel=words)
    return shading


def _rings(axes: Any, up: Array, words: str) -> None:
    """Rings, and their strengths along one ray, legible on any colour."""
    axes.set(ylim=(0, up[-1]), xticks=np.radians(np.arange(0, 360, 45)))
    axes.set_xticklabels([f"{angle}°" for angle in range(0, 360, 45)])
    axes.tick_params(pad=1)
    axes.set_rlabel_position(22.5)
    axes.yaxis.set_major_locator(MaxNLocator(4, prune="lower"))
    axes.set_axisbelow(False)
    for label in axes.get_yticklabels():
        label.set(fontsize=6.5, bbox={"fc": "white", "ec": "none", "alpha": 0.7, "pad": 0.6})
    axes.grid(color="white", lw=0.5, alpha=0.7)
    axes.spines["polar"].set_linewidth(0.6)
    axes.set_xlabel(f"radius: {words}", labelpad=4, fontsize=7.5)


def _borders(values: Array) -> Array:
    """Where the cells around these values meet."""
    middles = (values[1:] + values[:-1]) / 2
    return np.array([2 * values[0] - middles[0], *middles, 2 * values[-1] - middles[-1]])


def _planes(data: "xarray.Dataset") -> str:
    """Which planes, as a title."""
    sides = [f"{side % 180:.3g}°" for side in data["plane"].values]
    if len(sides) == 1:
        return f"In the plane at {sides[0]}"
    return f"Worse of the planes at {', '.join(sides[:-1])} and {sides[-1]}"


def _title(data: "xarray.Dataset", space: _Outcomes, plane: _Outcomes) -> str:
    name = data.attrs.get("motion") or "a ground motion"
    shares = [f"{100 * np.mean(fell):.0f} %" for fell in (space.fell, plane.fell)]
    body = data.attrs.get("body", "body")
    return f"{body} under {name}: falls in {shares[0]} of the runs in space, {shares[1]} in a plane"
