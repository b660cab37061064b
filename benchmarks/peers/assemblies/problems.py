"""What every peer is asked: ten drums that should stand still, a frame that rocks as one block, and
a wall that is shaken too weakly to move."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from benchmarks.peers.cases import Array, times
from benchmarks.peers.measure import TESTS

from rocksteady.bodies import Block
from rocksteady.bodies.assembly import Assembly, Stone

G = 9.81  # m/s²


@dataclass(frozen=True, eq=False)
class Problem:
    """One run: ``assembly`` of rectangles, shaken, its poses noted every ``every`` [s]."""

    name: str
    assembly: Assembly
    duration: float
    """How long it runs [s]."""
    accel_at: Callable[[Array], Array]
    """Acceleration of the ground at any time [m/s²]."""
    every: float
    exact: Callable[[], Array] | None = None
    """Rotation of the first stone [rad] at the times noted, where it moves at all."""
    compared: float = math.inf
    """How long the rotation is compared [s]."""

    @property
    def loose(self) -> tuple[Stone, ...]:
        """The stones that can move."""
        return tuple(stone for stone in self.assembly.stones if not stone.fixed)

    @property
    def starts(self) -> Array:
        """x, y [m] and rotation of each loose stone at the start."""
        return np.array([(*stone.centre, 0.0) for stone in self.loose])

    def steps(self, step: float) -> int:
        return round(self.duration / step)

    def between_notes(self, step: float) -> int:
        """A stepper's steps from one note to the next."""
        n = round(self.every / step)
        assert math.isclose(n * step, self.every), f"{self.every} s is not a multiple of {step} s"
        return n

    def midpoints(self, step: float) -> Array:
        """Acceleration of the ground [m/s²] in the middle of each of a stepper's steps."""
        return self.accel_at(times(self.steps(step), step) + step / 2)


def size(stone: Stone) -> tuple[float, float]:
    """Width and height of a rectangle [m]."""
    x, y = np.array(stone.corners).T
    return float(np.ptp(x)), float(np.ptp(y))


# -- ten drums ---------------------------------------------------------------------------------


def stack() -> Problem:
    """A column of 6 × 1 m, cut into ten drums, at rest for 10 s."""
    column = Assembly.drums(10, height=6.0, width=1.0, friction=0.7)
    return Problem("stack", column, 10.0, np.zeros_like, 0.1)


# -- a frame -----------------------------------------------------------------------------------

COLUMN = Block(height=2.0, width=0.5)
GAMMA = 0.5625  # mass of the beam over that of both columns
PULSE = 0.40 * G, 0.6  # m/s², s
NOTED = 0.005  # s


def frame() -> Problem:
    """Two columns and a beam that lies on both, under one cycle of a sine, for 6 s; as long as
    nothing slides it rocks as one block of another size (Makris & Vassiliou 2013)."""
    portal = Assembly.portal(COLUMN.width, COLUMN.height, 4.5, 0.25, friction=1.0)
    exact = lambda: frame_reference()[0]  # noqa: E731
    return Problem("frame", portal, 6.0, one_cycle, NOTED, exact, compared=3.0)


def one_cycle(time: Array) -> Array:
    """Of a sine of 0.40 g and 0.6 s."""
    peak, period = PULSE
    return np.where(time < period, peak * np.sin(2 * math.pi * time / period), 0.0)


def equivalent_block(gamma: float = GAMMA) -> tuple[Block, float]:
    """The single block that rocks as the frame does, and its η: p̂² = p² (1 + 2γ)/(1 + 3γ),
    η̂ = (1 − 3/2 sin² α + 3 γ cos 2α)/(1 + 3γ)."""
    larger = (1 + 3 * gamma) / (1 + 2 * gamma)
    block = Block(height=larger * COLUMN.height, width=larger * COLUMN.width)
    alpha = block.alpha
    kept = 1 - 1.5 * math.sin(alpha) ** 2 + 3 * gamma * math.cos(2 * alpha)
    return block, kept / (1 + 3 * gamma)


@cache
def frame_reference() -> tuple[Array, float]:
    """(rotation of the columns at the samples [rad], largest |θ|/α): DOP853 on the equivalent
    block, by the tests' own solution."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from reference import solve

    block, eta = equivalent_block()
    found = solve(
        block, np.empty(round(6.0 / NOTED) + 1), NOTED, eta=eta, rtol=1e-12, between=one_cycle
    )
    return -np.array(found.theta), float(found.peak)  # Housner's θ is positive clockwise


# -- a wall ------------------------------------------------------------------------------------

ROWS, COLUMNS = 10, 10
BRICK = 0.4, 0.2  # m
SHAKING = 0.3 * G


def wall() -> Problem:
    """A wall of 105 bricks in running bond, under 10 s of noise of 0.3 g: nothing moves."""
    bricks = Assembly.wall(ROWS, COLUMNS, *BRICK, friction=0.7)
    return Problem("wall", bricks, 10.0, noise(), 0.1)


def noise(peak: float = SHAKING, low: float = 1.0, high: float = 8.0) -> Callable[[Array], Array]:
    """10 s of noise between two frequencies [Hz], faded in and out; straight between 5 ms."""
    time = times(2001, 0.005)
    spectrum = np.fft.rfft(np.random.default_rng(1).standard_normal(len(time)))
    frequency = np.fft.rfftfreq(len(time), time[1])
    band = np.where((frequency >= low) & (frequency <= high), spectrum, 0)
    wave = np.fft.irfft(band, len(time)) * np.clip(np.minimum(time, time[-1] - time), 0, 1)
    wave *= peak / np.abs(wave).max()
    return lambda asked: np.interp(asked, time, wave)


PROBLEMS: dict[str, Callable[[], Problem]] = {"stack": stack, "frame": frame, "wall": wall}
