"""Many random bodies and motions: nothing fails, energy is accounted for, peaks are exact."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.theories.contract import IMPACT
from theories.spatial.cases import (
    STANDARD,
    earthquake,
    finer,
    random_body,
    random_case,
    released,
    step_of,
)


def sound(run):
    """Every state is an attitude, and energy is accounted for."""
    assert run.status is not rs.Status.FAILED
    assert np.isfinite(run.states).all()
    up = np.column_stack([run.column(f"up_{axis}") for axis in "xyz"])
    ahead = np.column_stack([run.column(f"ahead_{axis}") for axis in "xyz"])
    for product in ((up * up).sum(1) - 1, (ahead * ahead).sum(1) - 1, (up * ahead).sum(1)):
        assert np.abs(product).max() < 1e-12
    assert (np.diff(run.column("loss")) >= 0).all()  # no impact gains energy
    body = run.system
    well = body.mass * body.g * body.centre[2] * body.alpha**2 / 2  # about what overturns it
    scale = max(run.energy.max(), np.abs(run.column("work")).max(), well)
    closes = run.energy - run.energy[0] - run.column("work") + run.column("loss")
    assert np.abs(closes).max() < 1e-8 * scale


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2, 3))]
)
def test_a_thousand_random_bodies_and_motions(part):
    rng = np.random.default_rng(100 + part)
    outcomes = dict.fromkeys(rs.Status, 0)
    for _ in range(250):
        body, motion = random_case(rng)
        run = rs.simulate(body, motion, rs.Spatial(), until="motion")
        sound(run)
        outcomes[run.status] += 1
    assert outcomes[rs.Status.OVERTURNED] > 10 and outcomes[rs.Status.MOVING] > 10


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**30),
    tilt=st.floats(0.01, 1.2),
    direction=st.floats(0, 360),
    spin=st.tuples(*[st.floats(-2, 2)] * 3),
    dt=st.sampled_from([0.002, 0.01, 0.05]),
)
def test_any_start(seed, tilt, direction, spin, dt):
    body = random_body(np.random.default_rng(seed))
    run = released(body, tilt * body.limit(direction), direction, spin=spin, until=2.0, dt=dt)
    sound(run)
    assert run.energy[-1] <= run.energy[0] * (1 + 1e-9) + 1e-9


@settings(max_examples=25)
@given(
    sizes=st.tuples(st.floats(0.1, 1.0), st.floats(0.1, 1.0), st.floats(0.3, 3.0)),
    samples=st.lists(
        st.tuples(*[st.floats(-12, 12)] * 2, st.floats(-6, 6)), min_size=3, max_size=40
    ),
    dt=st.sampled_from([0.005, 0.02, 0.1]),
)
def test_any_motion(sizes, samples, dt):
    x, y, z = np.array(samples).T
    motion = rs.Motion(x.copy(), dt, transverse=y.copy(), vertical=z.copy())
    sound(rs.simulate(rs.Body.box(*sizes), motion, rs.Spatial(), until="motion"))


def test_a_body_that_falls_does_not_stand_up_again():
    """Close to the ground its energy is less than that of standing: an impact of the next corner
    must not take it for a body at rest."""
    for direction in np.arange(1.0, 90.0, 4.0):
        run = released(STANDARD, 0.4, direction, spin=(0.0, 0.0, 1.5), until=3.0)
        assert run.status is rs.Status.OVERTURNED
        assert run.column("tilt")[-1] == pytest.approx(np.pi / 2, abs=1e-12)


def test_impacts_alone_lose_energy():
    """Each impact on its own, at its very instant."""
    step, theory = step_of(STANDARD), rs.Spatial()
    motion = earthquake(1)
    ground = np.column_stack([motion.accel, motion.vertical, motion.transverse])
    state, losses = theory.start(STANDARD), []
    for now, then in pairwise(ground):
        passed = 0.0
        while passed < motion.dt:
            here = now + passed / motion.dt * (then - now)
            new, used, event = step(state, tuple(here), tuple(then), motion.dt - passed)
            passed += used
            if event == IMPACT:
                before, after = theory.energy(STANDARD, np.array([state, new]))
                losses.append(before - after)
                assert new[17] - state[17] == pytest.approx(losses[-1], rel=1e-6, abs=1e-9)
            state = new
    assert len(losses) > 50 and min(losses) >= -1e-12


def test_error_of_the_peak():
    """150 motions of 8 s, sampled every 5 ms, against the same ground sampled 16 times as often:
    the ground is linear between samples, so the exact response is the same."""
    count = 150
    errors, impacts = [], []
    for motion in map(earthquake, range(1000, 1000 + count)):
        coarse, fine = (
            rs.simulate(STANDARD, ground, rs.Spatial(), until="motion")
            for ground in (motion, finer(motion, 16))
        )
        assert coarse.status is fine.status
        if fine.status is not rs.Status.OVERTURNED:
            errors.append(abs(coarse.peak - fine.peak))
            impacts.append(len(fine.impacts))
    assert len(errors) > 0.8 * count and np.median(impacts) > 80
    assert np.median(errors) <= 1e-8
    assert np.quantile(errors, 0.95) <= 1e-6
