"""The first question of every worker: what most questions need is loaded, and compiled once."""

from pathlib import Path
from typing import Any


def answer(folder: Path, request: dict[str, Any]) -> bytes:
    import rocksteady as rs

    block = rs.Block(height=1.8, width=0.5)
    rs.simulate(block, rs.pulses.sine(amplitude=3.0, period=0.5))
    return b"{}"
