"""Legends that hide nothing: words above a frame, and boxes where no curve is."""

import re
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea

from rocksteady.numerics.types import Array

WIDE, TALL = 0.53, 0.085  # of a frame: what a legend takes, at most; the height for each line of it
PLACES = [f"{y} {x}" for y in ("upper", "center", "lower") for x in ("right", "left")]


def signs(text: str) -> str:
    """Words for a figure with their symbols set as formulas: "k_n = 5" gets its index, for which
    plain text has the underscore. Nothing else in ``text`` may be a formula."""
    return re.sub(r"(\w)_(\w+?)([⁺⁻]?)(?!\w)", _sign, text)


def _sign(found: re.Match[str]) -> str:
    letter, index, after = found.groups()
    letter = {"ġ": r"\dot{g}"}.get(letter, letter)
    upper = {"⁺": "^{+}", "⁻": "^{-}"}.get(after, "")
    index = index if len(index) == 1 else rf"\mathrm{{{index}}}"
    return rf"${letter}_{{{index}}}{upper}$"


def notes(axes: Any, words: list[tuple[str, str]]) -> None:
    """Small words, each with its colour, above the frame on the right."""
    areas: list[Artist] = [
        TextArea(text, textprops={"color": colour, "size": 7}) for text, colour in words
    ]
    row = HPacker(children=areas, sep=8, pad=0)
    where = {"bbox_to_anchor": (1, 1), "bbox_transform": axes.transAxes, "borderpad": 0.35}
    axes.add_artist(AnchoredOffsetbox("lower right", child=row, frameon=False, pad=0, **where))


def clear_legend(axes: Any) -> None:
    """A legend where it lies over no line; where there is no such place, the frame grows upwards to
    make one. (Matplotlib's "best" takes seconds on 10⁶ points, and then the least bad place.)"""
    tall = TALL * len(axes.get_legend_handles_labels()[1]) + 0.02
    _ = axes.viewLim  # limits that follow the curves are set now, not when it is drawn
    lines = [_in_frame(axes, line) for line in axes.get_lines()]
    free = [place for place in PLACES if not any(_crosses(xy, *_box(place, tall)) for xy in lines)]
    if not free:
        low, high = axes.get_ylim()
        heights = np.concatenate([xy[:, 1] for xy in lines])
        top = heights[heights <= 1].max(initial=0.0)
        axes.set_ylim(low, low + (high - low) * max(1.0, top / (1 - tall)))
    axes.legend(loc=free[0] if free else PLACES[0])


def legend_above(axes: Any, columns: int, **spacing: float) -> None:
    """A legend in small type above the frame on the right, for panels that curves fill."""
    where = {"loc": "lower right", "bbox_to_anchor": (1, 0.99), "borderaxespad": 0}
    axes.legend(ncols=columns, fontsize=6.5, **where, **spacing)


def as_given(legend: Any) -> None:
    """Show the names in a legend as they are: a $ in them begins no formula."""
    for text in (legend.get_title(), *legend.get_texts()):
        text.set_parse_math(False)


def _box(place: str, tall: float) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a legend, as parts of the frame."""
    height, side = place.split()
    left = 0.0 if side == "left" else 1 - WIDE
    bottom = {"upper": 1 - tall, "center": (1 - tall) / 2, "lower": 0.0}[height]
    return left, left + WIDE, bottom, bottom + tall


def _in_frame(axes: Any, line: Any) -> Array:
    """Its points as parts of the frame, as far as time goes in it; what was left out on the left
    is not there, but for the piece that comes in."""
    xy = axes.transAxes.inverted().transform(line.get_transform().transform(line.get_xydata()))
    inside = xy[:, 0] >= 0
    inside[:-1] |= inside[1:]
    return np.asarray(xy[inside & (xy[:, 0] <= 1)])


def _crosses(xy: Array, left: float, right: float, bottom: float, top: float) -> bool:
    """Whether a line passes through a box: judged by the boxes around its pieces."""
    (x0, y0), (x1, y1) = xy[:-1].T, xy[1:].T
    beside = (np.maximum(x0, x1) < left) | (np.minimum(x0, x1) > right)
    apart = (np.maximum(y0, y1) < bottom) | (np.minimum(y0, y1) > top)
    return bool(np.any(~beside & ~apart))
