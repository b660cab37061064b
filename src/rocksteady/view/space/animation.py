"""A film of a body in space, with its tilt and yaw below and its base from above."""

from functools import partial
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.numbers import finite
from rocksteady.response import Response
from rocksteady.view import film
from rocksteady.view.animation import write_film
from rocksteady.view.space.scene import Scene


def animate(
    response: Response,
    path: str | Path,
    *,
    fps: float | None = None,
    speed: float | None = None,
    width_px: int = 720,
    max_seconds: float | None = None,
    progress: film.Progress | None = None,
    azimuth: float = -62.0,
    elevation: float = 18.0,
) -> Path:
    """Write a film of a body in space to ``path`` (.gif or .mp4), whole or not at all.

    The arrow in the circle on the floor is the horizontal acceleration of the ground, the orange
    line in its middle the vertical one. The floor stays where it is in the picture.

    Parameters
    ----------
    response
        What to show; the film ends when the body no longer moves visibly.
    fps, speed, width_px, max_seconds, progress
        As for a film in the plane: :func:`rocksteady.view.animation.animate`.
    azimuth
        The side from which it is seen [degrees from x towards y].
    elevation
        How far the eye is above the floor [degrees], 3 to 80.
    """
    azimuth = finite("azimuth", azimuth, "degrees")
    if not 3 <= finite("elevation", elevation, "degrees") <= 80:
        raise InputError(
            f"elevation = {elevation!r} is not allowed: it must be from 3 to 80 degrees above the "
            "floor."
        )
    scene = partial(Scene, azimuth=azimuth, elevation=elevation)
    return write_film(
        scene, response, path, fps=fps, speed=speed, width_px=width_px, max_seconds=max_seconds,
        progress=progress,
    )  # fmt: skip
