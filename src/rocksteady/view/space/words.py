"""A response in space, in words."""

import math

from rocksteady.outcome import counted
from rocksteady.response import Response
from rocksteady.theories.spatial.state import MODE_NAMES
from rocksteady.view.space.track import Track


def reading(track: Track, k: int) -> str:
    """Tilt and yaw at one time."""
    tilt, yaw = (math.degrees(angle[k]) for angle in (track.tilt, track.yaw))
    text = f"tilt {tilt:.1f}° = {track.lean[k]:.2f} α"
    return text if track.lean[k] > 1 else f"{text}     yaw {signed(yaw)}°"


def doing(response: Response, track: Track, k: int, impacts: int) -> str:
    """What it does at one time."""
    count = f", {counted(impacts)}" if impacts and response.formulation.has_impacts else ""
    if track.lean[k] > 1:
        return "beyond its balance point" + count
    return MODE_NAMES[track.mode[k]] + count


def signed(value: float) -> str:
    """To a tenth, with its sign; zero has none."""
    text = f"{value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text
