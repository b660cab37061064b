"""What every peer is asked: ten drums that should stand still, a frame that rocks as one block, and
a wall that is shaken too weakly to move."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
from benchmarks.peers.cases import Array, times
from benchmarks.peers.measure import TESTS

from rocksteady.motion import Motion
from rocksteady.systems import Block
from rocksteady.systems.assembly import Assembly, Stone

G = 9.81  # m/s²
DT = 0.005  # s, of the motions that everyone is given; straight between samples


@dataclass(frozen=True, eq=False)
class Problem:
    """One run: ``assembly`` of rectangles under ``motion``, its poses noted every ``every`` [s]."""

    name: str
    assembly: Assembly
    motion: Motion
    every: float
    exact: Callable[[], Array] | None = None
    """Rotation of the first stone [rad] at the times noted, where it moves at all."""
    compared: float = math.inf
    """How long the rotation is compared [s]."""

    @property
    def duration(self) -> float:
        return float(self.motion.duration)

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
        time = times(self.steps(step), step) + step / 2
        return np.interp(time, self.motion.time, self.motion.accel)

    def cut(self, duration: float) -> Problem:
        """The same for its first seconds only."""
        samples = round(duration / self.motion.dt) + 1
        return replace(self, motion=Motion(self.motion.accel[:samples], self.motion.dt))


def size(stone: Stone) -> tuple[float, float]:
    """Width and height of a rectangle [m]."""
    x, y = np.array(stone.corners).T
    return float(np.ptp(x)), float(np.ptp(y))


# -- ten drums ---------------------------------------------------------------------------------


def stack() -> Problem:
    """A column of 6 × 1 m, cut into ten drums, at rest for 10 s."""
    drums = [Stone.box(-0.5, 0.6 * i, 1.0, 0.6, name=f"drum {i + 1}") for i in range(10)]
    still = Motion.zeros(duration=10.0, dt=DT)
    return Problem("stack", _on_the_ground(drums, 0.7), still, 0.1)


# -- a frame -----------------------------------------------------------------------------------

COLUMN = Block(height=2.0, width=0.5)
GAMMA = 0.5625  # mass of the beam over that of both columns
PULSE = 0.40 * G, 0.6  # m/s², s


def frame() -> Problem:
    """Two columns and a beam that lies on both, under one cycle of a sine, for 6 s; as long as
    nothing slides it rocks as one block of another size (Makris & Vassiliou 2013)."""
    columns = [
        Stone.box(x, 0.0, COLUMN.width, COLUMN.height, name=name)
        for x, name in ((-2.25, "left column"), (1.75, "right column"))
    ]
    beam = Stone.box(-2.25, COLUMN.height, 4.5, 0.25, name="beam")
    assembly = _on_the_ground([*columns, beam], 1.0)
    return Problem("frame", assembly, one_cycle(), DT, frame_rotation, compared=3.0)


def one_cycle(dt: float = DT) -> Motion:
    peak, period = PULSE
    time = times(round(6.0 / dt) + 1, dt)
    wave = np.where(time < period, peak * np.sin(2 * math.pi * time / period), 0.0)
    return Motion(wave, dt, name="one cycle")


def equivalent_block(gamma: float = GAMMA) -> tuple[Block, float]:
    """The single block that rocks as the frame does, and its η: p̂² = p² (1 + 2γ)/(1 + 3γ),
    η̂ = (1 − 3/2 sin² α + 3 γ cos 2α)/(1 + 3γ)."""
    larger = (1 + 3 * gamma) / (1 + 2 * gamma)
    block = Block(height=larger * COLUMN.height, width=larger * COLUMN.width)
    alpha = block.alpha
    kept = 1 - 1.5 * math.sin(alpha) ** 2 + 3 * gamma * math.cos(2 * alpha)
    return block, kept / (1 + 3 * gamma)


@cache
def frame_reference(dt: float = DT) -> tuple[Array, float]:
    """(rotation of the columns at the samples [rad], largest |θ|/α): DOP853 on the equivalent
    block, by the tests' own solution."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from reference import solve

    block, eta = equivalent_block()
    found = solve(block, one_cycle(dt).accel, dt, eta=eta, rtol=1e-12)
    return -np.array(found.theta), float(found.peak)  # Housner's θ is positive clockwise


def frame_rotation() -> Array:
    return frame_reference()[0]


# -- a wall ------------------------------------------------------------------------------------

ROWS, COLUMNS = 10, 10
BRICK = 0.4, 0.2  # m
SHAKING = 0.3 * G


def wall() -> Problem:
    """A wall of 105 bricks in running bond, under 10 s of noise of 0.3 g: nothing moves."""
    bricks, (width, height) = [], BRICK
    for row in range(ROWS):
        edges = [width * i for i in range(COLUMNS + 1)]
        if row % 2:
            edges = [0.0, *(width * (i + 0.5) for i in range(COLUMNS)), width * COLUMNS]
        bricks += [
            Stone.box(left, row * height, right - left, height, name=f"{row + 1}.{i + 1}")
            for i, (left, right) in enumerate(pairwise(edges))
        ]
    return Problem("wall", _on_the_ground(bricks, 0.7), noise(), 0.1)


def noise(seed: int = 1, peak: float = SHAKING, low: float = 1.0, high: float = 8.0) -> Motion:
    """10 s of noise between two frequencies [Hz], faded in and out."""
    n = round(10.0 / DT) + 1
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(n))
    frequency = np.fft.rfftfreq(n, DT)
    band = np.fft.irfft(np.where((frequency >= low) & (frequency <= high), spectrum, 0), n)
    time = times(n, DT)
    band = band * np.clip(np.minimum(time, time[-1] - time), 0, 1)
    return Motion(band * peak / np.abs(band).max(), DT, name="noise")


def _on_the_ground(stones: list[Stone], friction: float) -> Assembly:
    ground = Stone.box(-10.0, -1.0, 20.0, 1.0, name="ground", fixed=True)
    return Assembly((ground, *stones), friction=friction)


PROBLEMS: dict[str, Callable[[], Problem]] = {"stack": stack, "frame": frame, "wall": wall}
