"""A film of stones that rock, slide and fall, with the ground and the displacement below."""

import io
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from rocksteady.errors import InputError
from rocksteady.files import suffix_of, write_whole
from rocksteady.numbers import finite, positive
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.animation import Timeline, checked_width, write_film
from rocksteady.view.assembly.scene import Scene

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
