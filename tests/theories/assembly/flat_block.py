"""A flat block on the ground in closed form: it sticks, slides and hops, and never turns.

Ground accelerations run linearly between samples, so that velocities are parabolas of time and
positions cubics; what happens next is the first root of one of them.
"""

from __future__ import annotations

import math

import numpy as np

STICKS, SLIDES, FLIES = range(3)


def roots_within(coefficients, end):
    """Real roots in (0, end] of a polynomial, its constant first."""
    found = np.polynomial.Polynomial(np.trim_zeros(coefficients, "b") or [1.0]).roots()
    real = [float(z.real) for z in found if abs(z.imag) < 1e-9 * max(1.0, abs(z))]
    return sorted(z for z in real if 1e-12 < z <= end)


class FlatBlock:
    """Its place (x, y) and velocity (u, v), relative to the ground."""

    def __init__(self, friction, g=9.81):
        self.friction, self.g = friction, g
        self.x = self.y = self.u = self.v = 0.0
        self.mode, self.way = STICKS, 0.0

    def moved(self, horizontal, vertical, dt):
        """(x, y) at every sample [m]."""
        places = np.zeros((len(horizontal), 2))
        pairs = zip(horizontal[:-1], horizontal[1:], vertical[:-1], vertical[1:], strict=True)
        for k, (a0, a1, b0, b1) in enumerate(pairs):
            self.interval(a0, (a1 - a0) / dt, self.g + b0, (b1 - b0) / dt, dt)
            places[k + 1] = self.x, self.y
        return places

    def interval(self, a, a_rate, press, press_rate, left):
        """Follow accelerations a + a_rate t and normal forces per mass press + press_rate t."""
        for _ in range(100):
            if self.mode != FLIES and (press < 0 or (press <= 1e-12 and press_rate < 0)):
                self.mode = FLIES
            follow = (self.stuck, self.sliding, self.flying)[self.mode]
            used = follow(a, a_rate, press, press_rate, left)
            a, press, left = a + a_rate * used, press + press_rate * used, left - used
            if left <= 1e-14:
                return
        raise AssertionError("the block does not come on")

    def lift(self, press, press_rate, left):
        """When nothing presses it any more, or ``left``."""
        return min(left, -press / press_rate) if press_rate < 0 else left

    def stuck(self, a, a_rate, press, press_rate, left):
        end, way = self.lift(press, press_rate, left), 0.0
        for sign in (1.0, -1.0):
            spare = self.friction * press - sign * a
            rate = self.friction * press_rate - sign * a_rate
            when = 0.0 if spare <= 0 and rate < 0 else -spare / rate if rate < 0 else math.inf
            if when < end:
                end, way = when, -sign
        if way:
            self.mode, self.way, self.u = SLIDES, way, 0.0
        return end

    def sliding(self, a, a_rate, press, press_rate, left):
        end = self.lift(press, press_rate, left)
        gain = -a - self.way * self.friction * press
        rate = -a_rate - self.way * self.friction * press_rate
        turns = roots_within([self.u, gain, rate / 2], end)
        stops = [t for t in turns if self.way * (gain + rate * t) < 0]
        t = stops[0] if stops else end
        self.x += self.u * t + gain * t**2 / 2 + rate * t**3 / 6
        self.u += gain * t + rate * t**2 / 2
        if stops:
            self.u, push = 0.0, a + a_rate * t
            self.mode = STICKS
            if abs(push) > self.friction * (press + press_rate * t):
                self.mode, self.way = SLIDES, -math.copysign(1.0, push)
        return t

    def flying(self, a, a_rate, press, press_rate, left):
        lands = [
            t
            for t in roots_within([self.y, self.v, -press / 2, -press_rate / 6], left)
            if self.v - press * t - press_rate * t**2 / 2 < 0
        ]
        t = lands[0] if lands else left
        self.x += self.u * t - a * t**2 / 2 - a_rate * t**3 / 6
        self.y += self.v * t - press * t**2 / 2 - press_rate * t**3 / 6
        self.u -= a * t + a_rate * t**2 / 2
        self.v -= press * t + press_rate * t**2 / 2
        if lands:
            self.u -= math.copysign(min(abs(self.u), -self.friction * self.v), self.u)
            self.mode = SLIDES if self.u else STICKS
            self.way, self.y, self.v = math.copysign(1.0, self.u), 0.0, 0.0
        return t
