"""An assembly drawn to scale: its stones, what they stand on and what ties them."""

from itertools import pairwise
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.bodies.assembly.stone import section
from rocksteady.bodies.support import Point
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, fitted, paint_stones, set_view
from rocksteady.view.assembly.stones import moving, start_poses
from rocksteady.view.words import wrapped

SMALLEST, SMALL, LARGEST = 3.0, 5.5, 6.5  # points: of names
WORDS = 16.0  # mm: the headline and the axis


def plot_assembly(
    assembly: Assembly, path: str | Path | None = None, *, names: bool = False, title: str = ""
) -> Figure:
    """Draw an assembly to scale, with the names of the stones where ``names``; stones fixed to the
    ground are hatched.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    view, height = fitted(View.of(assembly))
    with style.sheet(wrapped(title or _described(assembly)), height + WORDS, path) as fig:
        axes = fig.subplots()
        set_view(axes, view)
        paint_stones(axes, assembly, start_poses(assembly))
        axes.axis("on")
        axes.set(xlabel="x [m]", ylabel="y [m]")
        if names:
            _name(axes, assembly, height / view.height / 25.4 * 72)
    return fig


def _name(axes: Any, assembly: Assembly, scale: float) -> None:
    """The names in the middle of the stones, as large as fits, or the last words of all names if
    the whole ones would be too small; ``scale`` [points/m]."""
    stones = [assembly.stones[i] for i in moving(assembly)]

    def size(stone: Stone, name: str) -> float:
        wide, tall = (scale * _across(stone, axis) for axis in (1, 0))
        return min(LARGEST, 0.7 * tall, 1.4 * wide / len(name))

    whole = all(size(stone, stone.name) >= SMALL for stone in stones)
    for stone in stones:
        name = stone.name if whole else stone.name.split()[-1]
        if size(stone, name) >= SMALLEST:
            look = {"ha": "center", "va": "center", "parse_math": False, "zorder": 6}
            axes.text(*_middle(stone), name, fontsize=size(stone, name), clip_on=True, **look)


def _middle(stone: Stone) -> Point:
    """Where its name goes: the centre, or that of the largest part of a stone of several."""
    return max((section(part) for part in stone.parts), key=lambda one: one.area).centre


def _across(stone: Stone, axis: int) -> float:
    """How wide a stone is through that point [m], along a line on which ``axis`` is constant."""
    found = []
    middle = _middle(stone)[axis]
    for part in stone.parts:
        for a, b in pairwise((*part, part[0])):
            low, high = sorted((a[axis], b[axis]))
            if low <= middle <= high and high > low:
                share = (middle - a[axis]) / (b[axis] - a[axis])
                found.append(a[1 - axis] + share * (b[1 - axis] - a[1 - axis]))
    return max(found) - min(found) if found else 0.0


def _described(assembly: Assembly) -> str:
    """What it is, in one line."""
    words = f"{assembly.label}, {mass_in_words(assembly.mass)}, friction {assembly.friction:g}"
    return words[0].upper() + words[1:]


def mass_in_words(mass: float) -> str:
    """A mass [kg] in the unit in which it is read easily."""
    return f"{mass / 1e3:.3g} t" if mass >= 1e3 else f"{mass:.3g} kg"
