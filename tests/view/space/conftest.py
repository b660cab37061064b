"""Responses in space that pictures are made of."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs

BOX = rs.Body.box(0.45, 0.6, 1.8)
DT = 0.005


def shaking(size: float) -> rs.Motion:
    """Three components that are not alike [m/s²]."""
    time = np.arange(0, 3.0, DT)
    envelope = size * np.sin(np.pi * time / 3.0) ** 2
    return rs.Motion(
        envelope * np.sin(9.0 * time), DT,
        vertical=0.3 * envelope * np.sin(23.0 * time),
        transverse=1.1 * envelope * np.sin(7.0 * time + 1.0), name="a made-up motion",
    )  # fmt: skip


@pytest.fixture(scope="session")
def responses() -> dict[str, rs.Response]:
    return {
        "stands": rs.simulate(BOX, shaking(4.0)),
        "falls": rs.simulate(BOX, shaking(9.0)),
        "does not move": rs.simulate(BOX, shaking(0.5)),
        "released": rs.simulate(BOX, theta0=0.1, direction=30),
        "cut short": rs.simulate(BOX, theta0=0.1, direction=30, until=0.4),
        "one component": rs.simulate(BOX, rs.pulses.sine(4.0, period=0.8, dt=DT)),
        "lopsided": rs.simulate(
            rs.Body.prism([(0, -0.4), (0.35, 0.25), (-0.35, 0.25)], 1.6, offset=(0.03, 0.02)),
            shaking(4.0),
        ),
    }


CASES = (
    "stands", "falls", "does not move", "released", "cut short", "one component", "lopsided",
)  # fmt: skip
