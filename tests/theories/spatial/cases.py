"""Bodies, ground motions and runs that the tests of bodies in space share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.signal import butter, cont2discrete, lfilter, sosfilt

import rocksteady as rs
from rocksteady.numerics.decorators import driver
from rocksteady.theories.contract import IMPACT
from theories.spatial.mechanics import Solid

DT = 0.005  # s: sampling of the motions made here


def polygon(count, radius, phase=0.0):
    """Corners of a regular polygon; ``phase`` [rad] turns it."""
    angles = phase + 2 * math.pi * np.arange(count) / count
    return tuple((radius * math.cos(a), radius * math.sin(a)) for a in angles)


STANDARD = rs.Body.box(0.45, 0.45, 1.8)
BODIES = {
    "square": STANDARD,
    "rectangle": rs.Body.box(0.4, 0.6, 1.8),
    "stout": rs.Body.box(0.5, 0.6, 1.0),
    "triangle": rs.Body.prism(polygon(3, 0.35, 0.3), 1.5),
    "pentagon": rs.Body.prism(polygon(5, 0.3, 0.1), 1.6),
    "hexagon": rs.Body.prism(polygon(6, 0.3), 1.8),
    "octagon": rs.Body.prism(polygon(8, 0.25, 0.2), 1.4),
    "eccentric": rs.Body.box(0.5, 0.4, 1.6, offset=(0.06, 0.03)),
    "skew quadrilateral": rs.Body.prism(((0, 0), (0.5, 0.05), (0.45, 0.5), (0.1, 0.4)), 1.5),
    "products of inertia": rs.Body(
        mass=300.0,
        inertia=((70.0, 4.0, -6.0), (4.0, 80.0, 5.0), (-6.0, 5.0, 15.0)),
        centre=(0.02, -0.03, 0.7),
        height=1.6,
        base=((-0.2, -0.25), (0.25, -0.2), (0.2, 0.25), (-0.25, 0.2)),
    ),
}


def solid_of(body):
    """The same body for the independent solution: geometry and mass only."""
    corners = [(x, y, -body.centre[2]) for x, y in body.corners]
    return Solid(np.array(body.inertia) / body.mass, np.array(corners), body.g)


def shaking(seed, pga=4.5, seconds=8.0, dt=DT, vertical=0.3):
    """Three components of noise between 0.3 and 8 Hz, the largest of x and y at ``pga`` [m/s²]."""
    rng = np.random.default_rng(seed)
    times = np.arange(round(seconds / dt) + 1) * dt
    rates = 2 * math.pi * np.exp(rng.uniform(math.log(0.3), math.log(8), (3, 24)))
    waves = np.sin(times[:, None, None] * rates + rng.uniform(0, 2 * math.pi, (3, 24)))
    envelope = np.minimum(1, times / (0.1 * seconds)) * np.minimum(
        1, (seconds - times) / seconds * 4
    )
    x, y, z = (waves.sum(axis=2) * envelope[:, None]).T
    scale = pga / max(np.abs(x).max(), np.abs(y).max())
    return rs.Motion(
        scale * x, dt, transverse=scale * y, vertical=pga * vertical * z / np.abs(z).max()
    )


def earthquake(seed, pga=4.5, seconds=8.0, dt=DT, vertical=0.3):
    """Three components of white noise through Kanai and Tajimi's filter (2.5 Hz, damping 0.3), as
    strong as an earthquake is in time; the largest of x and y at ``pga`` [m/s²]."""
    rng = np.random.default_rng(seed)
    count, w = round(seconds / dt) + 1, 2 * math.pi * 2.5
    up, down, _ = cont2discrete(([0.6 * w, w * w], [1, 0.6 * w, w * w]), dt, "bilinear")
    waves = lfilter(up.ravel(), down, rng.normal(size=(3, count + 400)))
    waves = sosfilt(butter(2, 0.3, "high", fs=1 / dt, output="sos"), waves)[:, 400:]
    times = np.arange(count) * dt
    x, y, z = waves * (times / 2) ** 2 * np.exp(2 - times)
    scale = pga / max(np.abs(x).max(), np.abs(y).max())
    return rs.Motion(
        scale * x, dt, transverse=scale * y, vertical=pga * vertical * z / np.abs(z).max()
    )


def random_body(rng):
    """A body on three to eight corners, its centre of mass anywhere well inside the base."""
    count, radius = int(rng.integers(3, 9)), rng.uniform(0.15, 0.4)
    spread = (np.arange(count) + rng.uniform(-0.35, 0.35, count)) * 2 * math.pi / count
    base = [(radius * math.cos(a), radius * math.sin(a)) for a in spread + rng.uniform(0, 6)]
    height = radius * rng.uniform(2, 9)
    offset = rng.uniform(-0.08, 0.08, 2) * radius
    return rs.Body.prism(
        base, height, offset=tuple(offset), com_height=height * rng.uniform(0.4, 0.55)
    )


def random_case(rng):
    """A random body and a motion of 3 s that may lift it, and may overturn it."""
    body = random_body(rng)
    pga = body.g * math.tan(body.alpha) * rng.uniform(0.8, 4)
    make = earthquake if rng.random() < 0.5 else shaking
    seed, dt = int(rng.integers(1 << 30)), float(rng.choice([0.005, 0.01]))
    vertical = min(0.3, 8 / pga)  # less than what lifts it off the ground
    return body, make(seed, pga=pga, seconds=3.0, dt=dt, vertical=vertical)


def components(motion):
    """(samples, 3) of a motion: x, y and z [m/s²]."""
    still = np.zeros(len(motion.accel))
    parts = (motion.accel, motion.transverse, motion.vertical)
    return np.column_stack([still if part is None else part for part in parts])


@dataclass(frozen=True, kw_only=True)
class Started(rs.Spatial):
    """The theory with a start of its own."""

    state: tuple[float, ...] = ()

    def start(self, body, theta0=0.0, omega0=0.0, direction=0.0):
        return self.state


def released(body, tilt, direction, *, until, dt=DT, motion=None, **how):
    """Run ``body`` from a lean by ``tilt`` [rad] to ``direction`` [degrees]; ``yaw`` [rad] and
    ``spin`` [rad/s, in its own axes] or ``rate`` may be given."""
    state = rs.Spatial().leaning(body, tilt, direction, **how)
    motion = motion if motion is not None else rs.Motion(np.zeros(2), dt)
    return rs.simulate(body, motion, Started(state=state), until=until)


def impact_times(response):
    """When impacts happened [s]."""
    return np.asarray(response.impacts.time)


def rotation(response, at=-1):
    """R, from the body to the ground, at a sample."""
    up = np.array([response.column(f"up_{i}")[at] for i in "xyz"])
    ahead = np.array([response.column(f"ahead_{i}")[at] for i in "xyz"])
    return np.array([ahead, np.cross(up, ahead), up])


@cache
def _single(advance):
    def single(state, params, ground0, ground1, dt):
        return advance(state, params, ground0, ground1, dt)

    return driver(single)  # compiled once, kept on disk


def step_of(body):
    """The compiled step ``(state, ground0, ground1, dt) -> (state, used, event)``; the ground's
    accelerations are those along x, z and y."""
    theory = rs.Spatial()
    single, params = _single(theory.advance_for(body)), theory.parameters(body)

    def step(state, ground0, ground1, dt):
        return single(tuple(map(float, state)), params, ground0, ground1, dt)

    return step


@dataclass(frozen=True)
class Struck:
    """An impact of the step itself, with the state on both sides."""

    time: float
    before: tuple[float, ...]
    after: tuple[float, ...]
    share: float
    """Energy after over energy before."""


def struck(body, tilt, direction, *, until, dt=DT, **how):
    """The impacts of a free motion, one by one: several may lie between two samples."""
    theory = rs.Spatial()
    step, still, hits = step_of(body), (0.0, 0.0, 0.0), []
    state = theory.leaning(body, tilt, direction, **how)
    for i in range(round(until / dt)):
        passed = 0.0
        while passed < dt:
            new, used, event = step(state, still, still, dt - passed)
            passed += used
            if event == IMPACT:
                energies = theory.energy(body, np.array([state, new]))
                hits.append(Struck(i * dt + passed, state, new, energies[1] / energies[0]))
            state = new
    return hits


def finer(motion, parts):
    """The same ground, linear between samples, sampled ``parts`` times as often."""
    coarse = components(motion)
    at = np.arange((len(coarse) - 1) * parts + 1) / parts
    x, y, z = (np.interp(at, np.arange(len(coarse)), part) for part in coarse.T)
    return rs.Motion(x, motion.dt / parts, transverse=y, vertical=z)
