"""A film of stones that rock, slide and fall, with the ground and the displacement below."""

import io
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from PIL import Image

from rocksteady.errors import InputError
from rocksteady.files import suffix_of, write_whole
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.animation import Timeline, checked_width, write_film
from rocksteady.view.assembly.links import Drawn, Lines
from rocksteady.view.assembly.moments import assembly_of, poses_at
from rocksteady.view.assembly.stage import View, paint_fixed, set_view
from rocksteady.view.assembly.stones import Painted, box_of, magnified, moving
from rocksteady.view.assembly.words import doing, factor_in_words
from rocksteady.view.backdrop import Backdrop
from rocksteady.view.words import shaken

CLOSE = 200.0  # pictures per second among which a single one is chosen


def animate(
    response: Response,
    path: str | Path,
    *,
    fps: float | None = None,
    speed: float | None = None,
    width_px: int = 720,
    max_seconds: float | None = None,
    progress: film.Progress | None = None,
    magnify: float = 1.0,
) -> Path:
    """Write a film of an assembly of stones to ``path`` (.gif or .mp4), whole or not at all.

    The picture moves with the ground, whose acceleration is the arrow below. Stones that are fixed
    to the ground are hatched; ties and tendons are dashed where slack and red where broken.

    Parameters
    ----------
    response
        What to show; the film ends when the stones no longer move visibly.
    fps, speed, width_px, max_seconds, progress
        As for a film of one block: see ``rocksteady.view.animation.animate``.
    magnify
        By how much displacements and rotations are exaggerated; the picture says so.
    """
    positive("magnify", magnify)
    return write_film(
        partial(Scene, magnify=magnify), response, path, fps=fps, speed=speed, width_px=width_px,
        max_seconds=max_seconds, progress=progress,
    )  # fmt: skip


def still(
    response: Response,
    path: str | Path,
    time: float | None = None,
    *,
    width_px: int = 1440,
    magnify: float = 1.0,
) -> Path:
    """Write one picture of the film to ``path`` (.png): at ``time`` [s], or at the largest
    displacement."""
    suffix_of(path, ("png",), "a picture")
    positive("magnify", magnify)
    end = float(response.time[-1])
    if time is None:
        time = float(response.time[np.nanargmax(response.states[:, 0])])
    if not 0 <= finite("time", time, "s") <= end:
        raise InputError(f"time = {time!r} s is not allowed: the run lasts from 0 to {end:g} s.")
    width = 2 * round(checked_width(width_px) / 2)
    timeline = Timeline.of(response, CLOSE, 1.0, max_seconds=end + 1.0)
    with style.house_style():
        scene = Scene(response, timeline, width, magnify)
        picture = Image.fromarray(scene.frame(int(np.argmin(np.abs(scene.times - time))))[..., :3])
    memory = io.BytesIO()
    picture.save(memory, "PNG", optimize=True)
    return write_whole(Path(path), memory.getvalue)


# -- the pictures of a film of stones: a background drawn once, and what moves in front of it ------

WIDE = 7.2  # inch: text and lines scale with the picture
LOWEST, HIGHEST = 2.1, 4.6  # inch: of the stage
HEAD, STRIP, FOOT = 0.5, 0.62, 0.38  # inch: words above, a history below, its axis


