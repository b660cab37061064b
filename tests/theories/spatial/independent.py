"""An independent solution of a polygonal body that rocks in space, by SciPy, for the tests.

Nothing of the package's kernels is used, and nothing of their formulas: all six freedoms are
integrated (centre of mass, quaternion, both velocities in the ground's axes), corners that touch
are held by Lagrange multipliers, and `solve_ivp` locates the events. Per unit mass throughout.
Impacts and rest are in `contacts.py`.

By definition the same as in the theory: corners stick; an impact leaves what touches at rest or
rising; on an edge a corner leaves where its force would pull *and* it would rise if it were let go;
a corner that would rise by less than `LEAST_RISE` after a knock stays down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from theories.spatial.attitudes import UP, cross, matrix, quaternion
from theories.spatial.contacts import strike
from theories.spatial.mechanics import tilt

TOLERANCE = 1e-13  # of DOP853
TOUCH = 1e-11  # height over that of the centre of mass within which a corner touches
SLOW = 1e-11  # closing speed over sqrt(g h) below which a corner lands without an impact
NOISE = 5e-15  # of a height over h, below which it says nothing
LEAST_RISE = 1e-9  # rise over h below which a corner that was knocked stays down
LEAST_ENERGY = 1e-12  # kinetic energy over g h below which a body that lies flat rests


@dataclass
class Impact:
    time: float
    corner: int
    """The corner that came down, the lowest number where several did."""
    before: float
    """Energy [J/kg], zero at rest upright."""
    after: float
    contacts: tuple[int, ...]
    """The corners that stay on the ground."""
    solutions: int
    """How many sets of contacts are consistent."""


@dataclass
class Result:
    impacts: list[Impact] = field(default_factory=list)
    time: float = 0.0
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    place: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Of the centre of mass on the ground [m]."""
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Angular velocity in the ground's axes [rad/s]."""
    contacts: tuple[int, ...] = ()
    energy: float = 0.0
    work: float = 0.0
    overturned: bool = False
    peak: float = 0.0
    """Largest tilt [rad] at the ends of the integrator's steps."""


def solve(solid, *, ground=None, dt=None, R=None, contacts=None, spin=(0, 0, 0), until=None,
          impacts=None):  # fmt: skip
    """Follow ``solid`` until ``until`` [s] or so many ``impacts``.

    ``ground``: accelerations [m/s²] of shape (samples, 3), linear between samples ``dt`` [s] apart
    and zero after them. It starts at rest flat, or in the attitude ``R`` on ``contacts`` with
    ``spin`` in the body's axes.
    """
    run = _Run(solid, impacts or 10**9)
    run.begin(np.eye(3) if R is None else R, contacts, np.asarray(spin, float))
    samples = np.zeros((1, 3)) if ground is None else np.asarray(ground, float)
    end = until if until is not None else (len(samples) - 1) * dt
    t, i = 0.0, 0
    while t < end and not run.over:
        last = i >= len(samples) - 1
        t1 = end if last else min((i + 1) * dt, end)
        rates = np.zeros(3) if last else (samples[i + 1] - samples[i]) / dt
        run.shake(t, t1, np.zeros(3) if last else samples[i], rates)
        run.interval()
        t, i = t1, i + 1
    return run.finished()


