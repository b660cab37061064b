"""A response in space, in words."""

import math

from rocksteady.response import Response
from rocksteady.view.space.track import MODES, Track
from rocksteady.view.words import counted


def reading(track: Track, k: int) -> str:
    """Tilt and yaw at one time."""
    tilt, yaw = (math.degrees(angle[k]) for angle in (track.tilt, track.yaw))
    return f"tilt {tilt:.1f}° = {track.lean[k]:.2f} α     yaw {signed(yaw)}°"


def doing(response: Response, track: Track, k: int, impacts: int) -> str:
    """What it does at one time."""
    count = f", {counted(impacts)}" if impacts and response.formulation.has_impacts else ""
    if track.lean[k] > 1:
        return "beyond its balance point" + count
    return MODES[track.mode[k]] + count


def signed(value: float) -> str:
    """To a tenth, with its sign; zero has none."""
    text = f"{value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text
