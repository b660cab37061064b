"""Impacts on a soft bed: one definition, the same alone, live, for many and on a GPU."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks
from rocksteady.monitor import Monitor
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN, kernel
from rocksteady.theories.soft_bed import counting_impacts, first_swing

SOFT_BEDS = {
    "springs": rs.RigidBodySpring(K=1e7),
    "rigid": rs.NumericalDissipation(dt=0.005),
    "elastic": rs.NumericalDissipation(dt=0.005, body="elastic"),
}


# -- the definition --------------------------------------------------------------------------------


@kernel
def told(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """A "body" that goes where the ground says: a_h is θ, and a_v > 0 where a corner is lifted."""
    return (ground1[0], ground1[1]), dt, NOTHING if abs(ground1[0]) < 9 else OVERTURN


@kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    return state[1] > 0


def impacts_of(thetas, corners, theta0=0.0):
    """At which of the steps there is an impact."""
    step, state, hits = (
        counting_impacts(told, lifted),
        (theta0, 0.0, first_swing(theta0, False)),
        [],
    )
    for i, end in enumerate(zip(thetas, map(float, corners), strict=True)):
        state, _, event = step(state, (), (0.0, 0.0), end, 0.01)
        hits += [i] if event == IMPACT else []
    return hits


@given(
    st.lists(st.tuples(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0]), st.booleans()), max_size=40)
)
def test_an_impact_is_a_passage_after_a_corner_left_the_bed(steps):
    """Against a walk that keeps the history of a swing; a mirror image strikes alike."""
    expected, swing = [], []  # (θ, lifted) of the swing under way, θ = 0 counted to the one before
    for i, (theta, up) in enumerate(steps):
        sides = [s for s, _ in swing if s != 0]
        if sides and theta * sides[-1] < 0:
            if any(u for _, u in swing):
                expected.append(i)
            swing = []
        swing.append((theta, up))
    thetas, corners = ([s[k] for s in steps] for k in (0, 1))
    first = next((t for t in thetas if t), 1.0)
    assert impacts_of(thetas, corners, theta0=1e-9 * first) == expected
    assert impacts_of([-t for t in thetas], corners, theta0=-1e-9 * first) == expected


def test_a_fall_is_a_fall():
    assert impacts_of([1.0, -9.5], [True, False]) == []
    assert impacts_of([1.0, -8.5], [True, False]) == [1]


@pytest.mark.parametrize("name", SOFT_BEDS)
@pytest.mark.parametrize("side", [1, -1])
def test_the_swing_at_the_start(name, side):
    how, block = SOFT_BEDS[name], rs.Block(1.8, 0.5)
    assert how.columns(block)[-1] == "swing [-]"
    assert how.start(block, 0.0, 0.0)[-1] == 1
    assert how.start(block, side * 0.5 * block.alpha, 0.0)[-1] == 2 * side


@pytest.mark.parametrize("name", SOFT_BEDS)
def test_the_time_of_an_impact_is_where_theta_passes_zero(name):
    """On the straight line between two samples; ω is the one there."""
    how, block = SOFT_BEDS[name], rs.Block(1.8, 0.5)
    dt = how.time_step(block) or 0.005
    run = rs.simulate(block, rs.Motion.zeros(4.0, dt), how, theta0=0.6 * block.alpha)
    hits = run.impacts[:5]
    theta = np.interp(hits.time, run.time, run.theta)
    assert np.abs(theta).max() < 1e-12
    assert np.all(np.diff(hits.omega_before > 0)) and np.all(hits.omega_before == hits.omega_after)
    beside = np.searchsorted(run.time, hits.time)
    slowest, fastest = np.sort(np.abs([run.omega[beside - 1], run.omega[beside]]), axis=0)
    assert np.all(np.abs(hits.omega_before) < 1.01 * fastest)
    assert np.all(np.abs(hits.omega_before) > 0.9 * slowest)


# -- the same by every driver ----------------------------------------------------------------------


def random_ground(seed, strength, dt, seconds=3.0):
    rng, n = np.random.default_rng(seed), round(seconds / dt)
    knots = rng.standard_normal(12)
    accel = np.interp(np.linspace(0, 10, n), np.arange(12), knots)
    return rs.Motion(np.concatenate([strength * accel, np.zeros(n)]), dt)


@pytest.mark.parametrize("name", SOFT_BEDS)
@settings(max_examples=5, deadline=None)
@given(
    height=st.floats(0.8, 3.0),
    slenderness=st.floats(3.5, 7.0),
    offset=st.sampled_from([0.0, 0.1, -0.2]),
    strength=st.floats(0.4, 2.5),
    seed=st.integers(0, 1000),
)
def test_every_driver_counts_the_same(name, height, slenderness, offset, strength, seed):
    how, width = SOFT_BEDS[name], height / slenderness
    block = rs.Block(height, width, offset=offset * width / 2)
    dt = how.time_step(block) or 0.01
    ground = random_ground(seed, strength * block.g * math.tan(block.alpha), dt)
    samples = np.array(ground.accel), np.zeros(len(ground))
    alone = rs.simulate(block, ground, how, duration=ground.duration)
    found = make_peaks(how.advance_for(block))(
        how.start(block, 0.0, 0.0), how.parameters(block), samples, dt
    )
    assert found[0] == tuple(alone.states[-1])
    assert found[5] == len(alone.impacts)

    many = rs.ensemble(block, ground, how, until="motion", progress=False)
    assert int(many.impacts.squeeze()) == len(alone.impacts)

    live, pieces = Monitor(block, dt=dt, formulation=how), np.random.default_rng(seed)
    cuts = np.sort(pieces.integers(0, len(ground), 6))
    for piece in np.split(samples[0], cuts):
        live.push_block(piece)
        live = Monitor.from_dict(live.to_dict())
    assert live.extremes[3] == len(alone.impacts) and live.state == tuple(alone.states[-1])


def test_samples_do_not_decide_how_many_impacts_there_are():
    """A small block swings back and forth between two samples: all that is seen, and only once."""
    how, block = rs.RigidBodySpring(), rs.Block(0.02, 0.006)
    fine, *coarse = (
        rs.simulate(block, rs.Motion.zeros(0.6, dt), how, theta0=0.15, duration=0.6)
        for dt in (0.001, 0.02, 0.05, 0.1)
    )
    assert len(fine.impacts) == len(fine.decay()) > 20
    for run in coarse:
        assert np.sum(run.theta[1:] * run.theta[:-1] < 0) < len(fine.impacts) - 5
        assert len(run.impacts) == len(fine.impacts)
        np.testing.assert_allclose(run.impacts.time[:-1], fine.impacts.time[:-1], atol=0.01)
        assert len(run.decay()) <= len(run.impacts)


AUDITED = [rs.RigidBodySpring(), rs.NumericalDissipation(), rs.NumericalDissipation(body="elastic")]


@pytest.mark.parametrize("how", AUDITED, ids=str)
def test_a_shaken_run_obeys_its_laws(how):
    push = rs.pulses.ricker(3.5, period=0.9, dt=0.005)
    found = rs.analysis.audit(rs.simulate(rs.Block(1.8, 0.4), push, how))
    assert found.ok, found
    assert not found.unchecked or how.body == "elastic"
