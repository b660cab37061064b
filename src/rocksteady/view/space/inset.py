"""A small plan in the corner of a film: the base and the way of the centre, from above."""

from typing import Any

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.animation import EDGE, STONE
from rocksteady.view.space.track import Track


class Inset:
    """The base seen from above, to scale."""

    def __init__(
        self, fig: Any, track: Track, base: Array, place: tuple[float, float, float, float]
    ) -> None:
        self.track, self.base = track, base
        axes = fig.add_axes(place)
        ways = track.paths(base)[:, :, :2].reshape(-1, 2)
        low, high = ways.min(axis=0), ways.max(axis=0)
        middle, half = (low + high) / 2, 0.58 * float((high - low).max())
        axes.set(xlim=middle[0] + half * np.array([-1, 1]), aspect="equal")
        axes.set(ylim=middle[1] + half * np.array([-1, 1]))
        axes.set(xticks=[], yticks=[], facecolor="#FFFFFFD0")
        for side in axes.spines.values():
            side.set(visible=True, color=style.FAINT)
        axes.set_title("from above", fontsize=7.5, color=style.QUIET, loc="center", pad=3)
        start = track.place(base, 0)[:, :2]
        axes.fill(*start.T, fc="none", ec=EDGE, lw=0.8, ls=(0, (3, 2)))
        self.outline = axes.fill(*start.T, fc=STONE, ec=EDGE, lw=1.0, alpha=0.75)[0]
        self.way = axes.plot([], [], color=style.BLUE, lw=0.9)[0]
        self.centre = axes.plot([], [], "o", ms=4, color=style.BLUE, mec="white", mew=0.6)[0]
        self.pivot = axes.plot([], [], "o-", ms=3.5, lw=1.6, color=style.INK)[0]
        self.artists = [self.outline, self.way, self.centre, self.pivot]

    def show(self, k: int) -> None:
        """As it is at the k-th time."""
        track = self.track
        self.outline.set_xy(track.place(self.base, k)[:, :2])
        self.way.set_data(*track.centre[: k + 1, :2].T)
        self.centre.set_data(*track.centre[k : k + 1, :2].T)
        self.pivot.set_data(*track.foot(self.base, k).T)
