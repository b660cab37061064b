"""The first 20 impacts of ten bodies, against an independent solution with all six freedoms.

The ground is linear between samples, so both solve the same problem however finely it is sampled.
"""

import math

import numpy as np
import pytest

import rocksteady as rs
from theories.spatial.attitudes import leaning
from theories.spatial.cases import (
    BODIES,
    components,
    finer,
    impact_times,
    released,
    rotation,
    shaking,
    solid_of,
)
from theories.spatial.independent import solve

COUNT = 20
QUICK = ("rectangle", "pentagon", "eccentric")
# Motions under which the body stands through 20 impacts, leans by more than 5 % of its limit and
# does not magnify rounding errors beyond 1e-8 s
SEEDS = {
    "square": 9,
    "rectangle": 2,
    "stout": 2,
    "triangle": 3,
    "pentagon": 8,
    "hexagon": 7,
    "octagon": 6,
    "eccentric": 3,
    "skew quadrilateral": 5,
    "products of inertia": 4,
}


def slow_but_for(quick):
    return [pytest.param(name, marks=[] if name in quick else pytest.mark.slow) for name in BODIES]


SHAKEN = slow_but_for(QUICK)
FREE = slow_but_for(("stout", "triangle", "hexagon", "eccentric", "products of inertia"))


def agree(run, reference):
    times = [hit.time for hit in reference.impacts]
    assert len(times) == COUNT
    assert impact_times(run)[:COUNT] == pytest.approx(times, abs=1e-8)


@pytest.mark.parametrize("name", FREE)
def test_free_motion(name):
    """Let go leaning by half of the limit in some direction, and spinning about all axes."""
    body, number = BODIES[name], list(BODIES).index(name)
    direction, spin = 25.0 + 37 * number, (0.1, -0.2, 0.3)
    tilt = body.limit(direction) / 2
    run = released(body, tilt, direction, spin=spin, until=8.0)
    R, corner = leaning(tilt, math.radians(direction)), int(run.column("pivot")[0])
    assert rotation(run, 0) == pytest.approx(R, abs=1e-15)
    agree(run, solve(solid_of(body), R=R, contacts=(corner,), spin=spin, impacts=COUNT, until=8.0))


@pytest.mark.parametrize("name", SHAKEN)
def test_under_three_components(name):
    body = BODIES[name]
    pga = 2 * body.g * math.tan(body.alpha)  # twice what lifts it in its weakest direction
    motion = shaking(SEEDS[name], pga=pga, seconds=5.0, dt=0.01)
    run = rs.simulate(body, finer(motion, 10), rs.Spatial(), until="motion")
    agree(run, solve(solid_of(body), ground=components(motion), dt=motion.dt, impacts=COUNT))


@pytest.mark.parametrize("name", QUICK[:1])
def test_place_attitude_and_spin_at_the_end(name):
    """After two seconds of shaking: where it has walked to, how it stands, how it turns."""
    body = BODIES[name]
    motion = shaking(7, pga=2.0 * body.g * math.tan(body.alpha), seconds=2.0, dt=0.01, vertical=0.2)
    run = rs.simulate(body, finer(motion, 10), rs.Spatial(), until="motion")
    reference = solve(solid_of(body), ground=components(motion), dt=motion.dt)
    assert len(reference.impacts) == len(run.impacts) > 3
    assert rotation(run) == pytest.approx(reference.R, abs=1e-8)
    place = [run.column(axis)[-1] for axis in "xyz"]
    assert place == pytest.approx(reference.place, abs=1e-8)
    spin = rotation(run) @ [run.column(f"spin_{axis}")[-1] for axis in "xyz"]
    assert spin == pytest.approx(reference.spin, abs=1e-7)
    assert run.column("work")[-1] == pytest.approx(body.mass * reference.work, rel=1e-8)
    assert np.linalg.norm(reference.place[:2]) > 1e-4  # it did walk
