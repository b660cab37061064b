"""A body drawn to scale: sizes, centre of mass, the angle at which it balances, where it stands."""

import math
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Arc, Polygon, Rectangle

from rocksteady.bodies import Block
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.view import style
from rocksteady.view.film_body import EARTH, EDGE, STONE, outline

HEIGHT = 62.0  # mm
STOREYS_DRAWN = 8  # a taller building is drawn with so many and a gap


def plot_object(
    block: Block,
    path: str | Path | None = None,
    *,
    storeys: int = 0,
    level: int = 0,
    title: str = "",
) -> Figure:
    """Draw a block upright and, faintly, where it balances on its edge.

    With ``storeys``, the building beside it shows on which ``level`` it stands (0: the ground).
    """
    with style.sheet(title, HEIGHT, path, letters=False) as fig:
        if storeys:
            axes, building = fig.subplots(1, 2, width_ratios=(2.2, 1))
            _building(building, storeys, level)
        else:
            axes = fig.subplots()
        _block(axes, block)
    return fig


def _block(axes: Any, block: Block) -> None:
    side = block.weak_side
    lean = side.alpha if side is block.right else -side.alpha
    unit = block.height
    corner = math.copysign(block.width / 2, lean)
    axes.add_patch(Polygon(outline(block, lean), fc="none", ec=EDGE, lw=0.8, ls=style.DASHED))
    axes.add_patch(Polygon(outline(block), fc=STONE, ec=EDGE, lw=1.2, joinstyle="round"))
    x, y = block.offset, block.com_height
    axes.plot([corner, x], [0, y], color=style.BLUE, lw=1.0)
    axes.plot([corner, corner], [0, 1.12 * y], color=style.QUIET, lw=0.8, ls=style.DASHED)
    axes.plot(x, y, "o", ms=5, color=style.BLUE, mec="white", mew=0.8)
    axes.plot(corner, 0, "o", ms=4, color=style.INK)
    ends = sorted([90.0, 90 + math.degrees(math.copysign(side.alpha, lean))])
    axes.add_patch(
        Arc((corner, 0), 1.6 * y, 1.6 * y, theta1=ends[0], theta2=ends[1], color=style.BLUE)
    )
    notes = {
        f"height {block.height:.4g} m, width {block.width:.4g} m": style.INK,
        f"centre of mass {y:.4g} m above the base": style.BLUE,
        f"balances at α = {side.alpha:.3g} rad ({math.degrees(side.alpha):.1f}°)": style.BLUE,
        f"p = {side.p:.3g} rad/s": style.INK,
        f"lifts off at {math.tan(side.alpha) * block.g / GRAVITY_UNIT:.3g} g": style.INK,
    }
    if not block.symmetric:
        notes[f"centre of mass {1000 * x:+.0f} mm from the middle"] = style.BLUE
    left = -block.width / 2 - 0.45 * unit
    reach = abs(outline(block, lean)[:, 0]).max()
    right = reach + 0.15 * unit
    if lean < 0:
        left -= reach
    axes.fill_between([left, right], -0.06 * unit, 0, color=EARTH, lw=0)
    axes.plot([left, right], [0, 0], color=EDGE, lw=1.2)
    _measure(axes, (-block.width / 2 - 0.12 * unit, 0), block.height, f"{block.height:.4g} m")
    for i, (text, colour) in enumerate(notes.items()):
        axes.text(
            right + 0.1 * unit, (0.95 - 0.12 * i) * unit, text, color=colour, parse_math=False
        )
    axes.set(xlim=(left, right + 1.5 * unit), ylim=(-0.06 * unit, 1.12 * unit), aspect="equal")
    axes.axis("off")


def _measure(axes: Any, foot: tuple[float, float], height: float, text: str) -> None:
    """A vertical dimension line."""
    x, y = foot
    axes.annotate(
        "",
        (x, y),
        (x, y + height),
        arrowprops={"arrowstyle": "<->", "color": style.QUIET, "lw": 0.8},
    )
    axes.text(x, y + height / 2, f"{text} ", ha="right", va="center", color=style.QUIET)


def _building(axes: Any, storeys: int, level: int) -> None:
    drawn = min(storeys, STOREYS_DRAWN)
    at = level if storeys <= STOREYS_DRAWN else round(level * drawn / storeys)
    axes.add_patch(Rectangle((-2.2, -0.35), 4.4, 0.35, fc=EARTH, ec="none"))
    axes.plot([-2.2, 2.2], [0, 0], color=EDGE, lw=1.2)
    for x in (-1.2, 1.2):
        axes.plot([x, x], [0, drawn], color=EDGE, lw=1.0)
    for floor in range(1, drawn + 1):
        axes.plot([-1.2, 1.2], [floor, floor], color=EDGE, lw=2.0)
    axes.add_patch(Rectangle((-0.12, at), 0.24, 0.7, fc=style.BLUE, ec="none"))
    where = "the ground" if level == 0 else "the roof" if level == storeys else f"level {level}"
    axes.set_title(f"on {where} of {storeys} storey{'s' * (storeys != 1)}", loc="center")
    axes.set(xlim=(-2.2, 2.2), ylim=(-0.35, drawn + 1.0))
    axes.axis("off")
