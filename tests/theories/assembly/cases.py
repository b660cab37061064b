"""Assemblies, ground motions and readings that the tests of assemblies share."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise

import numpy as np

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.engine.drivers import make_trace
from rocksteady.theories.contract import IMPACT

G = 9.81
FLOOR = Stone.box(-20.0, -1.0, 40.0, 1.0, name="ground", fixed=True)


def still(dt):
    """Ground at rest."""
    return rs.Motion(np.zeros(2), dt)


def run(assembly, motion, step=0.001, rule="located", until="motion", **options):
    """A run; that solves are left unconverged is asked of the response, not of a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        theory = rs.BlockDynamics(rule=rule, step=step, **options)
        return rs.simulate(assembly, motion, theory, until=until)


def standing(*stones, friction=0.7, **options):
    """Stones on a floor whose top is at y = 0."""
    return Assembly((FLOOR, *stones), friction=friction, **options)


def block(b, h, theta0=0.0, friction=1.0):
    """A block of 2b × 2h that leans to the right on its lower right corner, by θ₀ [rad]."""
    stone = Stone.box(-b, 0.0, 2 * b, 2 * h, name="block")
    return standing(stone.turned(-theta0, about=(b, 0.0)), friction=friction)


def portal(beam_height, theta0=0.0, friction=1.0):
    """Columns of 0.5 × 2 m under a beam of 4.5 m, let go at θ₀ [rad]: the beam lies on the corners
    of both columns on the side from which they lean."""
    columns = [Stone.box(x, 0.0, 0.5, 2.0) for x in (-2.0, 1.5)]
    beam = Stone.box(-2.25, 2.0, 4.5, beam_height)
    if theta0:
        columns = [c.turned(-theta0, about=(c.corners[1])) for c in columns]
        feet, tops = (-1.5, 0.0), columns[0].corners[3]
        before = (-2.0, 2.0)
        beam = beam.moved(tops[0] - before[0], tops[1] - before[1])
        assert math.dist(feet, tops) > 2.0
    return standing(*columns, beam, friction=friction)


def lean(response, stone):
    """How far a stone has leant to the right since the start [rad], and how fast [rad/s]."""
    return -response.column(f"theta {stone}"), -response.column(f"omega {stone}")


def turning_points(time, angle, rate):
    """(times, angles) where the rate changes its sign smoothly, by the cubic through both ends of
    the sample interval; jumps of the rate (impacts) are passed over."""
    found = []
    for k in np.flatnonzero(rate[:-1] * rate[1:] < 0):
        dt = time[k + 1] - time[k]
        step = angle[k + 1] - angle[k]
        if abs(step) > 0.6 * dt * max(abs(rate[k]), abs(rate[k + 1])):
            continue
        # Hermite's cubic on s = 0 … 1
        c0, c1 = angle[k], rate[k] * dt
        c2 = 3 * step - (2 * rate[k] + rate[k + 1]) * dt
        c3 = -2 * step + (rate[k] + rate[k + 1]) * dt
        roots = np.roots([3 * c3, 2 * c2, c1])
        s = min((float(r.real) for r in roots if abs(r.imag) < 1e-12), key=lambda r: abs(r - 0.5))
        found.append((time[k] + s * dt, c0 + s * (c1 + s * (c2 + s * c3))))
    return np.array(found).T if found else np.zeros((2, 0))


def swings(response, stone, theta0):
    """(times, |θ|) of the turning points of a stone that leans by θ₀ at the start."""
    angle, rate = lean(response, stone)
    times, angles = turning_points(response.time, angle + theta0, rate)
    return times, np.abs(angles)


def impact_times(response, apart=0.01):
    """When stones struck [s]; impacts closer than ``apart`` count as one."""
    times = response.event_column("time")[response.event_column("kind") == IMPACT]
    if not len(times):
        return times
    return np.array([times[0], *(b for a, b in pairwise(times) if b - a > apart)])


def noise(peak, seconds, dt, seed=1, low=1.0, high=8.0):
    """Noise between two frequencies [Hz], its largest value ``peak`` [m/s²]."""
    rng = np.random.default_rng(seed)
    time = np.arange(round(seconds / dt) + 1) * dt
    rates = 2 * math.pi * rng.uniform(low, high, 60)
    wave = np.sin(time[:, None] * rates + rng.uniform(0, 2 * math.pi, 60)).sum(axis=1)
    wave *= np.minimum(1, time / 0.5) * np.minimum(1, (seconds - time) / 0.5)
    return rs.Motion(wave * peak / np.abs(wave).max(), dt)


def solved(response):
    """Whether every contact problem was solved below 1e-4 g h."""
    return response.states[-1][response.columns.index("unconverged [-]")] == 0


def grown(response):
    """The largest growth of energy that no work explains [J]: what is left of kinetic and potential
    energy, less the work of the ground, may only fall."""
    free = response.energy - response.column("work")
    return float(np.diff(free).max(initial=0.0))


def thrown(assembly, velocities, seconds, dt, **options):
    """States of an assembly whose moving stones start with these (v_x, v_y, ω)."""
    theory = rs.BlockDynamics(**{"rule": "located", "step": dt, **options})
    state = theory.start(assembly)
    moving = 3 * assembly.stone_count
    state[-moving:] = np.ravel(velocities)
    samples = round(seconds / dt) + 1
    states = np.empty((samples, len(state)))
    still_ground = (np.zeros(samples), np.zeros(samples))
    trace = make_trace(theory.advance_for(assembly))
    rows, _, _ = trace(state, theory.parameters(assembly), still_ground, dt, 0.0, states)
    return states[:rows]
