"""SciPy `solve_ivp`: Housner's equation from impact to impact, each one found as an event.

As most scripts do it: the record interpolated between samples, a restart after every impact, and
the block taken as resting when it bounces no more.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from benchmarks.peers.cases import Array, Case
from benchmarks.peers.history import History, Run, Setting

NAME, PACKAGE = "SciPy", "scipy"

SETTINGS = (
    Setting("default", "RK45, rtol 1e-3, atol 1e-6", {"method": "RK45"}),
    Setting("tuned, 1e-6", "RK45, rtol 1e-6, sample by sample", {"method": "RK45", "rtol": 1e-6}),
    Setting(
        "tuned, 1e-10", "DOP853, rtol 1e-10, sample by sample", {"method": "DOP853", "rtol": 1e-10}
    ),
)
RESTS = 1e-5  # of p: slower than this after an impact, it lies still
FLAT = math.pi / 2
A_HAIR = 1e-14  # rad off upright, or the event search takes the start for the next impact
A_MOMENT = 1e-9  # s after the ground can lift it, when it really does


def prepare(setting: Setting, case: Case) -> Run:
    options: dict[str, Any] = dict(setting.options)
    if "rtol" in options:
        options["atol"] = 1e-3 * options["rtol"]
    return _Rocking(case, options).run


class _Rocking:
    def __init__(self, case: Case, options: dict[str, Any]) -> None:
        self.case, self.options = case, options
        self.alpha, self.p, self.g = case.block.alpha, case.block.p, case.block.g
        self.samples, self.accel = case.motion.time, case.motion.accel
        # with a tolerance worth the name, no step may go over a kink of the record
        kinks = "rtol" in options and self.accel.any()
        self.breaks = self.samples[1:] if kinks else self.samples[-1:]

    def run(self) -> History:
        t, theta, omega = 0.0, self.case.theta0, 0.0
        impacts: list[float] = []
        times, thetas, turns = [0.0], [theta], [abs(theta)]
        while t < self.breaks[-1] and abs(theta) < FLAT * (1 - 1e-9):
            side = math.copysign(1.0, theta or omega)
            if theta == omega == 0:
                t, side = self.uplift(t)
                if t >= self.breaks[-1]:
                    break
            end = float(self.breaks[np.searchsorted(self.breaks, t, side="right")])
            part = self.swing(t, end, theta, omega, side)
            t, theta, omega = float(part.t[-1]), float(part.y[0, -1]), float(part.y[1, -1])
            times.append(t)
            thetas.append(theta)
            extremes = [abs(theta), *(abs(float(y[0])) for y in part.y_events[2])]
            turns[-1] = max(turns[-1], *extremes)
            if len(part.t_events[0]):
                impacts.append(t)
                turns.append(0.0)
                theta, omega = 0.0, self.case.block.eta * omega
                if abs(omega) < RESTS * self.p:
                    omega = 0.0
        return History(np.array(times), np.array(thetas), np.array(impacts), np.array(turns))

    def swing(self, t: float, end: float, theta: float, omega: float, side: float) -> Any:
        """Until it is upright again, has fallen, or the record ends or has its next kink."""
        from scipy.integrate import solve_ivp

        pp, alpha, g, samples, accel = self.p**2, self.alpha, self.g, self.samples, self.accel

        def rhs(t: float, y: Array) -> tuple[float, float]:
            lean = alpha - side * y[0]
            ground = np.interp(t, samples, accel) / g
            return y[1], -pp * (side * math.sin(lean) + ground * math.cos(lean))

        def upright(t: float, y: Array) -> float:
            return float(y[0])

        def fallen(t: float, y: Array) -> float:
            return abs(float(y[0])) - FLAT

        def turning(t: float, y: Array) -> float:
            return float(y[1])

        upright.terminal = fallen.terminal = True  # type: ignore[attr-defined]
        upright.direction = -side  # type: ignore[attr-defined]
        events, start = (upright, fallen, turning), (theta or side * A_HAIR, omega)
        return solve_ivp(rhs, (t, end), start, events=events, **self.options)

    def uplift(self, t: float) -> tuple[float, float]:
        """When the ground next overcomes the weight, and to which side."""
        limit = self.g * math.tan(self.alpha)
        now = float(np.interp(t, self.samples, self.accel))
        if abs(now) > limit:
            return t, -math.copysign(1.0, now)
        later = np.flatnonzero((self.samples > t) & (np.abs(self.accel) > limit))
        if not len(later):
            return self.case.duration, 0.0
        i = int(later[0])
        before = self.samples[i - 1], self.accel[i - 1]
        if before[0] < t:
            before = t, now
        sign = math.copysign(1.0, self.accel[i])
        share = (sign * limit - before[1]) / (self.accel[i] - before[1])
        return float(before[0] + share * (self.samples[i] - before[0])) + A_MOMENT, -sign
