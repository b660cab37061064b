"""A film of the body as it rocks, with its rotation below and a plumb line that tells its danger.

The background is drawn once; each frame is that picture with the moving parts drawn on top, so a
film takes a few milliseconds a frame.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from rocksteady.bodies import Rocker, expect
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array
from rocksteady.outcome import counted
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.backdrop import Backdrop
from rocksteady.view.figures import LEAST_RATE, draw_lean, draw_slid, history
from rocksteady.view.film_body import EARTH, EDGE, FilmBody
from rocksteady.view.time_axis import Span, span_of, still_after
from rocksteady.view.words import describe, only_slides

FPS = {"gif": 20.0, "mp4": 25.0}
AUTO_SECONDS = 12.0  # a film longer than this is sped up, unless a speed was asked for
MAX_SECONDS = 20.0  # a film longer than this is cut, unless a length was asked for
SPEEDS = (1, 1.5, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100)
SETTLED = 0.005  # |θ|/α below which it seems to stand on its whole base
HOLD = 1.5  # s of film: the last picture stays, to read how it ended
FLASH = 0.3  # s of film: an impact is seen
CREEP = 1e-5  # m from one picture to the next: less is not seen as sliding or swaying


def animate(
    response: Response,
    path: str | Path,
    *,
    fps: float | None = None,
    speed: float | None = None,
    width_px: int = 720,
    max_seconds: float | None = None,
    progress: film.Progress | None = None,
) -> Path:
    """Write a film of the response to ``path`` (.gif or .mp4), whole or not at all.

    Parameters
    ----------
    response
        What to show; the film ends when the block no longer moves visibly.
    fps
        Frames per second of film; 20 for GIF and 25 for MP4 unless given.
    speed
        Seconds of response per second of film. Unless given: 1, or more where the film would last
        longer than 12 s (or ``max_seconds``). It is written in the picture.
    width_px
        Width of the picture [pixels]; the rest scales with it.
    max_seconds
        Longest film [s]; 20 unless given. A longer one is cut, and says so.
    progress
        Called with (frames done, frames in all) after each frame.
    """
    return write_film(
        Scene, response, path, fps=fps, speed=speed, width_px=width_px, max_seconds=max_seconds,
        progress=progress,
    )  # fmt: skip


def write_film(
    scene: Callable[[Response, "Timeline", int], film.Film],
    response: Response,
    path: str | Path,
    *,
    fps: float | None,
    speed: float | None,
    width_px: int,
    max_seconds: float | None,
    progress: film.Progress | None,
) -> Path:
    """Write the film whose pictures ``scene`` draws; the options are those of `animate`."""
    kind, rate = film_kind(path, fps, speed, max_seconds)
    width = 2 * round(checked_width(width_px) / 2)
    timeline = Timeline.of(response, rate, speed, max_seconds)
    with style.house_style():
        pictures = scene(response, timeline, width)
    encode = film.as_gif if kind == "gif" else film.as_mp4
    return write_whole(Path(path), lambda: encode(pictures, rate, progress))


def film_kind(
    path: str | Path, fps: float | None, speed: float | None, max_seconds: float | None
) -> tuple[str, float]:
    """The kind of film ("gif" or "mp4") and its frames per second; errors for bad options."""
    kind = style.suffix_of(path, tuple(FPS), "a film")
    for name, value in (("fps", fps), ("speed", speed), ("max_seconds", max_seconds)):
        if value is not None:
            positive(name, value)
    rate = fps or FPS[kind]
    if kind == "gif":  # counts in hundredths of a second, and viewers slow down below two
        rate = 100 / max(2, round(100 / rate))
    return kind, rate


def checked_width(width_px: int) -> int:
    """A width of a picture [pixels] that can be drawn."""
    if not 160 <= width_px <= 4096:
        raise InputError(f"width_px = {width_px!r} is not allowed: it must be from 160 to 4096.")
    return width_px


# -- time -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Timeline:
    """Which instants of the response the frames show."""

    clock: Array
    """Time of each frame on the response's clock [s]: a long quiet beginning is left out, and it
    runs on while the last picture stays."""
    end: float
    """Time of the response at which the film ends [s]."""
    speed: float
    cut: bool
    """Whether the block still moved then."""

    @classmethod
    def of(
        cls, response: Response, fps: float, speed: float | None, max_seconds: float | None
    ) -> Self:
        last = still_after(response) or float(response.time[-1])
        start = span_of(response, end=last).start
        if speed is None:
            needed = (last - start) / min(AUTO_SECONDS, max_seconds or AUTO_SECONDS)
            speed = float(next((s for s in SPEEDS if s >= needed), math.ceil(needed)))
        allowed = start + (max_seconds or MAX_SECONDS) * speed
        end = min(last + 0.5 * speed, float(response.time[-1]), allowed)
        steps = max(1, math.ceil((end - start) * fps / speed)) + round(HOLD * fps)
        clock = start + np.arange(steps + 1, dtype=float) * (speed / fps)
        return cls(clock, end, speed, last > allowed)


# -- picture --------------------------------------------------------------------------------------


class Scene:
    """The picture: a background that is drawn once, and what moves in front of it."""

    def __init__(self, response: Response, timeline: Timeline, width: int) -> None:
        self.response, self.timeline = response, timeline
        if not (response.rocks and response.system.filmed):
            raise InputError(
                f"There is no film of {response.formulation.name} on a "
                f"{type(response.system).__name__} yet, only of a Block or a FlexibleOscillator "
                "that rocks: plot() draws its response."
            )
        rocker = expect(response.system, Rocker, "A film")
        self.body = FilmBody(rocker)
        time, theta, _ = history(response)
        self.times = np.minimum(timeline.clock, timeline.end)
        self.theta = np.interp(self.times, time, theta)
        self.lean = rocker.relative(self.theta)
        bend = response.column("u") if self.body.stem else np.zeros(len(response.time))
        self.bend = np.interp(self.times, response.time, bend)
        lift = response.column("lift") if response.has("lift") else np.zeros(len(response.time))
        path = (response.slide_history, lift)
        self.shift = np.stack([np.interp(self.times, response.time, part) for part in path], 1)
        self.leaders = _leaders(np.abs(self.lean))
        pga = response.motion.pga or 1.0
        self.push = np.interp(self.times, response.time, response.ground[0], right=0.0) / pga
        self.impacts = np.searchsorted(response.impacts.time, self.times, side="right")

        self.size = (width, 2 * round(width * 0.4))
        dpi = width / 7.2  # the picture is always 7.2 inches wide: text and lines scale with it
        self.fig = Figure(figsize=(7.2, self.size[1] / dpi), dpi=dpi)
        self.canvas = FigureCanvasAgg(self.fig)
        self.stage = self.fig.add_axes((0, 0.26, 1, 0.74))
        self._set_stage()
        self._set_actors()
        self._set_strip()

    def __len__(self) -> int:
        return len(self.times)

    def _set_stage(self) -> None:
        """Ground, words that do not change, and a view that holds the block wherever it goes."""
        stage = self.stage
        leans = (0.0, float(self.theta.min()), float(self.theta.max()))
        bends = (0.0, float(self.bend.min()), float(self.bend.max()))
        ways = (self.shift.min(axis=0), self.shift.max(axis=0))
        reach = np.concatenate([self.body.reach(leans, bends) + way for way in ways])
        tall = math.hypot(self.body.block.width, self.body.tall)  # in the midst of its fall
        aspect = self.size[0] / (0.74 * self.size[1])
        middle, span = (reach[:, 0].min() + reach[:, 0].max()) / 2, np.ptp(reach[:, 0]) * 1.12
        self.unit = max(tall / 0.715, span / aspect)  # height of the view [m]
        floor = -0.14 * self.unit
        left, right = middle - aspect * self.unit / 2, middle + aspect * self.unit / 2
        stage.set(xlim=(left, right), ylim=(floor, floor + self.unit))
        stage.axis("off")
        stage.fill_between([left, right], floor, 0, color=EARTH, lw=0)
        stage.plot([left, right], [0, 0], color=EDGE, lw=1.2)
        x, d = np.arange(left, right, 0.022 * self.unit), 0.018 * self.unit
        strokes = np.stack([np.stack([x, 0 * x], 1), np.stack([x - d, 0 * x - d], 1)], 1)
        stage.add_collection(LineCollection(list(strokes), colors=EDGE, linewidths=0.6, alpha=0.6))
        title = describe(self.response).rpartition(": ")[0]
        self._words(0.03, 0.962, title, fontweight="bold", fontsize=9 if len(title) < 70 else 7.5)
        if self.timeline.speed != 1:
            speed = f"{self.timeline.speed:g}× speed"
            self._words(0.97, 0.962, speed, ha="right", color=style.QUIET)
        if self.response.motion.pga:
            pga = self.response.motion.pga / GRAVITY_UNIT
            label = f"ground acceleration, at most {pga:.2g} g"
            self._words(0.03, 0.275, label, color=style.QUIET, fontsize=7.5)

    def _words(self, x: float, y: float, text: str, **look: Any) -> Any:
        look = {"fontsize": 9, "va": "center", "parse_math": False, **look}
        return self.fig.text(x, y, text, **look)

    def _set_actors(self) -> None:
        """Everything that moves, in the order in which it is drawn."""
        stage = self.stage
        self.body.draw_on(stage)
        arrow = Polygon(self._arrow(0.0), closed=True, fc=style.BLUE, ec="none", alpha=0.85)
        self.arrow: Any = stage.add_patch(arrow)
        self.plumb = stage.plot([], [], color=style.BLUE, lw=1.0, ls=(0, (4, 2)))[0]
        self.centre = stage.plot([], [], "o", ms=5, color=style.BLUE, mec="white", mew=0.8)[0]
        self.pivot = stage.plot([], [], "o", ms=4, color=style.INK)[0]
        self.sparks = LineCollection([], colors=style.ORANGE, linewidths=1.8)
        stage.add_collection(self.sparks)
        self.clock = self._words(0.03, 0.918, "", fontsize=11)
        self.state = self._words(0.97, 0.918, "", ha="right")
        stones = [*self.body.ghosts, *self.body.polygons]
        marks = [self.plumb, self.centre, self.pivot, self.arrow, self.sparks]
        self.actors = [*stones, *marks, self.clock, self.state]

    def _set_strip(self) -> None:
        """The rotation's history below, or the slide's, drawn twice: pale for what is to come, and
        blue."""
        strip = self.fig.add_axes((0.09, 0.095, 0.88, 0.145))
        slides = only_slides(self.response)
        span = Span(float(self.times[0]), self.timeline.end)
        line = (draw_slid if slides else draw_lean)(strip, self.response, span)
        strip.set_xlabel("time [s]", labelpad=1)
        strip.set_ylabel("slide [mm]" if slides else "θ/α [–]")
        for artist in self.actors:
            artist.set_animated(True)
        self.backdrop = Backdrop(self.canvas, [line], [strip], self.times)

    def frame(self, k: int) -> film.Frame:
        """The k-th picture."""
        picture = self.backdrop.at(k)
        self._move(k)
        for artist in self.actors:
            self.fig.draw_artist(artist)
        return picture

    def _move(self, k: int) -> None:
        theta, u, shift = float(self.theta[k]), float(self.bend[k]), self.shift[k]
        self.body.put(theta, u, shift)
        leader = self.leaders[k]
        ahead = leader != k and abs(self.lean[leader]) > SETTLED
        farthest = float(self.theta[leader]), float(self.bend[leader]), self.shift[leader]
        self.body.move_ghost(*farthest, seen=bool(ahead))
        x, y = self.body.centre(theta, u) + shift
        danger = abs(self.lean[k]) > 1
        colour = style.VERMILLION if danger else style.BLUE
        self.plumb.set_data([x, x], [0, y])
        self.plumb.set_color(colour)
        self.centre.set_data([x], [y])
        self.centre.set_markerfacecolor(colour)
        edge = math.copysign(self.body.block.width / 2, theta)
        self.pivot.set_data([edge + shift[0]], [shift[1]])
        self.pivot.set_visible(abs(self.lean[k]) > SETTLED)
        self.arrow.set_xy(self._arrow(float(self.push[k])))
        self.arrow.set_visible(abs(self.push[k]) > 0.01)
        self._strike(k)
        self.clock.set_text(f"{self.times[k]:.2f} s")
        self.state.set_text(self._state(k))
        self.state.set_color(style.VERMILLION if danger else style.INK)

    def _arrow(self, push: float) -> Array:
        """The ground's acceleration, from below the middle of the base."""
        tip = 0.42 * self.unit * push
        thick = 0.012 * self.unit
        neck = math.copysign(max(abs(tip) - 3 * thick, 0.0), tip)
        barb = 2.2 * thick * min(1.0, abs(tip) / (3 * thick))
        x = np.array([0, neck, neck, tip, neck, neck, 0])
        y = np.array([1, 1, barb / thick, 0, -barb / thick, -1, -1]) * thick
        return np.stack([x, y - 0.075 * self.unit], axis=1)

    def _strike(self, k: int) -> None:
        """Sparks where a corner has just hit the ground, the longer the harder it hit."""
        hits, fade = self.response.impacts, FLASH * self.timeline.speed
        now = self.timeline.clock[k]
        first = int(np.searchsorted(hits.time, now - fade))
        rates = np.abs(hits.omega_before[first : self.impacts[k]])
        if not len(rates):
            self.sparks.set_segments([])
            return
        i = first + int(np.argmax(rates))
        before = hits.omega_before[i]
        least = LEAST_RATE * self.response.rocker.p * self.response.rocker.alpha
        strength = abs(before) / max(np.abs(hits.omega_before).max(), least)
        age = (now - hits.time[i]) / fade
        out = math.copysign(1.0, before)  # it was turning that way: this corner lands
        angle = np.radians([12, 42, 75])
        rays = np.stack([out * np.cos(angle), np.sin(angle)], axis=1) * 0.07 * self.unit * strength
        corner = np.array([out * self.body.block.width / 2, 0.0]) + self.shift[k]
        start, end = corner + rays * (0.25 + 0.6 * age), corner + rays * (0.6 + 0.8 * age)
        self.sparks.set_segments(list(np.stack([start, end], axis=1)))
        self.sparks.set_alpha(1 - age)

    def _state(self, k: int) -> str:
        """What happens now; in the last picture, how it ended."""
        if self.timeline.clock[k] >= self.timeline.end:
            cut = "the film ends here, the motion goes on"
            return cut if self.timeline.cut else str(self.response.outcome)
        n = int(self.impacts[k])
        count = f", {counted(n)}" if n else ""
        if abs(self.lean[k]) > 1:
            return "beyond its balance point" + count
        if self.theta[k]:
            return "rocking" + count
        before = max(k - 1, 0)
        slides = abs(self.shift[k, 0] - self.shift[before, 0]) > CREEP
        sways = abs(self.bend[k] - self.bend[before]) > CREEP
        return ("sliding" if slides else "swaying" if sways else "at rest") + count


def _leaders(size: Array) -> NDArray[np.intp]:
    """For each entry, the index of the largest one so far."""
    leads = size >= np.maximum.accumulate(size)
    return np.maximum.accumulate(np.where(leads, np.arange(len(size)), 0))
