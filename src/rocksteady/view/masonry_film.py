"""A film of a masonry building's force–displacement loop, with the ground and the wear below.

Quiet stretches are passed over: the film shows each shock from the first to the last slip.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rocksteady.analysis.sequence import SequenceResponse
from rocksteady.bodies import MasonryBuilding, expect
from rocksteady.files import write_whole
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.animation import (
    AUTO_SECONDS,
    HOLD,
    MAX_SECONDS,
    SPEEDS,
    Timeline,
    checked_width,
    film_kind,
)
from rocksteady.view.backdrop import PALE, Backdrop

TRAIL = 0.4  # s of film: so much of the loop is in colour, the rest is pale
BEFORE, AFTER = 0.3, 0.7  # s of response shown before the first slip of a shock and after the last
NO_SLIP = 0.5  # s shown to either side of the strongest acceleration of a shock without slip
PALE_SLIP = "#EDBC9C"  # where the past of the loop slipped
COLLAPSED = 2.0  # the mode of an interface that carries nothing any more


@dataclass(frozen=True, eq=False)
class Loop:
    """What the film shows; arrays have an entry per sample."""

    building: MasonryBuilding
    time: Array
    """[s]"""
    ground: Array
    """[m/s²]"""
    states: Array
    """A row per sample; `Masonry.columns` names the columns."""
    shocks: tuple[tuple[str, float], ...]
    """Name and begin [s] of each shock."""

    @classmethod
    def of(cls, response: Response | SequenceResponse) -> Self:
        """Of one motion, or of a sequence of shocks."""
        if isinstance(response, SequenceResponse):
            parts = [shock.motion.accel[: len(shock.states)] for shock in response.shocks]
            names = tuple((shock.name, shock.start) for shock in response.shocks)
            return cls(
                response.building, response.time, np.concatenate(parts), response.states, names
            )
        building = expect(response.system, MasonryBuilding, "This film")
        names = ((response.motion.name, 0.0),)
        return cls(building, response.time, response.ground[0], response.states, names)

    @property
    def displacement(self) -> Array:
        """u [mm]."""
        return 1e3 * self.states[:, 0]

    @property
    def force(self) -> Array:
        """Base shear [kN]."""
        return self.building.contact_area * self.states[:, 5] / 1e3

    @property
    def wear(self) -> Array:
        """w [-]."""
        return self.states[:, 4]

    @property
    def slips(self) -> Any:
        """Whether it slips on the way to each sample."""
        return np.abs(self.states[:, 6]) == 1

    def windows(self) -> Iterator[tuple[float, float]]:
        """The stretches of time [s] worth seeing, one of each shock."""
        ends = [begin for _, begin in self.shocks[1:]] + [np.inf]
        for (_, begin), end in zip(self.shocks, ends, strict=True):
            inside = (self.time >= begin) & (self.time < end)
            time, slip = self.time[inside], self.slips[inside]
            if slip.any():
                first, last = time[slip][0] - BEFORE, time[slip][-1] + AFTER
            else:
                peak = time[np.argmax(np.abs(self.ground[inside]))]
                first, last = peak - NO_SLIP, peak + NO_SLIP
            yield max(first, float(time[0])), min(last, float(time[-1]))


def animate(
    response: Response | SequenceResponse,
    path: str | Path,
    *,
    fps: float | None = None,
    speed: float | None = None,
    width_px: int = 720,
    max_seconds: float | None = None,
    progress: film.Progress | None = None,
) -> Path:
    """Write a film of the force–displacement loop to ``path`` (.gif or .mp4), whole or not at all.

    Parameters
    ----------
    response
        A run of one motion, or of a sequence of shocks.
    fps
        Frames per second of film (default: 20 for GIF and 25 for MP4).
    speed
        Seconds of response per second of film (default: 1, or more where the film would last longer
        than 12 s or ``max_seconds``). The picture names it.
    width_px
        Width of the picture [pixels]; the rest scales with it.
    max_seconds
        Longest film [s] (default: 20). A longer one is cut.
    progress
        Called with (frames done, frames in all) after each frame.
    """
    kind, rate = film_kind(path, fps, speed, max_seconds)
    width = 2 * round(checked_width(width_px) / 2)
    loop = Loop.of(response)
    timeline = _timeline(loop, rate, speed, max_seconds)
    with style.house_style():
        pictures = Scene(loop, timeline, width, rate)
    encode = partial(film.as_gif if kind == "gif" else film.as_mp4, pictures, rate, progress)
    return write_whole(Path(path), encode)


def _timeline(loop: Loop, fps: float, speed: float | None, longest: float | None) -> Timeline:
    """The windows of a loop one after the other, and the last picture for a while."""
    windows = list(loop.windows())
    whole = sum(b - a for a, b in windows)
    if speed is None:
        needed = whole / min(AUTO_SECONDS, longest or AUTO_SECONDS)
        speed = float(next((s for s in SPEEDS if s >= needed), np.ceil(needed)))
    parts = [np.append(np.arange(a, b, speed / fps), b) for a, b in windows]
    clock = np.concatenate(parts)
    most = max(2, round((longest or MAX_SECONDS) * fps))
    cut = len(clock) > most
    clock = clock[:most]
    hold = np.full(round(HOLD * fps), clock[-1])
    return Timeline(np.append(clock, hold), float(clock[-1]), speed, cut)


class Scene:
    """The picture: axes that are drawn once, the past of the loop, and its end in colour."""

    def __init__(self, loop: Loop, timeline: Timeline, width: int, fps: float) -> None:
        self.loop, self.times, self.speed = loop, timeline.clock, timeline.speed
        self.either = loop.slips | np.append(loop.slips[1:], False)  # both ends of a slipping step
        self.trail = max(TRAIL * timeline.speed, 1.5 * loop.building.period)
        self.size = (width, 2 * round(width * 0.42))
        dpi = width / 7.2  # the picture is always 7.2 inches wide: text and lines scale with it
        self.fig = Figure(figsize=(7.2, self.size[1] / dpi), dpi=dpi)
        self.canvas = FigureCanvasAgg(self.fig)
        self._set_words(timeline)
        self._set_loop()
        strips, line = self._set_strips()
        for artist in (self.past, self.past_slips, *self.actors):
            artist.set_animated(True)
        self.backdrop = Backdrop(self.canvas, [line], strips, self.times)
        box = self.axes.get_window_extent()
        rows = slice(self.size[1] - int(box.y1), self.size[1] - int(box.y0))
        self.box = rows, slice(int(box.x0) + 1, int(box.x1))
        self.layer: film.Frame | None = None
        """The pixels of the past of the loop."""
        self.drawn = 0
        """How many samples are in it."""

    def __len__(self) -> int:
        return len(self.times)

    def _set_words(self, timeline: Timeline) -> None:
        count = len(self.loop.shocks)
        title = f"{self.loop.building.label}, {count} shock{'s' * (count > 1)}"
        self._words(0.02, 0.96, title, fontweight="bold")
        self._words(0.98, 0.96, f"{timeline.speed:g}× speed", ha="right", color=style.QUIET)
        self.clock = self._words(0.02, 0.905, "")
        self.state = self._words(0.98, 0.905, "", ha="right")

    def _words(self, x: float, y: float, text: str, **look: Any) -> Any:
        return self.fig.text(x, y, text, **{"fontsize": 9, "va": "center", "parse_math": False,
                                           **look})  # fmt: skip

    def _set_loop(self) -> None:
        u, force, strength = self.loop.displacement, self.loop.force, self.loop.building.strength
        self.axes = self.fig.add_axes((0.105, 0.46, 0.87, 0.40))
        self.axes.axhline(0, color=style.FAINT, lw=0.8)
        tall = 1.1 * max(float(np.abs(force).max()), 1e-9)
        if tall > 0.8 * strength / 1e3:
            for side in (1, -1):
                self.axes.axhline(side * strength / 1e3, color=style.QUIET, lw=0.7, ls=style.DASHED)
            tall = max(tall, 1.05 * strength / 1e3)
        room = 0.06 * max(float(np.ptp(u)), 1e-3)
        self.axes.set(xlim=(u.min() - room, u.max() + room), ylim=(-tall, tall))
        self.axes.set_xlabel("displacement u [mm]", labelpad=1)
        self.axes.set_ylabel("base shear [kN]")
        self.past = self.axes.plot([], [], color=PALE, lw=0.8)[0]
        self.past_slips = self.axes.plot([], [], color=PALE_SLIP, lw=1.1)[0]
        self.sticking = self.axes.plot([], [], color=style.BLUE, lw=1.2)[0]
        self.slipping = self.axes.plot([], [], color=style.VERMILLION, lw=1.6)[0]
        self.now = self.axes.plot([], [], "o", ms=5, color=style.INK, mec="white", mew=0.8)[0]
        self.actors = [self.sticking, self.slipping, self.now, self.clock, self.state]

    def _set_strips(self) -> tuple[list[Any], Any]:
        """The ground's acceleration and the wear, over the time of the sequence."""
        loop, end = self.loop, float(self.loop.time[-1])
        ground = self.fig.add_axes((0.105, 0.255, 0.87, 0.09))
        wear = self.fig.add_axes((0.105, 0.095, 0.87, 0.12), sharex=ground)
        ground.plot(loop.time, loop.ground, color=style.QUIET, lw=0.5)
        ground.tick_params(labelbottom=False)
        ground.set_ylabel("a [m/s²]")
        line = wear.plot(loop.time, loop.wear, color=style.VERMILLION, lw=1.3)[0]
        top = 1.1 * float(loop.wear.max()) or 1.0
        wear.set(xlim=(0, end), ylim=(0, top))
        wear.set_xlabel("time [s]", labelpad=1)
        wear.set_ylabel("wear [–]")
        for axes in (ground, wear):
            axes.locator_params(axis="y", nbins=3)
            for _, begin in loop.shocks[1:]:
                axes.axvline(begin, color=style.FAINT, lw=0.8, zorder=0)
        self.fig.align_ylabels([self.axes, ground, wear])
        return [ground, wear], line

    def frame(self, k: int) -> film.Frame:
        """The k-th picture."""
        picture = self.backdrop.at(k)
        self._draw_past(k, picture)
        self._move(k)
        for artist in self.actors:
            self.fig.draw_artist(artist)
        return picture

    def _draw_past(self, k: int, picture: film.Frame) -> None:
        """The loop up to the k-th picture: only what is new is drawn."""
        loop = self.loop
        upto = int(np.searchsorted(self.loop.time, self.times[k], side="right"))
        if upto < self.drawn:
            self.layer, self.drawn = None, 0
        if self.layer is not None:
            picture[self.box] = self.layer
        if upto > self.drawn:
            new = slice(max(self.drawn - 1, 0), upto)
            u, force, slips = (x[new] for x in (loop.displacement, loop.force, self.either))
            self.past.set_data(u, force)
            self.past_slips.set_data(u, np.where(slips, force, np.nan))
            self.fig.draw_artist(self.past)
            self.fig.draw_artist(self.past_slips)
            self.layer, self.drawn = picture[self.box].copy(), upto

    def _move(self, k: int) -> None:
        loop, now = self.loop, float(self.times[k])
        begin, end = np.searchsorted(loop.time, (now - self.trail, now), side="right")
        part = slice(max(int(begin) - 1, 0), max(int(end), 1))
        u, force = loop.displacement[part], loop.force[part]
        slips = loop.slips[part]
        self.sticking.set_data(u, force)
        self.slipping.set_data(u, np.where(self.either[part], force, np.nan))
        self.now.set_data(u[-1:], force[-1:])
        number = sum(begin <= now + 1e-9 for _, begin in loop.shocks)
        name = loop.shocks[number - 1][0][:40]
        which = f"shock {number}: {name}" if len(loop.shocks) > 1 else name
        self.clock.set_text(f"{which}  {now:.2f} s".strip())
        mode, wear = loop.states[part][-1, 6], loop.wear[part][-1]
        how = "COLLAPSED" if mode == COLLAPSED else "slips" if slips[-1] else "adheres"
        self.state.set_text(f"{how}, wear {wear:.3g}")
        self.state.set_color(style.INK if how == "adheres" else style.VERMILLION)
