"""A response in space, in words."""

import math
from typing import Any

import numpy as np

from rocksteady.formulations.spatial.state import MODE_NAMES
from rocksteady.response import Response
from rocksteady.view.space.track import Track
from rocksteady.view.words import counted, outcome


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


def ending(response: Response, track: Track) -> str:
    """How it ended; if it stands, where it walked to and how far it turned."""
    if response.fell:
        return outcome(response)
    body: Any = response.system
    middle = -np.array(body.centre, float)  # of the base
    x, y, _ = track.place(middle, len(track) - 1)
    walked, turned = 1e3 * math.hypot(x, y), math.degrees(track.yaw[-1])
    words = [outcome(response)]
    if walked >= 0.1:
        words.append(f"moved {walked:.2g} mm" if walked < 1000 else f"moved {walked / 1e3:.2g} m")
    if abs(turned) >= 0.05:
        words.append(f"turned {signed(turned)}°")
    return ", ".join(words)


def signed(value: float) -> str:
    """To a tenth, with its sign; zero has none."""
    text = f"{value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text
