"""A film of a body in space, with its tilt and yaw below and its base from above."""

import io
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from rocksteady.errors import InputError
from rocksteady.files import suffix_of, write_whole
from rocksteady.numbers import finite
from rocksteady.response import Response
from rocksteady.view import film, style
from rocksteady.view.animation import Timeline, checked_width, write_film
from rocksteady.view.space.scene import AZIMUTH, ELEVATION, Scene

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
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
) -> Path:
    """Write a film of a body in space to ``path`` (.gif or .mp4), whole or not at all.

    The arrow in the circle on the floor is the horizontal acceleration of the ground, the orange
    line in its middle the vertical one. The floor stays where it is in the picture.

    Parameters
    ----------
    response
        What to show; the film ends when the body no longer moves visibly.
    fps, speed, width_px, max_seconds, progress
        As for a film in the plane: see ``rocksteady.view.animation.animate``.
    azimuth
        The side from which it is seen [degrees from x towards y].
    elevation
        How far the eye is above the floor [degrees], 3 to 80.
    """
    _check_side(azimuth, elevation)
    scene = partial(Scene, azimuth=azimuth, elevation=elevation)
    return write_film(
        scene, response, path, fps=fps, speed=speed, width_px=width_px, max_seconds=max_seconds,
        progress=progress,
    )  # fmt: skip


def still(
    response: Response,
    path: str | Path,
    time: float | None = None,
    *,
    width_px: int = 1440,
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
) -> Path:
    """Write one picture of the film to ``path`` (.png): at ``time`` [s], or at the largest lean up
    to the balance point."""
    suffix_of(path, ("png",), "a picture")
    if time is None:
        lean = np.nan_to_num(response.relative)
        time = float(response.time[np.argmax(np.where(lean <= 1, lean, 0.0))])
    end = float(response.time[-1])
    if not 0 <= finite("time", time, "s") <= end:
        raise InputError(f"time = {time!r} s is not allowed: the run lasts from 0 to {end:g} s.")
    _check_side(azimuth, elevation)
    width = 2 * round(checked_width(width_px) / 2)
    timeline = Timeline.of(response, CLOSE, 1.0, max_seconds=end + 1.0)
    with style.house_style():
        scene = Scene(response, timeline, width, azimuth, elevation)
        nearest = int(np.argmin(np.abs(scene.times - time)))
        picture = Image.fromarray(scene.frame(nearest)[..., :3])
    memory = io.BytesIO()
    picture.save(memory, "PNG", optimize=True)
    return write_whole(Path(path), memory.getvalue)


def _check_side(azimuth: float, elevation: float) -> None:
    """Refuse an eye below the floor, or straight above it."""
    finite("azimuth", azimuth, "degrees")
    if not 3 <= finite("elevation", elevation, "degrees") <= 80:
        raise InputError(
            f"elevation = {elevation!r} is not allowed: it must be from 3 to 80 degrees above the "
            "floor."
        )
