"""How far the runs of an ensemble came: a dot for each, or a curve where one motion grows."""

from typing import Any

import numpy as np

from rocksteady.analysis.shares.counts import Counted, answered, fell
from rocksteady.ensembles.progress import spaced
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.ensemble.axes import ALIKE, WIDE, levels, strength_axis
from rocksteady.view.ensemble.marks import (
    across_zero,
    draw_grey,
    looks,
    places,
    side_by_side,
    thinned,
)
from rocksteady.view.figures import SMALL
from rocksteady.view.labels import notes

FAR = 0.25  # strengths this far apart, of the largest, need no wider cloud of runs than that
FEW_STRENGTHS = 12  # at so many the runs of one are drawn beside each other


def draw_runs(axes: Any, found: Counted, most: int) -> None:
    """A dot for each run, or for about ``most`` of them: how far it came, against the
    ground's peak acceleration, or velocity where that is what all motions share."""
    x, far, down = found.some(most)
    colour = np.where(down, style.VERMILLION, style.BLUE)
    size = min(max(3e3 / max(len(x), 1), 2.5), 14.0)
    y, many = _with_strip(axes, found, far, down), len(x) > 50
    sway = np.random.default_rng(0).uniform(-1, 1, len(y)) if many else np.zeros(len(y))
    strip = axes.get_ylim()[1] - y[down].max(initial=0.0)  # half the height of the strip
    y = np.where(down, y + 0.7 * strip * sway, y)
    at = _beside(x) if many else x
    axes.scatter(
        at, y, size, colour, alpha=0.5 if many else 1, lw=0, rasterized=many, clip_on=False,
        zorder=3,
    )  # fmt: skip
    strength_axis(axes, x, found.measure.axis)
    if many and np.ptp(x) <= ALIKE * x.max():
        axes.set_xlim(0.4 * x.max(), 1.6 * x.max())
    axes.set_xlim(right=max(axes.get_xlim()[1], 1.02 * at.max(initial=0.0)))
    remarks = [] if len(x) == found.runs else [f"{spaced(len(x))} runs of {spaced(found.runs)}"]
    if not np.array_equal(at, x):
        remarks.append("spread sideways to be seen")
    notes(axes, [(words, style.QUIET) for words in remarks])


def _beside(x: Array) -> Array:
    """Runs of one strength beside each other, not in one line on top of each other."""
    known = np.unique(np.round(x, 9))
    if not 0 < len(known) <= FEW_STRENGTHS or known[-1] > WIDE * known[0]:
        return x
    gap = min(np.diff(known).min(), FAR * known[-1]) if len(known) > 1 else 0.6 * known[0]
    return np.asarray(x + 0.3 * gap * np.random.default_rng(1).uniform(-1, 1, len(x)))


def draw_growth(axes: Any, found: Counted) -> None:
    """How far each body came as a single motion grows."""
    strength, name = found.strength()[0], found.measure.axis
    if (found.data["scale"].values < 0).any():  # as it is and mirrored: not one curve
        strength, name = levels(found)
    order = np.argsort(strength)
    x = strength[order]
    shown = [*thinned(found.others), *found.chosen]
    far = found.data[found.kind.measure][shown, 0].values[:, order]
    status = found.data["status"][shown, 0].values[:, order]
    down, far = fell(status), np.where(answered(status), far, np.nan)
    rows = 1 if side_by_side(found) else len(found.chosen)
    y = _with_strip(axes, found, far, down, rows)
    standing = np.where(down, np.nan, y)
    grey = len(shown) - len(found.chosen)
    if rows > 1:  # the fallen stand above each other, not on each other
        middle, top = y[down].max(initial=0.0), axes.get_ylim()[1]
        heights = middle + (top - middle) * (1 - (2 * np.arange(rows) + 1) / rows)
        y[grey:] = np.where(down[grey:], heights[:, None], y[grey:])
    own = zip(y[grey:], standing[grey:], looks(found), places(axes, found), strict=True)
    for row, line, (_, look), place in own:
        axes.plot(*across_zero(x, line), color=look["color"], zorder=3, transform=place)
        axes.plot(x, row, ls="none", zorder=3, transform=place, clip_on=False, **look)
    draw_grey(axes, [np.column_stack(across_zero(x, line)) for line in standing[:grey]])
    strength_axis(axes, x, name)
    axes.set_title(f"{found.kind.title}, under {found.data['motion'].values[0]}", parse_math=False)


def _with_strip(axes: Any, found: Counted, far: Array, down: Any, rows: int = 1) -> Array:
    """Set the upright axis, with a strip above it where runs that fell lie, wide enough for so many
    ``rows`` of marks, and say where each run is; nan where it is not known."""
    kind = found.kind
    most = float(np.nanmax(np.where(down, 0.0, far), initial=0.0))
    enlarged = not down.any() and 0.003 < most < SMALL
    top = 1.15 * most if enlarged else 1.08 * max(most, 1.0)
    if not enlarged:
        axes.axhline(1.0, color=style.QUIET, lw=0.7, ls=style.DASHED)
        where = {"xy": (0, 1), "xycoords": ("axes fraction", "data"), "color": style.QUIET}
        axes.annotate(kind.limit, xytext=(3, 1), textcoords="offset points", fontsize=6.5, **where)
    ticks = [
        tick for tick in axes.yaxis.get_major_locator().tick_values(0, top) if 0 <= tick <= top
    ]
    labels = [f"{tick:g}" for tick in ticks]
    end = 1.01 + max(0.14, 0.06 * rows)
    strip = (1.01 + end) / 2 * top
    if down.any():
        axes.axhspan(1.01 * top, end * top, color=style.FAINT, alpha=0.6, lw=0)
        ticks, labels = [*ticks, strip], [*labels, kind.fallen]
    axes.set_yticks(ticks, labels)
    axes.set(ylim=(0, end * top if down.any() else top), title=kind.title)
    axes.set_ylabel(f"{kind.title[0].lower()}{kind.title[1:]} {kind.axis}")
    return np.where(down, strip, far)
