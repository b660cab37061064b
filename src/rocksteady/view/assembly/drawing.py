"""An assembly drawn to scale: its stones, what they stand on and what ties them."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.systems.assembly import Assembly
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, paint_stones, picture_height, set_view
from rocksteady.view.assembly.stones import moving, start_poses
from rocksteady.view.words import wrapped

SMALLEST = 3.0  # points: smaller names are not written


def plot_assembly(
    assembly: Assembly, path: str | Path | None = None, *, names: bool = False, title: str = ""
) -> Figure:
    """Draw an assembly to scale, with the names of the stones where ``names``; stones fixed to the
    ground are hatched.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    view = View.of(assembly)
    height = picture_height(view) + 2
    with style.sheet(wrapped(title or _described(assembly)), height, path) as fig:
        axes = fig.subplots()
        set_view(axes, view)
        paint_stones(axes, assembly, start_poses(assembly))
        axes.axis("on")
        axes.set(xlabel="x [m]", ylabel="y [m]")
        if names:
            _name(axes, assembly, height / view.height)
    return fig


def _name(axes: Any, assembly: Assembly, scale: float) -> None:
    """The names in the middle of the stones, as large as fits: ``scale`` [mm/m]."""
    for i in moving(assembly):
        stone = assembly.stones[i]
        width, tall = np.ptp(stone.corners, axis=0) * scale / style.MM / 25.4 * 72 / 25.4
        size = min(7.0, 0.6 * tall, 1.5 * width / max(len(stone.name), 1))
        if size >= SMALLEST:
            look = {"ha": "center", "va": "center", "parse_math": False, "zorder": 6}
            axes.text(*stone.centre, stone.name, fontsize=size, clip_on=True, **look)


def _described(assembly: Assembly) -> str:
    """What it is, in one line."""
    words = f"{assembly.label}, {mass_in_words(assembly.mass)}, friction {assembly.friction:g}"
    return words[0].upper() + words[1:]


def mass_in_words(mass: float) -> str:
    """A mass [kg] in the unit in which it is read easily."""
    return f"{mass / 1e3:.3g} t" if mass >= 1e3 else f"{mass:.3g} kg"
