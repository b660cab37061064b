"""What every peer is asked: one block let go from half its tipping angle, and shaken by records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ellipkinc, ellipkm1

import rocksteady as rs
from rocksteady.bodies import Block
from rocksteady.motion import Motion

Array = NDArray[np.float64]

BLOCK = Block(height=1.8, width=0.45)  # α = 0.245 rad, p = 2.82 rad/s, Housner's r = 0.83
FRICTION = 2.0  # more than enough not to slide
HALF_CYCLES = 6  # that are compared in free rocking
FREE_DURATION = 4.5  # s; long enough for one half cycle more
FALLEN = 1.0  # rad; four times α: no shaking brings it back

RECORD = Path(__file__).parents[3] / "shared" / "records" / "AT2" / "NGA_no_1063_RRS228.AT2"


def times(samples: int, step: float) -> Array:
    """So many times [s], from zero."""
    return np.asarray(np.arange(samples) * step, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Case:
    """One run: the block released at ``theta0`` [rad], under ``motion``."""

    name: str
    motion: Motion
    theta0: float = 0.0
    block: Block = BLOCK
    kind: str = "generated"

    @property
    def duration(self) -> float:
        return float(self.motion.duration)

    def accel_at(self, time: Array) -> Array:
        """Acceleration of the ground [m/s²], straight between samples."""
        return np.interp(time, self.motion.time, self.motion.accel)

    def midpoints(self, step: float) -> Array:
        """Acceleration in the middle of each of a stepper's steps [m/s²]: second order for a
        program that holds its loads during a step."""
        n = math.ceil(self.duration / step * (1 - 1e-12))
        return self.accel_at(times(n, step) + step / 2)

    @property
    def pose(self) -> tuple[float, float]:
        """Where the centre of mass is at the start (x, z) [m], with the corner on the ground."""
        b, h, lean = self.block.width / 2, self.block.com_height, abs(self.theta0)
        x = b - b * math.cos(lean) + h * math.sin(lean)
        return math.copysign(x, self.theta0), b * math.sin(lean) + h * math.cos(lean)


# -- free rocking ------------------------------------------------------------------------------


def free_rocking() -> Case:
    return Case("free rocking", Motion.zeros(duration=FREE_DURATION, dt=0.01), BLOCK.alpha / 2)


@dataclass(frozen=True)
class FreeRocking:
    """Free rocking in closed form: an inverted pendulum between impacts that keep the share ``r``
    of the energy (Housner 1963).

    With φ = α − |θ| the block obeys φ'' = p² sin φ, so that φ'²/2 + p² cos φ stays, and the time
    from rest at φ0 down to φ = α is that of a pendulum: elliptic integrals.
    """

    r: float
    block: Block = BLOCK
    theta0: float = BLOCK.alpha / 2

    @cached_property
    def energies(self) -> Array:
        """Energy over I p² of each swing."""
        alpha = self.block.alpha
        released = math.cos(alpha - self.theta0) - math.cos(alpha)
        return np.asarray(released * self.r ** np.arange(HALF_CYCLES + 1), dtype=np.float64)

    @property
    def peaks(self) -> Array:
        """|θ| at the end of each swing [rad]; number 0 is the release."""
        alpha = self.block.alpha
        return np.asarray(alpha - np.arccos(math.cos(alpha) + self.energies), dtype=np.float64)

    @property
    def half_periods(self) -> Array:
        """Length of each swing [s]; of swing 0 twice the time to the first impact."""
        phi0, alpha = self.block.alpha - self.peaks, self.block.alpha
        k2 = np.cos(phi0 / 2) ** 2
        end = np.arcsin(np.cos(alpha / 2) / np.cos(phi0 / 2))
        quarter = (ellipkm1(np.sin(phi0 / 2) ** 2) - ellipkinc(end, k2)) / self.block.p
        return np.asarray(2 * quarter)


def energy_of(lean: Array, block: Block = BLOCK) -> Array:
    """Energy over I p² of a block at rest at ``lean`` [rad]."""
    return np.asarray(np.cos(block.alpha - lean) - math.cos(block.alpha))


# -- shaken ------------------------------------------------------------------------------------

SEEDS = range(1, 7)
PGA = 5.0  # m/s²; the block uplifts at 2.45
SCALES = (0.4, 0.45, 0.5, 0.8)  # of the record's first 10 s, in which all happens
LENGTH = 1001


def generated_shaking(seed: int, samples: int = LENGTH, dt: float = 0.01) -> Motion:
    """10 s of noise, straight between knots 0.08 s apart, strongest at 3 s, of PGA 5 m/s²."""
    time = np.arange(samples) * dt
    knots = np.random.default_rng(seed).standard_normal(samples // 8 + 2)
    noise = np.interp(np.arange(samples), 8 * np.arange(len(knots)), knots)
    shaking = noise * (time * np.exp(1 - time / 1.5)) ** 2
    return Motion(shaking / np.abs(shaking).max() * PGA, dt, name=f"generated {seed}")


def shaken() -> list[Case]:
    """The block under generated shaking, and under a real record where there is one."""
    cases = [Case(f"generated, seed {seed}", generated_shaking(seed)) for seed in SEEDS]
    if RECORD.is_file():
        whole = rs.read_motion(RECORD)
        assert isinstance(whole, Motion)  # an AT2 file has one component
        record = Motion(whole.accel[:LENGTH], whole.dt)
        cases += [
            Case(f"Rinaldi 228 × {scale:g}", record.scaled(scale), kind="recorded")
            for scale in SCALES
        ]
    return cases
