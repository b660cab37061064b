"""An independent solution of the rocking block, by SciPy, against which the engine is tested.

Nothing of the package's kernels is used: DOP853 from sample to sample, turning points and impacts
by `solve_ivp`'s own event search, uplift by root search. Only the rule that ends chatter is the
same, by definition: all further impacts fit into the time in which restoring stays strong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq


@dataclass
class Reference:
    """Impacts (time, ω⁻, ω⁺), largest |θ|/α, whether the block fell, and θ at each sample."""

    impacts: list[tuple[float, float, float]] = field(default_factory=list)
    peak: float = 0.0
    overturned: bool = False
    end: tuple[float, float] = (0.0, 0.0)
    theta: list[float] = field(default_factory=list)


def solve(
    block, accel, dt, *, eta=None, vertical=None, theta0=0.0, omega0=0.0, rtol=1e-10, between=None
):
    """Rock `block` under `accel` [m/s²] sampled every `dt` [s], linear between samples unless
    `between` gives it at any time."""
    run = _Run(block, eta, rtol, between)
    side = np.sign(theta0) or np.sign(omega0)
    state = (side, abs(theta0), omega0 * side)
    run.result.theta.append(theta0)
    vertical = np.zeros_like(accel) if vertical is None else vertical
    for i in range(len(accel) - 1):
        run.load(i * dt, dt, accel[i : i + 2], vertical[i : i + 2])
        state = run.interval(state)
        run.result.theta.append(state[0] * state[1])
        if run.result.overturned:
            break
    side, y, v = state
    run.result.end = (side * y, side * v)
    return run.result


class _Run:
    def __init__(self, block, eta, rtol, between=None):
        self.block, self.rtol, self.result, self.between = block, rtol, Reference(), between
        self.sides = {1: block.right, -1: block.left}
        self.eta = {
            1: eta if eta is not None else block.eta_to_right,
            -1: eta if eta is not None else block.eta_to_left,
        }

    def load(self, t0, dt, horizontal, vertical):
        self.t0, self.t1 = t0, t0 + dt
        self.a_h = self.between or (
            lambda t: horizontal[0] + (horizontal[1] - horizontal[0]) * (t - t0) / dt
        )
        self.a_v = lambda t: vertical[0] + (vertical[1] - vertical[0]) * (t - t0) / dt

    def acceleration(self, side, t, y):
        s, g = self.sides[side], self.block.g
        gravity = (1 + self.a_v(t) / g) * math.sin(s.alpha - y)
        return -(s.p**2) * (gravity + side * self.a_h(t) / g * math.cos(s.alpha - y))

    def interval(self, state):
        t = self.t0
        side, y, v = state
        while t < self.t1:
            if side == 0:
                t, side = self.uplift(t)
                y, v = 0.0, 0.0
                continue
            t, y, v, struck = self.segment(t, side, y, v)
            self.result.peak = max(self.result.peak, y / self.sides[side].alpha)
            if y >= math.pi / 2:
                self.result.overturned = True
                break
            if struck:
                side, v = self.impact(t, side, v)
                y = 0.0
        return side, y, v

    def uplift(self, t):
        best = (self.t1, 0)
        for side in (1, -1):
            if self.acceleration(side, t, 0.0) > 0:
                return t, side
            if self.acceleration(side, self.t1, 0.0) > 0:
                root = brentq(
                    lambda t, s=side: self.acceleration(s, t, 0.0), t, self.t1, xtol=1e-15
                )
                best = min(best, (root, side))
        return best

    def segment(self, t, side, y, v):
        """Up to the end of the interval, a turning point, an impact or the floor."""

        def rhs(t, z):
            return [z[1], self.acceleration(side, t, z[0])]

        def turn(t, z):
            return z[1]

        def ground(t, z):
            return z[0]

        def floor(t, z):
            return z[0] - math.pi / 2

        outward = v > 0 or y == 0 or (v == 0 and self.acceleration(side, t, y) >= 0)
        turn.direction = -1.0 if outward else 1.0
        ground.direction, floor.direction = -1.0, 1.0
        turn.terminal = ground.terminal = floor.terminal = True
        events = (turn, floor) if outward else (turn, ground)
        run = solve_ivp(
            rhs,
            (t, self.t1),
            (y, v),
            "DOP853",
            rtol=self.rtol,
            atol=self.rtol * 1e-3,
            events=events,
        )
        y, v = run.y[:, -1]
        if len(run.t_events[0]):
            return run.t[-1], max(y, 0.0), 0.0, False
        if len(run.t_events[1]):
            return run.t[-1], math.pi / 2 if outward else 0.0, v, not outward
        return run.t[-1], y, v, False

    def impact(self, t, side, v):
        after = max(self.eta[-side] * abs(v), 0.0)
        if after > 0 and self.settles(t, -side, after):
            after = 0.0
        self.result.impacts.append((t, side * v, -side * after))
        return (-side, after) if after > 0 else (0, 0.0)

    def settles(self, t, side, speed):
        """All further bounces fit into the time in which restoring keeps half of its strength."""
        now = {s: -self.acceleration(s, t, 0.0) for s in (1, -1)}
        if min(now.values()) <= 0:
            return False
        end = self.t1
        for s in (1, -1):
            halved = lambda t, s=s: -self.acceleration(s, t, 0.0) - now[s] / 2  # noqa: E731
            if halved(self.t1) < 0:
                end = min(end, brentq(halved, t, self.t1, xtol=1e-15))
        weakest = {s: min(now[s], -self.acceleration(s, end, 0.0)) for s in (1, -1)}
        cycle = 2 * speed / weakest[side] + 2 * self.eta[-side] * speed / weakest[-side]
        tiny = speed**2 / (2 * weakest[side]) <= 1e-12 * self.sides[side].alpha
        return tiny or cycle <= (end - t) * (1 - self.eta[1] * self.eta[-1])