class _Run:
    """One body between two samples at a time."""

    def __init__(self, solid, most_impacts):
        self.solid, self.most, self.result = solid, most_impacts, Result()
        self.slow = SLOW * math.sqrt(solid.g * solid.height)
        self.released = False  # whether corners have just left: their acceleration is still zero

    def begin(self, R, contacts, spin):
        flat = tuple(range(len(self.solid.corners)))
        self.contacts = flat if contacts is None else tuple(contacts)
        self.y = np.zeros(14)  # x(3) q(4) v(3) w(3) work
        self.y[3:7] = quaternion(R)
        self.y[10:13] = R @ spin
        first = R @ self.solid.corners[self.contacts[0]]
        self.pivot = self.solid.corners[self.contacts[0]] - [0, 0, self.solid.corners[0][2]]
        self.y[:3] = self.pivot - first
        self.settle()

    @property
    def over(self):
        return self.result.overturned or len(self.result.impacts) >= self.most

    @property
    def resting(self):
        return len(self.contacts) > 2

    def shake(self, t0, t1, accel, rates):
        self.t, self.t0, self.t1, self.accel, self.rates = t0, t0, t1, accel, rates

    def felt(self, t):
        """Gravity and the ground's acceleration as the body feels them: g z + a."""
        return self.solid.g * UP + self.accel + (t - self.t0) * self.rates

    def settle(self):
        """Remove the drift of what is held: the first contact's place, velocity, an edge's axis."""
        R, w = matrix(self.y[3:7]), self.y[10:13]
        r = self.solid.corners @ R.T
        if len(self.contacts) == 2:
            along = r[self.contacts[1]] - r[self.contacts[0]]
            self.y[10:13] = w = along * (along @ w) / (along @ along)
        elif self.resting:
            self.y[10:13] = w = np.zeros(3)
        self.y[3:7] /= np.linalg.norm(self.y[3:7])
        self.y[:3] = self.pivot - r[self.contacts[0]]
        self.y[7:10] = -cross(w, r[self.contacts[0]])

    def hold(self, contacts):
        """From now on these corners are held."""
        self.contacts = tuple(contacts)
        R = matrix(self.y[3:7])
        self.pivot = self.y[:3] + R @ self.solid.corners[self.contacts[0]]
        self.pivot[2] = 0.0
        self.settle()

    def interval(self):
        """To the end of the interval, whatever happens on the way."""
        for _ in range(10_000):
            if self.over or self.t >= self.t1:
                return
            if not self.resting:
                self.decide()
            self.uplift() if self.resting else self.segment()
        raise RuntimeError(f"more than 10000 events between {self.t0} s and {self.t1} s")

    def uplift(self):
        """Wait until the resultant force leaves the base over one of its edges."""
        R, n = matrix(self.y[3:7]), len(self.solid.corners)
        base = self.solid.corners @ R.T
        best = (self.t1, None)
        for k in range(n):
            a, b = base[k], base[(k + 1) % n]
            out = cross(b - a, UP)

            def outside(t, a=a, out=out):
                load = self.felt(t)
                return out @ (a[2] * load - load[2] * a)

            if outside(self.t) > 0:
                best = min(best, (self.t, k), key=lambda found: found[0])
            elif outside(self.t1) > 0:
                best = min(
                    best, (brentq(outside, self.t, self.t1, xtol=1e-15), k), key=lambda f: f[0]
                )
        self.t, k = best
        if k is not None:
            self.hold((k, (k + 1) % n))
            self.released = True

    def decide(self):
        """What corners do that touch and hardly move: they leave an edge, or land on the ground."""
        load, n = self.felt(self.t), len(self.solid.corners)
        if len(self.contacts) == 2:
            for i in (0, 1):
                if self.solid.release(self.y, load, self.contacts, i) > 0:
                    return self.hold((self.contacts[1 - i],))
        if self.released:
            return None
        if len(self.contacts) == 2:
            others = [j for j in range(n) if j not in self.contacts]
            found, _ = self.solid.accelerations(self.y, load, self.contacts)
            if self.lies(others) and self.solid.rise(np.r_[self.y[:7], found])[others].max() < 0:
                self.hold(range(n))
            return None
        held = self.contacts[0]
        for j in ((held + 1) % n, (held - 1) % n):
            if self.lies([j]) and self.solid.lift(self.y, load, j, held) < 0:
                return self.hold((held, j))
        return None

    def lies(self, corners):
        """Whether these corners touch and hardly move."""
        h = self.solid.height
        low = self.solid.heights(self.y)[corners].max() < TOUCH * h
        return low and np.abs(self.solid.rise(self.y)[corners]).max() <= self.slow

    def segment(self):
        """Smooth motion up to the end of the interval or the first event."""
        others = [j for j in range(len(self.solid.corners)) if j not in self.contacts]
        noise = NOISE * self.solid.height
        events = [lambda t, y, j=j: self.solid.heights(y)[j] + noise for j in others]
        events.append(lambda t, y: matrix(y[3:7])[2, 2])
        for event in events:
            event.direction = -1.0
        if len(self.contacts) == 2:
            events += [
                lambda t, y, i=i: self.solid.release(y, self.felt(t), self.contacts, i)
                for i in (0, 1)
            ]
            for event in events[-2:]:
                event.direction = 1.0
        for event in events:
            event.terminal = True
        run = self.integrate(events, others)
        self.t, self.y = run.t[-1], run.y[:, -1]
        self.result.peak = max(self.result.peak, *(tilt(y) for y in run.y.T))
        self.settle()
        met = [i for i, found in enumerate(run.t_events) if len(found)]
        self.released = bool(met) and met[0] > len(others)
        if self.released:
            self.hold((self.contacts[len(others) + 2 - met[0]],))
        elif met and met[0] == len(others):
            self.result.overturned = True
        elif met:
            self.land()

    def integrate(self, events, others):
        """A first step so short that a corner that has just left is still in the air after it: one
        that rose and fell within a step would not be seen, or seen where it left."""
        first = min(1e-3, self.t1 - self.t)
        while True:
            run = solve_ivp(
                lambda t, y: self.solid.rates(y, self.felt(t), self.contacts),
                (self.t, self.t1),
                self.y,
                "DOP853",
                rtol=TOLERANCE,
                atol=TOLERANCE * 1e-2,
                events=events,
                max_step=0.01,
                first_step=first,
            )
            sunk = min(self.solid.heights(y)[others].min() for y in run.y.T)
            seen = run.t[-1] > self.t and sunk > -TOUCH * self.solid.height
            if seen or first < 1e-9:
                return run
            first /= 8

    def land(self):
        """An impact of all that touches, if anything closes."""
        h, before = self.solid.height, self.solid.energy(self.y)
        heights, closing = self.solid.heights(self.y), self.solid.rise(self.y)
        touching = [j for j in range(len(heights)) if heights[j] < TOUCH * h]
        if closing[touching].min() >= -self.slow:
            return
        new = [j for j in touching if j not in self.contacts]
        R = matrix(self.y[3:7])
        after = strike(self.solid, R, self.y[7:10], self.y[10:13], touching)
        self.y[7:10], self.y[10:13] = after.velocity, after.spin
        contacts = self.calm(after.contacts, touching)
        if contacts != after.contacts:
            self.y[7:13] = after.within(contacts)
        self.hold(contacts)
        found = Impact(
            self.t, new[0], before, self.solid.energy(self.y), self.contacts, after.solutions
        )
        self.result.impacts.append(found)

    def calm(self, contacts, touching):
        """The corners that stay down: with those that hardly rise after the knock."""
        h, g, load = self.solid.height, self.solid.g, self.felt(self.t)
        flat = len(touching) == len(self.solid.corners)
        if flat and self.solid.energy(self.y) < LEAST_ENERGY * g * h:
            return tuple(touching)
        if len(contacts) == 1:
            speed = self.solid.rise(self.y)
            n = len(self.solid.corners)
            for j in ((contacts[0] + 1) % n, (contacts[0] - 1) % n):
                lift = -self.solid.lift(self.y, load, j, contacts[0])
                if j in touching and lift > 0 and speed[j] ** 2 < 2 * lift * LEAST_RISE * h:
                    return (*contacts, j)
        return contacts

    def finished(self):
        result, y = self.result, self.y
        result.time, result.R, result.contacts = self.t, matrix(y[3:7]), self.contacts
        result.place, result.spin, result.work = y[:3].copy(), y[10:13].copy(), y[13]
        result.energy = self.solid.energy(self.y)
        return result