class Scene:
    """The film of an assembly, seen from the ground: the arrow below is its acceleration."""

    def __init__(
        self, response: Response, timeline: Timeline, width: int, magnify: float = 1.0
    ) -> None:
        self.response, self.timeline, self.magnify = response, timeline, magnify
        self.assembly = assembly_of(response)
        self.times = np.minimum(timeline.clock, timeline.end)
        self.poses = poses_at(response, self.times)
        self.broken = Lines(self.assembly).states(self.poses)
        self.poses = magnified(self.assembly, self.poses, magnify)
        pga = response.motion.pga or 1.0
        self.push = np.interp(self.times, response.time, response.ground[0], right=0.0) / pga

        view = View.of(self.assembly, self.poses)
        self.foot = box_of(self.assembly)[0][1]  # where they stand
        strips = 2 if response.motion.pga else 1
        tall = min(max(WIDE * view.height / view.width, LOWEST), HIGHEST)
        self.below = FOOT + strips * STRIP + 0.12
        inches = HEAD + tall + self.below
        self.size = (width, 2 * round(width * inches / WIDE / 2))
        dpi = width / WIDE
        self.inches = self.size[1] / dpi
        self.fig = Figure(figsize=(WIDE, self.inches), dpi=dpi)
        self.canvas = FigureCanvasAgg(self.fig)
        up = self.below / self.inches
        share = 1 - (HEAD + self.below) / self.inches
        self.stage = self.fig.add_axes((0, up, 1, share))
        self.view = view.shaped(WIDE / (share * self.inches))
        set_view(self.stage, self.view)
        paint_fixed(self.stage, self.assembly)
        self._set_words()
        self._set_actors()
        self._set_strips(strips)

    def __len__(self) -> int:
        return len(self.times)

    def _words(self, x: float, inches: float, text: str, **look: Any) -> Any:
        """Words at a height in inches from the picture's foot, from its top if negative."""
        y = inches / self.inches + (inches < 0)
        look = {"fontsize": 9, "va": "center", "parse_math": False, **look}
        return self.fig.text(x, y, text, **look)

    def _set_words(self) -> None:
        title = shaken(self.response)
        size = 9 if len(title) < 70 else 7.5
        self._words(0.03, -0.17, title, fontweight="bold", fontsize=size)
        told = []
        if self.magnify != 1:
            told.append(factor_in_words(self.magnify))
        if self.timeline.speed != 1:
            told.append(f"{self.timeline.speed:g}× speed")
        colour = style.VERMILLION if self.magnify != 1 else style.QUIET
        self._words(0.97, -0.17, "   ".join(told), ha="right", color=colour)

    def _set_actors(self) -> None:
        """Everything that moves, in the order in which it is drawn."""
        self.stones = Painted(self.stage, self.assembly, moving(self.assembly))
        self.links = Drawn(self.stage, self.assembly)
        look: dict[str, Any] = {"fc": style.BLUE, "ec": "white", "lw": 0.8}
        self.arrow = Polygon(np.zeros((3, 2)), closed=True, **look)
        self.stage.add_patch(self.arrow)
        self.clock = self._words(0.03, -0.42, "", fontsize=11)
        self.state = self._words(0.97, -0.42, "", ha="right")
        words = [self.clock, self.state]
        self.actors = [*self.stones.artists, *self.links.artists, self.arrow, *words]

    def _set_strips(self, count: int) -> None:
        """Histories below, drawn twice: pale for what is to come, and in colour."""
        lines, strips = [], []
        for i in range(count):
            low = FOOT + (count - 1 - i) * (STRIP + 0.06)
            place = (0.09, low / self.inches, 0.88, (STRIP - 0.06) / self.inches)
            axes = self.fig.add_axes(place)
            lines.append((self._draw_ground if i < count - 1 else self._draw_moved)(axes))
            axes.set_xlim(float(self.times[0]), max(self.timeline.end, self.times[0] + 1e-6))
            axes.tick_params(labelbottom=i == count - 1, labelsize=7)
            axes.yaxis.set_label_coords(-0.06, 0.5)
            axes.locator_params(axis="y", nbins=3)
            strips.append(axes)
        axes.set_xlabel("time [s]", labelpad=1)
        for artist in self.actors:
            artist.set_animated(True)
        self.backdrop = Backdrop(self.canvas, lines, strips, self.times)

    def _draw_ground(self, axes: Any) -> Any:
        accel = self.response.ground[0] / GRAVITY_UNIT
        limit = 1.15 * float(np.abs(accel).max()) or 1.0
        axes.axhline(0, color=style.FAINT, lw=0.8)
        axes.set_ylim(-limit, limit)
        axes.set_ylabel("ground [g]", fontsize=7)
        return axes.plot(self.response.time, accel, color=style.INK, lw=0.8)[0]

    def _draw_moved(self, axes: Any) -> Any:
        shown = self.response.time <= self.timeline.end
        moved = self.response.states[:, 0]
        top = float(np.nanmax(moved[shown], initial=0.0))
        scale, unit = (1e3, "mm") if top < 0.1 else (1.0, "m")
        axes.set_ylim(0, 1.15 * scale * top or 1.0)
        axes.set_ylabel(f"moved [{unit}]", fontsize=7)
        return axes.plot(self.response.time, scale * moved, color=style.BLUE)[0]

    def frame(self, k: int) -> film.Frame:
        """The k-th picture."""
        picture = self.backdrop.at(k)
        self._move(k)
        for artist in self.actors:
            self.fig.draw_artist(artist)
        return picture

    def _move(self, k: int) -> None:
        self.stones.place(self.poses[k])
        self.links.place(self.poses[k], self.broken[k])
        self.arrow.set_xy(self._arrow(float(self.push[k])))
        self.arrow.set_visible(abs(self.push[k]) > 0.01)
        self.clock.set_text(f"{self.times[k]:.2f} s")
        over = self.timeline.clock[k] >= self.timeline.end
        self.state.set_text(self._ending() if over else doing(self.response, self.times[k]))
        danger = self.response.fell and over
        self.state.set_color(style.VERMILLION if danger else style.INK)

    def _ending(self) -> str:
        """What the last picture says."""
        cut = "the film ends here, the motion goes on"
        return cut if self.timeline.cut else str(self.response.outcome)

    def _arrow(self, push: float) -> Array:
        """The ground's acceleration, in the ground below the middle."""
        view = self.view
        tip, thick = 0.22 * view.width * push, 0.009 * view.width
        neck = math.copysign(max(abs(tip) - 3 * thick, 0.0), tip)
        barb = 2.2 * min(1.0, abs(tip) / (3 * thick))
        x = np.array([0, neck, neck, tip, neck, neck, 0]) + (view.left + view.right) / 2
        y = np.array([1, 1, barb, 0, -barb, -1, -1]) * thick
        return np.stack([x, y + (view.bottom + self.foot) / 2], axis=1)
