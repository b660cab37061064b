"""A round base with friction: it rolls while the force lies within the cone, else it slides."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocksteady as rs
from newmark_block import newmark, shaking
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.theories.spatial import places, rim
from rocksteady.theories.spatial.loose.round import flat_base, force_on_rim
from rocksteady.theories.spatial.loose.sliding import slide_flat
from rocksteady.theories.spatial.rim.frame import pose_of
from rocksteady.theories.spatial.state import LOOSE, MODE, RIM

CYLINDER = rs.Body.cylinder(0.45, 1.8)
STILL = (0.0, 0.0, 0.0)


def sliding(mu, **options):
    return rs.Spatial(friction=mu, rolling="free", **options)


def three(ground, dt=0.01):
    x, z, y = ground
    return Motion(x, dt, vertical=z, transverse=y)


def test_force_on_the_rim_is_newtons():
    """Force per unit mass = acceleration of the centre of mass − what gravity and ground pull, by
    differences of the places along a run that rolls."""
    dt = 1e-3
    ground = tuple(np.full(41, part) for part in (0.7, 0.4, -0.5))
    start = rim.start(CYLINDER, 0.12, -0.3, 40.0, azimuth_rate=0.9, spin=0.6)
    params = rim.parameters(CYLINDER, "free")
    states = [np.array(start)]
    at = start
    for _ in range(40):
        at, used, _ = rim.ADVANCE(at, tuple(params), (0.7, 0.4, -0.5), (0.7, 0.4, -0.5), dt)
        assert used == dt
        states.append(np.array(at))
    r = places.centre(CYLINDER, np.array(states))
    accel = (-r[18] + 16 * r[19] - 30 * r[20] + 16 * r[21] - r[22]) / (12 * dt**2)
    pull = np.array([ground[0][0], ground[2][0], CYLINDER.g + ground[1][0]])
    force = force_on_rim(pose_of(tuple(states[20]), params), params, (0.7, 0.4, -0.5))
    assert np.array(force) == pytest.approx(accel + pull, abs=2e-8)


@pytest.mark.parametrize("mu", [2.0, 10.0])
def test_enough_friction_is_rolling_without_slip(mu):
    """The same bits as without friction, as long as nothing slides."""
    motion = three(shaking(1, samples=400, pga=2.8))
    run = rs.simulate(CYLINDER, motion, sliding(mu), until="motion")
    free = rs.simulate(CYLINDER, motion, rs.Spatial(rolling="free"), until="motion")
    assert not (run.column("mode") == LOOSE).any()
    assert run.column("tilt").max() > 0.01
    assert (run.column("tilt") == free.column("tilt")).all()


def test_translation_is_newmarks_sliding_block():
    """A low drum: it slides before it tips."""
    drum = rs.Body.cylinder(1.0, 0.4)
    t = np.arange(0, 3, 0.01)
    push = 4 * np.sin(2 * np.pi * 0.9 * t) * np.sin(np.pi * t / 3) + 1.5 * np.sin(11 * t)
    up = 2.0 * np.cos(17 * t)
    motion = Motion(push * 0.6, 0.01, vertical=up, transverse=push * 0.8)
    run = rs.simulate(drum, motion, sliding(0.2), until="motion")
    slip = newmark(push, drum.g + up, 0.01, 0.2)
    assert np.ptp(slip) > 0.05
    for name, share in (("x", 0.6), ("y", 0.8)):
        went = run.column(name) - run.column(name)[0]
        np.testing.assert_allclose(went, share * slip, rtol=0, atol=3e-9)
    assert run.column("tilt").max() == 0


def test_terminal_ratio_of_a_disk():
    """A disk that slides and spins ends with v = 0.65300 R w (science: 0.65300178929)."""
    params = sliding(0.2).parameters(rs.Body.cylinder(0.45, 1e-6))
    begin = (0.0, 0.0, 1.0, 0.0, 0.3, 0.0, 8.0, 0.0)
    _, used, stopped, down = slide_flat(begin, flat_base(params), STILL, STILL, 10.0)
    assert stopped and down
    late = slide_flat(begin, flat_base(params), STILL, STILL, used - 1e-9)[0]
    ratio = math.hypot(late[4], late[5]) / (0.225 * late[6])
    assert ratio == pytest.approx(0.6530, abs=0.001)


def test_slides_and_rolls_again():
    """Let go leaning on a slippery floor it slides, and is at rest in the end, all energy lost."""
    run = rs.simulate(CYLINDER, None, sliding(0.1), theta0=0.1, direction=30.0)
    modes = set(run.column("mode"))
    assert {float(RIM), float(LOOSE)} <= modes
    assert run.status is rs.Status.AT_REST
    lost = run.column("loss")
    assert lost[-1] == pytest.approx(run.energy[0], rel=1e-9)
    assert np.diff(lost).min() > -1e-6 * run.energy[0]
    # it moves in its plane, by the symmetry of the body
    across = -run.column("x")[-1] * 0.5 + run.column("y")[-1] * math.cos(math.pi / 6)
    assert abs(across) < 1e-4 * 0.45


def test_random_cylinders_end():
    """Bodies, motions, friction, restitution and losses: none fails, none gains energy but what a
    time step leaves (1e-4 of m g h in a sample)."""
    rng = np.random.default_rng(5)
    slid = 0
    for seed in range(60):
        width = rng.uniform(0.1, 1.5)
        body = rs.Body.drum(width, rng.uniform(0.2, 1.2) * width, width * rng.uniform(0.5, 6))
        mu, limit = float(np.exp(rng.uniform(np.log(0.02), np.log(2)))), body.limit(0.0)
        pga = rng.uniform(0.5, 3) * 9.81 * min(math.tan(limit), mu + 0.2)
        motion = three(shaking(seed, 300, 0.01, pga, rng.uniform(0, 0.3)))
        how = sliding(mu, restitution=0.0 if seed % 3 else 0.4, flat_loss=(1.0, 0.9)[seed % 2])
        start = {"theta0": 0.4 * limit, "direction": 50.0} if seed % 2 else {}
        run = rs.simulate(body, motion, how, until="motion", **start)
        assert run.status is not rs.Status.FAILED
        weight = body.mass * body.g * body.centre[2]
        assert abs(run.energy_balance).max() < 1e-8 * weight
        assert np.diff(run.column("loss")).min() > -1e-4 * weight
        slid += (run.column("mode") == LOOSE).any()
    assert 20 < slid < 60


def test_restrained_and_friction_are_refused():
    with pytest.raises(InputError, match='rolling="free"'):
        rs.simulate(CYLINDER, None, rs.Spatial(friction=0.5), theta0=0.1)
    assert sliding(0.5).start(CYLINDER, 0.1)[MODE] == RIM
