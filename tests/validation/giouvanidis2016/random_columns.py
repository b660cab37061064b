"""Flexible oscillators with friction and restitution at random, for the tests only."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import rocksteady as rs

G = 9.81
DT = 0.05  # s between the samples of a motion, as coarse as any record
SAMPLES = 21


class Case(NamedTuple):
    """A flexible oscillator, how it meets the ground and what shakes it."""

    body: rs.FlexibleOscillator
    how: rs.Nonsmooth
    theta0: float
    motion: rs.Motion

    def run(self, parts: int = 1) -> rs.Response:
        """With ``parts`` intervals on every line of the motion."""
        motion, at = self.motion, np.arange(parts * (SAMPLES - 1) + 1) / parts
        accel, vertical = (
            None if a is None else np.interp(at, np.arange(SAMPLES), a)
            for a in (motion.accel, motion.vertical)
        )
        fine = rs.Motion(accel, motion.dt / parts, vertical)
        length = motion.duration
        return rs.simulate(self.body, fine, self.how, theta0=self.theta0, duration=length)


def case(seed: int) -> Case:
    """Slender and stocky, soft and stiff, with light and heavy bases; a third has other ε and μ on
    its left edge, half are released leaning. A constant push or noise up to three times what lifts
    the rigid body, more than half with vertical motion, up to 1.5 g."""
    rng = np.random.default_rng([7, seed])
    height = rng.uniform(0.5, 12.0)
    width = height / rng.uniform(0.7, 8.0)
    top, base, column = 1e3 * np.exp(rng.uniform(-2, 2, 3))
    body = rs.FlexibleOscillator(
        height=height,
        width=width,
        top_mass=top,
        base_mass=base,
        column_mass=column,
        natural_frequency=math.sqrt(G / height) * np.exp(rng.uniform(0, math.log(60))),
        damping_ratio=float(rng.choice([0.0, rng.uniform(0.0, 0.3)])),
    )
    mu = np.exp(rng.uniform(math.log(0.05), math.log(1.5), 2))
    epsilon = rng.choice([0.0, 1.0]) * rng.uniform(0.0, 0.9, 2)
    if rng.random() < 2 / 3:
        mu, epsilon = mu[:1].repeat(2), epsilon[:1].repeat(2)
    friction = None if rng.random() < 0.15 and epsilon.any() else tuple(mu)
    how = rs.Nonsmooth(epsilon=tuple(epsilon), friction=friction)
    theta0 = float(rng.choice([0.0, rng.uniform(-0.8, 0.8)])) * body.alpha
    uplift = G * math.tan(body.alpha)
    push = np.full(SAMPLES, rng.uniform(-2, 2) * uplift)
    if rng.random() < 2 / 3:
        push = rng.standard_normal(SAMPLES)
        push *= rng.uniform(0.2, 3.0) * uplift / np.abs(push).max()
    vertical = None
    if rng.random() < 0.6:
        vertical = rng.uniform(-1, 1, SAMPLES) * rng.uniform(0, 15) * rng.choice([0.3, 1.0])
    return Case(body, how, theta0, rs.Motion(push, DT, vertical))
