"""The pictures of a film of a body in space: a background drawn once, and what moves before it."""

from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.animation import FLASH, Timeline
from rocksteady.view.backdrop import Backdrop
from rocksteady.view.film_body import EDGE, STONE
from rocksteady.view.space import paint, stage, words
from rocksteady.view.space.camera import Camera
from rocksteady.view.space.histories import draw_lean, draw_modes, draw_yaw
from rocksteady.view.space.mesh import mesh_of
from rocksteady.view.space.plan import base_of
from rocksteady.view.space.track import Track
from rocksteady.view.time_axis import Span
from rocksteady.view.words import shaken

AZIMUTH, ELEVATION = -62.0, 18.0  # degrees: from where it is seen unless one asks
TALL = 0.8  # height of the picture over its width
ROOM = (0.035, 0.72, 0.268, 0.705)  # of the width: left, right, bottom and top of what is seen
SWEPT = 60  # times at which the way of the body is looked at to frame it
TRAIL = 1.5  # s of film: how long the trail of the centre is seen


class Scene:
    """A film: see `film.Film`."""

    def __init__(
        self,
        response: Response,
        timeline: Timeline,
        width: int,
        azimuth: float = AZIMUTH,
        elevation: float = ELEVATION,
    ) -> None:
        self.response, self.timeline = response, timeline
        self.times = np.minimum(timeline.clock, timeline.end)
        self.track = Track.of(response, self.times)
        self.mesh, self.base = mesh_of(response.system), base_of(response.system)
        self.impacts = np.searchsorted(response.impacts.time, self.times, side="right")
        rates = np.abs(response.impacts.lean_rate_before)
        self.strikes = np.where(np.isfinite(rates), rates, 0.0)
        self.size = (width, 2 * round(width * TALL / 2))
        dpi = width / 7.2  # the picture is always 7.2 inches wide: text and lines scale with it
        self.fig = Figure(figsize=(7.2, self.size[1] / dpi), dpi=dpi)
        self.canvas = FigureCanvasAgg(self.fig)
        self.stage = self.fig.add_axes((0, 0, 1, 1))
        self.stage.set(xlim=(0, 1), ylim=(0, self.size[1] / width))
        self.stage.axis("off")
        self._set_view(azimuth, elevation)
        self._set_floor()
        self._set_actors()
        self._set_words()
        self._set_strips()

    def __len__(self) -> int:
        return len(self.times)

    def _set_view(self, azimuth: float, elevation: float) -> None:
        """A camera that holds the body wherever it goes, and the dial beside it."""
        some = np.unique(np.linspace(0, len(self) - 1, SWEPT).astype(int))
        swept = np.concatenate([self.track.place(self.mesh.vertices, k) for k in some])
        low, high = swept.min(axis=0), swept.max(axis=0)
        self.extent = float(np.linalg.norm(high - low))
        eye = Camera.towards((low + high) / 2, self.extent, azimuth, elevation)
        aside, towards = eye.axes[0, :2], -eye.axes[2, :2] / np.linalg.norm(eye.axes[2, :2])
        start = self.track.place(self.base, 0)[:, :2]
        tall = float(np.ptp(self.mesh.vertices[:, 2]))
        radius = 0.15 * tall
        reach = float(((start - start.mean(axis=0)) @ -aside).max())
        self.dial_at = start.mean(axis=0) - (reach + 2.3 * radius) * aside + 0.7 * radius * towards
        self.dial_radius = radius
        rim = np.column_stack([self.dial_at + 1.5 * radius * way for way in (-aside, towards)]).T
        self.camera = eye.fitted(np.vstack([swept, np.column_stack([rim, np.zeros(2)])]), ROOM)
        self.middle = ((low + high) / 2)[:2]
        self.light = paint.light_for(self.camera)

    def _pixels(self, points: Array) -> Array:
        """Columns and rows of points of space, rows from the top."""
        places = self.size[0] * self.camera.project(points)
        return np.stack([places[:, 0], self.size[1] - places[:, 1]], axis=1)

    def _set_floor(self) -> None:
        floor = stage.floor_picture(self.camera, self.middle, self.extent, self.size)
        self.stage.imshow(
            floor, extent=(0, 1, 0, self.size[1] / self.size[0]), interpolation="nearest",
            aspect="auto", zorder=0,
        )  # fmt: skip
        self.cell = stage.draw_grid(self.stage, self.camera, self.middle, self.extent)
        stage.draw_outline(self.stage, self.camera, self.track.place(self.base, 0)[:, :2])

    def _set_actors(self) -> None:
        """Everything that moves, in the order in which it is drawn."""
        axes, response = self.stage, self.response
        self.dial = stage.Dial(axes, self.camera, self.dial_at, self.dial_radius)
        parts = {name: response.motion.components.get(name) for name in ("accel", "transverse")}
        flat = np.hypot(*(np.zeros(1) if part is None else part for part in parts.values()))
        self.pga = float(flat.max())
        self.push = _ground(response, self.times) / (self.pga or 1.0)
        self.ring = axes.plot([], [], color=style.VERMILLION, lw=1.6)[0]
        self.trail = LineCollection([], linewidths=1.4)
        axes.add_collection(self.trail)
        self.plumb = axes.plot([], [], lw=1.0, ls=(0, (4, 2)))[0]
        self.centre = axes.plot([], [], "o", ms=5, mec="white", mew=0.8)[0]
        self.pivot = axes.plot([], [], "o-", ms=5, lw=2.2, color=style.INK)[0]
        self.inset = Inset(self.fig, self.track, self.base, (0.752, 0.575, 0.225, 0.27))
        self.on_floor = [*self.dial.artists, self.ring, self.pivot]
        self.actors = [self.trail, self.plumb, self.centre, *self.inset.artists]

    def _words(self, x: float, y: float, text: str, **look: Any) -> Any:
        look = {"fontsize": 9, "va": "center", "parse_math": False, **look}
        return self.fig.text(x, y, text, **look)

    def _set_words(self) -> None:
        title = shaken(self.response)
        self._words(0.03, 0.968, title, fontweight="bold", fontsize=9 if len(title) < 70 else 7.5)
        if self.timeline.speed != 1:
            slow = self.timeline.speed
            speed = f"{slow:g}× speed" if slow > 1 else f"slowed {1 / slow:.3g}×"
            self._words(0.97, 0.968, speed, ha="right", color=style.QUIET)
        note = f"grid {self.cell:g} m"
        if self.pga:
            note = f"ground acceleration, circle: {self.pga / GRAVITY_UNIT:.2g} g;  {note}"
        self._words(0.03, 0.312, note, color=style.QUIET, fontsize=7.5)
        self.clock = self._words(0.03, 0.924, "", fontsize=11)
        self.state = self._words(0.97, 0.924, "", ha="right")
        self.reading = self._words(0.03, 0.882, "")
        self.actors += [self.clock, self.state, self.reading]

    def _set_strips(self) -> None:
        """Tilt and yaw below, drawn twice: pale for what is to come, and in colour."""
        lean = self.fig.add_axes((0.09, 0.17, 0.88, 0.115))
        yaw = self.fig.add_axes((0.09, 0.075, 0.88, 0.075))
        span = Span(float(self.times[0]), self.timeline.end)
        whole = Track.of(self.response)
        lines = [draw_lean(lean, self.response, span), draw_yaw(yaw, whole, span)]
        draw_modes(lean, whole)
        lean.tick_params(labelbottom=False)
        lean.set_ylabel("θ/α [–]")
        yaw.set_ylabel("yaw [°]")
        yaw.set_xlabel("time [s]", labelpad=1)
        yaw.locator_params(axis="y", nbins=3)
        self.fig.align_ylabels([lean, yaw])
        for artist in (*self.on_floor, *self.actors):
            artist.set_animated(True)
        self.backdrop = Backdrop(self.canvas, lines, [lean, yaw], self.times)

    def frame(self, k: int) -> film.Frame:
        """The k-th picture."""
        picture = self.backdrop.at(k)
        points = self.track.place(self.mesh.vertices, k)
        dark = paint.shadow(self.mesh, points, self.light, self._pixels, self.size)
        floor = self.size[1] - round(stage.LOWEST * self.size[0])
        some = dark[:floor] > 0.004
        picture[:floor][some, :3] = picture[:floor][some, :3] * (1 - dark[:floor][some, None])
        self._move(k)
        for artist in self.on_floor:
            self.fig.draw_artist(artist)
        body = paint.painted(
            self.mesh, points, self.track.turn[k], self.camera, self.light, self._pixels, self.size
        )
        if body is not None:
            body.over(picture)
        for artist in self.actors:
            self.fig.draw_artist(artist)
        return picture

    def _move(self, k: int) -> None:
        track, camera = self.track, self.camera
        self.dial.show(self.push[k])
        danger = track.lean[k] > 1
        colour = style.VERMILLION if danger else style.BLUE
        at = track.centre[k]
        (x, y), foot = camera.project(np.array([at, [*at[:2], 0.0]]))
        self.plumb.set_data([x, foot[0]], [y, foot[1]])
        self.plumb.set_color(colour)
        self.centre.set_data([x], [y])
        self.centre.set_markerfacecolor(colour)
        self._trace(k)
        self._strike(k)
        foot = track.foot(self.base, k)
        self.pivot.set_data(*camera.project(np.column_stack([foot, np.zeros(len(foot))])).T)
        self.inset.show(k)
        self.clock.set_text(f"{self.times[k]:.2f} s")
        self.reading.set_text(words.reading(track, k))
        self.state.set_text(self._state(k))
        self.state.set_color(style.VERMILLION if danger else style.INK)

    def _trace(self, k: int) -> None:
        """Where the centre was just before."""
        since = self.times[k] - TRAIL * self.timeline.speed
        first = int(np.searchsorted(self.times[: k + 1], since))
        way = self.camera.project(self.track.centre[first : k + 1])
        pieces = np.stack([way[:-1], way[1:]], axis=1)
        self.trail.set_segments(list(pieces))
        self.trail.set_color(stage.faded(style.BLUE, len(pieces)))

    def _strike(self, k: int) -> None:
        """A ring on the floor where it has just struck, the wider the harder."""
        hits, fade = self.response.impacts, FLASH * self.timeline.speed
        now = self.timeline.clock[k]
        first = int(np.searchsorted(hits.time, now - fade))
        rates = self.strikes[first : self.impacts[k]]
        self.ring.set_visible(len(rates) > 0)
        if not len(rates):
            return
        i = first + int(np.argmax(rates))
        strength = rates.max() / (self.strikes.max() or 1.0)
        age = float(np.clip((now - hits.time[i]) / fade, 0, 1))
        later = min(int(np.searchsorted(self.times, hits.time[i])), len(self) - 1)
        angle = np.linspace(0, 2 * np.pi, 40)
        radius = self.dial_radius * (0.15 + 0.6 * age) * strength**0.5
        flat = self.track.pivot[later] + radius * np.stack([np.cos(angle), np.sin(angle)], 1)
        ring = self.camera.project(np.column_stack([flat, np.zeros(len(flat))]))
        self.ring.set_data(*ring.T)
        self.ring.set_alpha(1 - age)

    def _state(self, k: int) -> str:
        """What happens now; in the last picture, how it ended."""
        if self.timeline.clock[k] >= self.timeline.end:
            cut = "the film ends here, the motion goes on"
            return cut if self.timeline.cut else str(self.response.outcome)
        return words.doing(self.response, self.track, k, int(self.impacts[k]))


def _ground(response: Response, times: Array) -> Array:
    """The ground's acceleration (x, y, z) [m/s²] at these times; none after the motion."""
    motion, parts = response.motion, response.motion.components
    none = np.zeros(motion.npts)
    rows = [parts.get(name, none) for name in ("accel", "transverse", "vertical")]
    return np.stack([np.interp(times, motion.time, row, right=0.0) for row in rows], 1)


# -- a small plan in the corner of a film: the base and the way of the centre, from above ----------


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
